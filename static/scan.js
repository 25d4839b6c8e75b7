// Where the browser can read a QR code by itself, the page scans it. Elsewhere the phone's camera app opens the link.
"use strict";
(async () => {
  const EVERY = 250; // ms between two looks
  const scan = document.getElementById("scan");
  const camera = document.getElementById("camera");
  const form = document.querySelector("form");
  if (!window.BarcodeDetector || !navigator.mediaDevices) return;
  const formats = await BarcodeDetector.getSupportedFormats().catch(() => []);
  if (!formats.includes("qr_code")) return;
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  scan.hidden = false;

  async function look() {
    const [found] = await detector.detect(camera).catch(() => []);
    if (!found) return setTimeout(look, EVERY);
    camera.srcObject.getTracks().forEach((track) => track.stop());
    form.elements.code.value = found.rawValue;
    return form.requestSubmit();
  }

  scan.addEventListener("click", async () => {
    try {
      camera.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch (error) {
      scan.hidden = true; // not allowed: the camera app and the code are left
      return;
    }
    camera.hidden = false;
    camera.play().catch(() => {});
    look();
  });
})();

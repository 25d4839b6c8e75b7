// Where the browser reads QR codes the page scans; elsewhere the phone's camera app opens the link.
const EVERY = 250; // ms
const scan = document.querySelector("#scan");
const camera = document.querySelector("#camera");
const code = document.querySelector("form [name=code]");
let detector = null;

async function offer() {
  if (!window.BarcodeDetector || !navigator.mediaDevices) return;
  const formats = await BarcodeDetector.getSupportedFormats().catch(() => []);
  if (!formats.includes("qr_code")) return;
  detector = new BarcodeDetector({ formats: ["qr_code"] });
  scan.hidden = false;
}

async function poll() {
  const [found] = await detector.detect(camera).catch(() => []);
  if (!found) return setTimeout(poll, EVERY);
  camera.srcObject.getTracks().forEach((track) => track.stop());
  code.value = found.rawValue;
  return code.form.requestSubmit();
}

scan.addEventListener("click", async () => {
  try {
    camera.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch (error) {
    scan.hidden = true;
    return;
  }
  camera.hidden = false;
  camera.play().catch(() => {});
  poll();
});
offer();

// A page to share: the picture, if there is one, becomes a PNG, because chats show no SVG.
const NAME = "fifty-five.png";
const picture = document.querySelector("#share .picture");
const text = document.querySelector("#share textarea");
const [send, save, copy] = ["send", "save", "copy"].map((id) => document.getElementById(id));
let files = []; // ready before the tap, which must not wait

async function paint() {
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: picture.naturalWidth, height: picture.naturalHeight });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  Object.assign(save, { href: URL.createObjectURL(blob), download: NAME });
  const file = new File([blob], NAME, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) files = [file];
}

function copyText() {
  text.select();
  if (navigator.clipboard) return navigator.clipboard.writeText(text.value);
  document.execCommand("copy"); // plain http
  return Promise.resolve();
}

copy.hidden = false;
copy.addEventListener("click", async () => {
  await copyText();
  copy.textContent = copy.dataset.done;
});
send.hidden = !navigator.share;
send.addEventListener("click", () => {
  const what = files.length ? { files, text: text.value } : { text: text.value };
  navigator.share(what).catch(() => {});
});
if (picture) paint();

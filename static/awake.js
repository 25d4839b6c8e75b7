// Over plain http a browser has no wake lock. A film that plays keeps the screen on as well: this one is a dark dot, drawn here.
const canvas = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
const film = Object.assign(document.createElement("video"), { id: "film", muted: true, playsInline: true });
const pen = canvas.getContext("2d");

export function playFilm() {
  if (!film.srcObject) {
    film.srcObject = canvas.captureStream(1);
    film.setAttribute("aria-hidden", "true");
    document.body.append(film);
    setInterval(() => pen.fillRect(0, 0, 2, 2), 1000);
  }
  pen.fillRect(0, 0, 2, 2);
  return film.play();
}

// A flat map on a canvas: drag moves it, wheel and pinch zoom; drawn when something has changed.

import { Notice } from "./notice.js";

export class Plane {
  #frame = 0;
  #stop = new AbortController();
  #held = new Map();
  #apart = 0;
  zoom = 1;
  inset = 0;  // pixels above it that do not belong to the map
  centre = { x: 0, y: 0 };
  bounds = { left: 0, right: 1, low: 0, high: 1 };

  // `paint(pen)` draws in units of the map: y up, `pixel` map units per pixel.
  constructor(host, colours, paint) {
    this.host = host;
    this.colours = colours;
    this.paint = paint;
    this.notice = new Notice(host, colours);
    this.canvas = document.createElement("canvas");
    this.canvas.className = "stage-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The map at this tick");
    Object.assign(this.canvas.style, { display: "block", width: "100%", height: "100%", touchAction: "none" });
    host.append(this.canvas);
    this.pen = this.canvas.getContext("2d");
    this.#listen();
    this.resize();
  }

  show(bounds) {
    this.bounds = bounds;
    this.centre = { x: (bounds.left + bounds.right) / 2, y: (bounds.low + bounds.high) / 2 };
    this.dirty();
  }

  dirty() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#render());
  }

  resize() {
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    this.width = Math.max(1, this.host.clientWidth);
    this.height = Math.max(1, this.host.clientHeight);
    this.ratio = ratio;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.dirty();
  }

  // Pixels of a map unit.
  get scale() {
    const { left, right, low, high } = this.bounds;
    return Math.min(this.width / Math.max(1e-6, right - left), (this.height - this.inset) / Math.max(1e-6, high - low)) * this.zoom;
  }
  get pixel() {
    return 1 / this.scale;
  }

  // For texts on the screen: x and y in pixels of the page.
  screenX(x) {
    return (x - this.centre.x) * this.scale + this.width / 2;
  }
  screenY(y) {
    return (this.height + this.inset) / 2 - (y - this.centre.y) * this.scale;
  }

  snapshot() {
    this.#render();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made."))));
    });
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
    this.#stop.abort();
    this.notice.dispose();
    this.canvas.width = this.canvas.height = 0;
    this.canvas.remove();
  }

  #render() {
    this.#frame = 0;
    const { pen, ratio } = this;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = this.colours.background;
    pen.fillRect(0, 0, this.width, this.height);
    this.paint(pen);
  }

  #listen() {
    const { canvas } = this;
    const signal = this.#stop.signal;
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture?.(e.pointerId);
      this.#held.set(e.pointerId, { x: e.clientX, y: e.clientY });
      this.#apart = 0;
    }, { signal });
    canvas.addEventListener("pointermove", (e) => this.#move(e), { signal });
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (e) => {
        this.#held.delete(e.pointerId);
        this.#apart = 0;
      }, { signal });
    }
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.#nearer(Math.exp(-Math.max(-400, Math.min(400, e.deltaY)) * 0.0012));
    }, { signal, passive: false });
    canvas.addEventListener("keydown", (e) => this.#key(e), { signal });
  }

  #nearer(factor) {
    this.zoom = Math.min(40, Math.max(0.5, this.zoom * factor));
    this.dirty();
  }

  #shift(dx, dy) {
    this.centre.x -= dx * this.pixel;
    this.centre.y += dy * this.pixel;
    this.dirty();
  }

  #move(event) {
    const held = this.#held.get(event.pointerId);
    if (!held) return;
    const parts = this.#held.size;
    this.#shift((event.clientX - held.x) / parts, (event.clientY - held.y) / parts);
    held.x = event.clientX;
    held.y = event.clientY;
    if (parts !== 2) return;
    const [a, b] = this.#held.values();
    const apart = Math.hypot(a.x - b.x, a.y - b.y);
    if (this.#apart > 0 && apart > 0) this.#nearer(apart / this.#apart);
    this.#apart = apart;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.#nearer(1.14);
    else if (event.key === "-") this.#nearer(0.88);
    else if (event.shiftKey && event.key === "ArrowLeft") this.#shift(40, 0);
    else if (event.shiftKey && event.key === "ArrowRight") this.#shift(-40, 0);
    else if (event.shiftKey && event.key === "ArrowUp") this.#shift(0, 40);
    else if (event.shiftKey && event.key === "ArrowDown") this.#shift(0, -40);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

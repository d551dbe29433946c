// A camera on a sphere around a point: drag rotates, right drag or two fingers move the point, wheel and
// pinch zoom. With the canvas focused: + and -, and Shift with the arrows (arrows alone belong to the page's
// transport).

const steepest = 1.55;  // radians: at the pole the picture would flip

export class Orbit {
  #element;
  #changed;
  #stop = new AbortController();
  #pointers = new Map();
  #pinch = 0;

  target = { x: 0, y: 0, z: 0 };
  azimuth = 0.9;
  polar = 0.5;  // above the horizon
  distance = 40;
  nearest = 0.5;
  farthest = 5000;
  enabled = true;
  onturn = () => {};  // before a gesture rotates or moves it

  constructor(element, changed) {
    this.#element = element;
    this.#changed = changed;
    const signal = this.#stop.signal;
    element.style.touchAction = "none";
    element.addEventListener("pointerdown", (e) => this.#down(e), { signal });
    element.addEventListener("pointermove", (e) => this.#move(e), { signal });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      element.addEventListener(end, (e) => this.#up(e), { signal });
    }
    element.addEventListener("wheel", (e) => this.#wheel(e), { signal, passive: false });
    element.addEventListener("contextmenu", (e) => e.preventDefault(), { signal });
    element.addEventListener("keydown", (e) => this.#key(e), { signal });
  }

  dispose() {
    this.#stop.abort();
    this.#pointers.clear();
  }

  look(camera) {
    const flat = Math.cos(this.polar) * this.distance;
    camera.up.set(0, 1, 0);
    camera.position.set(
      this.target.x + Math.sin(this.azimuth) * flat,
      this.target.y + Math.sin(this.polar) * this.distance,
      this.target.z + Math.cos(this.azimuth) * flat,
    );
    camera.lookAt(this.target.x, this.target.y, this.target.z);
  }

  // Continues from the position of another camera.
  adopt(eye, at) {
    const away = [eye.x - at.x, eye.y - at.y, eye.z - at.z];
    this.distance = Math.max(this.nearest, Math.hypot(...away));
    this.polar = Math.asin(Math.max(-1, Math.min(1, away[1] / this.distance)));
    this.azimuth = Math.atan2(away[0], away[2]);
    Object.assign(this.target, { x: at.x, y: at.y, z: at.z });
  }

  zoom(factor) {
    this.distance = Math.min(this.farthest, Math.max(this.nearest, this.distance * factor));
    this.#changed();
  }

  turn(right, up) {
    this.onturn();
    this.azimuth -= right;
    this.polar = Math.min(steepest, Math.max(-steepest, this.polar + up));
    this.#changed();
  }

  // Moves the target point, in pixels of the element.
  pan(right, down) {
    this.onturn();
    const metres = (this.distance * 0.9) / Math.max(1, this.#element.clientHeight);
    const sin = Math.sin(this.azimuth);
    const cos = Math.cos(this.azimuth);
    const tilt = Math.sin(this.polar);
    this.target.x += (-right * cos - down * sin * tilt) * metres;
    this.target.z += (right * sin - down * cos * tilt) * metres;
    this.target.y += down * Math.cos(this.polar) * metres;
    this.#changed();
  }

  #down(event) {
    if (!this.enabled) return;
    this.#element.setPointerCapture?.(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, button: event.button });
    this.#pinch = 0;
  }

  #up(event) {
    this.#pointers.delete(event.pointerId);
    this.#pinch = 0;
  }

  #move(event) {
    const held = this.#pointers.get(event.pointerId);
    if (!held || !this.enabled) return;
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    held.x = event.clientX;
    held.y = event.clientY;
    if (this.#pointers.size === 2) {
      const [a, b] = this.#pointers.values();
      const apart = Math.hypot(a.x - b.x, a.y - b.y);
      if (this.#pinch > 0 && apart > 0) this.zoom(this.#pinch / apart);
      this.#pinch = apart;
      this.pan(dx / 2, dy / 2);
    } else if (held.button === 2 || held.button === 1 || event.shiftKey) {
      this.pan(dx, dy);
    } else {
      this.turn(dx * 0.006, dy * 0.006);
    }
  }

  #wheel(event) {
    if (!this.enabled) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    this.zoom(Math.exp(Math.max(-400, Math.min(400, lines)) * 0.0012));
  }

  #key(event) {
    if (!this.enabled || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 0.08;
    if (event.key === "+" || event.key === "=") this.zoom(0.88);
    else if (event.key === "-") this.zoom(1.14);
    else if (event.shiftKey && event.key === "ArrowLeft") this.turn(-step, 0);
    else if (event.shiftKey && event.key === "ArrowRight") this.turn(step, 0);
    else if (event.shiftKey && event.key === "ArrowUp") this.turn(0, step);
    else if (event.shiftKey && event.key === "ArrowDown") this.turn(0, -step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

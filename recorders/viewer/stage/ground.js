// A grid below moving objects, with lines at round distances, rebuilt when the world becomes larger.

import { GridHelper } from "three";
import { roundStep } from "./round_step.js";

export class Ground {
  #grid = null;
  #size = 0;
  constructor(parent, colours) {
    this.parent = parent;
    this.colours = colours;
    this.step = 0;
  }
  lay(size, x, y, z) {
    if (!this.#grid || size > this.#size || size < this.#size / 4) {
      this.#remove();
      this.#size = size * 1.25;
      this.step = roundStep(this.#size, 16);
      const parts = Math.min(200, Math.ceil(this.#size / this.step / 2) * 2);
      this.#grid = new GridHelper(parts * this.step, parts, this.colours.line, this.colours.faint);
      this.#grid.material.depthWrite = false;
      this.#grid.renderOrder = -1;
      this.parent.add(this.#grid);
    }
    // Its lines stay on round coordinates.
    this.#grid.position.set(Math.round(x / this.step) * this.step, y, Math.round(z / this.step) * this.step);
  }
  #remove() {
    this.#grid?.removeFromParent();
    this.#grid?.geometry.dispose();
    this.#grid?.material.dispose();
  }
}

// The latest positions of an object, as a band that narrows and fades. Its buffers never grow.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshBasicMaterial } from "three";

export class Trail {
  #places;
  #length = 0;
  #tick = -1;

  constructor(parent, colour, { points = 48, width = 0.12, longestStep = 12 } = {}) {
    this.points = points;
    this.width = width;
    this.longestStep = longestStep;  // a longer distance is a jump, not a flight
    this.#places = new Float32Array(points * 3);
    // Two perpendicular bands, so that one of them is visible from any side: four corners per position.
    this.geometry = new BufferGeometry();
    this.corners = new BufferAttribute(new Float32Array(points * 12), 3);
    this.shades = new BufferAttribute(new Float32Array(points * 16), 4);
    const faces = [];
    for (let i = 0; i + 1 < points; ++i) {
      for (const side of [0, 2]) {
        const a = i * 4 + side;
        faces.push(a, a + 1, a + 4, a + 1, a + 5, a + 4);
      }
    }
    this.geometry.setAttribute("position", this.corners);
    this.geometry.setAttribute("color", this.shades);
    this.geometry.setIndex(faces);
    const material = new MeshBasicMaterial({ vertexColors: true, transparent: true, side: DoubleSide, depthWrite: false });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    parent.add(this.mesh);
    this.paint(colour);
  }

  paint(colour) {
    const rgb = new Color(colour);
    for (let i = 0; i < this.points; ++i) {
      for (let c = 0; c < 4; ++c) this.shades.setXYZW(i * 4 + c, rgb.r, rgb.g, rgb.b, 1 - i / this.points);
    }
    this.shades.needsUpdate = true;
  }

  clear() {
    this.#length = 0;
    this.#tick = -1;
    this.mesh.visible = false;
  }

  // A tick before the last one, or far after it, begins a new trail.
  add(tick, x, y, z) {
    if (tick === this.#tick) return;
    const p = this.#places;
    const jumped = this.#length > 0 && Math.hypot(x - p[0], y - p[1], z - p[2]) > this.longestStep;
    if (tick < this.#tick || jumped) this.#length = 0;
    this.#tick = tick;
    p.copyWithin(3, 0, (this.points - 1) * 3);
    p[0] = x;
    p[1] = y;
    p[2] = z;
    this.#length = Math.min(this.points, this.#length + 1);
    this.#lay();
  }

  #lay() {
    const corner = this.corners.array;
    for (let i = 0; i < this.#length; ++i) {
      const half = this.width * (1 - i / this.points);
      const at = i * 12;
      for (let c = 0; c < 4; ++c) {
        const sign = c % 2 === 0 ? half : -half;
        corner[at + c * 3] = this.#places[i * 3] + (c >= 2 ? sign : 0);
        corner[at + c * 3 + 1] = this.#places[i * 3 + 1] + (c < 2 ? sign : 0);
        corner[at + c * 3 + 2] = this.#places[i * 3 + 2];
      }
    }
    this.corners.needsUpdate = true;
    this.geometry.setDrawRange(0, Math.max(0, this.#length - 1) * 12);
    this.mesh.visible = this.#length > 1;
  }
}

// Many equal shapes in one call: their matrices are written in place, so that a picture makes no garbage.

import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh } from "three";

export class Instances {
  #room = 0;
  count = 0;

  constructor(parent, geometry, material, room) {
    this.parent = parent;
    this.geometry = geometry;
    this.material = material;
    this.#grow(room);
  }

  begin() {
    this.count = 0;
  }

  // A ball, stretched by `sx`, `sy`, `sz`, upright.
  ball(x, y, z, sx, sy, sz, colour) {
    const m = this.#next(colour);
    m[0] = sx;
    m[5] = sy;
    m[10] = sz;
    this.#place(m, x, y, z);
  }

  // Turned so that its y is `up` and its z is `forward`, both arrays of length 1; `left` is its x.
  turned(at, left, up, forward, sx, sy, sz, colour) {
    const m = this.#next(colour);
    for (let i = 0; i < 3; ++i) {
      m[i] = left[i] * sx;
      m[4 + i] = up[i] * sy;
      m[8 + i] = forward[i] * sz;
    }
    this.#place(m, at[0], at[1], at[2]);
  }

  // A shape that is one unit long along y, from a to b. Beyond `longest` nothing is drawn.
  link(ax, ay, az, bx, by, bz, thick, colour, longest = Infinity) {
    const dx = bx - ax;
    const dy = by - ay;
    const dz = bz - az;
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-4) || length > longest) return;
    const m = this.#next(colour);
    // Any direction at right angles: the one against the smallest part of this one.
    let px = 0;
    let py = 0;
    let pz = 0;
    if (Math.abs(dy) < 0.9 * length) {
      const flat = Math.hypot(dx, dz);
      px = dz / flat;
      pz = -dx / flat;
    } else {
      const flat = Math.hypot(dy, dz);
      py = -dz / flat;
      pz = dy / flat;
    }
    const ux = dx / length;
    const uy = dy / length;
    const uz = dz / length;
    m[0] = px * thick;
    m[1] = py * thick;
    m[2] = pz * thick;
    m[4] = dx;
    m[5] = dy;
    m[6] = dz;
    m[8] = (py * uz - pz * uy) * thick;
    m[9] = (pz * ux - px * uz) * thick;
    m[10] = (px * uy - py * ux) * thick;
    this.#place(m, (ax + bx) / 2, (ay + by) / 2, (az + bz) / 2);
  }

  end() {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor.needsUpdate = true;
  }

  #place(m, x, y, z) {
    m[12] = x;
    m[13] = y;
    m[14] = z;
    m[15] = 1;
  }

  #next(colour) {
    if (this.count === this.#room) this.#grow(this.#room * 2);
    const at = this.count++;
    const m = this.#view(at);
    m.fill(0);
    this.mesh.instanceColor.array[at * 3] = colour.r;
    this.mesh.instanceColor.array[at * 3 + 1] = colour.g;
    this.mesh.instanceColor.array[at * 3 + 2] = colour.b;
    return m;
  }

  #view(at) {
    return this.views[at];
  }

  #grow(room) {
    const before = this.mesh;
    this.mesh = new InstancedMesh(this.geometry, this.material, room);
    this.mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(room * 3), 3);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.instanceColor.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    if (before) {
      this.mesh.instanceMatrix.array.set(before.instanceMatrix.array);
      this.mesh.instanceColor.array.set(before.instanceColor.array);
      before.removeFromParent();
      before.dispose();
    }
    const all = this.mesh.instanceMatrix.array;
    this.views = Array.from({ length: room }, (_, i) => all.subarray(i * 16, i * 16 + 16));
    this.#room = room;
    this.parent.add(this.mesh);
  }
}

// Many equal shapes in one draw call. Their corners are transformed here, in reused buffers: a graphics card
// could do that, but with software rendering each instance is a separate call and costs more than all the
// corners of its shape.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from "three";

export class Shapes {
  #room = 0;
  #corners;
  #base;
  #x = new Float32Array(3);
  #y = new Float32Array(3);
  #z = new Float32Array(3);
  count = 0;

  // `shape` is an indexed geometry; its corners and, if present, its normals are used.
  constructor(parent, shape, material, room) {
    this.#base = { places: shape.attributes.position.array, normals: shape.attributes.normal?.array, faces: shape.index.array };
    this.#corners = shape.attributes.position.count;
    material.vertexColors = true;
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    parent.add(this.mesh);
    this.#grow(room);
  }

  begin() {
    this.count = 0;
  }

  // A ball, scaled by `sx`, `sy`, `sz`, upright.
  ball(x, y, z, sx, sy, sz, colour) {
    this.#x.fill(0)[0] = sx;
    this.#y.fill(0)[1] = sy;
    this.#z.fill(0)[2] = sz;
    this.#put(x, y, z, colour);
  }

  // Rotated so that its y is `up` and its z is `forward`, both arrays of length 1; `left` is its x.
  turned(at, left, up, forward, sx, sy, sz, colour) {
    for (let i = 0; i < 3; ++i) {
      this.#x[i] = left[i] * sx;
      this.#y[i] = up[i] * sy;
      this.#z[i] = forward[i] * sz;
    }
    this.#put(at[0], at[1], at[2], colour);
  }

  // A shape of unit length along y, from a to b. If it is longer than `longest` nothing is drawn.
  link(ax, ay, az, bx, by, bz, thick, colour, longest = Infinity) {
    const dx = bx - ax;
    const dy = by - ay;
    const dz = bz - az;
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-4) || length > longest) return;
    // Any perpendicular direction: derived from the smallest component.
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
    const [x, y, z] = [this.#x, this.#y, this.#z];
    x[0] = px * thick;
    x[1] = py * thick;
    x[2] = pz * thick;
    y[0] = dx;
    y[1] = dy;
    y[2] = dz;
    z[0] = ((py * dz - pz * dy) / length) * thick;
    z[1] = ((pz * dx - px * dz) / length) * thick;
    z[2] = ((px * dy - py * dx) / length) * thick;
    this.#put((ax + bx) / 2, (ay + by) / 2, (az + bz) / 2, colour);
  }

  end() {
    const { geometry } = this.mesh;
    this.mesh.visible = this.count > 0;
    geometry.setDrawRange(0, this.count * this.#base.faces.length);
    for (const attribute of Object.values(geometry.attributes)) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * this.#corners * 3);
      attribute.needsUpdate = true;
    }
  }

  #put(tx, ty, tz, colour) {
    if (this.count === this.#room) this.#grow(this.#room * 2);
    const { position, normal, color } = this.mesh.geometry.attributes;
    const { places, normals } = this.#base;
    const [x, y, z] = [this.#x, this.#y, this.#z];
    // The normals of a scaled shape are scaled inversely.
    const wide = 1 / (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const high = 1 / (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    const deep = 1 / (z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
    let to = this.count++ * this.#corners * 3;
    for (let i = 0; i < this.#corners * 3; i += 3, to += 3) {
      const a = places[i];
      const b = places[i + 1];
      const c = places[i + 2];
      position.array[to] = x[0] * a + y[0] * b + z[0] * c + tx;
      position.array[to + 1] = x[1] * a + y[1] * b + z[1] * c + ty;
      position.array[to + 2] = x[2] * a + y[2] * b + z[2] * c + tz;
      color.array[to] = colour.r;
      color.array[to + 1] = colour.g;
      color.array[to + 2] = colour.b;
      if (!normal) continue;
      const d = normals[i] * wide;
      const e = normals[i + 1] * high;
      const f = normals[i + 2] * deep;
      normal.array[to] = x[0] * d + y[0] * e + z[0] * f;
      normal.array[to + 1] = x[1] * d + y[1] * e + z[1] * f;
      normal.array[to + 2] = x[2] * d + y[2] * e + z[2] * f;
    }
  }

  #grow(room) {
    const before = this.mesh.geometry;
    const geometry = new BufferGeometry();
    const lit = this.#base.normals && this.mesh.material.isMeshLambertMaterial;
    for (const name of lit ? ["position", "normal", "color"] : ["position", "color"]) {
      const array = new Float32Array(room * this.#corners * 3);
      if (this.#room > 0) array.set(before.attributes[name].array);
      geometry.setAttribute(name, new BufferAttribute(array, 3).setUsage(DynamicDrawUsage));
    }
    const { faces } = this.#base;
    const index = new (room * this.#corners > 65536 ? Uint32Array : Uint16Array)(room * faces.length);
    for (let at = 0; at < room; ++at) {
      for (let i = 0; i < faces.length; ++i) index[at * faces.length + i] = faces[i] + at * this.#corners;
    }
    geometry.setIndex(new BufferAttribute(index, 1));
    this.mesh.geometry = geometry;
    before.dispose();
    this.#room = room;
  }
}

// A ball of triangles with shared corners: three's has three separate corners per triangle, which is slow
// with software rendering.

import { BufferAttribute, BufferGeometry, IcosahedronGeometry } from "three";

export function ballGeometry(detail) {
  const apart = new IcosahedronGeometry(1, detail).getAttribute("position");
  const known = new Map();
  const places = [];
  const faces = [];
  for (let i = 0; i < apart.count; ++i) {
    const corner = [apart.getX(i), apart.getY(i), apart.getZ(i)];
    const key = corner.map((each) => Math.round(each * 1e4)).join();
    if (!known.has(key)) {
      known.set(key, places.length / 3);
      places.push(...corner);
    }
    faces.push(known.get(key));
  }
  const geometry = new BufferGeometry();
  const where = new BufferAttribute(new Float32Array(places), 3);
  geometry.setAttribute("position", where);
  // Radius 1: a corner's position is also its normal.
  geometry.setAttribute("normal", where);
  geometry.setIndex(faces);
  return geometry;
}

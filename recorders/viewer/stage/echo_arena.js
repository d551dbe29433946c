// The arena of Echo VR as lines and walls.

import {
  BackSide, BufferAttribute, BufferGeometry, CircleGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments,
  Mesh, MeshBasicMaterial, TorusGeometry,
} from "three";
import { arena } from "./echo_measures.js";

// The eight corners of a cross-section, each with x and y.
export function crossSection({ halfWidth: w, halfHeight: h, corner: c } = arena) {
  return [[w, h - c], [w - c, h], [c - w, h], [-w, h - c], [-w, c - h], [c - w, -h], [w - c, -h], [w, c - h]];
}

export function buildArena(colours) {
  const group = new Group();
  const ring = crossSection();
  group.add(walls(ring, colours), lines(ring, colours), goal(1, colours.orange), goal(-1, colours.blue));
  return group;
}

// Visible only from inside: the wall towards the camera never hides the game.
function walls(ring, colours) {
  const places = [];
  const shades = [];
  const faces = [];
  const wall = new Color(colours.wall);
  const ends = [new Color(colours.blue), new Color(colours.orange)];
  const slices = 9;
  const tint = new Color();
  for (let s = 0; s < slices; ++s) {
    const share = (s / (slices - 1)) * 2 - 1;
    for (const [x, y] of ring) {
      places.push(x, y, share * arena.halfLength);
      // The floor is a little darker than the ceiling; each half is tinted with the colour of its team.
      tint.copy(wall).lerp(ends[share > 0 ? 1 : 0], 0.03 + 0.17 * Math.abs(share) ** 1.5);
      tint.multiplyScalar(y < 0 ? 0.82 : 1.06);
      shades.push(tint.r, tint.g, tint.b);
    }
  }
  const at = (s, i) => s * 8 + (i % 8);
  for (let s = 0; s + 1 < slices; ++s) {
    for (let i = 0; i < 8; ++i) {
      faces.push(at(s, i), at(s, i + 1), at(s + 1, i), at(s, i + 1), at(s + 1, i + 1), at(s + 1, i));
    }
  }
  for (let i = 1; i + 1 < 8; ++i) {
    faces.push(at(0, 0), at(0, i + 1), at(0, i));
    faces.push(at(slices - 1, 0), at(slices - 1, i), at(slices - 1, i + 1));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(shades), 3));
  geometry.setIndex(faces);
  // Not written to the depth buffer: players outside are drawn anyway.
  const mesh = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, side: BackSide, depthWrite: false }));
  mesh.renderOrder = -2;
  return mesh;
}

function lines(ring, colours) {
  const places = [];
  const shades = [];
  const add = (a, b, colour) => {
    places.push(...a, ...b);
    for (let i = 0; i < 2; ++i) shades.push(colour.r, colour.g, colour.b);
  };
  const line = new Color(colours.line);
  const faint = new Color(colours.faint);
  const band = (z, colour) => {
    for (let i = 0; i < 8; ++i) add([...ring[i], z], [...ring[(i + 1) % 8], z], colour);
  };
  for (let z = -30; z <= 30; z += 10) band(z, z === 0 ? line : faint);
  // A grid on the floor shows the depth of a player in the picture.
  const floor = 0.02 - arena.halfHeight;
  const wide = arena.halfWidth - arena.corner;
  for (let z = -38; z <= 38; z += 4) add([-wide, floor, z], [wide, floor, z], faint);
  for (let x = -12; x <= 12; x += 4) add([x, floor, -arena.halfLength], [x, floor, arena.halfLength], faint);
  const blue = new Color(colours.blue);
  const orange = new Color(colours.orange);
  band(-arena.threePointZ, blue);
  band(arena.threePointZ, orange);
  for (const end of [-1, 1]) {
    const own = end > 0 ? orange : blue;
    band(end * arena.halfLength, own);
    tunnel(end, own, add);
  }
  for (const [x, y] of ring) add([x, y, -arena.halfLength], [x, y, arena.halfLength], faint);
  // Where the disc appears.
  for (let i = 0; i < 32; ++i) {
    const [a, b] = [i, i + 1].map((k) => (k / 32) * 2 * Math.PI);
    add([2 * Math.cos(a), 2 * Math.sin(a), 0], [2 * Math.cos(b), 2 * Math.sin(b), 0], line);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(shades), 3));
  const made = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthWrite: false }));
  made.renderOrder = -1;
  return made;
}

function tunnel(end, colour, add) {
  const { tunnelHalfWidth: w, tunnelHalfHeight: h, tunnelEnd, halfLength } = arena;
  const section = crossSection({ halfWidth: w, halfHeight: h, corner: 1.2 });
  for (const z of [halfLength, 53, 66, tunnelEnd]) {
    for (let i = 0; i < 8; ++i) add([...section[i], end * z], [...section[(i + 1) % 8], end * z], colour);
  }
  for (const [x, y] of section) add([x, y, end * halfLength], [x, y, end * tunnelEnd], colour);
}

function goal(end, colour) {
  const group = new Group();
  const rim = new Mesh(new TorusGeometry(arena.goalRadius, 0.24, 8, 40), new MeshBasicMaterial({ color: colour }));
  const glow = new Mesh(
    new TorusGeometry(arena.goalRadius + 0.55, 0.5, 6, 40),
    new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.16, depthWrite: false }),
  );
  const pane = new Mesh(
    new CircleGeometry(arena.goalRadius, 32),
    new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.4, side: DoubleSide, depthWrite: false }),
  );
  group.add(rim, glow, pane);
  group.position.z = end * arena.goalZ;
  return group;
}

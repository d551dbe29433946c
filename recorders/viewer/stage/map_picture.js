// A picture on the ground, such as a map of the game's world, below everything else.

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from 'three';

export class MapPicture {
  #mesh = null;
  #parent;

  constructor(parent) {
    this.#parent = parent;
  }

  // `corners`: x and z of the upper left, upper right, lower left and lower right corner. No picture: none is shown.
  show(picture, corners, y) {
    this.#mesh?.removeFromParent();
    this.#mesh?.geometry.dispose();
    this.#mesh = null;
    if (!picture) return;
    const geometry = new BufferGeometry();
    const places = new Float32Array(corners.flatMap(([x, z]) => [x, y, z]));
    geometry.setAttribute('position', new BufferAttribute(places, 3));
    geometry.setAttribute('part', new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), 2));
    geometry.setIndex([0, 2, 1, 1, 2, 3]);
    const material = new ShaderMaterial({
      uniforms: { picture: { value: picture } },
      vertexShader: `
        in vec3 position;
        in vec2 part;
        out vec2 at;
        void main() {
          at = part;
          gl_Position = projection * (view * vec4(position, 1.0));
        }`,
      fragmentShader: `
        in vec2 at;
        uniform sampler2D picture;
        void main() {
          pixel = vec4(texture(picture, at).rgb, 1.0);
        }`,
      side: DoubleSide,
      depthWrite: false,
    });
    this.#mesh = new Mesh(geometry, material);
    this.#mesh.renderOrder = -2;
    this.#mesh.frustumCulled = false;
    this.#parent.add(this.#mesh);
  }
}

// Of an area [left, bottom, right, top] in the game's coordinates, where `toGround` converts one of its places.
export function cornersOf(area, toGround) {
  const [left, bottom, right, top] = area;
  return [toGround(left, top), toGround(right, top), toGround(left, bottom), toGround(right, bottom)];
}

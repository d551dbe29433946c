// Round dots of a constant size on the screen, only for distant objects; one draw call for all.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial } from "three";

const most = 128;

export class Dots {
  #count = 0;
  constructor(parent, { from = 14 } = {}) {
    const geometry = new BufferGeometry();
    this.places = new BufferAttribute(new Float32Array(most * 3), 3).setUsage(DynamicDrawUsage);
    this.shades = new BufferAttribute(new Float32Array(most * 3), 3).setUsage(DynamicDrawUsage);
    this.sizes = new BufferAttribute(new Float32Array(most), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute("pixels", this.sizes);
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("shade", this.shades);
    const material = new ShaderMaterial({
      uniforms: { from: { value: from } },
      vertexShader: `
        in vec3 position;
        in vec3 shade;
        in float pixels;
        uniform float from;
        flat out vec3 colour;
        void main() {
          colour = written(shade);
          vec4 seen = view * vec4(position, 1.0);
          gl_Position = projection * seen;
          // With an orthographic camera everything is distant.
          bool far = -seen.z > from || projection[2][3] == 0.0;
          gl_PointSize = far ? pixels : 0.0;
          if (!far) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        }`,
      fragmentShader: `
        flat in vec3 colour;
        void main() {
          if (length(gl_PointCoord - 0.5) > 0.5) discard;
          pixel = vec4(colour, 1.0);
        }`,
    });
    this.mesh = new Points(geometry, material);
    this.mesh.frustumCulled = false;
    parent.add(this.mesh);
  }

  begin() {
    this.#count = 0;
  }

  put(x, y, z, colour, pixels = 9) {
    if (this.#count === most) return;
    this.places.setXYZ(this.#count, x, y, z);
    this.shades.setXYZ(this.#count, colour.r, colour.g, colour.b);
    this.sizes.setX(this.#count, pixels);
    ++this.#count;
  }

  end() {
    this.mesh.geometry.setDrawRange(0, this.#count);
    this.places.needsUpdate = true;
    this.shades.needsUpdate = true;
    this.sizes.needsUpdate = true;
  }
}

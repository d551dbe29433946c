// Draws a scene of three's objects with WebGL 2: only the features that the stages use, without shadows, reflections,
// probes and headsets, which three's own renderer includes, a third of the page's bytes.
//
//   Mesh           MeshBasicMaterial, MeshLambertMaterial (ambient light and one sun)
//   LineSegments   LineBasicMaterial
//   Points, Mesh   ShaderMaterial, with the material's shaders; uniforms are numbers and at most one picture
//
// Colours are linear, as in three's Color, and written in sRGB. Opaque objects are drawn first, then transparent ones
// from back to front, each in the order of `renderOrder`.

import { BackSide, DoubleSide, Matrix4, Vector3 } from 'three';
import { fragmentShader, programKey, vertexShader } from './shaders.js';

const places = { position: 0, normal: 1, color: 2 };
const uniformNames = ['view', 'projection', 'model', 'turn', 'colour', 'opacity', 'ambient', 'sun', 'towardsSun'];

export const contextOptions = (antialias) => ({ alpha: false, antialias, powerPreference: 'high-performance' });

export class Renderer {
  #gl;
  #canvas;
  #programs = new Map();
  #geometries = new Map(); // the objects' resources on the graphics card
  #textures = new Map();
  #ratio = 1;
  #opaque = [];
  #through = [];
  #turn = new Matrix4();
  #at = new Vector3();
  #sun = new Vector3();
  #light = { ambient: [0, 0, 0], sun: [0, 0, 0] };
  #used = { program: null, geometry: null, lit: null };

  constructor({ canvas, antialias }) {
    this.#canvas = canvas;
    this.#gl = canvas.getContext('webgl2', contextOptions(antialias));
    if (!this.#gl) throw new Error('this browser does not support WebGL 2');
    // Resources from before a lost context no longer exist.
    canvas.addEventListener('webglcontextrestored', () => this.#forget());
  }

  setPixelRatio(ratio) {
    this.#ratio = ratio;
  }

  setSize(width, height) {
    const wide = Math.max(1, Math.floor(width * this.#ratio));
    const high = Math.max(1, Math.floor(height * this.#ratio));
    if (this.#canvas.width !== wide) this.#canvas.width = wide;
    if (this.#canvas.height !== high) this.#canvas.height = high;
  }

  render(scene, camera) {
    const gl = this.#gl;
    if (gl.isContextLost()) return;
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    this.#collect(scene, camera);
    gl.viewport(0, 0, this.#canvas.width, this.#canvas.height);
    const back = scene.background.getHex();
    gl.clearColor((back >> 16) / 255, ((back >> 8) & 255) / 255, (back & 255) / 255, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.#used.program = this.#used.geometry = this.#used.lit = null;
    // Default for objects without their own.
    gl.vertexAttrib3f(places.normal, 0, 1, 0);
    gl.vertexAttrib4f(places.color, 1, 1, 1, 1);
    for (const entry of this.#opaque) this.#draw(entry.object, camera, false);
    for (const entry of this.#through) this.#draw(entry.object, camera, true);
    gl.bindVertexArray(null);
  }

  dispose() {
    const gl = this.#gl;
    for (const held of this.#geometries.values()) this.#free(held);
    for (const { program } of this.#programs.values()) gl.deleteProgram(program);
    for (const texture of this.#textures.values()) gl.deleteTexture(texture);
    this.#forget();
  }

  forceContextLoss() {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  #forget() {
    this.#programs.clear();
    this.#geometries.clear();
    this.#textures.clear();
  }

  #collect(scene, camera) {
    this.#opaque.length = this.#through.length = 0;
    this.#light.ambient.fill(0);
    this.#light.sun.fill(0);
    scene.traverseVisible((object) => {
      if (object.isLight) return this.#shine(object);
      if (!object.material) return;
      const depth = -this.#at.setFromMatrixPosition(object.matrixWorld).applyMatrix4(camera.matrixWorldInverse).z;
      (object.material.transparent ? this.#through : this.#opaque).push({ object, depth });
    });
    this.#opaque.sort((a, b) => a.object.renderOrder - b.object.renderOrder || a.object.id - b.object.id);
    this.#through.sort(
      (a, b) => a.object.renderOrder - b.object.renderOrder || b.depth - a.depth || a.object.id - b.object.id,
    );
  }

  #shine(light) {
    const to = light.isAmbientLight ? this.#light.ambient : this.#light.sun;
    // The light that a matt surface reflects.
    for (const [i, part] of [light.color.r, light.color.g, light.color.b].entries())
      to[i] += (part * light.intensity) / Math.PI;
    if (!light.isAmbientLight) this.#sun.copy(light.position).normalize();
  }

  #draw(object, camera, through) {
    const gl = this.#gl;
    const { material, geometry } = object;
    const held = this.#hold(geometry, material.isShaderMaterial || material.vertexColors);
    const program = this.#program(object);
    const { u } = program;
    if (this.#used.program !== program) {
      this.#used.program = program;
      gl.useProgram(program.program);
      gl.uniformMatrix4fv(u.view, false, camera.matrixWorldInverse.elements);
      gl.uniformMatrix4fv(u.projection, false, camera.projectionMatrix.elements);
      if (u.towardsSun) gl.uniform3f(u.towardsSun, this.#sun.x, this.#sun.y, this.#sun.z);
      this.#used.lit = null;
    }
    const lit = Boolean(material.isMeshLambertMaterial);
    if (u.ambient && this.#used.lit !== lit) {
      this.#used.lit = lit;
      gl.uniform3fv(u.ambient, lit ? this.#light.ambient : [1, 1, 1]);
      gl.uniform3fv(u.sun, lit ? this.#light.sun : [0, 0, 0]);
    }
    if (u.model) gl.uniformMatrix4fv(u.model, false, object.matrixWorld.elements);
    if (u.turn) gl.uniformMatrix4fv(u.turn, false, this.#turn.copy(object.matrixWorld).invert().transpose().elements);
    if (u.colour) gl.uniform3f(u.colour, material.color.r, material.color.g, material.color.b);
    if (u.opacity) gl.uniform1f(u.opacity, material.opacity);
    for (const [name, { value }] of Object.entries(material.uniforms ?? {})) {
      if (typeof value === 'number') gl.uniform1f(program.own[name], value);
      else this.#bindTexture(value);
    }
    this.#state(material, through);
    if (this.#used.geometry !== held) {
      this.#used.geometry = held;
      gl.bindVertexArray(held.array);
    }
    this.#call(object, geometry, held);
  }

  // A picture, of which a material has at most one: its sampler reads the first unit.
  #bindTexture(picture) {
    const gl = this.#gl;
    let texture = this.#textures.get(picture);
    if (texture) return gl.bindTexture(gl.TEXTURE_2D, texture);
    this.#textures.set(picture, (texture = gl.createTexture()));
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  }

  #state(material, through) {
    const gl = this.#gl;
    if (through) {
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    } else gl.disable(gl.BLEND);
    if (material.depthTest) gl.enable(gl.DEPTH_TEST);
    else gl.disable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(material.depthWrite);
    if (material.side === DoubleSide) return gl.disable(gl.CULL_FACE);
    gl.enable(gl.CULL_FACE);
    gl.cullFace(material.side === BackSide ? gl.FRONT : gl.BACK);
  }

  #call(object, geometry, held) {
    const gl = this.#gl;
    const mode = object.isPoints ? gl.POINTS : object.isLineSegments ? gl.LINES : gl.TRIANGLES;
    const all = held.index ? geometry.index.count : geometry.attributes.position.count;
    const from = geometry.drawRange.start;
    const count = Math.min(all - from, geometry.drawRange.count);
    if (count <= 0) return;
    if (held.index) gl.drawElements(mode, count, held.type, from * held.wide);
    else gl.drawArrays(mode, from, count);
  }

  // Buffers of a geometry, uploaded when they have changed.
  #hold(geometry, colours) {
    const gl = this.#gl;
    let held = this.#geometries.get(geometry);
    if (!held) {
      held = { array: gl.createVertexArray(), buffers: new Map(), index: null };
      this.#geometries.set(geometry, held);
      geometry.addEventListener('dispose', function gone() {
        geometry.removeEventListener('dispose', gone);
        held.release?.();
      });
      held.release = () => {
        if (this.#geometries.get(geometry) !== held) return;
        this.#geometries.delete(geometry);
        this.#free(held);
      };
    }
    for (const name in geometry.attributes)
      if (colours || name !== 'color') this.#attribute(held, name, geometry.attributes[name]);
    if (geometry.index && !held.index) {
      this.#bindArray(held);
      held.index = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, held.index);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, geometry.index.array, gl.STATIC_DRAW);
      held.wide = geometry.index.array.BYTES_PER_ELEMENT;
      held.type = held.wide === 4 ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
    }
    return held;
  }

  #attribute(held, name, data) {
    const gl = this.#gl;
    const known = held.buffers.get(name);
    if (known?.version === data.version && known.data === data) return;
    if (known) {
      gl.bindBuffer(gl.ARRAY_BUFFER, known.buffer);
      // An update range means that the data after it is unchanged.
      const changed = data.updateRanges[0]?.count ?? data.array.length;
      if (known.data === data) gl.bufferSubData(gl.ARRAY_BUFFER, 0, data.array, 0, changed);
      else gl.bufferData(gl.ARRAY_BUFFER, data.array, gl.DYNAMIC_DRAW);
      known.version = data.version;
      known.data = data;
      return;
    }
    const buffer = gl.createBuffer();
    held.buffers.set(name, { buffer, version: data.version, data });
    this.#bindArray(held);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data.array, data.version > 0 ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    const place = places[name] ?? 9 + (held.more = (held.more ?? -1) + 1);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, data.itemSize, gl.FLOAT, false, 0, 0);
  }

  #bindArray(held) {
    this.#gl.bindVertexArray(held.array);
    this.#used.geometry = held;
  }

  #free(held) {
    const gl = this.#gl;
    for (const { buffer } of held.buffers.values()) gl.deleteBuffer(buffer);
    if (held.index) gl.deleteBuffer(held.index);
    gl.deleteVertexArray(held.array);
  }

  #program(object) {
    const key = programKey(object);
    let made = this.#programs.get(key);
    if (!made)
      this.#programs.set(
        key,
        (made = this.#link(vertexShader(object), fragmentShader(object), object.material.uniforms, object.geometry)),
      );
    return made;
  }

  #link(vertex, fragment, uniforms = {}, geometry) {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      gl.deleteShader(shader);
    }
    for (const name in places) gl.bindAttribLocation(program, places[name], name);
    // The rest in the order of the calls of #attribute().
    Object.keys(geometry.attributes)
      .filter((name) => !(name in places))
      .forEach((name, i) => gl.bindAttribLocation(program, 9 + i, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`a shader is refused: ${gl.getProgramInfoLog(program)}`);
    const find = (names) => Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)]));
    return { program, u: find(uniformNames), own: find(Object.keys(uniforms)) };
  }
}

// The base of every stage in three dimensions: a WebGL canvas in the host, cameras, labels, drawing on
// demand. Draws only when something has changed; survives a lost context; dispose() frees the resources of
// the graphics card.

import { AmbientLight, Color, DirectionalLight, OrthographicCamera, PerspectiveCamera, Scene } from 'three';
import { Labels } from './labels.js';
import { Orbit } from './orbit.js';
import { Notice } from './notice.js';
import { contextOptions, Renderer } from './renderer.js';

export class Space {
  #frame = 0;
  #stop = new AbortController();
  #lost = false;
  #slow = 0;
  #asked = 0;
  #sharpness = 1;

  // `onFrame(camera, now)` sets cameras before each picture and returns true while it needs another one.
  constructor(host, colours, onFrame) {
    this.host = host;
    this.colours = colours;
    this.onFrame = onFrame;
    this.notice = new Notice(host, colours);
    const { canvas, software } = takeCanvas();
    canvas.className = 'stage-canvas';
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'What happens at this tick');
    // Black before its first picture.
    Object.assign(canvas.style, { display: 'block', width: '100%', height: '100%', visibility: 'hidden' });
    host.append(canvas);
    this.canvas = canvas;
    this.slowPixels = software;
    this.renderer = new Renderer({ canvas, antialias: !this.slowPixels });
    this.scene = new Scene();
    this.scene.background = new Color(colours.background);
    this.scene.add(new AmbientLight(0xffffff, colours.name === 'dark' ? 1.6 : 2.0));
    const sun = new DirectionalLight(0xffffff, 1.7);
    sun.position.set(0.4, 1, 0.25);
    this.scene.add(sun);
    this.perspective = new PerspectiveCamera(55, 1, 0.05, 4000);
    this.above = new OrthographicCamera(-1, 1, 1, -1, 0.1, 20000);
    this.aboveHeight = 100; // units from the picture's lower edge to its upper one
    /** @type {any} */
    this.camera = this.perspective;
    this.orbit = new Orbit(canvas, () => this.dirty());
    this.labels = new Labels(host, colours, () => this.dirty());
    const signal = this.#stop.signal;
    canvas.addEventListener('webglcontextlost', (e) => this.#contextLost(e), { signal });
    canvas.addEventListener('webglcontextrestored', () => this.#contextRestored(), { signal });
    this.resize();
  }

  dirty() {
    if (this.#frame !== 0 || this.#lost) return;
    this.#asked = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#render(now));
  }

  resize() {
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    // More than two pixels per point are invisible, and without a graphics card more than one is too slow.
    const ratio = Math.min(globalThis.devicePixelRatio || 1, this.slowPixels ? 1 : 2) * this.#sharpness;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
    this.perspective.aspect = width / height;
    // A narrow window would show a slit of the arena: the smaller of both angles counts.
    this.perspective.fov = width >= height ? 55 : Math.min(85, 55 * Math.sqrt(height / width));
    this.perspective.updateProjectionMatrix();
    this.frameAbove();
    this.labels.resize(width, height);
    // A resize clears the picture: it is redrawn in the same frame.
    if (this.canvas.style.visibility === '') this.#paint(performance.now());
    this.dirty();
  }

  // The camera from above shows `aboveHeight` units from its lower to its upper edge.
  frameAbove() {
    const aspect = this.perspective.aspect;
    const half = this.aboveHeight / 2;
    Object.assign(this.above, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    this.above.updateProjectionMatrix();
  }

  // The picture with its labels, as large as `pen`'s canvas.
  paintOnto(pen) {
    if (this.#lost) throw new Error('The graphics card was lost: there is no picture.');
    // In the same task as the drawing: later the browser has cleared it.
    this.#paint(performance.now());
    pen.drawImage(this.canvas, 0, 0, pen.canvas.width, pen.canvas.height);
    this.labels.paintOnto(pen, pen.canvas.width / Math.max(1, this.host.clientWidth));
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#lost = true;
    this.#stop.abort();
    this.orbit.dispose();
    this.labels.dispose();
    free(this.scene);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.notice.dispose();
    this.canvas.remove();
  }

  #render(now) {
    this.#frame = 0;
    this.#mindSpeed();
    if (this.#paint(now)) this.dirty();
  }

  #paint(now) {
    if (this.#lost) return false;
    const again = this.onFrame(now);
    this.labels.face(this.camera, this.host.clientWidth, this.host.clientHeight);
    this.renderer.render(this.scene, this.camera);
    this.canvas.style.visibility = '';
    return again;
  }

  // Software rendering is slow: if pictures are repeatedly late, the resolution is reduced.
  #mindSpeed() {
    const late = performance.now() - this.#asked > (this.slowPixels ? 30 : 45);
    this.#slow = Math.max(0, this.#slow + (late ? 1 : -1));
    if (this.#slow < 24 || this.#sharpness <= 0.5) return;
    this.#slow = 0;
    this.#sharpness -= 0.25;
    this.resize();
  }

  #contextLost(event) {
    event.preventDefault();
    this.#lost = true;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.notice.show(
      'This page lost the graphics card. The picture returns when the browser restores it; tables and charts ' +
        'still work.',
    );
  }

  #contextRestored() {
    this.#lost = false;
    this.notice.hide();
    this.dirty();
  }
}

// prepareCanvas() creates one in advance, while a file is loading.
//
// Software rendering can only be detected with a context, which exists then: antialiasing would
// cost it a third more time, and a second context half a second. A graphics card is fast with both.
let spare = null;
export function prepareCanvas() {
  spare ??= makeCanvas();
}
function takeCanvas() {
  const made = spare ?? makeCanvas();
  spare = null;
  return made;
}
function makeCanvas() {
  const canvas = document.createElement('canvas');
  // Memory for it is allocated when its size is known.
  canvas.width = canvas.height = 1;
  const gl = /** @type {WebGL2RenderingContext} */ (canvas.getContext('webgl2', contextOptions(false)));
  const name = gl?.getParameter(gl.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  if (!gl || /swiftshader|llvmpipe|software|basic render/i.test(name)) return { canvas, software: true };
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return { canvas: document.createElement('canvas'), software: false };
}

export function free(object) {
  object.traverse((each) => {
    each.geometry?.dispose();
    for (const material of [each.material].flat()) {
      material?.map?.dispose();
      material?.dispose();
    }
  });
  object.clear();
}

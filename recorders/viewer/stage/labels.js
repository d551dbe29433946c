// Names in space: sprites with a canvas each, kept and drawn anew only when their text changes. Constant size on the
// screen. There are never more than `most`, whatever a recording holds.

import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial, SRGBColorSpace, Vector3 } from "three";
import { tidyName } from "./text.js";

const most = 96;
const pixelsHigh = 40;  // of the canvas, drawn at twice the size on the screen
const lowerFirst = (a, b) => a.y - b.y;
const font = "600 24px system-ui, sans-serif";

export class Labels {
  #made = [];
  #used = 0;
  #scale = 1;
  larger = 1;
  #shown = [];
  #point = new Vector3();

  constructor(scene, colours) {
    this.scene = scene;
    this.colours = colours;
  }

  // Between begin() and end() every put() is one label of the next picture.
  begin() {
    this.#used = 0;
  }

  put(text, colour, x, y, z) {
    if (this.#used >= most) return;
    const label = this.#made[this.#used] ?? this.#make();
    ++this.#used;
    if (label.text !== text || label.colour !== colour) this.#write(label, text, colour);
    label.sprite.position.set(x, y, z);
    label.sprite.visible = true;
  }

  end() {
    for (let i = this.#used; i < this.#made.length; ++i) this.#made[i].sprite.visible = false;
  }

  // On a very large picture a label of 20 pixels is a speck.
  resize(width, height) {
    this.larger = Math.min(2.4, Math.max(1, Math.min(width / 1400, height / 850)));
    this.#scale = (pixelsHigh / 2) * this.larger / Math.max(1, height);
  }

  // Sizes belong to the camera that looks. Names that would cover each other are moved up, one above the other.
  face(camera, width, height) {
    const high = camera.isPerspectiveCamera
      ? 2 * Math.tan((camera.fov * Math.PI) / 360)
      : (camera.top - camera.bottom);
    camera.updateMatrixWorld();
    const shown = this.#shown;
    shown.length = 0;
    for (let i = 0; i < this.#used; ++i) {
      const label = this.#made[i];
      const size = high * this.#scale;
      label.sprite.scale.set(size * (label.wide / pixelsHigh), size, 1);
      const at = this.#point.copy(label.sprite.position).project(camera);
      label.x = (at.x * width) / 2;
      label.y = (at.y * height) / 2;
      label.sprite.visible = Math.abs(at.z) < 1;  // not behind the camera
      if (label.sprite.visible) shown.push(label);
    }
    shown.sort(lowerFirst);
    const step = (pixelsHigh / 2 + 1) * this.larger;
    for (let i = 0; i < shown.length; ++i) {
      const label = shown[i];
      let y = label.y;
      for (let k = 0; k < i; ++k) {
        const other = shown[k];
        const apart = Math.abs(label.x - other.x) * 2 - ((label.wide + other.wide) / 2) * this.larger;
        if (apart < 0 && y < other.y + step && y > other.y - step) y = other.y + step;
      }
      // Too far from what it names, a name says nothing: rather let two of them touch.
      y = Math.min(y, label.y + 3 * step);
      label.sprite.center.y = (label.y - y) / ((pixelsHigh / 2) * this.larger);
      label.y = y;
    }
  }

  dispose() {
    for (const { sprite } of this.#made) {
      sprite.removeFromParent();
      sprite.material.map.dispose();
      sprite.material.dispose();
    }
    this.#made = [];
  }

  #make() {
    const canvas = document.createElement("canvas");
    canvas.width = 512;
    canvas.height = pixelsHigh;
    const map = new CanvasTexture(canvas);
    map.colorSpace = SRGBColorSpace;
    map.minFilter = LinearFilter;
    map.generateMipmaps = false;
    const material = new SpriteMaterial({ map, depthTest: false, depthWrite: false, sizeAttenuation: false });
    const sprite = new Sprite(material);
    sprite.center.set(0.5, 0);
    sprite.renderOrder = 10;
    this.scene.add(sprite);
    const label = { sprite, canvas, text: null, colour: null, wide: 512, x: 0, y: 0 };
    this.#made.push(label);
    return label;
  }

  #write(label, text, colour) {
    label.text = text;
    label.colour = colour;
    const pen = label.canvas.getContext("2d");
    pen.font = font;
    const shown = tidyName(text, 44);
    const inner = Math.min(488, Math.ceil(pen.measureText(shown).width));
    // A canvas of another size would need another texture: the plate is drawn in the middle of the same one, and only
    // that part is shown.
    label.wide = inner + 24;
    const map = label.sprite.material.map;
    map.repeat.set(label.wide / 512, 1);
    map.offset.set((512 - label.wide) / 1024, 0);
    const left = (512 - label.wide) / 2;
    pen.clearRect(0, 0, 512, pixelsHigh);
    pen.fillStyle = this.colours.plate;
    pen.beginPath();
    pen.roundRect(left, 1, label.wide, pixelsHigh - 2, 8);
    pen.fill();
    pen.fillStyle = colour;
    pen.fillRect(left + 4, 8, 5, pixelsHigh - 16);
    pen.fillStyle = this.colours.text;
    pen.textBaseline = "middle";
    pen.direction = "ltr";
    pen.fillText(shown, left + 15, pixelsHigh / 2 + 1, 488);
    map.needsUpdate = true;
  }
}

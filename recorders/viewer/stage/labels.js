// Names in space, as text elements over the picture: as sharp as other text, and of the same size at any
// distance. They do not overlap, and stay close to their objects: without room, the less important one is
// hidden. There are never more than `most`, whatever a recording contains.

import { Vector3 } from 'three';
import { tidyName } from './text.js';

const most = 96;
const gap = 2; // pixels between two of them
const lift = 3; // from an object to its name
const plates = '.scoreboard, .cards, .caption, .stage-notice';
const pen = typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');

// The boxes of labels above their points, important ones first; null if no place close to a point is free.
// points: [{x, y, wide, high}], y downwards; `taken`: boxes that no label may cover.
export function placeLabels(points, width, height, taken = []) {
  const placed = [...taken];
  return points.map(({ x, y, wide, high }) => {
    const left = Math.min(Math.max(0, width - wide), Math.max(0, x - wide / 2));
    // Above, higher, below, and beside, at most about a line away.
    for (const [dx, dy] of [
      [0, -high - lift],
      [0, -2 * high - lift - gap],
      [0, lift * 3],
      [wide / 2 + 8, -high / 2],
      [-wide / 2 - 8, -high / 2],
    ]) {
      const box = { left: dx ? x - wide / 2 + dx : left, top: y + dy, wide, high };
      if (box.left < 0 || box.left + wide > width || box.top < 0 || box.top + high > height) continue;
      if (
        placed.some(
          (other) =>
            box.left < other.left + other.wide + gap &&
            other.left < box.left + wide + gap &&
            box.top < other.top + other.high + gap &&
            other.top < box.top + high + gap,
        )
      )
        continue;
      placed.push(box);
      return box;
    }
    return null;
  });
}

export class Labels {
  #made = [];
  #used = 0;
  #size = 13;
  larger = 1;
  #point = new Vector3();
  #shown = [];

  #onchange;

  constructor(host, colours, onchange) {
    this.#onchange = onchange;
    this.colours = colours;
    this.box = document.createElement('div');
    this.box.className = 'stage-labels';
    this.box.setAttribute('aria-hidden', 'true');
    Object.assign(this.box.style, { position: 'absolute', inset: '0', overflow: 'hidden', pointerEvents: 'none' });
    host.append(this.box);
  }

  // Between begin() and end() every put() is one label of the next picture. Labels with a higher `weight` are
  // placed first.
  begin() {
    this.#used = 0;
  }

  put(text, colour, x, y, z, weight = 0) {
    if (this.#used >= most) return;
    const label = this.#made[this.#used] ?? this.#make();
    ++this.#used;
    if (label.text !== text || label.colour !== colour || label.size !== this.#size) this.#write(label, text, colour);
    label.place.set(x, y, z);
    label.weight = weight;
  }

  end() {
    for (let i = this.#used; i < this.#made.length; ++i) this.#hide(this.#made[i]);
  }

  // On a very large picture a label of 13 pixels is too small.
  resize(width, height) {
    this.#plates = null;
    this.larger = Math.min(2.4, Math.max(1, Math.min(width / 1400, height / 850)));
    this.#size = Math.round(13 * this.larger);
    this.box.style.font = `600 ${this.#size}px/1.35 system-ui, sans-serif`;
  }

  face(camera, width, height) {
    camera.updateMatrixWorld();
    const shown = this.#shown;
    shown.length = 0;
    for (let i = 0; i < this.#used; ++i) {
      const label = this.#made[i];
      const at = this.#point.copy(label.place).project(camera);
      // In front of the camera, with its object inside the picture.
      if (Math.abs(at.z) < 1 && Math.abs(at.x) <= 1.02 && Math.abs(at.y) <= 1.02) {
        label.x = ((at.x + 1) * width) / 2;
        label.y = ((1 - at.y) * height) / 2;
        shown.push(label);
      } else this.#hide(label);
    }
    // A label keeps its place, so that names do not jump during playback.
    shown.sort((a, b) => b.weight - a.weight || Number(b.visible) - Number(a.visible) || a.number - b.number);
    const boxes = placeLabels(shown, width, height, this.#covered());
    shown.forEach((label, i) => (boxes[i] ? this.#show(label, boxes[i]) : this.#hide(label)));
  }

  // The boxes over the picture that no name may cover: score, cards and sentences. Read again when one of them or the
  // picture changes its size.
  #covered() {
    const stage = this.box.closest('.stage');
    if (!this.#watching && stage?.querySelector('.watch')) {
      this.#watching = new ResizeObserver(() => {
        this.#plates = null;
        this.#onchange();
      });
      for (const each of stage.querySelectorAll(plates)) this.#watching.observe(each);
    }
    if (this.#plates) return this.#plates;
    const frame = this.box.getBoundingClientRect();
    return (this.#plates = [...(this.#watching ? stage.querySelectorAll(plates) : [])]
      .map((each) => each.getBoundingClientRect())
      .filter(({ width, height }) => width > 0 && height > 0)
      .map((each) => ({
        left: each.left - frame.left,
        top: each.top - frame.top,
        wide: each.width,
        high: each.height,
      })));
  }
  #watching = null;
  #plates = null;

  // The same names on a canvas, for a saved picture.
  paintOnto(to, scale) {
    to.font = `600 ${this.#size * scale}px system-ui, sans-serif`;
    to.textBaseline = 'middle';
    for (const { visible, at, text, colour } of this.#made) {
      if (!visible) continue;
      to.fillStyle = this.colours.plate;
      to.fillRect(at.left * scale, at.top * scale, at.wide * scale, at.high * scale);
      to.fillStyle = colour;
      to.fillRect(at.left * scale, at.top * scale, 3 * scale, at.high * scale);
      to.fillStyle = this.colours.text;
      to.fillText(tidyName(text, 44), (at.left + 8) * scale, (at.top + at.high / 2) * scale);
    }
  }

  dispose() {
    this.#watching?.disconnect();
    this.box.remove();
    this.#made = [];
  }

  #make() {
    const element = document.createElement('span');
    Object.assign(element.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      padding: '0 5px',
      whiteSpace: 'pre',
      borderRadius: '3px',
      visibility: 'hidden',
      direction: 'ltr',
      color: this.colours.text,
      background: this.colours.plate,
      willChange: 'transform',
    });
    this.box.append(element);
    const label = {
      element,
      number: this.#made.length,
      text: null,
      colour: null,
      size: 0,
      place: new Vector3(),
      visible: false,
      wide: 0,
      high: 0,
      x: 0,
      y: 0,
      weight: 0,
      at: null,
    };
    this.#made.push(label);
    return label;
  }

  #hide(label) {
    if (label.visible) label.element.style.visibility = 'hidden';
    label.visible = false;
  }

  #show(label, box) {
    label.at = box;
    const moved = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
    if (label.element.style.transform !== moved) label.element.style.transform = moved;
    if (!label.visible) label.element.style.visibility = 'visible';
    label.visible = true;
  }

  #write(label, text, colour) {
    const shown = tidyName(text, 44);
    Object.assign(label, { text, colour, size: this.#size });
    pen.font = `600 ${this.#size}px system-ui, sans-serif`;
    label.wide = Math.ceil(pen.measureText(shown).width) + 14;
    label.high = Math.ceil(this.#size * 1.35);
    label.element.textContent = shown;
    label.element.style.borderLeft = `3px solid ${colour}`;
  }
}

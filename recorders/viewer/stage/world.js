// Any recording whose ticks contain positions: entities as balls on a plane or in space. Positions are found
// by their declaration, else by their names, and the user can choose among all that were found.

import { Color, MeshLambertMaterial, TorusGeometry, MeshBasicMaterial, Vector3 } from 'three';
import { ballGeometry } from './ball.js';
import { GroupColours } from './colours.js';
import { findPositions, Positions } from './find_positions.js';
import { Ground } from './ground.js';
import { cornersOf, MapPicture } from './map_picture.js';
import { recall, remember } from './memory.js';
import { Shapes } from './shapes.js';
import { Space } from './space.js';
import { Switches } from './switches.js';
import { tidyName } from './text.js';
import { Trail } from './trail.js';

const namesForAllUpTo = 24;
const maxTrails = 24;
const fineUpTo = 1000;
const maxTargets = 500;
const looksAll = 9; // ticks, evenly over the recording

export function createWorldStage(host, recordings, options) {
  return new WorldStage(host, recordings[0], options);
}

class WorldStage {
  #sources = null;
  #source = null;
  #fields = [];
  #positions = new Positions();
  #state = null;
  #tick = 0;
  #view = null;
  #followed = null;
  #bounds = null;
  #framed = [];
  #up = 'z';
  #shift = [0, 0, 0];
  #trails = new Map();
  #tints = new Map();
  #at = new Vector3();
  #flat = false;

  constructor(host, recording, options) {
    this.settings = options;
    this.colours = options.colours;
    this.groups = new GroupColours(this.colours);
    this.space = new Space(host, this.colours, () => this.#frame());
    this.space.orbit.polar = 0.85;
    this.balls = new Shapes(this.space.scene, ballGeometry(1), new MeshLambertMaterial(), 64);
    // if there are very many
    this.grains = new Shapes(this.space.scene, ballGeometry(0), new MeshLambertMaterial(), 64);
    this.rings = new Shapes(this.space.scene, new TorusGeometry(1.9, 0.22, 6, 28), new MeshBasicMaterial(), 4);
    this.ground = new Ground(this.space.scene, this.colours);
    this.mapPicture = new MapPicture(this.space.scene);
    this.ring = new Color(this.colours.text);
    this.switches = new Switches(
      [
        { id: 'names', label: 'Names', value: true },
        { id: 'trails', label: 'Trails', value: true },
        { id: 'positions', label: 'Positions', value: '', choices: [] },
        { id: 'up', label: 'Upwards', value: 'auto', choices: ['auto', 'y', 'z'].map((v) => ({ value: v, label: v })) },
      ],
      (id) => this.#switched(id),
    );
    this.#view = options.view && this.cameras().includes(options.view) ? options.view : null;
    this.#followed = options.follow ?? null;
    this.space.canvas.addEventListener('click', (e) => this.#pick(e));
    this.#learned = this.#learn(recording).catch(() => {});
    this.#recording = recording;
  }
  #learned;
  #recording;

  // The first tick at which something has a position, as far as the samples show; null if there is none.
  async firstSeen() {
    await this.#learned;
    const places = new Positions();
    const sees = (state) => Boolean(state && this.#source) && places.read(state, this.#source).count > 0;
    const found = this.#samples.findIndex(sees);
    if (found <= 0) return null;
    let [before, seen] = [this.#samples[found - 1].tick, this.#samples[found].tick];
    while (seen - before > 1) {
      const middle = Math.floor((before + seen) / 2);
      if (sees(await this.#recording.state(middle))) seen = middle;
      else before = middle;
    }
    return seen;
  }

  // Columns and ticks from all over the recording select what is drawn; the first tick may be empty.
  async #learn(recording) {
    if (typeof recording?.fields !== 'function') return;
    const fields = await recording.fields();
    if (!this.settings) return;
    this.#fields = Array.isArray(fields) ? fields : [];
    const { firstTick = 0, lastTick = 0 } = recording;
    const looks = Math.min(looksAll, lastTick - firstTick + 1);
    for (let i = 0; i < looks && this.settings; ++i) {
      const state = await recording.state(
        firstTick + Math.round(((lastTick - firstTick) * i) / Math.max(1, looks - 1)),
      );
      if (state) this.#samples.push(state);
    }
    if (!this.settings || !this.#state) return;
    this.#search();
    this.#bounds = null;
    this.#redraw();
  }
  #samples = [];

  draw(state, tick) {
    if (!state) return;
    this.#state = state;
    this.#tick = tick;
    if (!this.#sources || this.#sources.length === 0) this.#search();
    this.#redraw();
  }

  cameras() {
    return ['orbit', 'follow', 'top'];
  }
  setCamera(name) {
    if (!this.cameras().includes(name)) return;
    this.#view = name;
    this.space.dirty();
  }
  camera() {
    return this.#view ?? (this.#flat ? 'top' : 'orbit');
  }
  follow(name) {
    this.#followed = name;
    this.#redraw();
  }
  targets() {
    const { count, names, groups } = this.#positions;
    return Array.from({ length: Math.min(count, maxTargets) }, (_, i) => ({
      name: String(names[i]),
      team: groups[i] ?? null,
    }));
  }
  resize() {
    this.space.resize();
    this.#sizeBodies();
    this.#redraw();
  }
  options() {
    return this.switches.list();
  }
  set(id, value) {
    return this.switches.set(id, value);
  }
  paintOnto(pen) {
    this.space.paintOnto(pen);
  }
  dispose() {
    this.settings = null;
    this.space.dispose();
    this.#state = null;
    this.#trails.clear();
  }

  #search() {
    this.#sources = findPositions(this.#state, this.#fields, this.#samples);
    // The user's choice stays, also for recordings of the same structure.
    const wished = this.#chosen ?? recall(`positions ${this.#shape()}`);
    const chosen = this.#sources.find((s) => s.id === wished) ?? this.#sources[0] ?? null;
    const picker = this.switches.find('positions');
    picker.choices = this.#sources.map(({ id, label, count }) => ({
      value: id,
      label: `${tidyName(label, 60)} (${count})`,
    }));
    picker.value = chosen?.id ?? '';
    if (chosen?.id !== this.#source?.id) this.#begin(chosen);
  }

  #chosen = null;
  #shape() {
    return this.#sources
      .map(({ id }) => id)
      .sort()
      .join(' ')
      .slice(0, 400);
  }

  #begin(source) {
    this.#source = source;
    this.#bounds = null;
    for (const trail of this.#trails.values()) trail.clear();
  }

  #switched(id) {
    if (id === 'positions') {
      this.#chosen = this.switches.value('positions');
      remember(`positions ${this.#shape()}`, this.#chosen);
      this.#begin(this.#sources?.find((s) => s.id === this.#chosen) ?? null);
    }
    if (id === 'up') this.#bounds = null;
    if (id === 'trails' && !this.switches.on('trails')) for (const trail of this.#trails.values()) trail.clear();
    this.#redraw();
  }

  // To the picture's coordinates: y up, moved to the origin, where single precision is sufficient.
  #place(i, out) {
    const { x, y, z } = this.#positions;
    const [sx, sy, sz] = this.#shift;
    if (this.#up === 'z') out.set(x[i] - sx, z[i] - sz, -(y[i] - sy));
    else out.set(x[i] - sx, y[i] - sy, z[i] - sz);
  }

  // The other horizontal axis is y or z.
  #toGround(x, other) {
    const [sx, sy, sz] = this.#shift;
    return this.#up === 'z' ? [x - sx, -(other - sy)] : [x - sx, other - sz];
  }

  #redraw() {
    if (!this.#state) return;
    if (!this.#source) {
      for (const each of [this.balls, this.grains]) {
        each.begin();
        each.end();
      }
      this.space.notice.show('This recording has no positions: see its table and charts.');
      this.space.dirty();
      return;
    }
    // The size of the world is that of the whole recording, as far as it was sampled.
    if (this.#bounds === null)
      for (const each of this.#samples) this.#measure(this.#positions.read(each, this.#source));
    const places = this.#positions.read(this.#state, this.#source);
    this.#measure(places);
    const shapes = [this.balls, this.grains, this.rings];
    for (const each of shapes) each.begin();
    this.space.labels.begin();
    const few = places.count <= namesForAllUpTo;
    for (let i = 0; i < places.count; ++i) this.#entity(i, few);
    for (const each of shapes) each.end();
    this.space.labels.end();
    if (places.count === 0) this.space.notice.show('Nothing has a position at this tick.');
    else if (places.left > 0) this.space.notice.show(`${places.left} entities more are in this tick than are drawn.`);
    else this.space.notice.hide();
    this.space.dirty();
  }

  #entity(i, few) {
    const at = this.#at;
    this.#place(i, at);
    const group = this.#positions.groups[i];
    const colour = this.groups.of(group);
    const size = this.size;
    (i < fineUpTo ? this.balls : this.grains).ball(at.x, at.y, at.z, size, size, size, this.#tint(colour));
    const name = String(this.#positions.names[i]);
    const selected = this.#followed !== null && name === this.#followed;
    if (selected) this.rings.ball(at.x, at.y, at.z, size, size, size, this.ring);
    if ((few || selected) && this.switches.on('names')) {
      this.space.labels.put(tidyName(name), colour, at.x, at.y + size * 1.4, at.z, selected ? 1 : 0);
    }
    if ((few || selected) && this.switches.on('trails')) this.#trail(name, colour, at);
  }

  #tint(colour) {
    let made = this.#tints.get(colour);
    if (!made) this.#tints.set(colour, (made = new Color(colour)));
    return made;
  }

  #trail(name, colour, at) {
    let trail = this.#trails.get(name);
    if (!trail) {
      if (this.#trails.size >= maxTrails) return;
      trail = new Trail(this.space.scene, colour, { points: 32 });
      this.#trails.set(name, trail);
    }
    trail.width = this.size * 0.35;
    trail.longestStep = this.extent / 3;
    trail.add(this.#tick, at.x, at.y, at.z);
  }

  // Size of a body: on a small screen it takes more of the world to be visible.
  #sizeBodies() {
    const { clientWidth, clientHeight } = this.space.host;
    this.size = this.extent * Math.max(0.009, 6 / Math.max(200, Math.min(clientWidth, clientHeight)));
  }

  // The size of the world to date. It only grows, and the camera is reset only when an object leaves its
  // range, with a margin, so that nothing jumps during playback.
  #measure(places) {
    if (places.count === 0) return;
    const first = this.#bounds === null;
    const b = (this.#bounds ??= { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
    places.extend(b);
    if (!first && this.#framed.every(([low, high], axis) => b.low[axis] >= low && b.high[axis] <= high)) return;
    const wide = b.high.map((v, axis) => v - b.low[axis]);
    this.extent = Math.max(...wide);
    const scale = Math.max(1, ...b.high.map(Math.abs), ...b.low.map(Math.abs));
    if (!(this.extent > scale * 1e-9)) this.extent = scale; // all at one place: use a default size
    if (first) {
      this.#shift = b.low.map((v, axis) => v + wide[axis] / 2);
      this.#flat = wide[2] === 0 || wide[1] === 0;
      const chosen = this.switches.value('up');
      this.#up = chosen === 'auto' ? (wide[2] <= wide[1] ? 'z' : 'y') : chosen;
    }
    this.#sizeBodies();
    this.#framed = b.low.map((low, axis) => [low - this.extent * 0.15, b.high[axis] + this.extent * 0.15]);
    this.#fit(b, wide);
  }

  #fit(b, wide) {
    const middle = b.low.map((v, axis) => v + wide[axis] / 2 - this.#shift[axis]);
    const { orbit, perspective, above } = this.space;
    [orbit.target.x, orbit.target.y, orbit.target.z] = this.#up === 'z' ? [middle[0], middle[2], -middle[1]] : middle;
    orbit.distance = this.extent * (perspective.aspect >= 1 ? 1.35 : 1.7);
    orbit.farthest = this.extent * 20;
    orbit.nearest = this.extent * 0.01;
    perspective.near = this.extent * 0.0005;
    perspective.far = this.extent * 60;
    perspective.updateProjectionMatrix();
    above.far = this.extent * 40;
    const lowest = (this.#up === 'z' ? b.low[2] - this.#shift[2] : b.low[1] - this.#shift[1]) - this.size;
    this.ground.lay(this.extent * 1.6, orbit.target.x, lowest, orbit.target.z);
    this.#groundY = lowest;
    this.#layMap();
  }

  // Without other knowledge a picture shows a square with all positions.
  mapArea() {
    if (!this.#bounds) return [0, 0, 1, 1];
    const { low, high } = this.#bounds;
    const middle = low.map((v, axis) => (v + high[axis]) / 2);
    const half = this.extent / 2;
    const [bottom, top] =
      this.#up === 'z' ? [middle[1] - half, middle[1] + half] : [middle[2] + half, middle[2] - half];
    return [middle[0] - half, bottom, middle[0] + half, top].map((edge) => Number(edge.toPrecision(6)));
  }
  setMap(picture, area) {
    this.#map = { picture, area };
    this.#layMap();
    this.space.dirty();
  }
  #layMap() {
    const { picture, area } = this.#map;
    if (!this.#bounds) return;
    const corners = picture ? cornersOf(area, (x, other) => this.#toGround(x, other)) : [];
    this.mapPicture.show(picture, corners, this.#groundY);
  }
  #map = { picture: null, area: null };
  #groundY = 0;

  #frame() {
    const { space } = this;
    const { orbit, perspective, above } = space;
    if (this.#followed !== null && this.camera() === 'follow') this.#goTo(this.#followed);
    if (this.camera() !== 'top') {
      space.camera = perspective;
      orbit.look(perspective);
      return false;
    }
    space.camera = above;
    space.aboveHeight = orbit.distance / Math.min(1, perspective.aspect) ** 0.5;
    space.frameAbove();
    above.up.set(0, 0, -1);
    const height = (this.extent ?? 10) * 20;
    above.position.set(orbit.target.x, height, orbit.target.z);
    above.lookAt(orbit.target.x, 0, orbit.target.z);
    return false;
  }

  #goTo(name) {
    for (let i = 0; i < this.#positions.count; ++i) {
      if (String(this.#positions.names[i]) !== name) continue;
      this.#place(i, this.#at);
      Object.assign(this.space.orbit.target, { x: this.#at.x, y: this.#at.y, z: this.#at.z });
      return;
    }
  }

  // A click selects the closest entity, and a click on nothing clears the selection.
  #pick(event) {
    const box = this.space.canvas.getBoundingClientRect();
    let nearest = 18;
    let found = null;
    for (let i = 0; i < this.#positions.count; ++i) {
      this.#place(i, this.#at);
      this.#at.project(this.space.camera);
      if (Math.abs(this.#at.z) > 1) continue;
      const apart = Math.hypot(
        ((this.#at.x + 1) / 2) * box.width - (event.clientX - box.left),
        ((1 - this.#at.y) / 2) * box.height - (event.clientY - box.top),
      );
      if (apart < nearest) [nearest, found] = [apart, String(this.#positions.names[i])];
    }
    if (found === this.#followed) return;
    this.follow(found);
    this.settings?.onFollow?.(found);
  }
}

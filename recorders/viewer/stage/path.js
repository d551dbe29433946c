// SA-MP .rec: the path with speed as colour, in space and as a map, and the actor moving along it. Several
// recordings are drawn together, each actor at its place at the same time.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
} from 'three';
import { GroupColours, rampInto } from './colours.js';
import { Ground } from './ground.js';
import { Legend } from './legend.js';
import { cornersOf, MapPicture } from './map_picture.js';
import { readVector } from './echo_state.js';
import { Space } from './space.js';
import { Switches } from './switches.js';
import { tidyName } from './text.js';
import { readTrack, toPicture } from './track.js';

const sanAndreas = [-3000, -3000, 3000, 3000]; // in metres, the edges of the map that the game draws

export function createPathStage(host, recordings, options) {
  return new PathStage(host, recordings, options);
}

class PathStage {
  #view;
  #followed = null;
  #place = new Float32Array(3);
  #json = new Float32Array(3);
  #timeMs = 0;
  #seen = false;
  #middle = null;
  #whole = 1; // from where all of it is visible
  #disposed = false;
  #map = { picture: null, area: sanAndreas };
  #groundY = 0;

  constructor(host, recordings, options) {
    this.colours = options.colours;
    this.groups = new GroupColours(this.colours);
    this.space = new Space(host, this.colours, () => this.#frame());
    this.legend = new Legend(host, this.colours);
    this.space.orbit.polar = 0.6;
    this.ground = new Ground(this.space.scene, this.colours);
    this.mapPicture = new MapPicture(this.space.scene);
    this.actors = recordings.map((recording, i) => this.#actor(recording, i));
    this.switches = new Switches(
      [
        { id: 'names', label: 'Names', value: recordings.length > 1 },
        { id: 'speed', label: 'Speed', value: true },
        {
          id: 'colour',
          label: 'Colour',
          value: recordings.length > 1 ? 'recording' : 'speed',
          choices: [
            { value: 'speed', label: 'Speed' },
            { value: 'recording', label: 'Recording' },
          ],
        },
      ],
      () => this.#repaint(),
    );
    this.#view = this.cameras().includes(options.view) ? options.view : 'orbit';
    this.#followed = options.follow ?? null;
    this.#load(recordings);
  }

  draw(state, tick, timeMs) {
    this.#timeMs = Number.isFinite(timeMs) ? timeMs : (state?.time_ms ?? 0);
    this.#seen = readVector(state?.position, this.#json);
    if (this.#seen) toPicture(this.#json, this.#place);
    this.#move();
  }

  cameras() {
    return ['orbit', 'follow', 'map'];
  }
  setCamera(name) {
    if (!this.cameras().includes(name)) return;
    this.#view = name;
    this.space.dirty();
  }
  camera() {
    return this.#view;
  }
  follow(name) {
    this.#followed = name;
    this.#move();
  }
  targets() {
    return this.actors.map(({ name }) => ({ name, team: null }));
  }
  resize() {
    this.space.resize();
  }
  options() {
    return this.switches.list();
  }
  set(id, value) {
    return this.switches.set(id, value);
  }
  mapArea() {
    return sanAndreas;
  }
  setMap(picture, area) {
    this.#map = { picture, area };
    this.#layMap();
    this.space.dirty();
  }
  paintOnto(pen) {
    this.space.paintOnto(pen);
  }
  dispose() {
    this.#disposed = true;
    this.legend.dispose();
    this.space.dispose();
  }

  #actor(recording, i) {
    const name = fileName(recording?.info?.file ?? recording?.name) || `recording ${i + 1}`;
    const mesh = new Mesh(
      new ConeGeometry(0.5, 1.6, 12).rotateX(Math.PI / 2),
      new MeshLambertMaterial({ color: this.groups.of(i) }),
    );
    mesh.visible = false;
    this.space.scene.add(mesh);
    return { name, colour: this.groups.of(i), mesh, track: null, band: null };
  }

  async #load(recordings) {
    this.space.notice.show('Reading the path …');
    let unreadable = 0;
    try {
      for (let i = 0; i < recordings.length && !this.#disposed; ++i) {
        const track = await readTrack(recordings[i], () => this.#disposed);
        if (this.#disposed) return;
        unreadable += track.unreadable;
        this.actors[i].track = track;
      }
    } catch (error) {
      if (!this.#disposed)
        this.space.notice.show(`The path could not be read: ${tidyName(error?.message ?? error, 200)}`);
      return;
    }
    const longest = Math.max(0, ...this.actors.map(({ track }) => track?.count ?? 0));
    if (unreadable > 0) this.space.notice.show(`${unreadable} places of the path are not numbers and were skipped.`);
    else if (longest === 0) this.space.notice.show('This recording has no places to draw.');
    else this.space.notice.hide();
    this.#fit();
    for (const actor of this.actors) this.#lay(actor);
    this.#repaint();
  }

  // The camera shows all of it; the world is moved to the origin, where single precision is sufficient.
  #fit() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const { track } of this.actors) {
      for (let i = 0; i < (track?.count ?? 0) * 3; ++i) {
        low[i % 3] = Math.min(low[i % 3], track.places[i]);
        high[i % 3] = Math.max(high[i % 3], track.places[i]);
      }
    }
    if (!Number.isFinite(low[0])) return;
    this.#middle = low.map((v, axis) => (v + high[axis]) / 2);
    // An actor that never moves has a path without length: 20 m around it are shown.
    this.extent = Math.max(20, ...high.map((v, axis) => v - low[axis]));
    const { orbit, perspective, above } = this.space;
    this.#whole = this.extent * (perspective.aspect >= 1 ? 0.95 : 1.5);
    Object.assign(orbit, { distance: this.#whole, farthest: this.extent * 10, nearest: 1 });
    perspective.near = Math.max(0.1, this.extent * 0.0004);
    perspective.far = this.extent * 30;
    perspective.updateProjectionMatrix();
    above.far = this.extent * 30;
    this.#groundY = low[1] - this.#middle[1] - 0.5;
    this.ground.lay(this.extent * 1.3, 0, this.#groundY, 0);
    this.#layMap();
  }

  #layMap() {
    if (!this.#middle) return;
    const { picture, area } = this.#map;
    const place = [0, 0, 0];
    const corners = cornersOf(area, (x, y) => {
      toPicture([x, y, 0], place);
      return [place[0] - this.#middle[0], place[2] - this.#middle[2]];
    });
    this.mapPicture.show(picture, corners, this.#groundY);
  }

  // A flat band and an upright one, so that the path is visible from above and from the side.
  #lay(actor) {
    const { track } = actor;
    if (!track || track.count < 2 || !this.#middle) return;
    const half = this.extent * 0.0016;
    const corners = new Float32Array(track.count * 12);
    const faces = [];
    for (let i = 0; i < track.count; ++i) {
      const next = Math.min(track.count - 1, i + 1) * 3;
      const before = Math.max(0, i - 1) * 3;
      const dx = track.places[next] - track.places[before];
      const dz = track.places[next + 2] - track.places[before + 2];
      const length = Math.hypot(dx, dz) || 1;
      for (let c = 0; c < 4; ++c) {
        const sign = c % 2 === 0 ? half : -half;
        corners[i * 12 + c * 3] = track.places[i * 3] - this.#middle[0] + (c < 2 ? (-dz / length) * sign : 0);
        corners[i * 12 + c * 3 + 1] = track.places[i * 3 + 1] - this.#middle[1] + (c < 2 ? 0 : sign);
        corners[i * 12 + c * 3 + 2] = track.places[i * 3 + 2] - this.#middle[2] + (c < 2 ? (dx / length) * sign : 0);
      }
      if (i + 1 === track.count) continue;
      for (const side of [0, 2]) {
        const a = i * 4 + side;
        faces.push(a, a + 1, a + 4, a + 1, a + 5, a + 4);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(corners, 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(track.count * 12), 3));
    geometry.setIndex(faces);
    actor.band = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, side: DoubleSide }));
    // Where the band is thinner than a pixel, a line replaces it.
    const line = new BufferGeometry();
    for (const name of ['position', 'color']) line.setAttribute(name, geometry.getAttribute(name));
    line.setIndex(Array.from({ length: (track.count - 1) * 2 }, (_, i) => ((i + 1) >> 1) * 4));
    this.space.scene.add(actor.band, new LineSegments(line, new LineBasicMaterial({ vertexColors: true })));
  }

  #repaint() {
    const bySpeed = this.switches.value('colour') === 'speed';
    const top = Math.max(0.1, ...this.actors.map(({ track }) => track?.top ?? 0));
    const rgb = [0, 0, 0];
    const colour = new Color();
    for (const { track, band, colour: own } of this.actors) {
      if (!band) continue;
      const shades = band.geometry.getAttribute('color');
      for (let i = 0; i < track.count; ++i) {
        rampInto(track.speeds[i] / top, this.colours, rgb, 0);
        if (bySpeed) colour.setRGB(rgb[0], rgb[1], rgb[2], 'srgb');
        else colour.set(own);
        for (let c = 0; c < 4; ++c) shades.setXYZ(i * 4 + c, colour.r, colour.g, colour.b);
      }
      shades.needsUpdate = true;
    }
    if (!this.actors.some(({ band }) => band)) this.legend.show([]);
    else if (bySpeed) this.legend.show([{ from: '0', to: `${top.toFixed(top < 10 ? 1 : 0)} m/s` }]);
    else this.legend.show(this.actors.map(({ name, colour: own }) => ({ colour: own, text: name })));
    this.#move();
  }

  #move() {
    const labels = this.space.labels;
    labels.begin();
    this.actors.forEach((actor, i) => this.#moveOne(actor, i === 0, labels));
    labels.end();
    this.space.dirty();
  }

  #moveOne({ name, track, mesh, colour }, isFirst, labels) {
    const index = track ? track.at(this.#timeMs) : -1;
    const exact = isFirst && this.#seen;
    mesh.visible = this.#middle !== null && (exact || index >= 0);
    if (!mesh.visible) return;
    const from = exact ? this.#place : track.places;
    const at = exact ? 0 : index * 3;
    const [mx, my, mz] = this.#middle;
    mesh.position.set(from[at] - mx, from[at + 1] - my, from[at + 2] - mz);
    // Faces the next place; an actor that stands keeps its direction.
    const next = track && index >= 0 ? Math.min(track.count - 1, index + 1) * 3 : -1;
    if (next >= 3) {
      const d = [0, 1, 2].map((c) => track.places[next + c] - track.places[next - 3 + c]);
      if (Math.hypot(...d) > 0.01) mesh.lookAt(mesh.position.x + d[0], mesh.position.y + d[1], mesh.position.z + d[2]);
    }
    const speed = this.switches.on('speed') && track && index >= 0 ? `${track.speeds[index].toFixed(1)} m/s` : '';
    const text = this.switches.on('names') ? `${tidyName(name)} ${speed}`.trim() : speed;
    if (text) labels.put(text, colour, mesh.position.x, mesh.position.y, mesh.position.z);
  }

  #frame() {
    const { space } = this;
    const { orbit, perspective, above } = space;
    const followed = this.actors.find(({ name }) => name === this.#followed) ?? this.actors[0];
    const withActor = this.#view === 'follow' && followed?.mesh.visible;
    // Of a constant size on the screen, because paths can span metres or kilometres.
    const sized = () => {
      for (const { mesh, band } of this.actors) {
        // From close up the band would hide the actor; its line remains.
        if (band) band.visible = !withActor;
        const far = this.#view === 'map' ? orbit.distance : perspective.position.distanceTo(mesh.position);
        mesh.scale.setScalar(Math.max(1, far * (withActor ? 0.03 : 0.02)));
      }
    };
    if (this.#view === 'map') {
      space.camera = above;
      space.aboveHeight = (orbit.distance * 1.15) / Math.min(1, perspective.aspect) ** 0.5;
      space.frameAbove();
      above.up.set(0, 0, -1);
      above.position.set(orbit.target.x, this.extent * 10 || 100, orbit.target.z);
      above.lookAt(orbit.target.x, 0, orbit.target.z);
      sized();
      return false;
    }
    space.camera = perspective;
    orbit.look(perspective);
    if (withActor) {
      // The distance that it covers in two seconds when it is fast; zooming works as usual.
      const near = Math.min(1, Math.max(25, 2 * (followed.track?.top ?? 0)) / this.#whole);
      const { position: p } = followed.mesh;
      const { position: c } = perspective;
      c.set(
        p.x + (c.x - orbit.target.x) * near,
        p.y + (c.y - orbit.target.y) * near,
        p.z + (c.z - orbit.target.z) * near,
      );
      perspective.lookAt(p.x, p.y, p.z);
    }
    sized();
    return false;
  }
}

const fileName = (path) =>
  String(path ?? '')
    .split(/[\\/]/)
    .pop();

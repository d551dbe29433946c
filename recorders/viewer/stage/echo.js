// Echo VR: arena or ground, disc with its trail, players. At a tick, positions are drawn as recorded; during
// playback they are interpolated between two ticks.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  EdgesGeometry,
  GridHelper,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import { buildArena } from './echo_arena.js';
import { Bodies } from './echo_bodies.js';
import { arena } from './echo_measures.js';
import { Dots } from './dots.js';
import { cameraNames, EchoCameras } from './echo_cameras.js';
import { blend, EchoReader } from './echo_state.js';
import { Space } from './space.js';
import { tidyName } from './text.js';
import { Trail } from './trail.js';
import { teamColour } from './colours.js';
import { Switches } from './switches.js';

const teams = ['blue', 'orange', 'spectators'];

export function createEchoStage(host, recording, options) {
  return new EchoStage(host, options);
}

class EchoStage {
  #reader = new EchoReader();
  #ahead = { reader: new EchoReader(), json: null };
  #state = null;
  #ghost = null; // {reader, bodies, disc} of another recording
  #highlighted = null;
  #timeMs = 0;
  moves = true;
  #followed = null;
  #axes = [new Vector3(), new Vector3(), new Vector3()];
  #ground = null;
  #groundY = 0;
  #shownNumbers = [];
  #numbersAt = 0;

  constructor(host, options) {
    this.settings = options;
    this.colours = options.colours;
    this.space = new Space(host, this.colours, (now) => this.shot.frame(now, this.#state, this.#followed));
    this.shot = new EchoCameras(this.space, options);
    this.shot.onchange = () => this.#redraw();
    this.arena = buildArena(this.colours);
    this.space.scene.add(this.arena);
    this.bodies = new Bodies(this.space.scene, this.colours);
    const discColour = new Color(this.colours.disc);
    this.disc = new Mesh(new CylinderGeometry(0.3, 0.3, 0.1, 20), new MeshBasicMaterial({ color: discColour }));
    this.disc.matrixAutoUpdate = false;
    this.payload = new LineSegments(
      new EdgesGeometry(new BoxGeometry(2, 1.4, 3)),
      new LineBasicMaterial({ color: discColour }),
    );
    this.payload.visible = false;
    this.space.scene.add(this.disc, this.payload);
    this.dots = new Dots(this.space.scene);
    this.trail = new Trail(this.space.scene, this.colours.disc);
    this.path = new Trail(this.space.scene, this.colours.text, { points: 150, width: 0.07 });
    this.measure = new LineSegments(
      new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(6), 3)),
      new LineBasicMaterial({ color: discColour }),
    );
    this.measure.frustumCulled = false;
    this.measure.visible = false;
    this.space.scene.add(this.measure);
    this.switches = new Switches(
      [
        { id: 'names', label: 'Names', value: true },
        { id: 'ping', label: 'Ping', value: false },
        { id: 'speed', label: 'Speed', value: false },
        { id: 'bones', label: 'Bones', value: true },
        { id: 'trail', label: 'Trails', value: true },
        { id: 'walls', label: 'Walls', value: true },
        { id: 'distance', label: 'Distance to', value: '', choices: [{ value: '', label: 'nobody' }] },
      ],
      () => this.#redraw(),
    );
    if (options.view) this.setCamera(options.view);
    if (options.follow) this.follow(options.follow);
  }

  draw(json, tick, timeMs = 0, previous = null, next = null) {
    this.#state = this.#reader.read(json);
    if (next?.state && next.share > 0) {
      if (this.#ahead.json !== next.state) this.#ahead.reader.read((this.#ahead.json = next.state));
      blend(this.#state, this.#ahead.reader.state, Math.min(1, next.share));
    }
    // After a seek the camera jumps.
    if (Math.abs(timeMs - this.#timeMs) > 1500) this.shot.cut();
    this.#timeMs = timeMs;
    if (this.#state.hasDisc) this.trail.add(tick, this.#state.disc[0], this.#state.disc[1], this.#state.disc[2]);
    else this.trail.clear();
    this.#addPath(tick);
    this.#redraw();
  }

  // Where the followed player came from.
  #addPath(tick) {
    const player = this.#find(this.#followed);
    if (this.#pathOf !== this.#followed) this.path.clear();
    this.#pathOf = this.#followed;
    if (player) this.path.add(tick, player.head[0], player.head[1], player.head[2]);
    else this.path.clear();
  }
  #pathOf = null;

  #find(name) {
    const { players = [], count = 0 } = this.#state ?? {};
    for (let i = 0; i < count; ++i) if (players[i].name === name) return players[i];
    return null;
  }

  // From the followed player, or the disc, to the chosen one.
  #measureDistance(state) {
    const to = this.#find(this.switches.value('distance'));
    const from = this.#find(this.#followed)?.head ?? (state.hasDisc ? state.disc : null);
    this.measure.visible = Boolean(to && from && to.head !== from);
    if (!this.measure.visible) return;
    const places = this.measure.geometry.getAttribute('position');
    places.setXYZ(0, from[0], from[1], from[2]);
    places.setXYZ(1, to.head[0], to.head[1], to.head[2]);
    places.needsUpdate = true;
    const metres = Math.hypot(...[0, 1, 2].map((axis) => to.head[axis] - from[axis]));
    const middle = [0, 1, 2].map((axis) => (to.head[axis] + from[axis]) / 2);
    this.space.labels.put(`${metres.toFixed(1)} m`, this.colours.disc, middle[0], middle[1], middle[2], 4);
  }

  // Players of another recording, pale, in the same picture.
  ghost(json) {
    if (!json && !this.#ghost) return;
    if (!this.#ghost) {
      this.#ghost = {
        reader: new EchoReader(),
        bodies: new Bodies(this.space.scene, this.colours, true),
        shown: false,
      };
    }
    this.#ghost.shown = Boolean(json);
    const { reader, bodies } = this.#ghost;
    const state = json ? reader.read(json) : { count: 0, hasDisc: false, players: [] };
    bodies.draw(state, reader.boneOrder, { bones: this.switches.on('bones'), hidden: null, floorY: null });
    this.#redraw();
  }

  cameras() {
    return cameraNames;
  }

  setCamera(name) {
    if (!cameraNames.includes(name)) return;
    this.shot.set(name);
    this.#redraw();
  }

  camera() {
    return this.shot.view;
  }

  follow(name) {
    this.#followed = name;
    this.#redraw();
  }

  highlight(name) {
    this.#highlighted = name;
    this.#redraw();
  }

  targets() {
    const list = [];
    for (let i = 0; i < (this.#state?.count ?? 0); ++i) {
      const { name, team } = this.#state.players[i];
      list.push({ name, team: teams[team] });
    }
    if (this.#state?.hasDisc) list.push({ name: 'disc', team: null });
    return list;
  }

  resize() {
    this.space.resize();
  }

  options() {
    const names = this.targets()
      .filter(({ team }) => team !== null)
      .map(({ name }) => ({ value: name, label: name }));
    const distance = this.switches.find('distance');
    distance.choices = [{ value: '', label: 'nobody' }, ...names];
    return this.switches.list();
  }

  set(id, value) {
    return this.switches.set(id, value);
  }

  paintOnto(pen) {
    this.space.paintOnto(pen);
  }

  dispose() {
    this.space.dispose();
    this.#state = null;
  }

  #redraw() {
    const state = this.#state;
    if (!state) return;
    this.arena.visible = state.arena && this.switches.on('walls');
    this.#layGround(state);
    const own = this.shot.view === 'first-person' ? this.shot.target(state, this.#followed) : null;
    this.bodies.draw(state, this.#reader.boneOrder, {
      bones: this.switches.on('bones'),
      hidden: own,
      floorY: state.arena ? -arena.halfHeight : Number.isFinite(this.#groundY) ? this.#groundY : null,
    });
    this.disc.visible = state.hasDisc;
    if (state.hasDisc) this.#turnDisc(state);
    this.trail.mesh.visible = this.trail.mesh.visible && this.switches.on('trail');
    this.path.mesh.visible = this.path.mesh.visible && this.switches.on('trail');
    this.payload.visible = state.hasPayload;
    if (state.hasPayload) this.payload.position.fromArray(state.payload);
    this.#dot(state, own);
    this.#name(state, own);
    if (state.count === 0 && !state.hasDisc) this.space.notice.show('This tick contains no players and no disc.');
    else if (state.left > 0) this.space.notice.show(`${state.left} players more are in this tick than are drawn.`);
    else if (state.oddBones > 0 && this.switches.on('bones')) {
      this.space.notice.show(
        `${state.oddBones} of the players have no usable bones: simple bodies are drawn for them.`,
      );
    } else this.space.notice.hide();
    this.space.dirty();
  }

  #turnDisc({ disc, discUp }) {
    // Any direction perpendicular to its axis: the disc is round.
    const [x, y, z] = this.#axes;
    y.set(discUp[0], discUp[1], discUp[2]);
    x.set(Math.abs(discUp[0]) < 0.9 ? 1 : 0, Math.abs(discUp[0]) < 0.9 ? 0 : 1, 0)
      .cross(y)
      .normalize();
    z.crossVectors(x, y);
    this.disc.matrix.makeBasis(x, y, z).setPosition(disc[0], disc[1], disc[2]);
    this.disc.matrixWorldNeedsUpdate = true;
  }

  // The walls of combat maps are unknown: a grid below all players shows the scale.
  #layGround(state) {
    if (state.arena) {
      if (this.#ground) this.#ground.visible = false;
      return;
    }
    if (!this.#ground) {
      this.#ground = new GridHelper(240, 48, this.colours.line, this.colours.faint);
      this.space.scene.add(this.#ground);
      this.#groundY = Infinity;
    }
    this.#ground.visible = true;
    if (this.#groundY === Infinity && state.count > 0) this.shot.lookAtPlayers(state);
    for (let i = 0; i < state.count; ++i) {
      if (state.players[i].head[1] - 3 < this.#groundY) this.#groundY = state.players[i].head[1] - 3;
    }
    this.#ground.position.y = Number.isFinite(this.#groundY) ? this.#groundY : 0;
  }

  #name(state, own) {
    const labels = this.space.labels;
    labels.begin();
    const now = performance.now();
    // Numbers that change with every tick would be redrawn with every tick, and could not be read.
    const fresh = now - this.#numbersAt > 250;
    if (fresh) this.#numbersAt = now;
    for (let i = 0; i < state.count && this.switches.on('names'); ++i) {
      const player = state.players[i];
      if (player === own) continue;
      if (fresh || this.#shownNumbers[i] === undefined) this.#shownNumbers[i] = this.#numbers(player);
      const marks = `${player.possession ? '◉ ' : ''}${player.stunned ? '✕ ' : ''}`;
      const text = `${marks}${tidyName(player.name)}${this.#shownNumbers[i]}`;
      const above = player.hasBones ? 0.95 : 0.45;
      labels.put(
        text,
        teamColour(this.colours, player.team),
        player.head[0],
        player.head[1] + above,
        player.head[2],
        this.#weight(player),
      );
    }
    if (state.hasDisc && this.switches.on('speed')) {
      const speed = `${state.discSpeed.toFixed(1)} m/s`;
      labels.put(speed, this.colours.neutral, state.disc[0], state.disc[1] + 0.35, state.disc[2]);
    }
    const ghosts = this.#ghost?.shown ? this.#ghost.reader.state : { count: 0, players: [] };
    for (let i = 0; i < ghosts.count && this.switches.on('names'); ++i) {
      const { name, head, team } = ghosts.players[i];
      labels.put(`(${tidyName(name)})`, teamColour(this.colours, team), head[0], head[1] + 0.45, head[2], -1);
    }
    this.#measureDistance(state);
    labels.end();
  }

  // Priority of names where there is room for one.
  #weight(player) {
    return player.name === this.#highlighted ? 3 : player.name === this.#followed ? 2 : player.possession ? 1 : 0;
  }

  // At a distance a body is a few pixels: a dot of a constant size replaces it, and a larger one the disc.
  #dot(state, own) {
    const { larger } = this.space.labels;
    this.dots.begin();
    for (let i = 0; i < state.count; ++i) {
      const { head, team } = state.players[i];
      if (state.players[i] !== own) this.dots.put(head[0], head[1], head[2], this.bodies.team[team], 9 * larger);
    }
    if (state.hasDisc)
      this.dots.put(state.disc[0], state.disc[1], state.disc[2], this.disc.material.color, 13 * larger);
    this.dots.end();
  }

  #numbers(player) {
    const speed = this.switches.on('speed') ? ` ${player.speed.toFixed(1)} m/s` : '';
    return `${speed}${this.switches.on('ping') ? ` ${Math.round(player.ping)} ms` : ''}`;
  }
}

// Echo VR: arena or ground, disc with its trail, players. Cameras: director, which follows the play, orbit,
// follow, top, first-person. At a tick, positions are drawn as recorded; during playback they are
// interpolated between two ticks.

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
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import { buildArena } from './echo_arena.js';
import { Bodies } from './echo_bodies.js';
import { arena } from './echo_measures.js';
import { Dots } from './dots.js';
import { blend, EchoReader, leftOf } from './echo_state.js';
import { Space } from './space.js';
import { tidyName } from './text.js';
import { Trail } from './trail.js';
import { teamColour } from './colours.js';
import { Switches } from './switches.js';

const wholeArena = 62; // distance in metres from the middle that shows all of it
const teams = ['blue', 'orange', 'spectators'];

export function createEchoStage(host, recording, options) {
  return new EchoStage(host, options);
}

class EchoStage {
  #reader = new EchoReader();
  #ahead = { reader: new EchoReader(), json: null };
  #state = null;
  #ghost = null; // {reader, bodies, disc} of another recording
  #view = 'director';
  #highlighted = null;
  #timeMs = 0;
  #cut = true;
  #home = wholeArena; // distance from which the orbit shows all of it
  moves = true;
  #followed = null;
  #wanted = { eye: new Vector3(), at: new Vector3(), up: new Vector3(0, 1, 0) };
  #eye = new Vector3();
  #at = new Vector3();
  #placed = false;
  #then = 0;
  #basis = new Matrix4();
  #axes = [new Vector3(), new Vector3(), new Vector3()];
  #left = new Float32Array(3);
  #ground = null;
  #groundY = 0;
  #shownNumbers = [];
  #numbersAt = 0;

  constructor(host, options) {
    this.settings = options;
    this.colours = options.colours;
    this.space = new Space(host, this.colours, (now) => this.#frame(now));
    const { orbit, perspective } = this.space;
    orbit.distance = this.#home = wholeArena * (perspective.aspect >= 1 ? 1 : 1.2);
    // Along the longer side of the picture; blue is on the left, as in all pictures of a match.
    orbit.azimuth = perspective.aspect >= 1 ? -1.36 : -0.3;
    orbit.polar = 0.38;
    orbit.target.y = -1.5;
    orbit.onturn = () => {
      if (this.#view !== 'director' || !this.#placed) return;
      orbit.adopt(this.#eye, this.#at);
      this.setCamera('orbit');
    };
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
    if (Math.abs(timeMs - this.#timeMs) > 1500) this.#cut = true;
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
    return ['director', 'orbit', 'follow', 'top', 'first-person'];
  }

  setCamera(name) {
    if (!this.cameras().includes(name)) return;
    this.#view = name;
    this.space.orbit.enabled = name !== 'first-person';
    // Following cameras derive their distance from that of the whole arena.
    if (name === 'director' || name === 'follow') this.space.orbit.distance = this.#home;
    this.#placed = false;
    this.#redraw();
  }

  camera() {
    return this.#view;
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
    const own = this.#view === 'first-person' ? this.#target() : null;
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
    if (this.#groundY === Infinity && state.count > 0) this.#lookAtPlayers(state);
    for (let i = 0; i < state.count; ++i) {
      if (state.players[i].head[1] - 3 < this.#groundY) this.#groundY = state.players[i].head[1] - 3;
    }
    this.#ground.position.y = Number.isFinite(this.#groundY) ? this.#groundY : 0;
  }

  #lookAtPlayers({ players, count }) {
    const { orbit } = this.space;
    const middle = [0, 1, 2].map((axis) => players.slice(0, count).reduce((sum, p) => sum + p.head[axis], 0) / count);
    [orbit.target.x, orbit.target.y, orbit.target.z] = middle;
    const far = players.slice(0, count).map(({ head }) => Math.hypot(...middle.map((v, axis) => head[axis] - v)));
    orbit.distance = Math.max(8, (Math.max(...far) * 1.6) / Math.min(1, this.space.perspective.aspect) ** 0.7);
    orbit.polar = 0.5;
    this.#home = orbit.distance;
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

  // The camera's target: the requested player, else the player with the disc, else the first player; null for
  // the disc.
  #target() {
    const state = this.#state;
    let holder = null;
    for (let i = 0; i < state.count; ++i) {
      const player = state.players[i];
      if (this.#followed !== null && player.name === this.#followed) return player;
      if (player.possession) holder ??= player;
    }
    if (this.#view !== 'first-person' && (this.#followed === 'disc' || this.#followed === null)) return null;
    return holder ?? (state.count > 0 ? state.players[0] : null);
  }

  #frame(now) {
    const space = this.space;
    const seconds = Math.min(0.1, (now - this.#then) / 1000);
    this.#then = now;
    const state = this.#state;
    space.camera = space.perspective;
    if (this.#view === 'top') return this.#fromAbove();
    if (this.#view === 'orbit' || !state) {
      space.orbit.look(space.perspective);
      return false;
    }
    if (this.#view === 'director') return this.#direct(seconds);
    return this.#view === 'follow' ? this.#chaseView(seconds) : this.#through();
  }

  #fromAbove() {
    const { above, orbit, perspective } = this.space;
    this.space.camera = above;
    // The arena's long axis is along the longer side of the picture.
    const wide = perspective.aspect >= 1;
    const long = this.#state && !this.#state.arena ? 120 : 2 * arena.halfLength + 4;
    this.space.aboveHeight = Math.max(wide ? long / perspective.aspect : long, 36) * (orbit.distance / wholeArena);
    this.space.frameAbove();
    above.up.set(wide ? 1 : 0, 0, wide ? 0 : 1);
    above.position.set(0, 500, 0);
    above.lookAt(0, 0, 0);
    return false;
  }

  // Beside the play, blue on the left: close if the players are, farther away if they are spread. It moves
  // slowly, and cuts if the play jumps.
  #direct(seconds) {
    const { orbit, perspective } = this.space;
    const state = this.#state;
    const { eye, at } = this.#wanted;
    let player = null;
    for (let i = 0; i < state.count; ++i) if (state.players[i].name === this.#followed) player = state.players[i];
    if (player) at.set(player.head[0], player.head[1], player.head[2]);
    else if (state.hasDisc) at.set(state.disc[0], state.disc[1], state.disc[2]);
    else {
      at.set(0, 0, 0);
      for (let i = 0; i < state.count; ++i) {
        const { head } = state.players[i];
        at.x += head[0] / state.count;
        at.y += head[1] / state.count;
        at.z += head[2] / state.count;
      }
    }
    const closest = state.players
      .slice(0, state.count)
      .map(({ head }) => ({ head, apart: Math.hypot(head[0] - at.x, head[1] - at.y, head[2] - at.z) }))
      .sort((a, b) => a.apart - b.apart)
      .slice(0, 4);
    const spread = closest.at(-1)?.apart ?? 5;
    // Between the disc and those who play it, unless they are somewhere else.
    if (!player && spread < 15) {
      const share = 0.4 / Math.max(1, closest.length);
      const { x, y, z } = at;
      for (const { head } of closest) {
        at.x += (head[0] - x) * share;
        at.y += (head[1] - y) * share;
        at.z += (head[2] - z) * share;
      }
    }
    // A disc at a wall is not centred.
    if (state.arena) {
      at.y *= 0.7;
      at.z = Math.max(-36, Math.min(36, at.z));
    }
    const far =
      (Math.max(8, Math.min(24, 4 + spread * 0.85)) * (orbit.distance / this.#home)) /
      Math.min(1, perspective.aspect) ** 0.5;
    eye.set(at.x - far * 0.94, Math.min(at.y + far * 0.3, arena.halfHeight + 3), at.z * 0.94);
    const jumped = this.#at.distanceTo(at) > 25;
    const still = this.settings.reducedMotion || !this.#placed || this.#cut || jumped;
    this.#cut = false;
    this.#at.lerp(at, still ? 1 : 1 - Math.exp(-seconds * 2.2));
    this.#eye.lerp(eye, still ? 1 : 1 - Math.exp(-seconds * 1.5));
    this.#placed = true;
    perspective.up.set(0, 1, 0);
    perspective.position.copy(this.#eye);
    perspective.lookAt(this.#at);
    return this.#eye.distanceToSquared(eye) + this.#at.distanceToSquared(at) > 1e-3;
  }

  // Behind the followed player, or behind the disc as seen from the middle.
  #chaseView(seconds) {
    const { orbit, perspective } = this.space;
    const player = this.#target();
    const { eye, at } = this.#wanted;
    const distance = orbit.distance / this.#home;
    if (player) {
      at.set(player.head[0], player.head[1], player.head[2]);
      const f = player.bodyForward;
      eye.set(at.x - f[0] * 5.5 * distance, at.y + 1.9 * distance, at.z - f[2] * 5.5 * distance);
    } else {
      const { disc, hasDisc } = this.#state;
      at.set(hasDisc ? disc[0] : 0, hasDisc ? disc[1] : 0, hasDisc ? disc[2] : 0);
      eye.set(at.x + 9 * distance, at.y + 5 * distance, at.z + 4 * distance);
    }
    const share = this.settings.reducedMotion || !this.#placed ? 1 : 1 - Math.exp(-seconds * 7);
    this.#eye.lerp(eye, share);
    this.#at.lerp(at, share);
    this.#placed = true;
    perspective.up.set(0, 1, 0);
    perspective.position.copy(this.#eye);
    perspective.lookAt(this.#at);
    return this.#eye.distanceToSquared(eye) + this.#at.distanceToSquared(at) > 1e-4;
  }

  #through() {
    const player = this.#target();
    const { perspective } = this.space;
    if (!player) {
      this.space.orbit.look(perspective);
      return false;
    }
    const [x, y, z] = this.#axes;
    leftOf(player.forward, player.up, this.#left);
    // A camera looks along its own -z, so its x is the player's right.
    x.set(-this.#left[0], -this.#left[1], -this.#left[2]);
    z.set(-player.forward[0], -player.forward[1], -player.forward[2]);
    y.crossVectors(z, x);
    perspective.position.set(player.head[0], player.head[1], player.head[2]);
    perspective.quaternion.setFromRotationMatrix(this.#basis.makeBasis(x, y, z));
    return false;
  }
}

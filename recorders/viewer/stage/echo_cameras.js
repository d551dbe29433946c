// The cameras of Echo VR: director, which follows the play, orbit, follow, top, first-person.

import { Matrix4, Vector3 } from 'three';
import { arena } from './echo_measures.js';
import { leftOf } from './echo_state.js';

const wholeArena = 62; // distance in metres from the middle that shows all of it

export const cameraNames = ['director', 'orbit', 'follow', 'top', 'first-person'];

export class EchoCameras {
  #space;
  #settings;
  #home = wholeArena; // distance from which the orbit shows all of it
  #wanted = { eye: new Vector3(), at: new Vector3() };
  #eye = new Vector3();
  #at = new Vector3();
  #placed = false; // by the director or a follower, which move on from there
  #cut = true;
  #then = 0;
  #basis = new Matrix4();
  #axes = [new Vector3(), new Vector3(), new Vector3()];
  #left = new Float32Array(3);
  view = 'director';
  onchange = () => {};

  constructor(space, settings) {
    this.#space = space;
    this.#settings = settings;
    const { orbit, perspective } = space;
    orbit.distance = this.#home = wholeArena * (perspective.aspect >= 1 ? 1 : 1.2);
    // Along the longer side of the picture; blue is on the left, as in all pictures of a match.
    orbit.azimuth = perspective.aspect >= 1 ? -1.36 : -0.3;
    orbit.polar = 0.38;
    orbit.target.y = -1.5;
    orbit.onturn = () => {
      if (this.view !== 'director' || !this.#placed) return;
      orbit.adopt(this.#eye, this.#at);
      this.set('orbit');
      this.onchange();
    };
  }

  set(name) {
    const { orbit } = this.#space;
    this.view = name;
    orbit.enabled = name !== 'first-person';
    // Following cameras derive their distance from that of the whole arena.
    if (name === 'director' || name === 'follow') orbit.distance = this.#home;
    this.#placed = false;
  }

  // The next picture does not continue the one before.
  cut() {
    this.#cut = true;
  }

  // Of a place without known walls.
  lookAtPlayers({ players, count }) {
    const { orbit } = this.#space;
    const middle = [0, 1, 2].map((axis) => players.slice(0, count).reduce((sum, p) => sum + p.head[axis], 0) / count);
    [orbit.target.x, orbit.target.y, orbit.target.z] = middle;
    const far = players.slice(0, count).map(({ head }) => Math.hypot(...middle.map((v, axis) => head[axis] - v)));
    orbit.distance = Math.max(8, (Math.max(...far) * 1.6) / Math.min(1, this.#space.perspective.aspect) ** 0.7);
    orbit.polar = 0.5;
    this.#home = orbit.distance;
  }

  // The camera's target: the requested player, else the player with the disc, else the first player; null for
  // the disc.
  target(state, followed) {
    if (!state) return null;
    let holder = null;
    for (let i = 0; i < state.count; ++i) {
      const player = state.players[i];
      if (followed !== null && player.name === followed) return player;
      if (player.possession) holder ??= player;
    }
    if (this.view !== 'first-person' && (followed === 'disc' || followed === null)) return null;
    return holder ?? (state.count > 0 ? state.players[0] : null);
  }

  // Places the camera for one picture; true while it still moves.
  frame(now, state, followed) {
    const space = this.#space;
    const seconds = Math.min(0.1, (now - this.#then) / 1000);
    this.#then = now;
    space.camera = space.perspective;
    if (this.view === 'top') return this.#fromAbove(state);
    if (this.view === 'orbit' || !state) {
      space.orbit.look(space.perspective);
      return false;
    }
    if (this.view === 'director') return this.#direct(seconds, state, followed);
    return this.view === 'follow' ? this.#chaseView(seconds, state, followed) : this.#through(state, followed);
  }

  #fromAbove(state) {
    const { above, orbit, perspective } = this.#space;
    this.#space.camera = above;
    // The arena's long axis is along the longer side of the picture.
    const wide = perspective.aspect >= 1;
    const long = state && !state.arena ? 120 : 2 * arena.halfLength + 4;
    this.#space.aboveHeight = Math.max(wide ? long / perspective.aspect : long, 36) * (orbit.distance / wholeArena);
    this.#space.frameAbove();
    above.up.set(wide ? 1 : 0, 0, wide ? 0 : 1);
    above.position.set(0, 500, 0);
    above.lookAt(0, 0, 0);
    return false;
  }

  // Beside the play, blue on the left: close if the players are, farther away if they are spread. It moves
  // slowly, and cuts if the play jumps.
  #direct(seconds, state, followed) {
    const { orbit, perspective } = this.#space;
    const { eye, at } = this.#wanted;
    let player = null;
    for (let i = 0; i < state.count; ++i) if (state.players[i].name === followed) player = state.players[i];
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
    const still = this.#settings.reducedMotion || !this.#placed || this.#cut || jumped;
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
  #chaseView(seconds, state, followed) {
    const { orbit, perspective } = this.#space;
    const player = this.target(state, followed);
    const { eye, at } = this.#wanted;
    const distance = orbit.distance / this.#home;
    if (player) {
      at.set(player.head[0], player.head[1], player.head[2]);
      const f = player.bodyForward;
      eye.set(at.x - f[0] * 5.5 * distance, at.y + 1.9 * distance, at.z - f[2] * 5.5 * distance);
    } else {
      const { disc, hasDisc } = state;
      at.set(hasDisc ? disc[0] : 0, hasDisc ? disc[1] : 0, hasDisc ? disc[2] : 0);
      eye.set(at.x + 9 * distance, at.y + 5 * distance, at.z + 4 * distance);
    }
    const share = this.#settings.reducedMotion || !this.#placed ? 1 : 1 - Math.exp(-seconds * 7);
    this.#eye.lerp(eye, share);
    this.#at.lerp(at, share);
    this.#placed = true;
    perspective.up.set(0, 1, 0);
    perspective.position.copy(this.#eye);
    perspective.lookAt(this.#at);
    return this.#eye.distanceToSquared(eye) + this.#at.distanceToSquared(at) > 1e-4;
  }

  #through(state, followed) {
    const player = this.target(state, followed);
    const { perspective } = this.#space;
    if (!player) {
      this.#space.orbit.look(perspective);
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

// The picture of a tick. createStage() selects the stage for a recording:
//
//   Echo VR (.butter, .echoreplay, reels of it)   echo.js       arena, disc, players
//   SA-MP (.rec)                                  path.js       the path and the moving actor
//   StarCraft II (.SC2Replay)                     starcraft.js  map, units, cameras
//   .icrep, described reels, anything else        world.js      whatever has a position
//   gamecache                                     none          only tables
//
// -> { draw(state, tick, timeMs, previous, next), setCamera(name), camera(), cameras(), follow(name | null), targets(),
//      options(), set(id, value), resize(), paintOnto(pen), dispose() }
//
// `state` is the JSON of a line of `tickreel cat`. `recording` may be a list, where one picture holds several (.rec).

import { coloursFor } from './colours.js';
import { createEchoStage } from './echo.js';
import { Notice } from './notice.js';
import { createPathStage } from './path.js';
import { kindOf } from './kind.js';
import { createStarcraftStage } from './starcraft.js';
import { createWorldStage } from './world.js';

export { createPicture } from './heatmap.js';
export { prepareCanvas } from './space.js';
export { kindOf };

const makers = {
  arena: createEchoStage,
  path: createPathStage,
  starcraft: createStarcraftStage,
  world: createWorldStage,
  table: (host, recording, options) =>
    new EmptyStage(host, options, 'A list of games has no picture: it is in the table.'),
};

// options: view, follow, reducedMotion, colours ("light", "dark", or none for the system's preference).
export function createStage(host, recording, options = {}) {
  return new AnyStage(host, recording, options);
}

// A reel's header does not name its game: its first tick shows it. Until then settings are stored.
class AnyStage {
  #host;
  #recordings;
  #options;
  #stage = null;
  #wishes = [];

  constructor(host, recording, options) {
    this.#host = host;
    this.#recordings = Array.isArray(recording) ? recording : [recording];
    const motion =
      options.reducedMotion ?? globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
    this.#options = { ...options, reducedMotion: motion, colours: coloursFor(options.colours) };
    const kind = kindOf(this.#recordings[0], null);
    if (kind) this.#make(kind);
  }

  // `next`: {state, tick, share} with the fraction of the way to it, for interpolation between two ticks.
  draw(state, tick, timeMs, previous, next) {
    if (!this.#host) return;
    if (!this.#stage) {
      if (!state) return;
      this.#make(kindOf(this.#recordings[0], state));
    }
    this.#stage.draw(state, tick, timeMs, previous, next);
  }

  setCamera(name) {
    this.#tell('setCamera', name);
  }
  follow(name) {
    this.#tell('follow', name);
  }
  set(id, value) {
    return this.#tell('set', id, value);
  }
  camera() {
    return this.#stage?.camera() ?? this.#options.view ?? null;
  }
  cameras() {
    return this.#stage?.cameras() ?? [];
  }
  targets() {
    return this.#stage?.targets() ?? [];
  }
  options() {
    return this.#stage?.options() ?? [];
  }
  highlight(name) {
    this.#stage?.highlight?.(name);
  }
  // A tick of another match beside the one that is drawn; null: none.
  ghost(state) {
    this.#stage?.ghost?.(state);
  }
  // Of StarCraft II: what each player has.
  forces() {
    return this.#stage?.forces?.() ?? [];
  }
  // A picture under what is drawn, or null, and its edges in the game: [left, bottom, right, top].
  get takesMap() {
    return Boolean(this.#stage?.setMap);
  }
  mapArea() {
    return this.#stage.mapArea();
  }
  setMap(picture, area) {
    this.#tell('setMap', picture, area);
  }
  async firstSeen() {
    return this.#stage?.firstSeen?.() ?? null;
  }
  // As kindOf() has it; null before anything is drawn.
  kind = null;
  get moves() {
    return this.#stage?.moves ?? false;
  }
  resize() {
    this.#stage?.resize();
  }
  // Onto a canvas, as large as that is.
  paintOnto(pen) {
    if (!this.#stage) throw new Error('Nothing is drawn yet.');
    this.#stage.paintOnto(pen);
  }
  dispose() {
    this.#stage?.dispose();
    this.#stage = null;
    this.#host = null;
  }

  #tell(what, ...wish) {
    if (this.#stage) return this.#stage[what](...wish);
    if (this.#wishes.length < 64) this.#wishes.push([what, wish]);
    return true;
  }

  #make(kind) {
    if (!this.#host) return;
    this.kind = kind;
    try {
      this.#stage = makers[kind](this.#host, this.#recordings, this.#options);
    } catch (error) {
      // WebGL is not available, or no longer.
      const why =
        `The picture cannot be drawn here (${String(error?.message ?? error).slice(0, 200)}). ` +
        `Tables and charts work.`;
      this.#stage = new EmptyStage(this.#host, this.#options, why);
    }
    for (const [what, wish] of this.#wishes.splice(0)) this.#stage[what](...wish);
  }
}

class EmptyStage {
  #notice;
  constructor(host, options, sentence) {
    host.querySelector(':scope > canvas.stage-canvas')?.remove();
    for (const old of host.querySelectorAll(':scope > .stage-notice')) old.remove();
    this.#notice = new Notice(host, options.colours);
    this.#notice.show(sentence);
  }
  draw() {}
  setCamera() {}
  follow() {}
  resize() {}
  set() {
    return false;
  }
  camera() {
    return null;
  }
  cameras() {
    return [];
  }
  targets() {
    return [];
  }
  options() {
    return [];
  }
  paintOnto() {
    throw new Error('This recording has no picture.');
  }
  dispose() {
    this.#notice.dispose();
  }
}

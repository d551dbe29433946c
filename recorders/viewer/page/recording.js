// A recording that is open in the reader's worker.
import { readCurves } from './economy.js';
import { LineCache } from './line_cache.js';
import { Reader, takeReader } from './reader.js';
import { parseJson } from './text.js';

const overviewPoints = 4000;
const unpackSteps = 40;
// More than any real match has; a malicious file may have any number.
export const maxEvents = 1_000_000;
// Size of a part when a long answer is parsed, so that the page stays responsive.
const sliceMs = 12;
const pause = () => new Promise((done) => setTimeout(done, 0));

// Formats whose first answer does not need a scan of every tick.
const looksTwice = new Set(['butter', 'echoreplay', 'reel', 'rec']);

// The index of the last line whose column `key` is not above `value`; -1 if there is none.
function upTo(lines, key, value) {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle][key] <= value + 1e-6) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The reader's error for a file that it cannot open: {code, message, offset}, and whether `recover` may
// restore a part.
export class UnreadableRecording extends Error {
  /** @param {{error?: any, recoverable?: boolean, other?: boolean}} answer */
  constructor({ error = {}, recoverable = false, other = false }, name) {
    super(error.message ?? 'the recording cannot be read');
    // other: the followed file was truncated or replaced.
    Object.assign(this, { code: error.code, offset: error.offset, recoverable, other, file: name });
  }
}

export class Recording {
  #front;
  #back = null;
  #cache;
  #listeners = [];
  #lines = null;
  #everyLine = false;
  #kept = new Map();
  #heldUpTo;
  // It did when it was opened.
  #grows;
  #extends = false;
  #events = [];

  constructor(reader, bytes, answer, { name, live, heldUpTo }) {
    this.#heldUpTo = heldUpTo;
    this.#front = reader;
    this.bytes = bytes;
    this.name = name;
    this.live = this.#grows = live;
    this.#cache = new LineCache(
      (from, count) => this.lines(from, count),
      (tick) => reader.answer('state', [tick]),
    );
    this.#learn(answer);
  }

  #learn(answer) {
    this.info = answer.info;
    this.stage = answer.stage ?? '';
    // For people; the name in `info` is for programs.
    this.title = answer.title ?? answer.info.format;
    // False: only the first tick was read, and the number of ticks is not known yet.
    this.whole = answer.whole !== false;
    this.#extends = Boolean(answer.extends);
    this.ticks = answer.ticks;
    this.firstTimeMs = answer.first_time_ms ?? 0;
    this.lastTimeMs = Math.max(this.firstTimeMs, answer.last_time_ms ?? 0);
    // Until the overview is loaded: as if ticks were evenly spaced.
    const first = answer.first_tick ?? 0;
    const last = answer.last_tick ?? first + Math.max(0, this.ticks - 1);
    this.#times(
      this.#lines ?? [
        [first, this.firstTimeMs, null],
        [last, this.lastTimeMs, null],
      ],
    );
  }

  #times(lines) {
    this.#lines = lines;
    this.firstTick = lines[0]?.[0] ?? 0;
    this.lastTick = Math.max(lines.at(-1)?.[0] ?? 0, this.firstTick);
    this.hasClock = lines.some((line) => typeof line[2] === 'number');
  }

  // Interpolates between the two neighbouring known moments.
  #between(value, key, wanted) {
    const lines = this.#lines;
    if (lines.length === 0) return 0;
    const low = Math.max(0, upTo(lines, key, value));
    const from = lines[low];
    const to = lines[Math.min(low + 1, lines.length - 1)];
    if (value <= from[key] || to[key] <= from[key]) return from[wanted];
    return from[wanted] + (to[wanted] - from[wanted]) * Math.min(1, (value - from[key]) / (to[key] - from[key]));
  }

  timeOf(tick) {
    return this.#between(tick, 0, 1);
  }

  // The last tick that is not after that time.
  tickAt(ms) {
    if (!this.#everyLine) return Math.min(this.lastTick, Math.floor(this.#between(ms, 1, 0) + 1e-6));
    return this.#lines[Math.max(0, upTo(this.#lines, 1, ms))][0];
  }

  // The first tick that is not before that time.
  tickFrom(ms) {
    const tick = this.tickAt(ms);
    return this.timeOf(tick) >= ms - 0.5 || tick >= this.lastTick ? tick : this.stepFrom(tick, 1);
  }

  clockOf(tick) {
    return this.#lines[upTo(this.#lines, 0, tick)]?.[2] ?? null;
  }

  // The next existing tick: with distant or lost ticks, not the next number.
  stepFrom(tick, direction) {
    const lines = this.#lines;
    if (!this.#everyLine) return tick + direction;
    const next = direction > 0 ? lines.find((line) => line[0] > tick) : lines.findLast((line) => line[0] < tick);
    return next ? next[0] : tick;
  }

  // The first tick at which the game clock, which counts down, is not above that; null if there is none.
  tickAtClock(seconds) {
    if (!this.hasClock) return this.tickAt(this.firstTimeMs + seconds * 1000);
    let above = false;
    for (const [tick, , clock] of this.#lines) {
      if (typeof clock !== 'number') continue;
      if (clock <= seconds && (above || clock === seconds)) return tick;
      above ||= clock > seconds;
    }
    return null;
  }

  // The object that `tickreel cat` prints for the tick, or for the one that replaces it.
  state(tick) {
    return this.#cache.state(tick);
  }

  // The amount to read ahead: some seconds during playback, otherwise nothing.
  playing(speed) {
    this.#cache.ahead = speed > 0 && speed <= 2;
  }

  // Lines as `tickreel cat` prints them; fewer than `count` if they are long, none at the end.
  async lines(from, count) {
    const text = await this.#front.answer('range', [from, count]);
    return text === '' ? [] : text.split('\n').filter((line) => line !== '');
  }

  // Of Echo VR: [{tick, line}] as an .echoreplay has them; none at the end.
  async gameLines(from, count) {
    const text = await this.#front.answer('game_lines', [from, count]);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ tick: parseInt(line, 10), line: line.slice(line.indexOf('\t') + 1) }));
  }

  async #analyst() {
    this.#back ??= (async () => {
      let reader = null;
      try {
        reader = new Reader();
        const answer = await reader.open(await this.#front.ask('copy'), 'open', this.#heldUpTo, this.#grows);
        if (answer.ok) {
          this.#complete(answer);
          // The first reader reuses the keyframes that this one found in its scans.
          const known = await reader.ask('entrances');
          if (known) this.#learnt(known).catch(() => {});
          return reader;
        }
      } catch {
        // No thread or memory for a second one: the first does both.
      }
      reader?.close();
      if (!this.whole) this.#complete(parseJson(await this.#front.answer('about', [])));
      return this.#front;
    })();
    return this.#back;
  }

  // An archive is unpacked once, in pieces, so that it can be entered anywhere afterwards.
  async #learnt(known) {
    await this.#front.ask('learn', [known]);
    if (this.info.format !== 'echoreplay') return;
    const step = Math.max(1, Math.ceil((this.lastTick - this.firstTick) / unpackSteps));
    for (let tick = this.firstTick + step; tick < this.lastTick; tick += step) await this.#front.ask('state', [tick]);
    this.unpacked = true;
  }
  unpacked = false;

  #complete(answer) {
    if (this.whole) return;
    if (!answer.ok) throw new UnreadableRecording(answer, this.name);
    this.#learn(answer);
  }

  // Resolves when the length and all facts of `info` are known.
  async known() {
    if (!this.whole) await this.#analyst();
  }

  // Each request once: the answer is kept until the recording grows.
  async #asked(call, ...values) {
    const key = JSON.stringify([call, values]);
    let answer = this.#kept.get(key);
    if (!answer) {
      answer = this.#analyst().then((reader) => reader.answer(call, values));
      this.#kept.set(key, answer);
      answer.catch(() => this.#kept.delete(key));
    }
    return answer;
  }

  get events() {
    let list = this.#kept.get('events');
    if (!list) {
      list = this.#listEvents();
      this.#kept.set('events', list);
      list.catch(() => this.#kept.delete('events'));
    }
    return list;
  }

  async #listEvents() {
    const text = await (await this.#analyst()).answer('events');
    // For a growing recording, only new ones.
    const list = this.#extends ? this.#events : [];
    const had = list.length;
    let begun = performance.now();
    for (let at = 0; at < text.length && list.length < maxEvents;) {
      if (list.length % 256 === 255 && performance.now() - begun > sliceMs) {
        await pause();
        begun = performance.now();
      }
      const end = text.indexOf('\n', at);
      const line = text.slice(at, end < 0 ? undefined : end);
      at = end < 0 ? text.length : end + 1;
      if (line === '') continue;
      const event = parseJson(line);
      // Damage that ends the list, which the health of the recording shows.
      if (event.error) break;
      event.time_ms ??= this.timeOf(event.tick);
      list.push(event);
    }
    // Late events are after later ones.
    for (let at = Math.max(1, had); at < list.length; ++at) {
      if (list[at].tick >= list[at - 1].tick) continue;
      list.sort((one, other) => one.tick - other.tick);
      break;
    }
    return list;
  }

  fields() {
    return this.#asked('fields').then(parseJson);
  }

  series(path, points) {
    return this.#asked('series', path, points).then(parseJson);
  }

  async overview(points = overviewPoints) {
    const answer = parseJson(await this.#asked('overview', points));
    // As ordinary events.
    answer.gaps = (answer.gaps ?? []).map(([tick, from, until, missing]) => ({
      tick,
      time_ms: from,
      type: 'ticks_missing',
      until_ms: until,
      missing,
    }));
    if (answer.more_gaps > 0)
      answer.losses.push(`${answer.more_gaps} gaps in addition to the ${answer.gaps.length} listed ones`);
    if (answer.times?.length) {
      this.#times(answer.times);
      this.#everyLine = answer.times.length < points / 2;
    }
    return answer;
  }

  // For StarCraft II: army, income, supply, workers and actions at each of the game's snapshots.
  async curves() {
    return (this.#curves ??= readCurves(this, await this.events));
  }
  #curves = null;

  positions(points) {
    return this.#asked('positions', points).then(parseJson);
  }

  verify() {
    return this.#asked('verify').then(parseJson);
  }

  // The full `info`, which reads every tick; before that, `info` here contains the facts from the file's ends
  // and indexes.
  async judged() {
    if (this.#judged || this.live || !looksTwice.has(this.info.format)) return;
    const { info } = parseJson(await this.#asked('summary'));
    this.#judged = true;
    if (info) this.info = info;
  }
  #judged = false;

  on(what, listener) {
    this.#listeners.push([what, listener]);
  }

  // All bytes up to now.
  copy() {
    return this.#front.ask('copy');
  }

  // Appends data of a reel that is still being written.
  async grow(bytes) {
    // A concurrent copy happens before or after this piece.
    const back = await this.#back?.catch(() => null);
    const teller = back ?? this.#front;
    this.bytes += bytes.byteLength;
    const readers = new Set([this.#front, teller]);
    for (const text of await Promise.all([...readers].map((reader) => reader.ask('append', [bytes])))) {
      const answer = parseJson(text);
      if (!answer.ok) throw new UnreadableRecording(answer, this.name);
    }
    // Callers that wait for the length are notified then.
    if (!this.#back) return;
    const answer = parseJson(await teller.ask('about'));
    if (!answer.ok) throw new UnreadableRecording(answer, this.name);
    this.#kept.clear();
    this.#cache.grown();
    const before = this.#lines;
    const { ticks: had } = this;
    this.#learn(answer);
    this.#everyLine = false;
    if (this.ticks > had)
      this.#times([...before, [answer.last_tick ?? this.lastTick + this.ticks - had, this.lastTimeMs, null]]);
    for (const [what, listener] of this.#listeners) if (what === 'grown') listener(this);
  }

  close() {
    this.#front.close();
    this.#back?.then(
      (reader) => reader.close(),
      () => {},
    );
  }
}

// Opens a File, a Blob or an ArrayBuffer up to its first tick; known() returns the rest. Throws an
// UnreadableRecording if the reader cannot open it. `heldUpTo`: the size limit of recordings that readers
// hold in memory.
/** @param {any} source @param {{live?: boolean, name?: string, heldUpTo?: number}} options */
export async function beginRecording(source, { live = false, name = source.name ?? 'recording', heldUpTo } = {}) {
  const reader = takeReader();
  try {
    const blob = source instanceof Blob ? source : new Blob([source]);
    const answer = await reader.open(blob, 'begin', heldUpTo, live);
    if (!answer.ok) throw new UnreadableRecording(answer, name);
    return new Recording(reader, blob.size, answer, { name, live, heldUpTo });
  } catch (error) {
    reader.close();
    throw error;
  }
}

// The whole recording in one piece.
export async function openRecording(source, options = {}) {
  const recording = await beginRecording(source, options);
  await recording.known();
  return recording;
}

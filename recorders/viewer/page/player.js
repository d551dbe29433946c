// The cursor and its speed. Everything on the page follows it.
export const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

// A live picture lags its end by about the interval of received chunks, so that a part of the last one is
// still unplayed when the next arrives. It adjusts the lag by playing slightly faster or slower.
const spareMs = 60;
const maxHaste = 0.5;
const maxSlowness = 0.1;
const evenedMs = 500;
const piecesLookedAt = 8;
const startLagMs = 300;
// Beyond this lag, now or when data arrived, it jumps close to the end.
const lostLagMs = 1500;
const lostSpareMs = 700;

export class Player {
  #recording;
  #listeners = [];
  #last = 0;
  #frame = 0;
  #gone = new AbortController();
  #end = 0;
  #spare = [];  // unplayed time when the last chunks arrived

  constructor(recording) {
    this.#recording = recording;
    this.timeMs = recording.firstTimeMs;
    this.#end = recording.lastTimeMs;
    this.tick = recording.firstTick;
    this.playing = false;
    this.speed = 1;
    this.live = false;
    this.hideLength = false;
    recording.on('grown', () => {
      const spare = this.#end - this.timeMs;
      this.#spare.push(spare);
      if (this.#spare.length > piecesLookedAt) this.#spare.shift();
      this.#end = recording.lastTimeMs;
      if (this.live && (spare > lostSpareMs || this.#end - this.timeMs > lostLagMs)) this.goLive();
      else this.#tell();
    });
  }

  // Aborted when the view closes: listeners elsewhere end with it.
  get gone() {
    return this.#gone.signal;
  }

  onchange(listener) {
    this.#listeners.push(listener);
  }

  #tell() {
    for (const listener of this.#listeners) listener(this);
  }

  // The end of axes while the length must stay hidden: a little after the part already seen, in whole
  // minutes.
  shownEnd() {
    if (!this.hideLength) return undefined;
    const { firstTimeMs } = this.#recording;
    this.#furthest = Math.max(this.#furthest, this.timeMs);
    return firstTimeMs + Math.ceil((this.#furthest - firstTimeMs) / 60_000 + 0.5) * 60_000;
  }
  #furthest = -Infinity;

  // The recording's known time range has changed.
  refresh() {
    // The requested place may be after the end.
    if (this.#recording.whole) this.tick = Math.min(this.#recording.lastTick, Math.max(this.#recording.firstTick, this.tick));
    this.tick = this.playing ? this.#recording.tickAt(this.timeMs) : this.tick;
    if (!this.playing) this.timeMs = this.#recording.timeOf(this.tick);
    this.#tell();
  }

  get duration() {
    return this.#recording.lastTimeMs - this.#recording.firstTimeMs;
  }

  seekTime(ms, live = false) {
    const { firstTimeMs, lastTimeMs } = this.#recording;
    this.live = live;
    this.timeMs = Math.min(lastTimeMs, Math.max(firstTimeMs, ms));
    this.tick = this.#recording.tickAt(this.timeMs);
    this.#tell();
  }

  seekTick(tick) {
    const { firstTick, lastTick, whole } = this.#recording;
    this.live = false;
    this.tick = Math.max(firstTick, Math.round(tick));
    // The number of ticks becomes known later.
    if (whole) this.tick = Math.min(lastTick, this.tick);
    this.timeMs = this.#recording.timeOf(this.tick);
    this.#tell();
  }

  step(direction) {
    this.pause();
    this.seekTick(this.#recording.stepFrom(this.tick, direction));
  }

  // Seeks to a place as text.js parses it; returns false if the recording has no such moment.
  jump(place) {
    if (place.tick !== undefined) this.seekTick(place.tick);
    else if (place.ms !== undefined) this.seekTime(this.#recording.firstTimeMs + place.ms);
    else {
      const tick = this.#recording.tickAtClock(place.clock);
      if (tick === null) return false;
      this.seekTick(tick);
    }
    return true;
  }

  goLive() {
    this.seekTime(this.#recording.lastTimeMs - startLagMs, true);
    this.#spare = [];
    this.play(true);
  }

  setSpeed(speed) {
    this.speed = Math.min(16, Math.max(0.1, speed));
    if (this.playing) this.#recording.playing(this.speed);
    this.#tell();
  }

  faster(direction) {
    const next = direction > 0 ? speeds.find((speed) => speed > this.speed) : speeds.findLast((speed) => speed < this.speed);
    if (next) this.setSpeed(next);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play(live = this.live) {
    if (this.playing) return;
    if (!live && this.timeMs >= this.#recording.lastTimeMs && !this.#recording.live) this.seekTime(this.#recording.firstTimeMs);
    this.playing = true;
    this.live = live;
    this.#recording.playing(this.speed);
    this.#last = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#run(now));
    this.#tell();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.live = false;
    this.#recording.playing(0);
    cancelAnimationFrame(this.#frame);
    this.#tell();
  }

  #run(now) {
    // A page that was in the background continues where it was, not minutes later.
    const passed = Math.min(1000, Math.max(0, now - this.#last));
    this.#last = now;
    const { lastTimeMs, live } = this.#recording;
    const before = this.timeMs;
    let more = 0;
    if (live && this.#spare.length > 0) {
      more = passed * Math.max(-maxSlowness, Math.min(maxHaste, (Math.min(...this.#spare) - spareMs) / evenedMs));
      // As if it had played on.
      this.#spare = this.#spare.map((spare) => spare - more);
    }
    this.timeMs = Math.min(lastTimeMs, this.timeMs + passed * this.speed + more);
    this.tick = this.#recording.tickAt(this.timeMs);
    if (this.timeMs >= lastTimeMs && !live && this.#recording.whole) {
      this.pause();
      return;
    }
    if (this.timeMs !== before) this.#tell();
    this.#frame = requestAnimationFrame((next) => this.#run(next));
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.playing = false;
    this.#listeners = [];
    this.#gone.abort();
  }
}

// Where the cursor is, and how fast it goes. Everything that is shown follows it.
export const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

// How far a live picture stays behind, so that it does not stop between two pieces of the reel.
const liveBehindMs = 700;

export class Player {
  #recording;
  #listeners = [];
  #last = 0;
  #frame = 0;
  #gone = new AbortController();

  constructor(recording) {
    this.#recording = recording;
    this.timeMs = recording.firstTimeMs;
    this.tick = recording.firstTick;
    this.playing = false;
    this.speed = 1;
    this.live = false;
    recording.on('grown', () => {
      if (this.live && recording.lastTimeMs - this.timeMs > 2000) this.seekTime(recording.lastTimeMs - liveBehindMs, true);
      else this.#tell();
    });
  }

  // Aborted when nobody looks any more: what listens elsewhere ends with it.
  get gone() {
    return this.#gone.signal;
  }

  onchange(listener) {
    this.#listeners.push(listener);
  }

  #tell() {
    for (const listener of this.#listeners) listener(this);
  }

  // The recording says more of its times than before.
  refresh() {
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
    // How many there are is known a little later.
    if (whole) this.tick = Math.min(lastTick, this.tick);
    this.timeMs = this.#recording.timeOf(this.tick);
    this.#tell();
  }

  step(direction) {
    this.pause();
    this.seekTick(this.#recording.stepFrom(this.tick, direction));
  }

  // Of a place as text.js reads it; false where the recording has no such moment.
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
    this.seekTime(this.#recording.lastTimeMs - liveBehindMs, true);
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
    // A page that was in the background goes on where it was, not minutes later.
    const passed = Math.min(1000, Math.max(0, now - this.#last));
    this.#last = now;
    const { lastTimeMs, live } = this.#recording;
    const before = this.timeMs;
    this.timeMs = Math.min(lastTimeMs, this.timeMs + passed * this.speed);
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

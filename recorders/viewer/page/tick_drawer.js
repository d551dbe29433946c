// Requests the tick at the cursor and has it drawn; answers to earlier requests are dropped.
export class TickDrawer {
  #recording;
  #player;
  #show;
  #onerror;
  #wanted = -1;
  #drawing = false;
  #closed = false;
  #last = null; // {tick, state}
  drawn = null; // resolves after the requested tick was drawn

  // `show(tick, timeMs, state, before)`: `before` is the state of the tick that was drawn before, if that is earlier.
  constructor(recording, player, { show, onerror }) {
    this.#recording = recording;
    this.#player = player;
    this.#show = show;
    this.#onerror = onerror;
  }

  draw() {
    this.#wanted = this.#player.tick;
    if (!this.#drawing) this.drawn = this.#drawWanted();
    return this.drawn;
  }

  close() {
    this.#closed = true;
  }

  async #drawWanted() {
    this.#drawing = true;
    while (!this.#closed) {
      const tick = this.#wanted;
      const { timeMs } = this.#player;
      try {
        const state = await this.#recording.state(tick);
        if (this.#closed) break;
        const before = this.#last && this.#last.tick < tick ? this.#last.state : null;
        this.#last = { tick, state };
        await this.#show(tick, timeMs, state, before);
      } catch (error) {
        if (!this.#closed) this.#onerror(error.message);
      }
      if (this.#wanted === tick) break;
    }
    this.#drawing = false;
  }

  // The next tick, and the fraction of the way to it, during playback: with interpolation ten ticks a second
  // look as smooth as sixty.
  async following(tick, timeMs) {
    const recording = this.#recording;
    if (!this.#player.playing || tick >= recording.lastTick) return null;
    const next = recording.stepFrom(tick, 1);
    const [from, to] = [recording.timeOf(tick), recording.timeOf(next)];
    // Nothing is interpolated where ticks are missing.
    if (!(to > from) || to - from > 400) return null;
    const state = await recording.state(next);
    return state ? { state, tick: next, share: Math.min(1, Math.max(0, (timeMs - from) / (to - from))) } : null;
  }
}

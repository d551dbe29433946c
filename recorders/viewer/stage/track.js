// The whole path of a .rec, read once from its lines and thinned to a limit: places, times, speeds.

import { readVector } from "./echo_state.js";

const maxPoints = 40000;
const linesAtOnce = 500;

export class Track {
  count = 0;
  times = new Float64Array(256);
  places = new Float32Array(256 * 3);  // of the picture: x east, y up, z south
  speeds = new Float32Array(256);
  top = 0;  // the speed that only one in fifty exceeds
  unreadable = 0;

  add(json) {
    if (!readVector(json?.position, at) || !Number.isFinite(json.time_ms)) {
      ++this.unreadable;
      return;
    }
    if (this.count === this.times.length) this.#grow();
    const i = this.count++;
    this.times[i] = json.time_ms;
    toPicture(at, this.places, i * 3);
  }

  // Metres per second between neighbours; a jump of the clock, or an unchanged clock, counts as standing.
  measure() {
    const p = this.places;
    for (let i = 1; i < this.count; ++i) {
      const seconds = (this.times[i] - this.times[i - 1]) / 1000;
      const way = Math.hypot(p[i * 3] - p[i * 3 - 3], p[i * 3 + 1] - p[i * 3 - 2], p[i * 3 + 2] - p[i * 3 - 1]);
      this.speeds[i] = seconds > 0 ? way / seconds : 0;
    }
    if (this.count > 1) this.speeds[0] = this.speeds[1];
    const sorted = this.speeds.slice(0, this.count).sort();
    this.top = sorted[Math.floor(this.count * 0.98)] ?? 0;
  }

  // The last point at or before a time; -1 before the first.
  at(timeMs) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= timeMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #grow() {
    for (const name of ["times", "places", "speeds"]) {
      const larger = new this[name].constructor(this[name].length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

const at = new Float32Array(3);

// San Andreas has x east, y north, z up.
export function toPicture(from, to, offset = 0) {
  const [x, y, z] = from;
  to[offset] = x;
  to[offset + 1] = z;
  to[offset + 2] = -y;
}

// Ends early when `stopped()` returns true.
export async function readTrack(recording, stopped) {
  const track = new Track();
  const ticks = recording?.ticks ?? 0;
  const every = Math.max(1, Math.ceil(ticks / maxPoints));
  for (let from = 0; from < ticks && !stopped(); ) {
    const lines = await recording.lines(from, Math.min(linesAtOnce, ticks - from));
    if (!lines || lines.length === 0) break;
    for (let i = 0; i < lines.length; ++i) {
      if ((from + i) % every !== 0 && from + i !== ticks - 1) continue;
      try {
        track.add(JSON.parse(lines[i]));
      } catch {
        ++track.unreadable;
      }
    }
    from += lines.length;
  }
  track.measure();
  return track;
}

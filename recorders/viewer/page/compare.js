// Two recordings side by side, and the first tick in which they differ.
import { parseJson } from './text.js';

const batch = 24;

// The precision of a .butter, including the small profile: a relative error (it stores half-precision
// numbers) and an absolute one. See docs/formats/butter.md.
const half = 1 / 1024;
const kept = [
  [/\.(position|pos|bone_t)\[\d+\]$/, 0.002, half],
  [/\.(forward|left|up)\[\d+\]$/, 0.01, 0],
  [/\.velocity\[\d+\]$/, 0.36, half],
  [/\.game_clock$/, 0.011, 0],
  [/\.(blue_points|orange_points|blue_round_score|orange_round_score|game_status|map_name|sessionid)$/, 0, 0],
  [/\.(stunned|invulnerable|blocking)$/, 0, 0],
  [/\.stats\.(points|saves|goals|stuns|passes|catches|steals|blocks|interceptions|assists|shots_taken)$/, 0, 0],
];
export const isButter = (info) => info.format === 'butter';

// Whether both are equal within the precision of a .butter.
export function nearAsButter(path, a, b) {
  // Where it is null or absent, the other format cannot store it.
  if (a === null || b === null || a === undefined || b === undefined) return true;
  const found = kept.find(([pattern]) => pattern.test(path));
  if (!found) return true;
  if (typeof a !== 'number' || typeof b !== 'number') return typeof a === typeof b ? a === b : Boolean(a) === Boolean(b);
  return Math.abs(a - b) <= found[1] + found[2] * Math.max(Math.abs(a), Math.abs(b));
}

// The path of the first leaf that differs; null if there is none. `near(path, a, b)` returns true for
// differences to ignore.
export function firstDifference(a, b, path = '', near = null) {
  if (a === b) return null;
  if (a && b && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = firstDifference(a[key], b[key], Array.isArray(a) ? `${path}[${key}]` : path ? `${path}.${key}` : key, near);
      if (found) return found;
    }
    return null;
  }
  return near?.(path, a, b) ? null : { path, first: a, second: b };
}

// The lines of one recording in order, read in pieces.
async function* linesOf(recording) {
  for (let from = recording.firstTick; ;) {
    const lines = await recording.lines(from, batch);
    if (lines.length === 0) return;
    let tick = from;
    for (const line of lines) {
      tick = Number(/"tick":(\d+)/.exec(line)?.[1]);
      yield { tick, line };
    }
    if (!(tick >= from)) return;
    from = tick + 1;
  }
}

// Returns {tick, path, first, second}, {tick, only: 'first'|'second'}, or {same: ticks}. `progress` receives
// the tick; returning true stops.
export async function findFirstDifference(first, second, progress, near = null) {
  const b = linesOf(second);
  let other = (await b.next()).value;
  let compared = 0;
  for await (const { tick, line } of linesOf(first)) {
    // Ticks that only one recording has, because the other lost them, are not compared.
    while (other && other.tick < tick) other = (await b.next()).value;
    if (!other) break;
    if (other.tick > tick) continue;
    if (line !== other.line) {
      const found = firstDifference(parseJson(line), parseJson(other.line), '', near);
      if (found) return { tick, ...found };
    }
    ++compared;
    if (compared % batch === 0 && progress(tick)) return null;
    other = (await b.next()).value;
  }
  return { same: compared };
}

// Two recordings side by side, and the first tick in which they differ.
import { parseJson } from './text.js';

const batch = 24;

// What a .butter keeps of a match, and how far off it may be, the small profile included: as a share of the value (it
// has numbers in half precision) and at least so much. See docs/formats/butter.md.
const half = 1 / 1024;
/** @type {[RegExp, number, number][]} */
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

// Whether both are one value as a .butter keeps it.
export function nearAsButter(path, a, b) {
  // Where it is null or absent, the other has no place for it.
  if (a === null || b === null || a === undefined || b === undefined) return true;
  const found = kept.find(([pattern]) => pattern.test(path));
  if (!found) return true;
  if (typeof a !== 'number' || typeof b !== 'number')
    return typeof a === typeof b ? a === b : Boolean(a) === Boolean(b);
  return Math.abs(a - b) <= found[1] + found[2] * Math.max(Math.abs(a), Math.abs(b));
}

// The first leaf that differs, by its path; null where there is none. `near(path, a, b)` says which are not counted.
export function firstDifference(a, b, path = '', near = null) {
  if (a === b) return null;
  if (a && b && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = firstDifference(
        a[key],
        b[key],
        Array.isArray(a) ? `${path}[${key}]` : path ? `${path}.${key}` : key,
        near,
      );
      if (found) return found;
    }
    return null;
  }
  return near?.(path, a, b) ? null : { path, first: a, second: b };
}

// Lines of one recording, one after the other, read in pieces.
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

// {tick, path, first, second}, {tick, only: 'first'|'second'}, or {same: ticks}. `progress` receives the tick; true
// stops.
export async function findFirstDifference(first, second, progress, near = null) {
  const b = linesOf(second);
  let other = (await b.next()).value;
  let compared = 0;
  for await (const { tick, line } of linesOf(first)) {
    // Ticks that only one has, because the other lost them, are not compared.
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

// Two recordings side by side, and the first tick in which they differ.
import { parseJson } from './text.js';

const batch = 24;

// The first leaf that differs, by its path; null where there is none.
export function firstDifference(a, b, path = '') {
  if (a === b) return null;
  if (a && b && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = firstDifference(a[key], b[key], Array.isArray(a) ? `${path}[${key}]` : path ? `${path}.${key}` : key);
      if (found) return found;
    }
    return null;
  }
  return { path, first: a, second: b };
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

// {tick, path, first, second}, {tick, only: 'first'|'second'}, or {same: ticks}. `progress` is told the tick; true from it stops.
export async function findFirstDifference(first, second, progress) {
  const b = linesOf(second);
  let other = (await b.next()).value;
  let compared = 0;
  for await (const { tick, line } of linesOf(first)) {
    // Ticks that only one has, because the other lost them, are not compared.
    while (other && other.tick < tick) other = (await b.next()).value;
    if (!other) break;
    if (other.tick > tick) continue;
    if (line !== other.line) {
      const found = firstDifference(parseJson(line), parseJson(other.line));
      if (found) return { tick, ...found };
    }
    ++compared;
    if (compared % batch === 0 && progress(tick)) return null;
    other = (await b.next()).value;
  }
  return { same: compared };
}

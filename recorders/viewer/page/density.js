// Counts how many values of a sorted list of times belong to each column of pixels. The cost depends on the
// columns, not on the list.

// The index of the first value from `low` that is above `value`, or not below it.
export const firstAbove = (values, value, low = 0) => search(values, low, (each) => each > value);
export const firstNotBelow = (values, value, low = 0) => search(values, low, (each) => each >= value);
function search(values, low, isAfter) {
  // Doubles the step: the next column is usually close.
  let high = low;
  for (let step = 1; high < values.length && !isAfter(values[high]); step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, values.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(values[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Calls `each(column, first, end)` for every non-empty column of [from, to): list[first] to list[end - 1]
// belong to it.
export function eachColumn(times, from, to, columns, each) {
  const span = to - from;
  if (!(span > 0) || columns < 1) return;
  let at = firstNotBelow(times, from);
  while (at < times.length && times[at] <= to) {
    const edgeOf = (index) => from + (index / columns) * span;
    let column = Math.min(columns - 1, Math.max(0, Math.floor(((times[at] - from) / span) * columns)));
    // Both are rounded: a value on a border belongs to the next column.
    if (column < columns - 1 && edgeOf(column + 1) <= times[at]) ++column;
    // The last column includes the end.
    const end = column === columns - 1 ? firstAbove(times, to, at) : Math.max(at + 1, firstNotBelow(times, edgeOf(column + 1), at));
    each(column, at, end);
    at = end;
  }
}

// Gaps as runs of columns: {from, to, share}; `share` is the missing fraction of the run's time. Gaps do not
// overlap.
export class GapIndex {
  constructor(gaps) {
    this.list = gaps;
    this.count = gaps.length;
    this.from = new Float64Array(this.count);
    this.until = new Float64Array(this.count);
    this.before = new Float64Array(this.count + 1);  // missing milliseconds before each gap
    for (let i = 0; i < this.count; ++i) {
      const { time_ms: from, until_ms: until } = gaps[i];
      // In a damaged or malicious file times may decrease.
      this.from[i] = Math.max(from, i > 0 ? this.from[i - 1] : -Infinity);
      this.until[i] = Math.max(until, this.from[i], i > 0 ? this.until[i - 1] : -Infinity);
      this.before[i + 1] = this.before[i] + (this.until[i] - this.from[i]);
    }
  }

  runs(from, to, columns, until = Infinity) {
    const out = [];
    const span = to - from;
    if (!(span > 0)) return out;
    const columnOf = (ms) => Math.floor(((ms - from) / span) * columns);
    let at = firstNotBelow(this.until, from);
    while (at < this.count && this.from[at] <= Math.min(to, until)) {
      const first = Math.min(columns - 1, Math.max(0, columnOf(this.from[at])));
      let end = Math.max(first + 1, Math.min(columns, columnOf(this.until[at]) + 1));
      const begin = at;
      // Gaps that begin on these columns belong to the run, and may extend it.
      for (;;) {
        const next = firstAbove(this.from, Math.min(until, from + (end / columns) * span), at);
        if (next <= at) break;
        at = next;
        const reach = Math.min(columns, columnOf(this.until[at - 1]) + 1);
        if (reach <= end) break;
        end = reach;
      }
      at = Math.max(at, begin + 1);
      const missing = this.before[at] - this.before[begin];
      out.push({ from: first, to: Math.min(columns, end), share: Math.min(1, missing / Math.max(1e-9, ((end - first) / columns) * span)), count: at - begin, first: begin });
    }
    return out;
  }

  // The gap that contains that moment.
  at(ms, reach = 0) {
    const i = firstAbove(this.from, ms + reach) - 1;
    return i >= 0 && this.until[i] + reach >= ms ? this.list[i] : null;
  }
}

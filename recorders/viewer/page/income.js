// What came a minute, of what had come in all at each moment: over half a minute, since it comes in loads.
export function incomeOf(seconds, collected, over = 30) {
  let from = 0;
  return collected.map((sum, at) => {
    if (sum === null) return null;
    while (from < at && (seconds[at] - seconds[from] > over || collected[from] === null)) ++from;
    return from < at ? Math.max(0, ((sum - collected[from]) * 60) / (seconds[at] - seconds[from])) : null;
  });
}

"""Two results, figure by figure: the ratio, and whether it is more than their spread."""
import re

from plots import figure

MEASURED = re.compile(r"(^|_)(ns|ms|us|seconds|bytes|ticks|mb|gb)(_|$)|^allocations$")
# Sizes of the workload and of the run are not results; neither is the maximum, which depends on chance.
GIVEN = {"ticks", "bytes", "in_mb", "out_mb", "samples", "bar_us", "blocks", "hour_keyframes",
         "max_ns"}


def name_of(row):
    """What makes a row itself: its words, and the numbers that are not measured."""
    given = ("rate_hz", "entities", "changed")
    return ", ".join([value for value in row.values() if isinstance(value, str)] +
                     [f"{key} {row[key]}" for key in given if key in row])


def figures(results, path=()):
    """(path, value, (least, most) or None) for everything that is measured."""
    spread = results.get("spread", {})
    for key, value in results.items():
        if key in ("spread", "environment", "histogram") or key.startswith("ratio"):
            continue
        if isinstance(value, dict):
            yield from figures(value, (*path, key))
        elif isinstance(value, list):
            for row in value:
                if isinstance(row, dict):
                    yield from figures(row, (*path, name_of(row) or key))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            if MEASURED.search(key) and key not in GIVEN:
                yield (*path, key), value, spread.get(key)


def judge(old, new, key):
    """The ratio's bounds, from the spread of both runs, and a word."""
    (before, before_spread), (now, now_spread) = old, new
    if before == 0 or now == 0:
        return None, "same" if before == now else "DIFFERENT"
    ratio = now / before
    more_is_better = "per_second" in key
    if before_spread and now_spread and min(*before_spread, *now_spread) > 0:
        low, high = now_spread[0] / before_spread[1], now_spread[1] / before_spread[0]
        bounds = f"{low:.2f} to {high:.2f}"
    elif key == "allocations" or "bytes" in key:
        low = high = ratio  # counted, not timed
        bounds = "exact"
    else:
        return f"{ratio:.3f}  (measured once)", ""
    if low <= 1 <= high or abs(ratio - 1) < 0.005:
        return f"{ratio:.3f}  ({bounds})", "same"
    return f"{ratio:.3f}  ({bounds})", "better" if (ratio < 1) != more_is_better else "WORSE"


def compare(old_results, new_results):
    old = {path: (value, spread) for path, value, spread in figures(old_results)}
    new = {path: (value, spread) for path, value, spread in figures(new_results)}
    print("new / old, with the bounds that the spread within both runs allows\n")
    counts = {}
    heading = None
    for path, found in new.items():
        if path not in old:
            continue
        ratio, word = judge(old[path], found, path[-1])
        counts[word] = counts.get(word, 0) + 1
        if ratio is None and word == "same":
            continue
        if path[:-1] != heading:
            heading = path[:-1]
            print(" / ".join(heading))
        print(f"  {path[-1]:<28} {figure(old[path][0]):>10} -> {figure(found[0]):>10}  {ratio or ''}  {word}")
    missing = [path for path in old if path not in new and path[0] in new_results]
    print(f"\n{counts.get('same', 0)} within their spread, {counts.get('better', 0)} better, "
          f"{counts.get('WORSE', 0) + counts.get('DIFFERENT', 0)} worse, {counts.get('', 0)} measured once; "
          f"{len(missing)} of the old ones are gone")

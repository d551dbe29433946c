"""docs/benchmarks.md with its pictures, and the self-contained page."""
import os
import re
import textwrap
from html import escape

import pictures
import tables

HEAD = """# Benchmarks

```sh
scripts/bench                                # all of them
scripts/bench --only encode                  # one: {names}
scripts/bench --json new.json                # also one JSON object with a member per question
scripts/bench --html page.html               # also a page with plots, complete in itself
scripts/bench --compare bench/baseline.json  # also the ratios to an earlier run, with the bounds of noise
scripts/bench_report docs bench/baseline.json  # this page, from a run's JSON
scripts/perf_guard                           # no timing: instructions of fixed runs against committed counts
```

Each program in `bench/` answers one question, prints it first, then where it runs, then a table. `--quick` shows
that all works; its figures mean little.

In the JSON, `hot_path.push` is the heaviest state at the highest paced rate (8 players with bones, 1000 Hz), `hot_path.ratio_to_copy`
its ratios to a memcpy to the next of as many places as the ring has, `ratio_to_ring_copy` those to a memcpy into a ring that another
thread reads; `hot_path.capture` is a shooter's state built in place; `hot_path.runs` and `hot_path.building` hold all. `encode.rows` has a
row per encoder, workload and kind of frame. Names end in their units. `spread` holds the least and the most that parts of the run
gave, or its repetitions: what `--compare` takes as noise.

"""

TAIL = """## clip: how long does half a minute of an hour take?

A simulated match of an hour with bones at 60 Hz, 216,000 ticks: 285 MB as .butter, 303 MB as the reel that was recorded for it, 623
MB as a reel of columns; the whole program from start to end, in ms, on 2026-11-23 (AMD EPYC, two cores, a load of 1 to 2; processor
time where it says so, at a load of 10).

| command | ms |
|---|---:|
| `tickreel clip hour.butter --from 1800s --to 1830s -o clip.butter` | 50 to 56 |
| `tickreel clip hour.butter --from clock:30:00 --to clock:29:30 -o clip.butter` | 82 |
| `tickreel clip columns.reel --from 1800s --to 1830s -o clip.reel` | 19 of a processor (was 390) |
| `tickreel clip columns.reel --from tick:108000 --to tick:109800 -o clip.reel` | 24 of a processor (was 211) |
| `tickreel clip columns.reel --from clock:30:00 --to clock:29:30 -o clip.reel` | 74 of a processor (was 5415) |
| `tickreel clip recorded.reel --from 1800s --to 1830s -o clip.reel` | 25 |
| `tickreel clip recorded.reel --from clock:30:00 --to clock:29:30 -o clip.reel` | 245 |

Chunks are read where they stand, and whole ones go along as they are stored; a game clock is looked for in its column alone. The last
two rows are from a day before, on another machine.

## Keyframes as what changed

A match that `game_recorder` keeps as a reel, with a keyframe every tick and every hundredth whole, the game marking what changed, before
and after its keyframes became changes to the one before ([format](formats/icrep.md#a-chain-of-keyframes)). Processor time of both
threads, means over 200 ticks (shooter: 600), on 2026-11-23 with a load of 5 to 9 on two cores; a program of its own, with the worlds of
`encode`.

| workload | before: bytes/tick | us | after: bytes/tick | us | of it the game's thread |
|---|---:|---:|---:|---:|---:|
| RTS, 500 units, 1 % changed | 318 | 102 | 140 | 7 | 0.7 |
| RTS, 10000 units, 1 % changed | 15555 | 1794 | 2187 | 109 | 3.6 |
| RTS, 10000 units, 1 % changed, every 1000th whole | 23122 | 2303 | 1273 | 72 | 3.1 |
| RTS, 10000 units, 1 % changed, all described | 15555 | 4378 | 2189 | 2830 | 123 |
| RTS, 10000 units, 1 % changed, no state hashes of the game's own | 15567 | 4167 | 2194 | 2133 | 4.5 |
| RTS, 10000 units, 10 % changed | 49314 | 3244 | 7256 | 711 | 10.9 |
| RTS, 10000 units, 100 % changed, over 60 ticks | 180985 | 7290 | 52205 | 5653 | 127 |
| shooter, 128 players | 2187 | 71 | 689 | 37 | 1.5 |

The changes alone, without whole keyframes and the mirror of the world that they are found in, and what else they could be
coded by: `sdk/describe`'s frames as they are, compressed; the columns of one second, a byte plane behind the other,
compressed; and as they are now, with models that learn from tick to tick. Bytes and us a tick, both with what finding the
changes takes.

| workload | frames, zstd 1 | columns of 1 s, zstd 1 | columns, range coder |
|---|---:|---:|---:|
| RTS, 500 units, 1 % changed | 87, 2.6 | 40, 2.4 | 31, 2.7 |
| RTS, 10000 units, 1 % changed | 1495, 24 | 542, 26 | 575, 34 |
| RTS, 10000 units, 10 % changed | 14577, 115 | 5579, 102 | 5378, 212 |
| RTS, 10000 units, 100 % changed | 132636, 649 | 50603, 808 | 49877, 1965 |
| shooter, 128 players | 1824, 10.8 | 704, 10.8 | 642, 23.9 |

The coder takes some 200 ns for a unit with six values, twice what zstd does with columns of a second; it was chosen since each
tick is a frame like any other, and in few or slow ticks it needs no second to be small. All of a tick's work is still a fraction of what
it was. What got slower: opening such a reel, where the deltas of a file are made again. 200 keyframes of 10,000 units take 255 ms
of processor time instead of 160 where every hundredth is whole, and 105 instead of 70 where every tenth is; of 128 players 11 instead of 7. Signed
matches keep their deltas as they were, since these are what is signed; so does what becomes an .icrep.

## Matches through the one pipeline

Measured against the commit before matches went through the pipeline of all recorders (`git worktree add before COMMIT`, both
built with the preset `bench`), by turns: five runs of `bench_game --quick`, three of `bench_encode --quick`, two of
`bench_hot_path --quick`; medians of p50, the machine busy with other things.

| | before | after | after / before |
|---|---:|---:|---:|
| push, 8 players, us | 1.48 | 1.45 | 0.98 |
| tick with 10 orders, us | 0.160 | 0.150 | 0.94 |
| 500 units, delta keyframe, us of the game's thread | 6.65 | 6.42 | 0.97 |
| 500 units, full keyframe, us of the game's thread | 6.67 | 6.31 | 0.95 |
| 10,000 units, all described, us | 134 | 129 | 0.96 |
| 10,000 units, 1 % changed, marked, us | 2.37 | 2.17 | 0.92 |
| 500 units, 1 % changed, marked, a keyframe every tick: us of the game's thread | 0.18 | 0.29 | 1.61 |
| both threads, 500 units, a keyframe every tick, us a tick | 245 | 228 | 0.93 |
| both threads, 128 players, a keyframe every tick, us a tick | 80.2 | 74.7 | 0.93 |
| bytes a tick, 500 units, a keyframe every tick | 6350 | 6337 | 1.00 |
| ticks of 200 a second lost when killed, median and most of 15 | 49, 145 | 36, 91 | 0.73, 0.63 |

Not within 5 % either, in the set of runs with a keyframe every tick: 500 units, 10 % changed, marked, 1.10 on the game's
thread; 10,000 units, marked, 1.13 (1 % changed) and 1.07 (all changed); 10,000 units, compared, 1.09 on the game's
thread (all changed), 1.23 and 1.16 for both threads (1 % and all changed), where a set of runs before gave 0.93 and 0.78.
The row of what a killed recorder loses came from a program of its own.

## How it is measured

* **Tails** (`hot_path`, `peers`, `seek`, `game`, worlds in `encode`): every sample is kept and percentiles are exact. The clock is
  the processor's time stamp counter between fences, calibrated against the steady clock; its own cost is taken off. On a schedule, a
  call longer than the period also counts for the calls it held up, for push and for the copy alike, so a stall is not hidden by the
  calls that did not happen. One lap of the ring is not measured.
* **Means** (`encode`, `parse`, `sc2replay`): Google Benchmark, processor time, repetitions interleaved at random, median.
* **Allocations**: where the C library is glibc, `malloc` and its relatives are counted, so codecs and C libraries count too; elsewhere
  `operator new`.
* **System calls and locks**: not measured but proved, by tests in which a filter of the kernel traps every system call of the game's
  thread and the C library's locks are counted: `sdk_record_silence` and `game_silence`.
* **Workloads**: the same bits on every machine. `match_simulator` with a fixed seed, four against four and a spectator, from 20 s into
  the match; worlds of 64 bytes an entity from a fixed seed.
* **Noise**: the least and the most of the repetitions, or of the fifths of a run.
* **Regressions**: `scripts/perf_guard` counts the instructions of fixed encode runs under valgrind, and fails when a run takes over 5 %
  more than `bench/perf_guard/counts.json` says. A count that is meant to change is accepted with `scripts/perf_guard --accept` and
  committed with the reason.
"""


def environment(results):
    first = next(iter(results.values()))["environment"]
    loads = [each["environment"]["load_average"] for each in results.values()]
    return (f"The figures below come from `scripts/bench --json` on {first['date']}: {first['cpu']}, {first['cores']} "
            f"cores, {first['compiler']}, {first['build_type']} build, load average {min(loads):.1f} to "
            f"{max(loads):.1f}. Where others want the same cores, read the ratios rather than the nanoseconds: each is "
            "to a bound that was measured in the same run. Those of `push` differ from run to run on this machine: four more runs "
            "in a row had 1.08 to 1.48 at p50, and `capture` 0.86 to 1.14.")


def paragraph(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def markdown_table(head, rows, words):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * words + "---:|" * (len(head) - words)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def write_docs(results, root):
    drawn = {name: (words, svg) for name, words, svg in pictures.drawn(results)}
    folder = os.path.join(root, "docs", "benchmarks")
    os.makedirs(folder, exist_ok=True)
    for name, (_, svg) in drawn.items():
        with open(os.path.join(folder, f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(svg)
    out = [HEAD.format(names=", ".join(results)), paragraph(environment(results)), "\n\n"]
    bars = tables.bars(results)
    if bars:
        out += ["## The bars\n\n", markdown_table(["bar", "measured", ""], bars, 3), "\n"]
    for section in tables.sections(results):
        out.append(f"## {section.title}\n\n")
        if section.above:
            out += [paragraph(section.above), "\n\n"]
        for head, rows, below, words in section.tables:
            out += [markdown_table(head, rows, words), "\n"]
            if below:
                out += [paragraph(below), "\n\n"]
        for name in section.pictures:
            if name in drawn:
                out.append(f"![{drawn[name][0]}](benchmarks/{name}.svg)\n\n")
    out.append(TAIL)
    with open(os.path.join(root, "docs", "benchmarks.md"), "w", encoding="utf-8") as file:
        file.write("".join(out))


STYLE = """body{font:15px/1.45 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;margin:1em 0;font-size:13px;display:block;overflow-x:auto}td,th{border:1px solid #ddd;padding:3px 8px;text-align:right}
td.word,th.word{text-align:left}svg{max-width:100%;height:auto}"""


def html_words(text):
    """The little Markdown that the words use."""
    text = escape(text, quote=False)
    for mark, tag in ((r"\*\*", "b"), (r"\*", "i"), ("`", "code")):
        text = re.sub(f"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", text)
    return text


def html_table(head, rows, words):
    def line(cells, tag):
        return "<tr>" + "".join(f'<{tag}{" class=word" if i < words else ""}>{html_words(cell)}</{tag}>'
                                for i, cell in enumerate(cells)) + "</tr>"
    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>\n"


def page(results):
    drawn = {name: svg for name, _, svg in pictures.drawn(results)}
    out = ['<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" '
           'content="width=device-width"><title>Tickreel: benchmarks</title>',
           f"<style>{STYLE}</style><h1>Benchmarks</h1><p>{html_words(environment(results))}</p>\n"]
    bars = tables.bars(results)
    if bars:
        out.append("<h2>The bars</h2>" + html_table(["bar", "measured", ""], bars, 3))
    for section in tables.sections(results):
        out.append(f"<h2>{escape(section.title)}</h2>\n<p>{html_words(section.above)}</p>\n")
        out += [drawn[name] for name in section.pictures if name in drawn]
        for head, rows, below, words in section.tables:
            out.append(html_table(head, rows, words) + f"<p>{html_words(below)}</p>\n")
    out.append("</html>\n")
    return "".join(out)

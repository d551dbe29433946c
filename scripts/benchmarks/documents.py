"""docs/benchmarks.md with its pictures, and the self-contained page."""
import os
import re
import textwrap
from html import escape

import pictures
import tables

HEAD = """# Benchmarks

This page is for users who compare Tickreel with alternatives and for engineers who change its speed. It contains measurements and the
commands that reproduce them:

```sh
scripts/bench                                # all of them
scripts/bench --only encode                  # one: {names}
scripts/bench --json new.json                # also one JSON object with a member per question
scripts/bench --html page.html               # also a page with plots, complete in itself
scripts/bench --compare bench/baseline.json  # also the ratios to an earlier run, with the bounds of noise
scripts/bench_report docs bench/baseline.json  # this page, from a run's JSON
scripts/perf_guard                           # no timing: instructions of fixed runs against committed counts
```

[The bars](#the-bars) | {toc}

Each program in `bench/` answers one question. It prints the question, the environment, and a table. `--quick` checks
that everything works; its figures are not meaningful.

In the JSON, names end in their units:

* `hot_path.push` is the heaviest state at the highest paced rate (8 players with bones, 1000 Hz).
* `hot_path.ratio_to_copy` contains its ratios to a memcpy into an array with as many slots as the ring.
* `ratio_to_ring_copy` contains the ratios to a memcpy into a ring that another thread reads.
* `hot_path.capture` is a shooter's state built in place; `hot_path.runs` and `hot_path.building` contain all runs.
* `encode.rows` has a row per encoder, workload and kind of frame.
* `spread` contains the minimum and maximum of the parts of the run, or of its repetitions: the noise for `--compare`.

"""

TAIL = """## archive: what does archiving a match cost?

A simulated match of Echo VR of 185 s at 60 Hz, as `record echo` publishes it, from a broker on the same machine to a folder. The table
shows the whole program, on 2026-11-24 at a load of 6 to 7 on two cores (three runs; before: two). The row with bones is of
180 s at a load of 10.

| match | before: processor s | MB | now: processor s | MB | stored |
|---|---:|---:|---:|---:|---|
| without bones, 1.6 MB | 9.3 to 10.1 | 103 | 0.30 to 0.41 | 39 | as recorded (before: 78 % of it) |
| with bones, 36.7 MB | 28.9 to 29.7 | 114 to 116 | 0.48 to 0.50 | 42 to 43 | as recorded (before: 96 % of it) |

On 2026-11-28, at a load of 10 to 15 and with `nice -n -19`, so that other work interrupts the program less (six runs): without bones, 2.2
MB, 0.41 to 0.55 s (0.32 to 0.42 of them outside the system) and 39 to 40 MB; with bones, 34.6 MB, 0.62 to 0.74 s (0.48 to 0.58) and 41 to
44 MB. Of that, 0.05 to 0.08 s are the start of the program and the connection. Without `nice`, at a load of 22, it takes 1.4 times as long.

```sh
tickreel serve --simulate --seed 7 --match-seconds 180 --no-bones --port 17311 --wait --stay &      # or --bones
tickreel record echo 127.0.0.1:17311 --no-config --no-bones --format reel --name match --duration 200
nats-server -js & tickreel publish match.reel nats://127.0.0.1:4222/league
/usr/bin/time -v tickreel archive nats://127.0.0.1:4222 --to archive --spool spool --once
```

Before, the archiver compacted each match and compared the copy with it as JSON. Now it encodes two blocks as a sample, and writes no copy
that saves less than a quarter. For its summary it decodes only the columns that a summary reads. For a match with bones, the summary
takes 44 % of the remaining time, and the SHA-256 a fifth. `tickreel compact` still writes the
smaller copy: 0.7 s and 2.1 s, in 98 to 109 MB.

## query: what does a question about a season cost?

1,000 simulated matches of 10 minutes at 60 Hz as .butter, with eight players without bones, 36,300 ticks and 12.9 MB each: ten matches,
with a hundred links to each, in the cache of the system. Processor time of the whole program, which uses both cores, on
2026-11-29 at a load of 14 to 17, one run.

| statement | processor s |
|---|---:|
| `SELECT count(*), format FROM recordings` | 0.04 (was 93) |
| `SELECT recording, max("session.disc.speed") FROM ticks GROUP BY recording` | 80 (was 49, then over 1 GiB of memory) |
| `SELECT count(*) FROM events WHERE type = 'goal'` | 88 |

```sh
tickreel serve --simulate --seed 1 --no-bones --port 17311 --wait --stay &      # ten seeds
tickreel record echo 127.0.0.1:17311 --no-config --no-bones --format butter --name 1 --duration 610
for i in $(seq 100); do for each in 1 2 3 4 5 6 7 8 9 10; do ln $each.butter season/$each-$i.butter; done; done
time tickreel query --csv "SELECT count(*) FROM events WHERE type = 'goal'" season/
```

That is 0.08 s a match, of which decompression takes 45 %, and decoding of ticks 40 %: a .butter holds no column by itself. The bars of 5
s for a column and 2 s for events are missed. A column of a described struct of 32 numbers, 36,000 ticks in a .reel, takes 0.03 s (was
0.09): only the member that is named becomes text. SQLite and the tables take 5 %. For many questions about one season, write its columns
once: `tickreel query "SELECT recording, tick, \\"session.disc.speed\\" FROM ticks" season/ -o season.parquet`.

## tape: how fast are captures read and written?

The first of these matches, and the same with bones. Processor time of the whole program, on 2026-11-29 at a load of 14 to 17, one run.
Written by `convert` from .butter, of which reading takes 0.09 and 0.27 s; read by `query "SELECT count(*) FROM ticks"`, and by `events`.

| match | written as .tape | .nevrcap | .echoreplay | ticks of .tape | .nevrcap | .echoreplay | events of .tape | .nevrcap | .echoreplay |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| without bones | 0.90 | 1.35 | 10.1 | 0.33 | 0.50 | 2.20 | 0.34 | 0.51 | 2.27 |
| with bones | 2.46 | 2.74 | 38.6 | 0.70 | 0.91 | 5.84 | 0.69 | 0.92 | 5.80 |

The bars are a fifth of the time of an .echoreplay for reading, and a third for writing. A .tape is read in 12 to 15 % of that time, and
written in 6 to 9 %.

## relay: what do idle connections cost others?

1,500 connections to a relay that serves a match and accepts 1,024; then 50 requests for `/recording.json`, each on a separate
connection, on 2026-11-24 at a load of 7 on two cores.

| the 1,500 | answered | p50 ms | max ms |
|---|---:|---:|---:|
| send nothing | 50 | 0.5 | 5.5 |
| send half of a request | 50 | 0.5 | 18.4 |
| had one response, and are kept alive | all after the first five seconds | 0.5 | 9.9 |

A connection that had a response is replaced after five idle seconds. `viewer_test` tests the first two
(`--run_test=viewer_tests/server_test/server/silent_connections_do_not_block_others`).

## clip: how long does half a minute of an hour take?

A simulated match of an hour with bones at 60 Hz, 216,000 ticks: 285 MB as .butter, 303 MB as its recorded reel, 623
MB as a reel of columns. The table shows the whole program from start to end, in ms, on 2026-11-23 (AMD EPYC, two cores, a load of 1 to
2; processor time where stated, at a load of 10).

| command | ms |
|---|---:|
| `tickreel clip hour.butter --from 1800s --to 1830s -o clip.butter` | 50 to 56 |
| `tickreel clip hour.butter --from clock:30:00 --to clock:29:30 -o clip.butter` | 82 |
| `tickreel clip columns.reel --from 1800s --to 1830s -o clip.reel` | 19 of a processor (was 390) |
| `tickreel clip columns.reel --from tick:108000 --to tick:109800 -o clip.reel` | 24 of a processor (was 211) |
| `tickreel clip columns.reel --from clock:30:00 --to clock:29:30 -o clip.reel` | 74 of a processor (was 5415) |
| `tickreel clip recorded.reel --from 1800s --to 1830s -o clip.reel` | 25 |
| `tickreel clip recorded.reel --from clock:30:00 --to clock:29:30 -o clip.reel` | 245 |

Chunks are read directly, and whole chunks are copied in stored form. A game clock is searched in its column alone. The last
two rows were measured a day earlier, on another machine.

## Keyframes as what changed

`game_recorder` records a match as a reel, with a keyframe every tick and every hundredth whole; the game marks the changes. *Before*
and *after* refer to the version in which keyframes became changes to the one before ([format](formats/icrep.md#a-chain-of-keyframes)).
The table shows processor time of both threads, as means over 200 ticks (shooter: 600), on 2026-11-23 with a load of 5 to 9 on two
cores. A separate program measured it, with the worlds of `encode`.

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

The next table shows the changes alone, without whole keyframes and without the copy of the world, in three encodings:
`sdk/describe`'s frames, compressed; the columns of one second as consecutive byte planes, compressed; and the current
encoding, with models that adapt from tick to tick. Bytes and us per tick, including the detection of the changes.

| workload | frames, zstd 1 | columns of 1 s, zstd 1 | columns, range coder |
|---|---:|---:|---:|
| RTS, 500 units, 1 % changed | 87, 2.6 | 40, 2.4 | 31, 2.7 |
| RTS, 10000 units, 1 % changed | 1495, 24 | 542, 26 | 575, 34 |
| RTS, 10000 units, 10 % changed | 14577, 115 | 5579, 102 | 5378, 212 |
| RTS, 10000 units, 100 % changed | 132636, 649 | 50603, 808 | 49877, 1965 |
| shooter, 128 players | 1824, 10.8 | 704, 10.8 | 642, 23.9 |

The coder takes about 200 ns for a unit with six values, twice the time of zstd with columns of a second. It was chosen because each
tick stays an ordinary frame, and because it is also small with few or slow ticks. The total work per tick is still a fraction of
what it was before.

Opening such a reel is slower, because the deltas of a file are computed again. 200 keyframes of 10,000 units take 255 ms
of processor time instead of 160 if every hundredth is whole, and 105 instead of 70 if every tenth is; of 128 players 11 instead of 7.
Signed matches keep their deltas, because the signature covers them; so do matches that become an .icrep.

## Matches through the one pipeline

Compared with the commit before matches used the pipeline of all recorders (`git worktree add before COMMIT`, both
built with the preset `bench`), in alternating runs: five of `bench_game --quick`, three of `bench_encode --quick`, two of
`bench_hot_path --quick`. Medians of p50, on a busy machine.

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

In the runs with a keyframe every tick, these ratios also differ by more than 5 %:

* 500 units, 10 % changed, marked: 1.10 on the game's thread;
* 10,000 units, marked: 1.13 (1 % changed) and 1.07 (all changed);
* 10,000 units, compared: 1.09 on the game's thread (all changed), 1.23 and 1.16 for both threads (1 % and all changed); an earlier set
  of runs gave 0.93 and 0.78.

A separate program measured the loss of a killed recorder.

## How it is measured

* **Tails** (`hot_path`, `peers`, `seek`, `game`, worlds in `encode`): every sample is kept and percentiles are exact. The clock is
  the processor's time stamp counter between fences, calibrated against the steady clock; its own cost is subtracted. On a schedule, a
  call longer than the period also counts for the delayed calls, for push and for the copy, so no stall is hidden
  by calls that did not happen. The first lap of the ring is not measured.
* **Means** (`encode`, `parse`, `sc2replay`): Google Benchmark, processor time, repetitions interleaved at random, median.
* **Allocations**: with glibc, `malloc` and similar functions are counted, including those of codecs and C libraries; elsewhere
  `operator new`.
* **System calls and locks**: tests prove that there are none. A kernel filter traps every system call of the game's
  thread, and the C library's locks are counted: `sdk_record_silence` and `game_silence`.
* **Workloads**: the same bits on every machine. `match_simulator` with a fixed seed, four against four and a spectator, from 20 s into
  the match; worlds of 64 bytes per entity from a fixed seed.
* **Noise**: the minimum and the maximum of the repetitions, or of the fifths of a run.
* **Regressions**: `scripts/perf_guard` counts the instructions of fixed encode runs under valgrind, and fails if a run takes over 5 %
  more than `bench/perf_guard/counts.json` states. For an intended change, run `scripts/perf_guard --accept` and commit the counts
  with the reason.
"""


def environment(results):
    first = next(iter(results.values()))["environment"]
    loads = [each["environment"]["load_average"] for each in results.values()]
    return (f"The figures below come from `scripts/bench --json` on {first['date']}: {first['cpu']}, {first['cores']} "
            f"cores, {first['compiler']}, {first['build_type']} build, load average {min(loads):.1f} to "
            f"{max(loads):.1f}. On a busy machine compare the ratios rather than the nanoseconds: each refers "
            "to a bound that was measured in the same run. Those of `push` vary between runs on this machine: four more runs "
            "gave 1.08 to 1.48 at p50, and `capture` 0.86 to 1.14.")


def anchor(title):
    """How links name a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


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
    titles = [section.title for section in tables.sections(results)] + re.findall(r"(?m)^## (.*)$", TAIL)
    toc = " |\n".join(f"[{title.split(':')[0]}](#{anchor(title)})" for title in titles)
    out = [HEAD.format(names=", ".join(results), toc=toc), paragraph(environment(results)), "\n\n"]
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

"""What a run found, as tables: (title, words above, head, rows, words below). Markdown and HTML are made of these."""
import re

from plots import figure, short_time

WITH_BONES = "8 players with bones"


class Section:
    def __init__(self, title, above=""):
        self.title, self.above, self.tables, self.pictures = title, above, [], []

    def table(self, head, rows, below="", words=1):
        """The first `words` columns are text, to the left."""
        if rows:
            self.tables.append((head, [[str(cell) for cell in row] for row in rows], below, words))
        return self


def find(rows, **wanted):
    return next((row for row in rows if all(row.get(key) == value for key, value in wanted.items())), None)


def bars(results):
    """(bar, measured, met) of everything that has a bar and was measured."""
    out = []

    def add(bar, measured, met):
        out.append([bar, measured, "met" if met else "**missed**"])

    hot = results.get("hot_path", {})
    if hot:
        for bound, words in (("ratio_to_ring_copy", "a copy into a ring that another thread reads"),
                             ("ratio_to_copy", "a copy to the next of as many slots as the ring has")):
            worst = [hot["push"][bound][p] for p in ("p50", "p99", "p999")]
            add(f"push at most 1.2 times {words}, at p50, p99 and p99.9",
                " / ".join(figure(value) for value in worst) + f" ({WITH_BONES}, 1000 Hz)", max(worst) <= 1.2)
        allocations = max(run["push"]["allocations"] for run in hot["runs"])
        add("push: no allocation per tick (system calls and locks: the tests called silence)", figure(allocations),
            allocations == 0)
        for row in hot["building"]:
            found = row["capture_in_place"]["ratio_to_build_and_push"]["p50"]
            add(f"capture in place cheaper than building and pushing: {row['workload']}",
                f"{figure(found)} of it at p50", found < 1)
        shooter = find(hot["runs"], workload="shooter, 128 players", rate_hz=128)
        if shooter and shooter["writer_core_percent"] > 0:
            add("writer thread, 128 players at 128 Hz: under 5 % of a core",
                f"{figure(shooter['writer_core_percent'])} %", shooter["writer_core_percent"] < 5)
    rows = results.get("encode", {}).get("rows", [])
    for workload, limit in (("8 players", 1500), (WITH_BONES, 6000)):
        row = find(rows, encoder="butter", workload=workload, frame="mixed")
        if row:
            add(f".butter encode, {workload}: {limit / 1000:g} us a tick",
                f"{short_time(row['ns_per_tick'])} (least of the repetitions {short_time(row['least_ns_per_tick'])})",
                row["ns_per_tick"] <= limit)
    for encoder in ("icrep, compared", "icrep, marked"):
        row = find(rows, encoder=encoder, workload="RTS, 10000 units, 1 % changed")
        if row:
            add(f".icrep delta of 10,000 x 64 bytes, 1 % changed, at no less than half the memory's read bandwidth: "
                f"{encoder.split(', ')[1]}",
                f"{figure(row['ratio_to_read_bandwidth'])} of it ({short_time(row['game_thread_ns_per_tick'])})",
                row["ratio_to_read_bandwidth"] >= 0.5)
    row = find(results.get("game", {}).get("rows", []), work="500 units, delta keyframe")
    if row:
        add("500 units, delta keyframe: 50 us at p99", short_time(row["p99_ns"]), row["p99_ns"] <= 50_000)
    size = results.get("size", {}).get("inputs", [])
    ratios = {"default": [], "small": []}
    for each in size:
        for writer in each["writers"]:
            for name, values in ratios.items():
                if writer["writer"] == f"tickreel, {name}":
                    values += [value for codec, value in writer.get("ratio_to_own_program", {}).items()
                               if name == "default" or codec != "none"]
    if ratios["default"]:
        add(".butter size: 1.05 of the format's own program", f"at most {max(ratios['default']):.3f}",
            max(ratios["default"]) <= 1.05)
        add("`small` profile, compressed: 0.9 of its size", f"at most {max(ratios['small']):.3f}",
            max(ratios["small"]) <= 0.9)
    if size:
        own = [writer["accuracy"] for each in size for writer in each["writers"]
               if writer["writer"] == "tickreel, default"]
        position = max(each["all"]["position_mm"]["mean"] for each in own)
        between = max(each["without_keyframes"]["position_mm"]["mean"] for each in own)
        bone = max(each["all"]["bone_rotation_deg"]["mean"] for each in own)
        add("mean position error: 0.1 mm", f"at most {position:.4f} mm; keyframes left out {between:.4f} mm",
            position <= 0.1)
        add("mean bone rotation error: 0.1 degrees", f"at most {bone:.4f}", bone <= 0.1)
    replays = results.get("sc2replay", {})
    if replays.get("rows"):
        add("StarCraft II replays: 3 million events a second", f"{figure(replays['events_per_second'] / 1e6)} million",
            replays["events_per_second"] >= 3e6)
        add("a whole replay: 8 ms, median of the replays", f"{figure(replays['whole_file_median_ms'])} ms",
            replays["whole_file_median_ms"] <= 8)
        if "most_peak_to_unpacked" in replays:
            kinds = ("peak", "info_peak", "verify_peak", "convert_peak")
            most = max(row["unpacked_bytes"] * row[f"{kind}_to_unpacked"] for row in replays["rows"] for kind in kinds)
            add("a replay's memory: 24 MB", f"at most {figure(most / 1e6)} MB", most <= 24e6)
    tracks = results.get("tracks", {})
    out += (described_bars(tracks) + older_encoder_bars(tracks, rows) + world_bars(results.get("peers", {})) +
            event_bars(results.get("events", {}).get("rows", [])))
    return out


def verdict(met):
    return "met" if met else "**missed**"


def described_bars(tracks):
    """Of described structs."""
    out = []
    row = find(tracks.get("rows", []), workload="arena-8p-300", stage="live, 1 s")
    if row:
        for work, limit in (("encode", 10), ("decode", 15)):
            took = row[f"{work}_us"]
            out.append([f"described structs, {work}, 8 players: {limit} us a tick", f"{figure(took)} us",
                        verdict(took <= limit)])
    for workload, words, *limits in BYTE_BARS:
        for stage, (limit, whole_file) in zip(("live, 1 s", "archive, 10 s"), limits):
            row = find(tracks.get("rows", []), workload=workload, stage=stage)
            if row:
                out.append([f"described structs, {words}, {stage.split(',')[0]}: {limit} bytes a tick",
                            f"{figure(row['bytes_per_tick'])}{whole_file}", verdict(row["bytes_per_tick"] <= limit)])
    for workload, words in (("arena-8p-300", "8 players"), ("arena-8p-150-bones, 0.5 mm, 0.1 degrees", WITH_BONES)):
        row = find(tracks.get("rows", []), workload=workload, stage="archive, 10 s")
        if row:
            out.append([f"described structs, encode for the archive, {words}: 30 us a tick",
                        f"{figure(row['encode_us'])} us", verdict(row["encode_us"] <= 30)])
    for world, size, writer in (("10,000 units of 28 B, 100 random ones changed, whole every 12 s", 600, 40),
                                ("10,000 units of 64 B, 1 % changed, 15 Hz", 1300, 60)):
        row = find(tracks.get("worlds", []), world=world)
        if row:
            out.append([f"record<T>(), {world}: {size:,} bytes and {writer} us a tick",
                        f"{row['bytes_per_tick']:.0f} bytes, {figure(row['writer_us'])} us",
                        verdict(row["bytes_per_tick"] <= size and row["writer_us"] <= writer)])
    world = "5,000 units of 64 B, 1 % changed, whole every 6 s"
    row = find(tracks.get("worlds", []), world=world)
    if row:
        out.append([f"record<T>(), {world}: 900 bytes a tick; any tick in 2 ms at p95",
                    f"{row['bytes_per_tick']:.0f} bytes; {figure(row['seek_p95_us'] / 1e3)} ms",
                    verdict(row["bytes_per_tick"] <= 900 and row["seek_p95_us"] <= 2000)])
        out.append(["record<T>(), 5,000 units of 64 B: opened in 5 ms", f"{figure(row['open_us'] / 1e3)} ms",
                    verdict(row["open_us"] <= 5000)])
    if "live_seek_p99_us" in tracks:
        for stage, limit in (("live", 1), ("compacted", 10)):
            took = tracks[f"{stage}_seek_p99_us"] / 1e3
            out.append([f"seek in a reel of an hour, numbers alone, {stage}: {limit} ms at p99", f"{figure(took)} ms",
                        verdict(took <= limit)])
        took = max(tracks[f"{stage}_column_of_an_hour_ms"] for stage in ("live", "compacted"))
        out.append(["one column of an hour: 50 ms", f"{figure(took)} ms", verdict(took <= 50)])
    return out


# Bytes per tick from the tracks benchmark: (workload, description, live, archive). Of whole files, if those were measured by
# hand, as the text below the table states.
BYTE_BARS = (("simulated arena match, no bones", "a simulated match", (240, ""), (160, "")),
             ("arena-8p-300", "8 players", (230, "; 195 as a whole file"), (150, "; 148 as a whole file")),
             ("arena-8p-150-bones, 0.5 mm, 0.1 degrees", f"{WITH_BONES}, 0.5 mm, 0.1 degrees", (800, ""), (650, "")))


def older_encoder_bars(tracks, encoders):
    """record<T>() against frames of sdk/describe in a reel, which it took the place of."""
    out = []
    for workload, words in (("shooter, 128 players", "128 players"),):
        new = find(tracks.get("rows", []), workload=workload, stage="live, 1 s")
        old = find(encoders, encoder="reel, compared", workload=workload, frame="mixed")
        if not new or not old:
            continue
        old_us = old["ns_per_tick"] / 1e3
        out.append([f"record<T>(), {words}: no more bytes and time than its frames took",
                    f"{new['bytes_per_tick']:.0f} B, {figure(new['encode_us'])} us against "
                    f"{old['bytes_per_tick']:.0f} B, {figure(old_us)} us",
                    verdict(new["bytes_per_tick"] <= old["bytes_per_tick"] and new["encode_us"] <= old_us)])
    return out


def event_bars(rows):
    """Of events of Echo VR."""
    out = []
    for row in rows:
        live = row["work"] in ("a tick live", "a poll with the live feed")
        took, limit, unit = (row["p50_ns"] / 1e3, 5, "us") if live else (row["p50_ns"] / 1e6, 150, "ms")
        out.append([f"events of ten minutes, {row['work']}: {limit} {unit} at p50", f"{figure(took)} {unit}",
                    verdict(took <= limit)])
    return out


def hot_path(results):
    section = Section("hot_path", (
        "A game thread pushes a new state at a fixed rate, while the writer thread encodes, compresses and syncs to a "
        "real file. The table shows nanoseconds per `push`, and the same percentile divided by those of three memcpys of "
        "the same bytes between the pushes. The first copies into a ring that another thread has read since: the lower "
        "bound for handing over a state. The second copies to the next of as many slots as the ring has, the third to "
        "one place that stays in the nearest cache."))
    rows = []
    for run in results["runs"]:
        push = run["push"]
        ratios = [push[bound] for bound in ("ratio_to_ring_copy", "ratio_to_copy", "ratio_to_hot_copy")]
        rows.append([run["workload"], "back to back" if run["rate_hz"] == 0 else f"{run['rate_hz']} Hz",
                     run["bytes_per_tick"]] +
                    [figure(push[p]) for p in ("p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns")] +
                    [" / ".join(figure(ratio[p]) for ratio in ratios) for p in ("p50", "p99", "p999")] +
                    [figure(push["allocations"]), figure(run["writer_core_percent"]) if run["rate_hz"] else ""])
    section.table(["state", "rate", "bytes", "p50", "p90", "p99", "p99.9", "max", "p50 to ring, next, same",
                   "p99", "p99.9", "allocations", "writer, % of a core"], rows,
                  "At 60 Hz a run has few pushes, so p99.9 is the maximum there. A tail ratio far from the rest means "
                  "that the scheduler interrupted one of the two.", words=2)
    section.table(["state", "memory when opened, MB", "at the end, MB"],
                  [[run["workload"], figure(run["heap_bytes_after_open"] / 1e6),
                    figure(run["heap_bytes_at_end"] / 1e6)] for run in results["runs"] if run["rate_hz"] == 0],
                  "Memory of a recorder with a ring of 256 ticks: the ring, a chunk and the encoder; later the codec, "
                  "and 104 bytes per record for the index.")
    section.table(["built by the game", "capture in place p50", "p99", "built beside, pushed p50", "p99",
                   "capture / push p50", "p99"],
                  [[row["workload"]] + [figure(row[way][p]) for way in ("capture_in_place", "build_and_push")
                                        for p in ("p50_ns", "p99_ns")] +
                   [figure(row["capture_in_place"]["ratio_to_build_and_push"][p]) for p in ("p50", "p99")]
                   for row in results["building"]])
    section.pictures = ["latency"]
    return section


def encode(results):
    section = Section("encode", (
        "The first table shows processor time per tick, as the median of the repetitions, for 300 ticks of a simulated match "
        "at 60 Hz; *mixed* is one keyframe and 299 deltas. Codecs alone, on the frames of one chunk, are the bound for the "
        "next step of the writer thread. The second table shows worlds of described structs, 64 bytes per entity in two "
        "components, as medians of the ticks. *frames* is `sdk/describe` alone; *reel* the same frames copied, encoded and "
        "sealed with zstd; *icrep* a keyframe every tick, for games whose simulation cannot be repeated. *marked*: the game "
        "reports the changes; *compared*: the recorder detects them. *match reel* is the same match as *icrep*, recorded as "
        "a reel. Each of its keyframes contains the changes since the one before, and every hundredth is whole; its "
        "allocations are those of the game's thread."))
    rows = results["rows"]
    section.table(["encoder", "workload", "frames", "ns/tick", "bytes/tick", "allocations/tick"],
                  [[row["encoder"], row["workload"], row["frame"], figure(row["ns_per_tick"]),
                    figure(row["bytes_per_tick"]), figure(row["allocations"])]
                   for row in rows if "entities" not in row], words=3)
    section.table(["encoder", "workload", "frames", "us/tick", "of it the game's thread", "bytes/tick",
                   "allocations/tick", "world / that time / read bandwidth"],
                  [[row["encoder"], row["workload"], row["frame"], figure(row["ns_per_tick"] / 1000),
                    figure(row["game_thread_ns_per_tick"] / 1000), figure(row["bytes_per_tick"]),
                    figure(row["allocations"]), figure(row["ratio_to_read_bandwidth"])]
                   for row in rows if "entities" in row],
                  f"One core reads {figure(results['read_gb_per_second'])} GB/s from memory. `.icrep` readers take at "
                  "most 50,000 entities, so the largest world is not recorded there. A reel's allocations are its "
                  "growing index and codec, on the writer's side.", words=3)
    section.pictures = ["world_size", "changes"]
    return section


def alternatives(results):
    """Heads and rows: what a user would pick."""
    head = ["world", "recorded with", "bytes/tick", "of a row", "processor us/tick", "game's thread p50 us", "p99 us",
            "any tick p50 ms", "p95 ms"]
    rows = []
    for row in results["rows"]:
        reads = [figure(row[key] / 1e6) if key in row else "-" for key in ("read_p50_ns", "read_p95_ns")]
        rows.append([row["workload"], row["peer"], figure(row["bytes_per_tick"]),
                     f"{100 * row['bytes_per_tick'] / row['row_bytes']:.1f} %", figure(row["cpu_ns_per_tick"] / 1000),
                     figure(row["p50_ns"] / 1000), figure(row["p99_ns"] / 1000)] + reads)
    return head, rows


# Of record<T>() in the peers benchmark: (world, recorded with, what it is called, the bars or None: bytes per tick, ms for
# any tick at p95).
WORLD_BARS = (
    ("shooter, 128 players", "tickreel, record<T>()", "128 players", 800, None),
    ("physics, 2,000 bodies, all move", "tickreel, with tolerances", "2,000 bodies with tolerances", 3500, None),
    ("physics, 2,000 bodies, all move", "tickreel, with tolerances, sealed every 8 ticks",
     "2,000 bodies with tolerances, sealed every 8 ticks", None, 5),
    ("Echo VR, 8 players with bones", "tickreel, all values", "Echo VR with bones, all values", 2000, None),
    ("Echo VR, 8 players with bones", "tickreel, all values, sealed every 20 ticks",
     "Echo VR with bones, sealed every 20 ticks", None, 1))


def world_bars(peers):
    out = []
    for world, peer, words, byte_limit, read_limit in WORLD_BARS:
        row = find(peers.get("rows", []), workload=world, peer=peer)
        if not row:
            continue
        size = f"{row['bytes_per_tick']:.0f}"
        if byte_limit:
            out.append([f"record<T>(), {words}: {byte_limit:,} bytes a tick", size,
                        verdict(row["bytes_per_tick"] <= byte_limit)])
        if read_limit:
            took = row["read_p95_ns"] / 1e6
            out.append([f"record<T>(), {words}: any tick in {read_limit} ms at p95", f"{figure(took)} ms, {size} bytes a tick",
                        verdict(took <= read_limit)])
    return out


def peers(results):
    section = Section("peers", (
        f"The same {results['ticks']} ticks at {results['rate_hz']} Hz to each library in turn, into files in the temporary "
        "folder, on the thread that produces the tick. A call longer than a tick also counts for every tick that it delays. "
        "Microseconds; processor time includes the calls and all other threads."))
    section.table(["recorded with", "world", "p50", "p90", "p99", "p99.9", "max", "processor us/tick", "bytes/tick",
                   "allocations/tick"],
                  [[row["peer"], row["workload"]] +
                   [figure(row[p] / 1000) for p in ("p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns",
                                                    "cpu_ns_per_tick")] +
                   [figure(row["bytes_per_tick"]), figure(row["allocations"])] for row in results["rows"]], words=2)
    section.pictures = ["peers"]
    return section


def tracks(results):
    section = generic("tracks", {key: value for key, value in results.items() if key != "worlds"})
    section.table(["whole files of record<T>()", "open us", "bytes/tick", "bound", "writer us", "any tick p50 us", "p95 us"],
                  [[row["world"]] + [figure(row[key]) if key in row else "-"
                                     for key in ("open_us", "bytes_per_tick", "bound_bytes_per_tick", "writer_us",
                                                 "seek_p50_us", "seek_p95_us")]
                   for row in results.get("worlds", [])],
                  "Sealed every second; processor time of the writer, and of a tick at random. *Bound*: the information in the "
                  "changes of a tick. A chunk continues the one before, and a state is whole every ten seconds, or when the "
                  "changes since the last whole one have more than twice its bytes. A random tick decodes the whole state, "
                  "and then up to ten seconds of changes.")
    return section


def size(results):
    section = Section("size", (
        "Bytes per frame of whole files. The format has no lz4. `arena-*` are inputs of the format's own program, with the "
        "sizes of its output files. `.echoreplay` is the API's text, zipped."))
    codecs = ["none", "gzip", "zstd_3", "zstd_7", "zstd_15", "zstd_22"]
    rows, errors, drift = [], [], []
    frames = ["frame_0", "frame_1", "frame_30", "frame_100", "frame_200", "frame_299"]
    for each in results["inputs"]:
        for i, writer in enumerate(each["writers"]):
            rows.append([each["input"], writer["writer"]] +
                        [figure(writer["bytes_per_frame"][codec]) if codec in writer["bytes_per_frame"] else "-"
                         for codec in codecs] +
                        [figure(each["echoreplay_bytes_per_frame"]) if i == 0 else ""])
            accuracy = writer.get("accuracy")
            if not accuracy:
                continue
            kinds = ("position_mm", "rotation_deg", "disc_position_mm", "bone_position_mm", "bone_rotation_deg")
            errors.append([each["input"], writer["writer"]] +
                          [f"{figure(accuracy['all'][kind]['mean'])} / {figure(accuracy['all'][kind]['max'])}"
                           if accuracy["all"][kind]["max"] else "-" for kind in kinds])
            if each["input"].startswith("arena"):
                drift.append([each["input"], writer["writer"]] +
                             [figure(accuracy[frame]["position_mm"]["mean"]) if frame in accuracy else "-"
                              for frame in frames])
    section.table(["input", "writer"] + [codec.replace("_", " ") for codec in codecs] + [".echoreplay"], rows,
                  "Errors of our reader's values compared with the recorded ones, mean / max:", words=2)
    section.table(["input", "writer", "position mm", "rotation deg", "disc mm", "bone mm", "bone deg"], errors,
                  "A keyframe stores positions as 16-bit floats, with errors of up to 1/64 m at 32 to 64 m; the next "
                  "frame corrects that. The next table shows the mean position error in mm along a chunk, by frame. An "
                  "encoder that computes differences from the recorded frame instead of the reader's frame drifts:",
                  words=2)
    section.table(["input", "writer"] + [frame.replace("frame_", "") for frame in frames], drift, words=2)
    section.pictures = ["size"]
    return section


NOTES = {
    "parse": "Processor time per response. The bound for parsers with a document tree is simdjson's tree, without reading it. "
             "The simulated responses are 64 different ones in turn. A real one is parsed repeatedly, so the processor "
             "learns its branches; compare real ones only with each other.",
    "recover": "One thread, real files and syncs in the temporary folder; a match with bones at 60 Hz.",
    "convert": "One thread, real files in the temporary folder; a match with bones at 60 Hz.",
    "seek": "A match of an hour with bones, ticks at random, each file read once before. A seek in a reel decodes the ticks "
            "since the last keyframe; a seek in a .butter first decompresses one chunk, which is the bound there.",
    "tracks": "Processor time of one thread, the best of several runs; blocks of a second while recording, of ten in an "
              "archive; bytes with zstd at level 1 after the coder. The Echo VR rows contain a whole state, including names "
              "and texts, as in reels of columns (`encoders/echo/include/tickreel/echo/described.hpp`). They exclude the "
              "notation of an .echoreplay's lines and the schema, which a reel contains once. Bones with a tolerance have "
              "errors of at most 0.477 mm and 0.095 degrees. arena-8p-150-bones has 7422 bytes per tick as zipped "
              ".echoreplay, without errors. Seeks, the column and `push` use the numbers of an arena match without names and "
              "texts; seeks and the column use a simulated match of an hour at 60 Hz, ticks at random, also in processor "
              "time. The range coder, which codes about 400 symbols per tick in sequence, takes half of the time to encode "
              "and to decode. A seek decodes the whole block of its tick. arena-8p-300 as a whole file has 195 bytes per tick "
              "live and 148 compacted (`tickreel convert`, then `tickreel compact`). It consists of 41.1 kB of columns, 1.8 "
              "kB of lines' shapes, patches and events, and 1.3 kB of schema and header. The worlds of 10,000 units have rows "
              "of more than 64 KiB, which are recorded as [changes of records](../formats/tracks.md#rows-as-changes).",
    "events": "A simulated match of 600 seconds with 8 players. *live* is one call of the detector for a tick at 60 Hz. The "
              "poll also copies the state of the game for overlays, bots and clips. The other rows are `tickreel events` of "
              "a whole .butter in this process, including opening; skeletons are skipped. With bones, decompression takes "
              "two thirds of the time.",
    "sinks": "Two recorders in one run, each tick pushed to both in turns at 2000 Hz: ticks of 7296 bytes, records of 100 ms. "
             "The figures are those of `push` without a sink, with a queued sink that never returns, and their ratio. The "
             "rows are `deliver_reel()` into memory, the best of three runs of 540 MB.",
    "game": "A unit has 28 bytes in two components. Times of the game's thread alone; bars apply to p99.",
    "sc2replay": "Real replays of all ages, in memory. *ns*: every event of the game, tracker and message streams, after "
                 "decompression of the members. *whole file*: the archive opened, its members decompressed and parsed, and "
                 "every event read; most of that is bzip2. *peak*: the maximum size of the heap for that, without and with "
                 "the file in memory, and for `info`, `verify` and `convert` to .icrep. The whole process of `tickreel info` "
                 "on all 19 replays, nine times with two threads, took 15.2 MiB.",
}


def column(key, values):
    """A heading and the cells, in a unit that fits."""
    words = key.replace("_per_", "/").replace("_", " ")
    if all(isinstance(value, str) for value in values):
        return words, values
    scale = 1
    if re.search(r"(^|_)ns(_|$)", key) and max(values) >= 1e5:
        scale, words = 1000, re.sub(r"\bns\b", "us", words)
    return words, [str(value) if isinstance(value, int) and scale == 1 else figure(value / scale)
                   for value in values]


def generic(name, results):
    """Any other question: its rows as they are, or its figures."""
    section = Section(name, NOTES.get(name, ""))
    rows = results.get("rows", [])
    if rows:
        keys = [key for key, value in rows[0].items() if not isinstance(value, (dict, list))]
        keys.sort(key=lambda key: not isinstance(rows[0][key], str))
        columns = [column(key, [row.get(key, 0) for row in rows]) for key in keys]
        section.table([head for head, _ in columns], list(zip(*(cells for _, cells in columns))),
                      words=sum(isinstance(rows[0][key], str) for key in keys))
    single = []
    for key, value in results.items():
        inner = value.items() if isinstance(value, dict) and key != "environment" else [(key, value)]
        single += [[each.replace("_", " "), str(number) if isinstance(number, int) else figure(number)]
                   for each, number in inner if isinstance(number, (int, float))]
    return section.table(["figure", ""], single)


WITH_BARS = ("hot_path", "encode", "peers", "game", "size", "sc2replay", "tracks", "events")
SPECIAL = {"hot_path": hot_path, "encode": encode, "peers": peers, "size": size, "tracks": tracks}
ORDER = ["hot_path", "encode", "peers", "size", "parse", "recover", "convert", "seek", "game"]


def sections(results):
    names = [name for name in ORDER if name in results] + [name for name in results if name not in ORDER]
    for name in names:
        section = SPECIAL[name](results[name]) if name in SPECIAL else generic(name, results[name])
        section.title = f"{name}: {results[name].get('question', '')}"
        yield name, section

"""The plots of a run, as far as it has what they show."""
import plots


def latency(results):
    runs = results.get("hot_path", {}).get("runs", [])
    run = next((run for run in runs if run["workload"] == "8 players with bones" and run["rate_hz"] == 1000), None)
    if not run:
        return None
    return plots.distribution("One push at 1000 Hz, 8 players with bones",
                              [("push", run["push"]["histogram"]), ("memcpy into a ring", run["ring_copy"]["histogram"]),
                               ("memcpy, next place", run["copy"]["histogram"])])


def peers(results):
    rows = [row for row in results.get("peers", {}).get("rows", []) if row["workload"] == "shooter, 128 players"]
    if not rows:
        return None
    return plots.distribution("A tick on the game's thread at 60 Hz, 128 players",
                              [(row["peer"], row["histogram"]) for row in rows])


def size(results):
    inputs = results.get("size", {}).get("inputs", [])
    if not inputs:
        return None
    codecs = ["none", "gzip", "zstd_3", "zstd_7", "zstd_15", "zstd_22"]
    groups = []
    for each in inputs:
        bytes_by_codec = each["writers"][0]["bytes_per_frame"]
        groups.append((each["input"].replace("simulated", "sim.").replace(" with bones", " + bones"),
                       [bytes_by_codec.get(codec) for codec in codecs] + [each["echoreplay_bytes_per_frame"]]))
    return plots.bars(".butter, bytes a frame by codec", groups,
                      [codec.replace("_", " ") for codec in codecs] + [".echoreplay"], "bytes a frame")


WAYS = [("frames, marked", "marked_ns_per_tick"), ("frames, compared", "compared_ns_per_tick"),
        (".icrep, marked", "icrep_marked_ns_per_tick"), (".icrep, compared", "icrep_compared_ns_per_tick")]


def scaling(results, which, across, title, label):
    rows = results.get("encode", {}).get("scaling", {}).get(which, [])
    if not rows:
        return None
    series = [(name, [(row[across], row[key]) for row in rows if key in row]) for name, key in WAYS]
    return plots.lines(title, series, label, "a tick on the game's thread")


# File name, contents, how it is drawn.
ALL = [
    ("latency", "How many pushes take longer than a time, and how many copies of the same bytes", latency),
    ("peers", "The same for what a user would use instead", peers),
    ("size", "Bytes a frame by codec", size),
    ("world_size", "Cost against the world's size, 100 entities changed",
     lambda results: scaling(results, "by_size", "entities", "100 entities change, the world grows",
                             "entities in the world")),
    ("changes", "Cost against what changed, 10,000 entities",
     lambda results: scaling(results, "by_changes", "changed", "10,000 entities, more of them change",
                             "entities that changed")),
]


def drawn(results):
    """(file name, what it shows, SVG) of those that the run has."""
    return [(name, words, svg) for name, words, svg in ((name, words, draw(results)) for name, words, draw in ALL)
            if svg]

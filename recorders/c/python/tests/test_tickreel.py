"""Tests of the Python package. tests/run starts them."""

import ctypes
import enum
import gc
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import tickreel
from tickreel import _columns, _native

package = pathlib.Path(__file__).parent.parent
program = os.environ["TICKREEL_PROGRAM"]


def run(*words):
    done = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def recordings():
    folders = [os.environ["TICKREEL_KEPT_RECORDINGS"]]
    shared = pathlib.Path(os.environ.get("TICKREEL_SHARED_DATA", ""))
    if shared.is_dir() and str(shared) != ".":
        folders.append(shared)
    else:
        print(f"ABSENT: {shared}: tests on real recordings are left out")
    return sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*") if path.is_file())


class Mode(enum.Enum):
    IDLE = 0
    PLAYING = 7


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def record_match(self, name="match.reel"):
        path = self.folder / name
        fields = {
            "ball": {"x": tickreel.Field("f32", unit="m", decimals=2), "y": "f32"},
            "mode": Mode,
            "name": "text:7",
            "target": tickreel.Field("i32", optional=True),
            "scores": (2, "u16"),
            "players": (2, {"health": tickreel.Field("f64", tolerance=0.5), "alive": "bool"}),
            "large": "u64",
        }
        with tickreel.record(path, fields, rate=50, name="world", events={"goal": {"player": "i32", "by": "text:4"}},
                             metadata={"map": "arena"}) as out:
            for tick in range(10):
                self.assertTrue(out.push(ball={"x": tick / 4, "y": -1}, mode=Mode.PLAYING if tick > 4 else "IDLE",
                                         name="Zoë" * 3, target=tick if tick % 2 else None, scores=[tick, 1],
                                         players=[{"health": 100 - tick, "alive": True}, {"health": 1, "alive": tick < 5}],
                                         large=2**64 - 10 + tick))
                if tick == 3:
                    self.assertTrue(out.event("goal", player=1, by="head"))
        self.assertTrue(out.close()["is_whole"])
        self.assertEqual(out.counters()["written"], 10)
        return path


class Recording(InFolder):
    def test_recorded_match_is_sound(self):
        path = self.record_match()
        code, _, err = run("verify", path)
        self.assertEqual((code, err), (0, b""))
        self.assertEqual(run("cat", path)[1].decode(), tickreel.open(path).text())
        first = next(iter(tickreel.open(path)))
        self.assertEqual(first, {"tick": 0, "time_ms": 0, "ball": {"x": 0, "y": -1}, "mode": "IDLE", "name": "ZoëZo",
                                 "target": None, "scores": [0, 1], "large": 2**64 - 10,
                                 "players": [{"health": 100, "alive": True}, {"health": 1, "alive": True}]})
        self.assertEqual(json.loads(run("info", "--json", path)[1])["ticks"], 10)

    def test_members_keep_their_value(self):
        path = self.folder / "kept.reel"
        with tickreel.record(path, {"x": "i8", "y": "i8"}, rate=1) as out:
            out.push(x=1, y=2)
            out.push({"x": 3})
            out.push_at(9, 9_000_000, y=5)
            self.assertFalse(out.push_at(4, 0))
            self.assertEqual(out.counters()["refused"], 1)
        self.assertEqual([(each["tick"], each["x"], each["y"]) for each in tickreel.open(path)], [(0, 1, 2), (1, 3, 2), (9, 3, 5)])

    def test_integers_that_do_not_fit_are_refused(self):
        limits = {"i8": (-2**7, 2**7 - 1), "u8": (0, 2**8 - 1), "i16": (-2**15, 2**15 - 1), "u16": (0, 2**16 - 1),
                  "i32": (-2**31, 2**31 - 1), "u32": (0, 2**32 - 1), "i64": (-2**63, 2**63 - 1), "u64": (0, 2**64 - 1)}
        path = self.folder / "integers.reel"
        with tickreel.record(path, {"x" + kind: kind for kind in limits} | {"many": (2, "u8")}, rate=1) as out:
            for at in (0, 1):
                out.push({"x" + kind: each[at] for kind, each in limits.items()})
            for kind, (least, most) in limits.items():
                for value in (least - 1, most + 1):
                    with self.assertRaisesRegex(OverflowError, f"^x{kind}: {value} does not fit into {kind}$"):
                        out.push({"x" + kind: value})
            with self.assertRaises(OverflowError):
                out.push(many=[1, 256])
        ticks = list(tickreel.open(path))
        for at in (0, 1):
            for kind, each in limits.items():
                self.assertEqual(ticks[at]["x" + kind], each[at])

    def test_a_failure_while_events_are_read_is_raised(self):
        path = self.folder / "events.reel"
        with tickreel.record(path, {"x": "f32"}, rate=1, events={"goal": {"points": "u8"}}) as out:
            out.push(x=1)
            out.event("goal", points=2)
        recording = tickreel.open(path)
        with unittest.mock.patch.object(tickreel.ctypes, "string_at", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                recording.events()
        self.assertEqual(len(recording.events()), 1)

    def test_enumerators_have_32_bits(self):
        class Edge(enum.Enum):
            LEAST = -2**31
            MOST = 2**31 - 1

        class Flags(enum.IntFlag):
            A = 1

        path = self.folder / "edge.reel"
        with tickreel.record(path, {"edge": Edge, "flags": Flags, "many": (2, Edge)}, rate=1) as out:
            out.push(edge=Edge.LEAST, flags=Flags.A, many=["MOST", Edge.LEAST])
            out.push(edge="MOST", many=["LEAST", "LEAST"])
            large = enum.Enum("Large", {"ABOVE": 2**31, "SAME_LOW_BITS": 2**32 + 1})
            for values in ({"edge": large.ABOVE}, {"flags": large.SAME_LOW_BITS}, {"many": [Edge.MOST, large.ABOVE]},
                           {"flags": Flags(2**32)}):
                with self.assertRaisesRegex(OverflowError, "^(edge|flags|many): .*i32"):
                    out.push(values)
        self.assertEqual([(each["edge"], each["flags"]) for each in tickreel.open(path)], [("LEAST", "A"), ("MOST", "A")])
        refused = self.folder / "refused.reel"
        for value in (2**31, -2**31 - 1, 2**32, 2**63):
            wrong = enum.IntEnum("Wrong", {"FINE": 0, "OUTSIDE": value})
            with self.assertRaisesRegex(OverflowError, f"^mode: <Wrong.OUTSIDE: {value}> "):
                tickreel.record(refused, {"mode": wrong})
            with self.assertRaisesRegex(OverflowError, "^mode: <Wrong.OUTSIDE: "):
                tickreel.record(refused, {"x": "f32"}, events={"change": {"mode": wrong}})
        with self.assertRaisesRegex(TypeError, "^mode: <Words.ONE: "):
            tickreel.record(refused, {"mode": enum.Enum("Words", {"ONE": "one"})})
        self.assertFalse(refused.exists())

    def test_mistakes_are_exceptions(self):
        path = self.record_match()
        with self.assertRaises(tickreel.Error) as refused:
            tickreel.record(path, {"x": "f32"})
        self.assertEqual(refused.exception.code, "already_exists")
        with self.assertRaises(tickreel.Error):
            tickreel.record(self.folder / "a.reel", {"x.y": "f32"})
        with self.assertRaises(tickreel.Error):
            tickreel.record(self.folder / "a.reel", {"x": tickreel.Field("i32", decimals=2)})
        with tickreel.record(self.folder / "b.reel", {"x": "f32", "many": (2, "f32")}) as out:
            with self.assertRaises(KeyError):
                out.push(z=1)
            with self.assertRaises(ValueError):
                out.push(many=[1])
        with self.assertRaises(ValueError):
            out.push(x=1)
        with self.assertRaises(tickreel.Error) as missing:
            tickreel.open(self.folder / "none.reel")
        self.assertEqual(missing.exception.code, "not_found")
        with self.assertRaises(tickreel.Error) as unknown:
            tickreel.open_bytes(b"no recording")
        self.assertEqual(unknown.exception.code, "not_recognised")

    def test_saves_what_just_happened(self):
        # An interval that never ends, so nothing is sealed while it is recorded.
        with tickreel.record(self.folder / "long.reel", {"x": "f32"}, rate=10, seal_interval_ms=3_600_000) as out:
            out.push(x=1)
            with self.assertRaises(tickreel.Error) as nothing:
                out.save_last(1, self.folder / "part.reel")
            self.assertEqual(nothing.exception.code, "out_of_range")

    def test_pumps_without_a_thread(self):
        path = self.folder / "pumped.reel"
        with tickreel.record(path, {"x": "i32"}, rate=10, pumped=True) as out:
            self.assertEqual(out.pump(), 0)
            for x in range(3):
                self.assertTrue(out.push(x=x))
            self.assertEqual(out.counters()["written"], 0)
            self.assertEqual(out.pump(), 3)
            while out.push(x=7):  # until the ring is full
                pass
            self.assertEqual(out.counters()["dropped"], 1)
            out.pump()
        self.assertFalse(out.close()["is_whole"])
        self.assertEqual([each["x"] for each in tickreel.open(path)][:4], [0, 1, 2, 7])
        with self.assertRaises(ValueError):
            tickreel.record(self.folder / "never.reel", {"x": "i32"}, loss="block", pumped=True)

    def test_fixed_point_numbers(self):
        path = self.folder / "fixed.reel"
        fields = {"height": tickreel.Field("i16", fraction_bits=4), "many": tickreel.Field("i32", count=2, fraction_bits=8),
                  "maybe": tickreel.Field("i64", optional=True, fraction_bits=1)}
        with tickreel.record(path, fields, rate=1) as out:
            out.push(height=2.5, many=[-0.25, 1 / 3], maybe=None)
            out.push(height=-2048, many=[0, 1], maybe=7)
            for wrong in (2048, -2048.1):
                with self.assertRaisesRegex(OverflowError, f"^height: {wrong} does not fit into i16$"):
                    out.push(height=wrong)
        ticks = [(each["height"], each["many"], each["maybe"]) for each in tickreel.open(path)]
        self.assertEqual(ticks, [(2.5, [-0.25, 85 / 256], None), (-2048, [0, 1], 7)])
        for wrong in (tickreel.Field("f32", fraction_bits=4), tickreel.Field("u8", fraction_bits=4)):
            with self.assertRaises(tickreel.Error):
                tickreel.record(self.folder / "never.reel", {"x": wrong})

    def test_entities_keep_their_places(self):
        path = self.folder / "entities.reel"
        unit = tickreel.Field({"x": "f32", "hp": "u8"}, count=3, entities=True)
        with tickreel.record(path, {"units": unit}, rate=1) as out:
            out.push(units={"ann": {"x": 1, "hp": 5}, "bob": {"x": 2}})
            out.push(units={"bob": {"x": 3}, "eve": {"x": 4}})  # ann's place has another entity
            out.push(units={"bob": {}, "ann": {"x": 5}, "eve": {}})
            with self.assertRaisesRegex(ValueError, "^units has 3 places, not 4$"):
                out.push(units={each: {} for each in range(4)})
            with self.assertRaises(KeyError):
                out.push(units={"bob": {"y": 1}})
            out.push(units={})
        self.assertEqual(run("verify", path)[0], 0)
        ticks = [each["units"] for each in tickreel.open(path)]
        places = [[(each["x"], each["hp"]) for each in units if each] for units in ticks]
        self.assertEqual(places, [[(1, 5), (2, 0)], [(4, 0), (3, 0)], [(4, 0), (3, 0), (5, 0)], []])
        for wrong in ({"x": tickreel.Field("f32", count=2, entities=True)}, {"x": tickreel.Field({"y": "f32"}, entities=True)},
                      {"x": {"units": unit}}):
            with self.assertRaises(ValueError):
                tickreel.record(self.folder / "never.reel", wrong)
        with self.assertRaises(ValueError):
            tickreel.record(self.folder / "never.reel", {"x": "f32"}, events={"spawn": {"units": unit}})

    def limit_file_size(self, size):
        unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited if size is None else size, unlimited))

    def push_until(self, out, lines, count):
        end = time.monotonic() + 120
        while len(lines) < count and time.monotonic() < end:
            out.push(x=len(lines))
            out.pump()
            time.sleep(0.001)
        self.assertEqual(len(lines), count)

    def test_log_of_a_full_disk(self):
        self.addCleanup(self.limit_file_size, None)
        for pumped in (False, True):
            lines = []
            refused = []

            def log(code, sentence):
                with self.assertRaises(tickreel.Error) as inside:
                    out.close()
                refused.append((inside.exception.code, out.counters()["pushed"] > 0))
                gc.collect()
                lines.append((code, sentence, threading.get_ident() == threading.main_thread().ident))
                raise RuntimeError("is printed and ignored")

            out = tickreel.record(self.folder / f"full{pumped}.reel", {"x": "u64"}, rate=60, seal_interval_ms=1, pumped=pumped,
                                  log=log)
            with unittest.mock.patch("sys.unraisablehook") as printed:
                self.limit_file_size(100)  # the header has more
                self.push_until(out, lines, 1)
                self.limit_file_size(None)
                self.push_until(out, lines, 2)
                self.assertEqual(out.close()["written"] + out.close()["lost"], out.close()["pushed"])
            self.assertEqual([each[0] for each in lines], ["io_failed", "ok"])
            self.assertEqual([each[2] for each in lines], [pumped] * 2)
            self.assertEqual(refused, [("wrong_state", True)] * 2)
            self.assertEqual(printed.call_count, 2)

    def test_collected_recorder_is_ended_by_another_thread_than_its_log(self):
        self.addCleanup(self.limit_file_size, None)
        path = self.folder / "collected.reel"
        lines = []
        holder = []

        def log(code, sentence):
            holder.clear()  # the last reference
            gc.collect()
            lines.append(code)

        holder.append(tickreel.record(path, {"x": "u64"}, rate=60, seal_interval_ms=1, log=log))
        self.limit_file_size(100)
        holder[0].push(x=1)
        end = time.monotonic() + 120
        while not lines and time.monotonic() < end:
            time.sleep(0.001)
        self.limit_file_size(None)
        self.assertEqual(lines[:1], ["io_failed"])
        code = "in_use"  # while it is recorded
        while code == "in_use" and time.monotonic() < end:
            with self.assertRaises(tickreel.Error) as refused:
                tickreel.record(path, {"x": "u64"})
            code = refused.exception.code
        self.assertEqual(code, "already_exists")

    def test_recorders_end_with_python(self):
        path = self.folder / "open.reel"
        script = ("import sys, tickreel\n"
                  "out = tickreel.record(sys.argv[1], {'x': 'u8'}, rate=60, log=print)\n"
                  "out.push(x=1)\n")
        environment = dict(os.environ, PYTHONPATH=str(package))
        done = subprocess.run([sys.executable, "-c", script, path], env=environment, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertEqual([each["x"] for each in tickreel.open(path)], [1])
        self.assertEqual(run("verify", path)[0], 0)

    def test_follows_a_live_recording(self):
        path = self.folder / "live.reel"
        out = tickreel.record(path, {"x": "i32"}, rate=10)
        live = tickreel.open(path, live=True)
        self.assertEqual(list(live.lines()), [])
        out.push(x=4)
        out.close()
        self.assertEqual(live.extend(), "grew")
        self.assertEqual(list(live.lines()), ['{"tick":0,"time_ms":0,"x":4}'])
        self.assertEqual(live.extend(), "unchanged")


class Reading(InFolder):
    def test_every_recording_reads_as_cat_prints_it(self):
        read = 0
        for path in recordings():
            with self.subTest(path=str(path)):
                code, out, _ = run("cat", path)
                try:
                    with tickreel.open(path) as recording:
                        self.assertEqual(recording.text(), out.decode("utf-8", "replace"))
                        self.assertEqual(recording.losses() == [], code == 0)
                        read += 1
                except tickreel.Error:
                    self.assertEqual(code, 1)
        self.assertGreaterEqual(read, 10)

    def test_seeks_events_and_reports(self):
        path = self.record_match()
        recording = tickreel.open(path)
        self.assertEqual(recording.at(7)["tick"], 7)
        self.assertEqual(recording.at("0.1s")["tick"], 5)
        with self.assertRaises(tickreel.Error):
            recording.at(99)
        self.assertIn("goal", recording.event_types())
        self.assertEqual(recording.events(), [{"tick": 3, "type": "goal", "player": 1, "by": "head"}])
        self.assertEqual(recording.events(types=["goal"], start=4), [])
        self.assertEqual(recording.info()["health"], "whole")
        self.assertTrue(recording.verify()["ok"])
        recording.close()
        with self.assertRaises(ValueError):
            recording.info()

    def test_columns_are_buffers(self):
        recording = tickreel.open(self.record_match())
        columns = recording.columns(["ball.x", "mode", "target", "players[1].alive", "large", "missing", "players.health"])
        recording.close()
        self.assertEqual(list(columns), ["tick", "time_ms", "ball.x", "mode", "target", "players[1].alive", "large",
                                         "missing", "players[0].health", "players[1].health"])
        buffer = columns["ball.x"].buffer()
        self.assertEqual((buffer.format, buffer[9], len(buffer)), ("d", 2.25, 10))
        self.assertEqual(columns["time_ms"].tolist(), list(range(0, 200, 20)))
        self.assertEqual(columns["mode"].tolist(), ["IDLE"] * 5 + ["PLAYING"] * 5)
        self.assertEqual(columns["target"].tolist(), [None, 1, None, 3, None, 5, None, 7, None, 9])
        self.assertEqual(columns["players[1].alive"].tolist(), [True] * 5 + [False] * 5)
        self.assertEqual(columns["large"].tolist()[9], 2**64 - 1)
        self.assertEqual(columns["missing"].tolist(), [None] * 10)
        del columns
        gc.collect()
        self.assertEqual(buffer[9], 2.25)  # the buffer keeps the memory

    def test_columns_become_numpy_arrays(self):
        try:
            import numpy
        except ImportError:
            if os.environ.get("TICKREEL_REQUIRE_BINDINGS"):
                raise
            self.skipTest("numpy is not installed; apt-get install python3-numpy")
        columns = tickreel.open(self.record_match()).columns(["ball.x", "target", "players[1].alive"])
        x = columns["ball.x"].numpy()
        alive = columns["players[1].alive"].numpy()
        del columns
        gc.collect()
        self.assertEqual((x.dtype, x.sum(), alive.sum()), (numpy.dtype("f8"), 11.25, 5))

    def test_columns_are_arrow_capsules(self):
        columns = tickreel.open(self.record_match()).columns(["ball.x", "mode"])
        pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
            ("PyCapsule_GetPointer", ctypes.pythonapi))
        schema, array = columns.__arrow_c_array__()
        stream = columns.__arrow_c_stream__()
        del columns
        gc.collect()
        one = _native.ArrowSchema.from_address(pointer(schema, b"arrow_schema"))
        self.assertEqual((one.format, one.n_children), (b"+s", 4))
        rows = _native.ArrowArray.from_address(pointer(array, b"arrow_array"))
        children = (ctypes.c_void_p * 4).from_address(rows.children)
        x = _native.ArrowArray.from_address(children[2])
        values = (ctypes.c_void_p * 2).from_address(x.buffers)[1]
        self.assertEqual((rows.length, (ctypes.c_double * 10).from_address(values)[9]), (10, 2.25))
        source = _native.ArrowArrayStream.from_address(pointer(stream, b"arrow_array_stream"))
        take = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(source.get_next)
        batch = _native.ArrowArray()
        self.assertEqual(take(ctypes.addressof(source), ctypes.addressof(batch)), 0)
        self.assertEqual(batch.length, 10)
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(batch.release)(ctypes.addressof(batch))
        del schema, array, stream
        gc.collect()
        self.assertEqual(_columns._exported, {})

    def test_a_bad_tick_does_not_hide_the_others(self):
        def record(kind, *parts):
            content = b"".join(parts)
            return struct.pack("<BQ", kind, len(content)) + content

        def text(words):
            return struct.pack("<I", len(words)) + words

        magic = b"\x89MCAP0\r\n"
        file = magic + record(1, text(b""), text(b"test"))
        file += record(4, struct.pack("<HH", 1, 0), text(b"a"), text(b"json"), text(b""))
        for tick in range(3):
            bad = b',"name":"\\ud800","big":1e999' if tick == 1 else b""
            file += record(5, struct.pack("<HIQQ", 1, tick, tick * 10**6, tick * 10**6), b'{"x":%d%s}' % (tick, bad))
        file += record(15, bytes(4)) + record(2, bytes(20)) + magic
        path = self.folder / "a.mcap"
        path.write_bytes(file)
        recording = tickreel.open(path)
        columns = recording.columns(["a.x", "a.name", "a.big"])
        self.assertEqual(columns["a.x"].tolist(), [0, 1, 2])
        self.assertEqual(columns["a.name"].tolist(), [None, "\ufffd", None])
        losses = recording.losses()
        self.assertEqual(len(losses), 2)
        self.assertTrue(all("tick 1 is the first" in each for each in losses), losses)
        self.assertEqual(len(list(recording)), 3)
        self.assertEqual(recording.losses(), [])

    def test_columns_of_an_echo_recording_equal_its_lines(self):
        shared = pathlib.Path(os.environ.get("TICKREEL_SHARED_DATA", "")) / "butter" / "arena-8p-300.gzip.butter"
        if not shared.exists():
            self.skipTest("the shared recordings are absent")
        recording = tickreel.open(shared)
        path = "session.disc.position[0]"
        wanted = [each["session"]["disc"]["position"][0] for each in recording]
        self.assertEqual(recording.columns([path])[path].tolist(), wanted)
        self.assertTrue(recording.statistics()[0]["players"])


class Queries(InFolder):
    def test_rows_are_those_of_the_program(self):
        path = self.record_match()
        for sql in ("SELECT tick, \"ball.x\" AS x, name, target FROM ticks WHERE tick > 6", "events",
                    "SELECT type, player FROM events", "SELECT 1 WHERE 0"):
            rows = tickreel.query(sql, path)
            printed = run("query", sql, path, "--json")[1].decode()
            self.assertEqual(rows, [json.loads(each) for each in printed.splitlines()])
            self.assertEqual((rows.files, rows.notes), ([], []))
        self.assertEqual(tickreel.query("SELECT count(*) AS n FROM ticks", [path, str(self.record_match("b.reel"))]), [{"n": 20}])

    def test_losses_and_mistakes(self):
        path = self.record_match()
        cut = self.folder / "cut.reel"
        cut.write_bytes(path.read_bytes()[:-200])
        rows = tickreel.query("SELECT tick FROM ticks", [cut])
        self.assertEqual([each["file"] for each in rows.files], [str(cut)])
        self.assertTrue(rows.files[0]["lost"])
        for sql, paths, message in (("SELECT 1 +", [path], "incomplete input"), ("ticks", [self.folder / "none.reel"], "none.reel: "),
                                    ("SELECT 1", [path, self.folder / "none.reel"], "none.reel: "), ("ticks", [], "inputs")):
            with self.assertRaisesRegex(tickreel.Error, message):
                tickreel.query(sql, paths)
        with unittest.mock.patch.object(tickreel.ctypes, "string_at", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                tickreel.query("SELECT tick FROM ticks", path)


class Files(InFolder):
    def test_converts_clips_and_recovers(self):
        path = self.record_match()
        self.assertEqual(tickreel.convert(path, self.folder / "match.csv")["ticks"], 10)
        with self.assertRaises(tickreel.Error):
            tickreel.convert(path, self.folder / "match.csv")
        self.assertEqual(tickreel.convert(path, self.folder / "match.parquet")["ticks"], 10)
        self.assertEqual((self.folder / "match.parquet").read_bytes()[:4], b"PAR1")
        tickreel.clip(path, self.folder / "clip.reel", start=2, end=4)
        self.assertTrue(tickreel.verify(self.folder / "clip.reel")["ok"])
        cut = self.folder / "cut.reel"
        cut.write_bytes(path.read_bytes()[:-40])
        report = tickreel.recover(cut, self.folder / "whole.reel")
        self.assertEqual(report["outputs"], [str(self.folder / "whole.reel")])

    def test_wheel_works_by_itself(self):
        made = subprocess.run([package / "build_wheel", os.environ["TICKREEL_LIBRARY"], self.folder / "dist"], check=True,
                              capture_output=True, text=True).stdout.strip()
        environment = {key: value for key, value in os.environ.items() if key != "TICKREEL_LIBRARY"}
        environment["PYTHONPATH"] = str(self.folder / "site")
        subprocess.run([sys.executable, "-m", "zipfile", "-e", made, self.folder / "site"], check=True)
        shown = subprocess.run([sys.executable, package / "examples" / "ten_lines.py", self.folder / "ten.reel"], check=True,
                               env=environment, capture_output=True, text=True, cwd=self.folder).stdout
        self.assertIn("[0.0, 0.25, 0.5,", shown)
        self.assertIn("'player': 3", shown)
        self.assertEqual(run("verify", self.folder / "ten.reel")[0], 0)

    def test_notebook_runs(self):
        candidates = [each for each in recordings() if each.suffix in (".butter", ".echoreplay")]
        self.assertTrue(candidates)
        os.environ["TICKREEL_NOTEBOOK_FILE"] = str(max(candidates, key=lambda each: each.stat().st_size))
        notebook = json.loads((package / "examples" / "where_players_are.ipynb").read_text())
        names = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)  # the cells share their names, as in a notebook
        self.assertAlmostEqual(sum(names["shares"].values()), 1)
        self.assertTrue(names["rows"])


if __name__ == "__main__":
    unittest.main()

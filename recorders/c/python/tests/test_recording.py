"""Tests of recording, and of reels that grow. tests/run starts them."""

import enum
import gc
import json
import os
import resource
import subprocess
import sys
import threading
import time
import unittest.mock

import tickreel
from common import InFolder, package, run


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

    def test_a_refused_push_changes_no_member(self):
        path = self.folder / "refused.reel"
        units = tickreel.Field({"health": "u8"}, count=4, entities=True)
        with tickreel.record(path, {"x": "i8", "y": "i8", "units": units}, rate=1) as out:
            out.push(x=1, y=2, units={"a": {"health": 1}})
            for wrong in ({"x": 5, "y": 300}, {"x": 5, "z": 1}, {"units": {"b": {"health": 300}}}):
                with self.assertRaises((OverflowError, KeyError)):
                    out.push(wrong)
                with self.assertRaises((OverflowError, KeyError)):
                    out.push_at(9, 9_000_000, wrong)
            out.push(y=3)
            out.push(units={"a": {"health": 2}})
        ticks = list(tickreel.open(path))
        self.assertEqual([(each["x"], each["y"]) for each in ticks], [(1, 2), (1, 3), (1, 3)])
        self.assertEqual([[(unit["id"], unit["generation"], unit["health"]) for unit in each["units"]] for each in ticks],
                         [[(0, 1, 1)], [(0, 1, 1)], [(0, 1, 2)]])

    def test_texts_with_zero_bytes_are_refused(self):
        # The library's texts end there: another file would be written or read.
        path = str(self.folder / "other.reel")
        with self.assertRaisesRegex(ValueError, "zero byte"):
            tickreel.record(path + "\0.txt", {"x": "i8"})
        self.assertFalse(os.path.exists(path))
        with tickreel.record(path, {"name": "text:8"}, rate=1) as out:
            with self.assertRaisesRegex(ValueError, "zero byte"):
                out.push(name="a\0b")
            out.push(name="ab")
        for call in (lambda: tickreel.open(path + "\0.txt"), lambda: tickreel.query("ticks\0 x", [path]),
                     lambda: tickreel.query("ticks", [path + "\0"]), lambda: tickreel.open(path).columns(["name\0"]),
                     lambda: tickreel.convert(path, path + "\0.csv"),
                     lambda: tickreel.record(path + "2", {"x\0y": "i8"}),
                     lambda: tickreel.record(path + "2", {"x": "i8"}, metadata={"a": "b\0c"})):
            with self.assertRaisesRegex(ValueError, "zero byte"):
                call()

    def test_wrong_types_name_their_member(self):
        for wrong in ("float", "text", "text:-1", float, ["f32", 3]):
            with self.assertRaisesRegex(ValueError, "^speed: unknown type .*; the types are f32, "):
                tickreel.record(self.folder / "wrong.reel", {"speed": wrong})
        with tickreel.record(self.folder / "typed.reel", {"x": "i8", "y": "f32", "b": "bool"}) as out:
            for member, value in (("x", "a"), ("x", None), ("x", 1.5), ("y", "a"), ("y", None)):
                with self.assertRaisesRegex(TypeError, f"^{member}: {value!r} is not of the type "):
                    out.push({member: value})
            with self.assertRaisesRegex(KeyError, "no event 'goal'"):
                out.event("goal", player=1)

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

    def test_memory_has_a_limit(self):
        path = self.folder / "limited.reel"
        with self.assertRaisesRegex(tickreel.Error, "memory_bytes is 1000, and a recorder of this struct needs"):
            tickreel.record(path, {"x": "f32"}, memory_bytes=1000)
        with tickreel.record(path, {"x": "f32"}, rate=1, memory_bytes=2_000_000) as out:
            out.push(x=0.5)
        self.assertEqual([each["x"] for each in tickreel.open(path)], [0.5])

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

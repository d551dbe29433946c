"""Tests of reading, queries and conversions. tests/run starts them."""

import ctypes
import gc
import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest.mock

import tickreel
from tickreel import _columns, _native
from common import InFolder, beginning, package, recordings, run


class Reading(InFolder):
    def test_every_recording_reads_as_cat_prints_it(self):
        read = 0
        most = 64 << 20  # a hostile file has a gigabyte of ticks
        for path in recordings():
            with self.subTest(path=str(path)):
                code, out = beginning(most, "cat", path)
                try:
                    with tickreel.open(path) as recording:
                        if code is None:
                            lines = iter(recording.lines())
                            self.assertTrue(all(each == next(lines, None) for each in out.decode().splitlines()[:-1]))
                            continue
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

"""Helpers of the tests of the Python package."""

import enum
import os
import pathlib
import subprocess
import tempfile
import unittest

import tickreel

package = pathlib.Path(__file__).parent.parent
program = os.environ["TICKREEL_PROGRAM"]


def run(*words):
    done = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def beginning(most, *words):
    """The first bytes of what a verb prints, and its exit code; None for a verb that prints more."""
    with subprocess.Popen([program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as verb:
        printed = verb.stdout.read(most + 1)
        if len(printed) > most:
            verb.kill()
    return (None if len(printed) > most else verb.returncode), printed[:most]


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

"""Records live games tick by tick, and reads recordings of any format that Tickreel knows.

    import tickreel

    with tickreel.record("match.reel", {"x": "f32", "y": "f32"}, rate=60) as out:
        out.push(x=1.5, y=2)

    for tick in tickreel.open("match.reel"):
        print(tick["tick"], tick["x"])

    columns = tickreel.open("match.butter").columns(["session.disc.position[0]"])
    columns["session.disc.position[0]"].numpy()

    tickreel.query("SELECT player, sum(goals) AS goals FROM statistics GROUP BY player", ["match.butter"])
"""

import ctypes
import json as _json
import os

from . import _native
from ._calls import Error, check as _check, collect as _collect, optional_text as _optional_text, path_bytes as _path
from ._calls import text_bytes as _text_bytes
from ._columns import Column, Columns
from ._native import lib as _lib
from ._record import Field, Recorder, record

__all__ = [
    "Column", "Columns", "Error", "Field", "Recorder", "Recording", "Rows", "clip", "convert", "open", "open_bytes", "query",
    "record", "recover", "verify", "version",
]

for _each in (Error, Column, Columns, Field, Recorder, record):
    _each.__module__ = __name__


def version():
    """The version of the library, "0.3.0"."""
    return _lib.version().decode()


# ---- Read ----


class Recording:
    """An open recording. Iterating over it gives each tick as a dict, as `tickreel cat` prints it."""

    def __init__(self, handle, keeps=None):
        self._handle = handle
        self._keeps = keeps  # the bytes that it reads

    def close(self):
        """Closes the file. Columns that were read stay valid."""
        handle, self._handle = self._handle, None
        if handle:
            _lib.recording_free(handle)

    def __del__(self):
        self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _text(self, function):
        if not self._handle:
            raise ValueError("the recording is closed")
        text = _native.Text()
        _check(function(self._handle, text))
        return bytes(text).decode("utf-8", "replace")

    def _open_handle(self):
        if not self._handle:
            raise ValueError("the recording is closed")
        return self._handle

    @property
    def format(self):
        """"butter", "echoreplay", "reel", "icrep", "rec", "sc2replay", "gamecache", "tape", "nevrcap" or "mcap"."""
        return _lib.format(self._open_handle()).decode()

    def info(self):
        """What `tickreel info --json` prints. Reads every tick, and goes back to the first one."""
        return _json.loads(self._text(_lib.info))

    def lines(self):
        """Each tick as the line that `tickreel cat` prints, from the tick at hand on."""
        while (code := _lib.next(self._open_handle(), None)) == _native.OK:
            yield self._text(_lib.tick_json)
        if code != _native.END:
            _check(code)

    def __iter__(self):
        self.rewind()
        return map(_json.loads, self.lines())

    def text(self):
        """The whole recording as `tickreel cat` prints it."""
        self.rewind()
        parts = [self._text(_lib.lines_before)]
        parts.extend(line + "\n" for line in self.lines())
        parts.append(self._text(_lib.lines_after))
        return "".join(parts)

    def rewind(self):
        """Goes back to the first tick."""
        _check(_lib.rewind(self._open_handle()))

    def at(self, place):
        """The first tick that is not before a place: 120 or "120" (a tick), "90s", "08:30" (the game clock)."""
        _check(_lib.seek(self._open_handle(), _text_bytes(str(place))))
        for line in self.lines():
            return _json.loads(line)
        raise Error("out_of_range", "no such tick")

    def losses(self):
        """Sentences about what is missing up to the tick at hand; empty if nothing is."""
        return _json.loads(self._text(_lib.losses))

    def events(self, types=(), player=None, start=None, end=None):
        """A list of events, each as `tickreel events` prints it."""
        names = [_text_bytes(each) for each in types]
        query = _native.EventQuery(type_count=len(names), types=(ctypes.c_char_p * len(names))(*names),
                                   player=_optional_text(player), start=_optional_text(start), end=_optional_text(end))
        code, found = _collect(lambda each: _lib.events(self._open_handle(), query, each, None))
        _check(code)
        return found

    def event_types(self):
        """The types that events() may have here."""
        return _json.loads(self._text(_lib.event_types))

    def statistics(self):
        """A list of matches with a row for each player, as `tickreel stats --json` prints them."""
        return _json.loads(self._text(_lib.statistics))

    def verify(self):
        """What `tickreel verify --json` prints: "ok", and "findings"."""
        return _json.loads(self._text(_lib.verify))

    def fields(self):
        """The paths of all numbers that ticks have, each with "unit" and "meaning" where they are known."""
        return _json.loads(self._text(_lib.fields))

    def columns(self, paths):
        """Reads the values at paths such as "ball.x" and "teams[0].players[1].velocity[2]" from all ticks.

        A path without an index, "players.position", stands for each path of fields() that has these names.
        """
        wanted = []
        known = None
        for path in paths:
            found = []
            if "[" not in path and "." in path:
                known = known if known is not None else [each["path"] for each in self.fields()]
                names = tuple(path.split("."))
                found = [each for each in known if _names_of(each) == names and each != path]
            wanted.extend(found or [path])
        encoded = [_text_bytes(each) for each in wanted]
        handle = ctypes.c_void_p()
        _check(_lib.read_columns(self._open_handle(), (ctypes.c_char_p * len(encoded))(*encoded), len(encoded), handle))
        return Columns(handle)

    def extend(self):
        """Of a live recording: takes in what was recorded since. "unchanged", "grew" or "replaced"."""
        growth = ctypes.c_int32()
        _check(_lib.extend(self._open_handle(), growth))
        return ("unchanged", "grew", "replaced")[growth.value]


def _names_of(path):
    out = []
    for part in path.split("."):
        out.append(part.split("[")[0])
    return tuple(out)


def open(path, live=False, repair=False):
    """Opens a recording of any format. `live`: it is still being recorded; see Recording.extend()."""
    handle = ctypes.c_void_p()
    options = _native.OpenOptions(is_live=live, is_repair=repair)
    _check(_lib.open(_path(path), options, handle))
    return Recording(handle)


def open_bytes(data, repair=False):
    """The same for a recording in memory."""
    data = bytes(data)
    handle = ctypes.c_void_p()
    _check(_lib.open_memory(data, len(data), _native.OpenOptions(is_repair=repair), handle))
    return Recording(handle, data)


# ---- SQL ----


class Rows(list):
    """A list of dicts, one per row. `files`: what is missing in files, each with "file" and "lost"; `notes`: sentences."""

    files = ()
    notes = ()


def query(sql, paths):
    """Runs one SELECT over recordings, as `tickreel query` does: pandas.DataFrame(tickreel.query("events", ["a.butter"])).

    `paths`: one file or several. A file that cannot be read is an Error.
    """
    files = [_path(each) for each in ([paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths)]
    text = _native.Text()
    code, found = _collect(lambda each: _lib.query(_text_bytes(sql), (ctypes.c_char_p * len(files))(*files), len(files), each,
                                                   None, text))
    _check(code)
    rows = Rows(found)
    report = _json.loads(bytes(text))
    rows.files, rows.notes = report["files"], report["notes"]
    return rows


# ---- Files ----


def _file_operation(function, input, output, **options):
    text = _native.Text()
    _check(function(_path(input), _path(output), _native.FileOptions(**options), text))
    return _json.loads(bytes(text))


def convert(input, output, format=None, start=None, end=None, overwrite=False, keyframe_interval=0):
    """Writes a recording in another format, which the output's name decides, also ".parquet". Returns a report: "ticks", ..."""
    return _file_operation(_lib.convert, input, output, format=_optional_text(format), start=_optional_text(start),
                           end=_optional_text(end), overwrites=overwrite, keyframe_interval=keyframe_interval)


def clip(input, output, start=None, end=None, overwrite=False):
    """Cuts a part out of a recording, between places such as "120", "90s" and "08:30"."""
    return convert(input, output, start=start, end=end, overwrite=overwrite)


def recover(input, output="", overwrite=False):
    """Makes a valid file of what a crash left; without an output beside the input. Returns a report."""
    return _file_operation(_lib.recover, input, output, overwrites=overwrite)


def verify(path):
    """What `tickreel verify --json` prints of a file."""
    with open(path) as recording:
        return recording.verify()

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
import enum
import json as _json
import os
import threading
import weakref

from . import _native
from ._native import lib as _lib

__all__ = [
    "Column", "Columns", "Error", "Field", "Recorder", "Recording", "Rows", "clip", "convert", "open", "open_bytes", "query",
    "record", "recover", "verify", "version",
]


class Error(Exception):
    """A failure of the library. `code` is its name, such as "truncated"; `offset` the byte offset, or None."""

    def __init__(self, code, message, offset=None):
        super().__init__(message)
        self.code = code
        self.offset = offset


_no_offset = 2**64 - 1


def _check(code):
    if code == _native.OK:
        return
    offset = _lib.error_offset()
    raise Error(_lib.code_name(code).decode(), _lib.error().decode("utf-8", "replace"),
                None if offset == _no_offset else offset)


def _path(path):
    return os.fsencode(path)


def _optional_text(text):
    return None if text is None else str(text).encode()


def version():
    """The version of the library, "0.3.0"."""
    return _lib.version().decode()


def _collect(call):
    """Calls a function of the library with a callback; returns its code and the objects that the callback got."""
    found = []
    failures = []

    def keep(_, text, size):
        try:
            found.append(ctypes.string_at(text, size))
            return 0
        except BaseException as failure:  # ctypes would print and ignore it
            failures.append(failure)
            return 1

    code = call(_native.JsonFunction(keep))
    if failures:
        raise failures[0]
    return code, [_json.loads(each) for each in found]


# ---- Columns ----


class Column:
    """One value per tick. The buffer belongs to the library and lives as long as any object that refers to it."""

    _kinds = {0: ("empty", None), 1: ("bool", "B"), 2: ("int64", "q"), 3: ("uint64", "Q"), 4: ("float64", "d"),
              5: ("text", None)}

    def __init__(self, owner, native):
        self._owner = owner
        self._native = native
        self.name = native.name.decode()
        self.type, self._code = self._kinds[native.type]
        self.null_count = native.null_count

    def __len__(self):
        return self._native.count

    def buffer(self):
        """The values as a memoryview without a copy; where a value is missing it is 0. Not of empty and text columns."""
        if self._code is None:
            raise TypeError("a column of type " + self.type + " has no buffer of numbers")
        item = {"B": ctypes.c_uint8, "q": ctypes.c_int64, "Q": ctypes.c_uint64, "d": ctypes.c_double}[self._code]
        if len(self) == 0:
            return memoryview(b"").cast(self._code)
        array = (item * len(self)).from_address(self._native.values)
        array._owner = self._owner
        return memoryview(array).cast("B").cast(self._code)

    def is_valid(self, index):
        """Whether that tick has the value."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        if not self._native.validity:
            return True
        byte = ctypes.c_uint8.from_address(self._native.validity + index // 8).value
        return byte >> index % 8 & 1 == 1

    def numpy(self):
        """The values as a numpy array without a copy. Missing values are NaN in a copy of floats, if there are any."""
        import numpy

        array = numpy.frombuffer(self.buffer(), dtype={"B": "bool", "q": "i8", "Q": "u8", "d": "f8"}[self._code])
        if self.null_count and self.type == "float64":
            array = array.copy()
            validity = (ctypes.c_uint8 * ((len(self) + 7) // 8)).from_address(self._native.validity)
            bits = numpy.unpackbits(numpy.frombuffer(validity, dtype="u1"), bitorder="little", count=len(self))
            array[bits == 0] = numpy.nan
        return array

    def tolist(self):
        """The values as Python objects; None where a tick has none."""
        if self.type == "empty":
            return [None] * len(self)
        if self.type == "text":
            offsets = (ctypes.c_int64 * (len(self) + 1)).from_address(self._native.offsets)
            text = ctypes.string_at(self._native.values, offsets[len(self)])
            values = [text[offsets[i]:offsets[i + 1]].decode("utf-8", "replace") for i in range(len(self))]
        else:
            values = self.buffer().tolist()
            if self.type == "bool":
                values = [each != 0 for each in values]
        if self.null_count == 0:
            return values
        return [each if self.is_valid(i) else None for i, each in enumerate(values)]


class Columns:
    """Columns by name: `tick` and `time_ms`, then those that were asked for.

    pyarrow, polars, duckdb and pandas take it by the Arrow PyCapsule interface without a copy: pyarrow.table(columns).
    """

    def __init__(self, handle):
        self._handle = handle
        self._columns = {}
        for number in range(_lib.column_count(handle)):
            native = _native.Column()
            _check(_lib.column_at(handle, number, native))
            self._columns.setdefault(native.name.decode(), Column(self, native))

    def __del__(self):
        _lib.columns_free(self._handle)

    def __len__(self):
        return len(self._columns)

    def __iter__(self):
        return iter(self._columns)

    def __getitem__(self, name):
        return self._columns[name]

    def __contains__(self, name):
        return name in self._columns

    def keys(self):
        return self._columns.keys()

    def __arrow_c_schema__(self):
        schema = _native.ArrowSchema()
        _check(_lib.columns_to_arrow(self._handle, schema, None))
        return _capsule(schema, b"arrow_schema")

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = _native.ArrowSchema(), _native.ArrowArray()
        _check(_lib.columns_to_arrow(self._handle, schema, array))
        return _capsule(schema, b"arrow_schema"), _capsule(array, b"arrow_array")

    def __arrow_c_stream__(self, requested_schema=None):
        stream = _native.ArrowArrayStream()
        _check(_lib.columns_to_stream(self._handle, 0, stream))
        return _capsule(stream, b"arrow_array_stream")


# Structs that capsules refer to, by their address, until a consumer or the destructor has released them.
_exported = {}
_release_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_destructor_type = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
# Own prototypes: those of ctypes.pythonapi are shared by all modules.
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _destructor_type)(
    ("PyCapsule_New", ctypes.pythonapi))
_capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


@_destructor_type
def _release_capsule(capsule):
    struct, _ = _exported.pop(_capsule_pointer(capsule, _capsule_name(capsule)))
    if struct.release:
        _release_type(struct.release)(ctypes.addressof(struct))


def _capsule(struct, name):
    address = ctypes.addressof(struct)
    # The capsule keeps the pointer of its name, not a copy.
    _exported[address] = struct, name
    return _new_capsule(address, name, _release_capsule)


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
        _check(_lib.seek(self._open_handle(), str(place).encode()))
        for line in self.lines():
            return _json.loads(line)
        raise Error("out_of_range", "no such tick")

    def losses(self):
        """Sentences about what is missing up to the tick at hand; empty if nothing is."""
        return _json.loads(self._text(_lib.losses))

    def events(self, types=(), player=None, start=None, end=None):
        """A list of events, each as `tickreel events` prints it."""
        names = [each.encode() for each in types]
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
        encoded = [each.encode() for each in wanted]
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


# ---- Record ----

_scalars = {
    "f32": (1, ctypes.c_float), "f64": (2, ctypes.c_double), "i8": (3, ctypes.c_int8), "i16": (4, ctypes.c_int16),
    "i32": (5, ctypes.c_int32), "i64": (6, ctypes.c_int64), "u8": (7, ctypes.c_uint8), "u16": (8, ctypes.c_uint16),
    "u32": (9, ctypes.c_uint32), "u64": (10, ctypes.c_uint64), "bool": (11, ctypes.c_bool),
}
_text_type, _struct_type = 12, 13
_relations = ("same_as", "relative_to", "unit_vector", "cross", "orthogonal", "rotation", "integral_of")


class Field:
    """A member: its type, and what is known of it.

    `type` is "f32", "f64", "i8" to "i64", "u8" to "u64", "bool", "text:16" (at most 16 bytes), a subclass of enum.Enum
    with whole numbers of 32 bits, or a dict of members. `count` makes it an array. `optional` members may be None. `decimals` and
    `tolerance` are of floats: the first is a hint, the second an error that is allowed. `relation` is one of "same_as",
    "relative_to", "unit_vector", "cross", "orthogonal" and "rotation" with the names of others in `of`.

    `fraction_bits` makes a signed integer a fixed-point number: a value is rounded to the next 1/2**fraction_bits.

    `entities` makes an array of structs one of entities, of which at most `count` exist together. Its value maps keys of yours to
    members, {17: {"x": 1.5}}: a key has the same place from the push that adds it to the one that lacks it.
    """

    def __init__(self, type, count=0, optional=False, unit=None, decimals=None, tolerance=None, relation=None, of=(),
                 fraction_bits=0, entities=False):
        self.type = type
        self.count = count
        self.optional = optional
        self.unit = unit
        self.decimals = decimals
        self.tolerance = tolerance
        self.relation = relation
        self.of = of
        self.fraction_bits = fraction_bits
        self.entities = entities


class _Struct:
    """A described struct, and how Python values get into its memory."""

    def __init__(self, name, members, is_state=False, is_entity=False):
        self.handle = ctypes.c_void_p()
        self.names = list(members)
        given = {key: each if isinstance(each, Field) else self._shorthand(each) for key, each in members.items()}
        self.fields = given
        # The places of entities by their keys.
        self.places = {key: {} for key, each in given.items() if each.entities}
        if self.places and not is_state:
            raise ValueError(f"{name}: entities are members of the recorded struct itself")
        self.inner = {key: _Struct(key, each.type, is_entity=each.entities) for key, each in given.items()
                      if isinstance(each.type, dict)}
        layout = [("generation:", ctypes.c_uint32)] if is_entity else []
        for key, each in given.items():
            if each.optional:
                layout.append(("has:" + key, ctypes.c_uint8))
            item = self._memory_of(key, each)
            layout.append((key, item * each.count if each.count else item))
        self.memory = type("struct " + name, (ctypes.Structure,), {"_fields_": layout})
        natives = (_native.Field * len(given))()
        keeps = []
        for native, (key, each) in zip(natives, given.items()):
            self._describe(native, key, each, keeps)
        _check(_lib.describe(name.encode(), ctypes.sizeof(self.memory), natives, len(given), self.handle))

    def __del__(self):
        _lib.struct_free(self.handle)

    @staticmethod
    def _shorthand(given):
        # (4, "f32") is an array.
        if isinstance(given, tuple):
            return Field(given[1], count=given[0])
        return Field(given)

    def _memory_of(self, key, field):
        kind = field.type
        if isinstance(kind, dict):
            return self.inner[key].memory
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return ctypes.c_int32
        if kind.startswith("text:"):
            return ctypes.c_char * int(kind[5:])
        return _scalars[kind][1]

    def _describe(self, native, key, field, keeps):
        native.struct_bytes = ctypes.sizeof(_native.Field)
        native.name = key.encode()
        native.offset = getattr(self.memory, key).offset
        native.count = field.count
        kind = field.type
        if isinstance(kind, dict):
            native.type, native.of = _struct_type, self.inner[key].handle
        elif isinstance(kind, type):
            words = (_native.Enumerator * len(kind))(*((each.name.encode(), _enumerated(key, each)) for each in kind))
            keeps.append(words)
            native.type, native.enumerators, native.enumerator_count = _scalars["i32"][0], words, len(kind)
        elif kind.startswith("text:"):
            native.type, native.text_bytes = _text_type, int(kind[5:])
        else:
            native.type = _scalars[kind][0]
        if field.optional:
            native.flags, native.flag_offset = 1, getattr(self.memory, "has:" + key).offset
        if field.entities:
            if key not in self.inner or not field.count:
                raise ValueError(f"{key}: entities are an array of structs, with a count")
            native.flags, native.flag_offset = 2, getattr(self.inner[key].memory, "generation:").offset
        native.fraction_bits = field.fraction_bits
        if field.decimals is not None:
            native.precision, native.decimals = 1, field.decimals
        if field.tolerance is not None:
            native.precision, native.tolerance = 2, field.tolerance
        if field.relation is not None:
            native.relation = 1 + _relations.index(field.relation)
        others = [each.encode() for each in ((field.of,) if isinstance(field.of, str) else field.of)]
        native.first, native.second = (others + [None, None])[:2]
        native.unit = _optional_text(field.unit)

    def fill(self, memory, values):
        for key, value in values.items():
            field = self.fields.get(key)
            if field is None:
                raise KeyError("the struct has no member " + repr(key))
            if field.optional:
                setattr(memory, "has:" + key, value is not None)
                if value is None:
                    continue
            if field.entities:
                self._set_entities(key, value, getattr(memory, key))
            elif field.count:
                target = getattr(memory, key)
                if len(value) != field.count:
                    raise ValueError(f"{key} has {field.count} elements, not {len(value)}")
                for index, each in enumerate(value):
                    self._set(key, each, target, index)
            else:
                self._set(key, value, memory, key)

    def _set_entities(self, key, values, target):
        places = self.places[key]
        if len(values) > len(target):
            raise ValueError(f"{key} has {len(target)} places, not {len(values)}")

        def next_generation(place):
            generation = getattr(target[place], "generation:") + 1
            ctypes.memset(ctypes.addressof(target[place]), 0, ctypes.sizeof(target[place]))
            setattr(target[place], "generation:", generation)

        for gone in places.keys() - values.keys():
            next_generation(places.pop(gone))
        used = set(places.values())
        free = (place for place in range(len(target)) if place not in used)
        for each, members in values.items():
            if each not in places:
                places[each] = next(free)
                next_generation(places[each])
            self.inner[key].fill(target[places[each]], members)

    def _set(self, key, value, target, place):
        inner = self.inner.get(key)
        if inner is not None:
            inner.fill(target[place] if isinstance(place, int) else getattr(target, place), value)
            return
        kind = self.fields[key].type
        if isinstance(kind, type):
            value = _enumerated(key, value if isinstance(value, enum.Enum) else kind[value])
        elif kind.startswith("text:"):
            value = _cut(str(value), int(kind[5:]))
        elif kind[0] in "iu":
            bits = self.fields[key].fraction_bits
            given, value = value, round(value * 2**bits) if bits else value
            _check_range(key, value, kind, given)
        if isinstance(place, int):
            if isinstance(value, bytes):
                target[place].value = value
            else:
                target[place] = value
        else:
            setattr(target, place, value)


def _enumerated(key, member):
    """The value of an enumerator, which is recorded as i32."""
    if not isinstance(member.value, int):
        raise TypeError(f"{key}: {member!r} is not a whole number")
    _check_range(key, member.value, "i32", member)
    return member.value


def _check_range(key, value, kind, shown=None):
    """Rejects an integer that does not fit: ctypes would cut it without an error."""
    bits = int(kind[1:])
    least = -2**(bits - 1) if kind[0] == "i" else 0
    if not least <= value < least + 2**bits:
        raise OverflowError(f"{key}: {value if shown is None else shown!r} does not fit into {kind}")


def _cut(text, size):
    """At most `size` bytes of UTF-8, with whole characters."""
    return text.encode()[:size].decode("utf-8", "ignore").encode()


class _Log:
    """Calls the caller's function from the writer thread."""

    def __init__(self, function):
        self.function = function
        self.native = _native.LogFunction(self._call)
        self.thread = None  # that it runs on

    def _call(self, _, code, sentence):
        self.thread = threading.get_ident()
        try:
            self.function(_lib.code_name(code).decode(), sentence.decode("utf-8", "replace"))
        finally:
            self.thread = None


def _free_recorder(handle, log):
    # The writer waits for its log, in which the collector may run: another thread must end it.
    if log is not None and log.thread == threading.get_ident():
        threading.Thread(target=_free_recorder, args=(handle, log)).start()
    else:
        _lib.recorder_free(handle)


class Recorder:
    """Records structs into a reel. Members keep their value until a push changes it."""

    def __init__(self, path, fields, name, events, options, log=None):
        self._struct = _Struct(name, fields, is_state=True)
        self._state = self._struct.memory()
        self._events = {key: _Struct(key, members) for key, members in events.items()}
        self._handle = ctypes.c_void_p()
        self._counters = None
        keeps = None if log is None else _Log(log)
        if keeps is not None:
            options.log = keeps.native
        _check(_lib.record(_path(path), self._struct.handle, options, self._handle))
        # Also when Python ends: no thread of the library may call the log afterwards.
        self._free = weakref.finalize(self, _free_recorder, ctypes.c_void_p(self._handle.value), keeps)

    def push(self, values=None, **more):
        """Records one tick. False if it was dropped, which is counted."""
        if values:
            self._struct.fill(self._state, values)
        if more:
            self._struct.fill(self._state, more)
        return _lib.push(self._open_handle(), ctypes.addressof(self._state)) == 1

    def push_at(self, tick, time_us, values=None, **more):
        """The same with the tick's number, which rises, and its time in microseconds since the start."""
        self._struct.fill(self._state, dict(values or {}, **more))
        return _lib.push_at(self._open_handle(), tick, time_us, ctypes.addressof(self._state)) == 1

    def event(self, name, **values):
        """Records an event at the tick pushed last, whose members record() was given. False if it was dropped."""
        kind = self._events[name]
        memory = kind.memory()
        kind.fill(memory, values)
        return _lib.event(self._open_handle(), kind.handle, ctypes.addressof(memory)) == 1

    def pump(self):
        """With `pumped`: writes what waits in the ring; returns the number of ticks. One thread at a time."""
        return _lib.pump(self._open_handle())

    def save_last(self, seconds, path):
        """Writes the last seconds into a new reel; returns the number of its ticks."""
        saved = _native.Saved()
        _check(_lib.save_last(self._open_handle(), int(seconds * 1000), _path(path), saved))
        return saved.ticks

    def counters(self):
        """A dict: pushed, dropped, written, lost, events, stored_bytes, ... and is_whole."""
        if self._counters is not None:
            return self._counters
        counters = _native.Counters()
        _check(_lib.recorder_counters(self._open_handle(), counters))
        return _counters_of(counters)

    def close(self):
        """Ends the reel; returns the counters."""
        if self._counters is None:
            counters = _native.Counters()
            code = _lib.close(self._open_handle(), counters)
            try:
                _check(code)
            finally:
                if code != _native.WRONG_STATE:  # its own log must not close it
                    self._handle = None
                    self._free()
            self._counters = _counters_of(counters)
        return self._counters

    def _open_handle(self):
        if not self._handle:
            raise ValueError("the recorder is closed")
        return self._handle

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._handle:
            self.close()


def _counters_of(native):
    out = {name: getattr(native, name) for name, _ in native._fields_ if name != "struct_bytes"}
    out["is_whole"] = native.is_whole == 1
    return out


def record(path, fields, rate=0, name="state", events=None, metadata=None, loss=None, seal_interval_ms=0,
           compact=False, pumped=False, log=None):
    """Records structs into a new reel.

    `fields` maps names to types: see Field; `events` maps names of events to their members. `rate` in ticks per second;
    0: the time of the clock. `loss`: "block" waits while the ring is full, "drop_newest" and "drop_oldest" drop ticks.
    `pumped`: there is no writer thread, the caller calls Recorder.pump(); a push never waits then.

    `log` is called with the name of a code and a sentence when writing starts to fail, "no_space", and when it works again,
    "ok". It runs on the writer thread, or in pump() and close(); it may call counters(), but not close(). Its exceptions are
    printed and ignored.
    """
    if loss is None:
        loss = "drop_newest" if pumped else "block"
    if pumped and loss == "block":
        raise ValueError("a pumped recorder cannot wait: no thread would empty its ring")
    entries = [(key.encode(), str(value).encode()) for key, value in (metadata or {}).items()]
    options = _native.RecordOptions(
        loss_policy=("drop_newest", "drop_oldest", "block").index(loss), ticks_per_second=rate,
        seal_interval_ms=seal_interval_ms, is_compact=compact, is_pumped=pumped, metadata=(_native.Entry * len(entries))(*entries),
        metadata_count=len(entries))
    return Recorder(path, fields, name, events or {}, options, log)


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
    code, found = _collect(lambda each: _lib.query(sql.encode(), (ctypes.c_char_p * len(files))(*files), len(files), each,
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

"""Recording: structs in the memory of ctypes, and their recorder."""

import ctypes
import enum
import threading
import weakref

from . import _native
from ._calls import check, optional_text, path_bytes, text_bytes
from ._native import lib as _lib

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
        check(_lib.describe(text_bytes(name), ctypes.sizeof(self.memory), natives, len(given), self.handle))

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
        if isinstance(kind, str) and kind.startswith("text:") and kind[5:].isdecimal():
            return ctypes.c_char * int(kind[5:])
        if not isinstance(kind, str) or kind not in _scalars:
            raise ValueError(f"{key}: unknown type {kind!r}; the types are {', '.join(_scalars)}, text:16, an enum, a dict")
        return _scalars[kind][1]

    def _describe(self, native, key, field, keeps):
        native.struct_bytes = ctypes.sizeof(_native.Field)
        native.name = text_bytes(key)
        native.offset = getattr(self.memory, key).offset
        native.count = field.count
        kind = field.type
        if isinstance(kind, dict):
            native.type, native.of = _struct_type, self.inner[key].handle
        elif isinstance(kind, type):
            words = (_native.Enumerator * len(kind))(*((text_bytes(each.name), _enumerated(key, each)) for each in kind))
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
        others = [text_bytes(each) for each in ((field.of,) if isinstance(field.of, str) else field.of)]
        native.first, native.second = (others + [None, None])[:2]
        native.unit = optional_text(field.unit)

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
        try:
            self._set_scalar(key, kind, value, target, place)
        except TypeError as failure:
            raise TypeError(f"{key}: {value!r} is not of the type {kind}") from failure

    def _set_scalar(self, key, kind, value, target, place):
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
    return text_bytes(text)[:size].decode("utf-8", "ignore").encode()


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
        check(_lib.record(path_bytes(path), self._struct.handle, options, self._handle))
        # Also when Python ends: no thread of the library may call the log afterwards.
        self._free = weakref.finalize(self, _free_recorder, ctypes.c_void_p(self._handle.value), keeps)

    def push(self, values=None, **more):
        """Records one tick. False if it was dropped, which is counted."""
        self._change(values or {}, more)
        return _lib.push(self._open_handle(), ctypes.addressof(self._state)) == 1

    def push_at(self, tick, time_us, values=None, **more):
        """The same with the tick's number, which rises, and its time in microseconds since the start."""
        self._change(values or {}, more)
        return _lib.push_at(self._open_handle(), tick, time_us, ctypes.addressof(self._state)) == 1

    def _change(self, *changes):
        """Fills the state; a value that is refused leaves all members as they were."""
        before = bytes(self._state)
        places = {key: dict(each) for key, each in self._struct.places.items()}
        try:
            for each in changes:
                self._struct.fill(self._state, each)
        except BaseException:
            ctypes.memmove(ctypes.addressof(self._state), before, len(before))
            self._struct.places = places
            raise

    def event(self, name, **values):
        """Records an event at the tick pushed last, whose members record() was given. False if it was dropped."""
        kind = self._events.get(name)
        if kind is None:
            raise KeyError("record() was given no event " + repr(name))
        memory = kind.memory()
        kind.fill(memory, values)
        return _lib.event(self._open_handle(), kind.handle, ctypes.addressof(memory)) == 1

    def pump(self):
        """With `pumped`: writes what waits in the ring; returns the number of ticks. One thread at a time."""
        return _lib.pump(self._open_handle())

    def save_last(self, seconds, path):
        """Writes the last seconds into a new reel; returns the number of its ticks."""
        saved = _native.Saved()
        check(_lib.save_last(self._open_handle(), int(seconds * 1000), path_bytes(path), saved))
        return saved.ticks

    def counters(self):
        """A dict: pushed, dropped, written, lost, events, stored_bytes, ... and is_whole."""
        if self._counters is not None:
            return self._counters
        counters = _native.Counters()
        check(_lib.recorder_counters(self._open_handle(), counters))
        return _counters_of(counters)

    def close(self):
        """Ends the reel; returns the counters."""
        if self._counters is None:
            counters = _native.Counters()
            code = _lib.close(self._open_handle(), counters)
            try:
                check(code)
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
           compact=False, pumped=False, log=None, memory_bytes=0):
    """Records structs into a new reel.

    `fields` maps names to types: see Field; `events` maps names of events to their members. `rate` in ticks per second;
    0: the time of the clock. `loss`: "block" waits while the ring is full, "drop_newest" and "drop_oldest" drop ticks.
    `pumped`: there is no writer thread, the caller calls Recorder.pump(); a push never waits then. `memory_bytes` limits the
    memory of the recorder: the ring and the chunks become smaller; 0: no limit.

    `log` is called with the name of a code and a sentence when writing starts to fail, "no_space", and when it works again,
    "ok". It runs on the writer thread, or in pump() and close(); it may call counters(), but not close(). Its exceptions are
    printed and ignored.
    """
    if loss is None:
        loss = "drop_newest" if pumped else "block"
    if pumped and loss == "block":
        raise ValueError("a pumped recorder cannot wait: no thread would empty its ring")
    entries = [(text_bytes(key), text_bytes(str(value))) for key, value in (metadata or {}).items()]
    options = _native.RecordOptions(
        loss_policy=("drop_newest", "drop_oldest", "block").index(loss), ticks_per_second=rate,
        seal_interval_ms=seal_interval_ms, is_compact=compact, is_pumped=pumped, metadata=(_native.Entry * len(entries))(*entries),
        metadata_count=len(entries), memory_bytes=memory_bytes)
    return Recorder(path, fields, name, events or {}, options, log)

"""The C ABI of libtickreel.so.0 (tickreel.dll) for ctypes. recorders/c/include/tickreel.h documents every function."""

import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

OK, END, WRONG_STATE = 0, -1, 102


def _find_library():
    """The library of the wheel, that of TICKREEL_LIBRARY, or that of the system."""
    named = os.environ.get("TICKREEL_LIBRARY")
    if named:
        return named
    name = "tickreel.dll" if os.name == "nt" else "libtickreel.so.0"
    inside = pathlib.Path(__file__).parent / name
    return str(inside) if inside.exists() else name


class Text(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("bytes", c_size_t)]

    def __bytes__(self):
        return ctypes.string_at(self.data, self.bytes) if self.data else b""


class _Growing(ctypes.Structure):
    """A struct whose first member is its size."""

    def __init__(self, **members):
        super().__init__(struct_bytes=ctypes.sizeof(type(self)), **members)


class Enumerator(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_int64)]


class Field(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("type", c_int32), ("name", c_char_p), ("offset", c_uint32), ("count", c_uint32),
        ("stride", c_uint32), ("text_bytes", c_uint32), ("of", c_void_p), ("flags", c_uint32), ("flag_offset", c_uint32),
        ("fraction_bits", c_uint32), ("enumerator_count", c_uint32), ("enumerators", POINTER(Enumerator)),
        ("precision", c_int32), ("decimals", c_uint32), ("tolerance", c_double), ("relation", c_int32),
        ("relation_rate", c_uint32), ("first", c_char_p), ("second", c_char_p), ("unit", c_char_p),
    ]


class Entry(ctypes.Structure):
    _fields_ = [("key", c_char_p), ("value", c_char_p)]


LogFunction = ctypes.CFUNCTYPE(None, c_void_p, c_int32, c_char_p)


class RecordOptions(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("loss_policy", c_int32), ("ticks_per_second", c_double), ("start_time_us", c_int64),
        ("ring_ticks", c_uint32), ("seal_interval_ms", c_uint32), ("is_pumped", c_uint32), ("leaves_sync", c_uint32),
        ("metadata", POINTER(Entry)), ("metadata_count", c_uint32), ("is_compact", c_uint32),
        ("receive", c_void_p), ("receive_user", c_void_p),
        ("log", LogFunction), ("log_user", c_void_p), ("allocate", c_void_p), ("release", c_void_p), ("memory_user", c_void_p),
        ("memory_bytes", c_uint64),
    ]


class Counters(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("is_whole", c_uint32), ("pushed", c_uint64), ("dropped", c_uint64),
        ("refused", c_uint64), ("written", c_uint64), ("lost", c_uint64), ("events", c_uint64), ("events_lost", c_uint64),
        ("raw_bytes", c_uint64), ("stored_bytes", c_uint64),
    ]


class Saved(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("reserved", c_uint32), ("first_tick", c_uint64), ("last_tick", c_uint64),
        ("ticks", c_uint64), ("lost_ticks", c_uint64), ("bytes", c_uint64),
    ]


class OpenOptions(_Growing):
    _fields_ = [("struct_bytes", c_uint32), ("is_live", c_uint32), ("is_repair", c_uint32), ("is_copied", c_uint32)]


class Tick(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("is_keyframe", c_uint32), ("tick", c_uint64), ("time_ms", c_int64),
        ("offset", c_uint64),
    ]


class EventQuery(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("type_count", c_uint32), ("types", POINTER(c_char_p)), ("player", c_char_p),
        ("start", c_char_p), ("end", c_char_p),
    ]


class Column(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("type", c_int32), ("name", c_char_p), ("count", c_uint64), ("null_count", c_uint64),
        ("values", c_void_p), ("validity", c_void_p), ("offsets", c_void_p),
    ]


class FileOptions(_Growing):
    _fields_ = [
        ("struct_bytes", c_uint32), ("overwrites", c_uint32), ("format", c_char_p), ("start", c_char_p), ("end", c_char_p),
        ("keyframe_interval", c_uint32), ("reserved", c_uint32),
    ]


class ArrowSchema(ctypes.Structure):
    _fields_ = [
        ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64),
        ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p),
    ]


class ArrowArray(ctypes.Structure):
    _fields_ = [
        ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
        ("buffers", c_void_p), ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class ArrowArrayStream(ctypes.Structure):
    _fields_ = [
        ("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p), ("release", c_void_p),
        ("private_data", c_void_p),
    ]


JsonFunction = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(ctypes.c_char), c_size_t)

_functions = {
    "version": (c_char_p, []),
    "error": (c_char_p, []),
    "error_offset": (c_uint64, []),
    "code_name": (c_char_p, [c_int32]),
    "describe": (c_int32, [c_char_p, c_uint32, POINTER(Field), c_uint32, POINTER(c_void_p)]),
    "struct_free": (None, [c_void_p]),
    "record": (c_int32, [c_char_p, c_void_p, POINTER(RecordOptions), POINTER(c_void_p)]),
    "push": (c_int32, [c_void_p, c_void_p]),
    "push_at": (c_int32, [c_void_p, c_uint64, c_int64, c_void_p]),
    "event": (c_int32, [c_void_p, c_void_p, c_void_p]),
    "pump": (c_uint64, [c_void_p]),
    "save_last": (c_int32, [c_void_p, c_uint64, c_char_p, POINTER(Saved)]),
    "recorder_counters": (c_int32, [c_void_p, POINTER(Counters)]),
    "recorder_failure": (c_int32, [c_void_p]),
    "close": (c_int32, [c_void_p, POINTER(Counters)]),
    "recorder_free": (None, [c_void_p]),
    "open": (c_int32, [c_char_p, POINTER(OpenOptions), POINTER(c_void_p)]),
    "open_memory": (c_int32, [c_char_p, c_size_t, POINTER(OpenOptions), POINTER(c_void_p)]),
    "recording_free": (None, [c_void_p]),
    "format": (c_char_p, [c_void_p]),
    "info": (c_int32, [c_void_p, POINTER(Text)]),
    "next": (c_int32, [c_void_p, POINTER(Tick)]),
    "tick_json": (c_int32, [c_void_p, POINTER(Text)]),
    "lines_before": (c_int32, [c_void_p, POINTER(Text)]),
    "lines_after": (c_int32, [c_void_p, POINTER(Text)]),
    "rewind": (c_int32, [c_void_p]),
    "seek": (c_int32, [c_void_p, c_char_p]),
    "losses": (c_int32, [c_void_p, POINTER(Text)]),
    "events": (c_int32, [c_void_p, POINTER(EventQuery), JsonFunction, c_void_p]),
    "event_types": (c_int32, [c_void_p, POINTER(Text)]),
    "statistics": (c_int32, [c_void_p, POINTER(Text)]),
    "verify": (c_int32, [c_void_p, POINTER(Text)]),
    "extend": (c_int32, [c_void_p, POINTER(c_int32)]),
    "fields": (c_int32, [c_void_p, POINTER(Text)]),
    "read_columns": (c_int32, [c_void_p, POINTER(c_char_p), c_uint32, POINTER(c_void_p)]),
    "column_count": (c_uint32, [c_void_p]),
    "column_at": (c_int32, [c_void_p, c_uint32, POINTER(Column)]),
    "columns_free": (None, [c_void_p]),
    "columns_to_arrow": (c_int32, [c_void_p, POINTER(ArrowSchema), POINTER(ArrowArray)]),
    "columns_to_stream": (c_int32, [c_void_p, c_uint64, POINTER(ArrowArrayStream)]),
    "query": (c_int32, [c_char_p, POINTER(c_char_p), c_uint32, JsonFunction, c_void_p, POINTER(Text)]),
    "convert": (c_int32, [c_char_p, c_char_p, POINTER(FileOptions), POINTER(Text)]),
    "recover": (c_int32, [c_char_p, c_char_p, POINTER(FileOptions), POINTER(Text)]),
}


class _Library:
    """tickreel_NAME as attribute NAME."""

    def __init__(self):
        self._library = ctypes.CDLL(_find_library())
        for name, (result, arguments) in _functions.items():
            function = getattr(self._library, "tickreel_" + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)


lib = _Library()

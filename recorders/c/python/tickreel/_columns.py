"""Columns of values, shared with Arrow without a copy."""

import ctypes

from . import _native
from ._calls import check
from ._native import lib as _lib


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
            check(_lib.column_at(handle, number, native))
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
        check(_lib.columns_to_arrow(self._handle, schema, None))
        return _capsule(schema, b"arrow_schema")

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = _native.ArrowSchema(), _native.ArrowArray()
        check(_lib.columns_to_arrow(self._handle, schema, array))
        return _capsule(schema, b"arrow_schema"), _capsule(array, b"arrow_array")

    def __arrow_c_stream__(self, requested_schema=None):
        stream = _native.ArrowArrayStream()
        check(_lib.columns_to_stream(self._handle, 0, stream))
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

"""Failures of the library as exceptions, and arguments as C takes them."""

import ctypes
import json as _json
import os

from . import _native
from ._native import lib as _lib


class Error(Exception):
    """A failure of the library. `code` is its name, such as "truncated"; `offset` the byte offset, or None."""

    def __init__(self, code, message, offset=None):
        super().__init__(message)
        self.code = code
        self.offset = offset


_no_offset = 2**64 - 1


def check(code):
    if code == _native.OK:
        return
    offset = _lib.error_offset()
    raise Error(_lib.code_name(code).decode(), _lib.error().decode("utf-8", "replace"),
                None if offset == _no_offset else offset)


def path_bytes(path):
    return _without_zero(os.fsencode(path))


def text_bytes(text):
    """UTF-8 for the library, whose texts end at the first zero byte."""
    return _without_zero(text.encode())


def optional_text(text):
    return None if text is None else text_bytes(str(text))


def _without_zero(encoded):
    if b"\0" in encoded:
        raise ValueError(f"a text with a zero byte: {encoded!r}")
    return encoded


def collect(call):
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

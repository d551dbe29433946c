// windows.h as every source here wants it: without macros min() and max(), and without what is rarely used of
// it. Headers that stand on it (shellapi.h, timeapi.h) are included behind this one.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

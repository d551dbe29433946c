// Includes windows.h without the macros min() and max() and without rarely used parts. Headers that depend on
// it (shellapi.h, timeapi.h) are included after this one.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

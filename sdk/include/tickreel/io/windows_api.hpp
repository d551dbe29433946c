// Includes windows.h without the macros min() and max() and without rarely used parts; nothing on other
// systems. Only for sources that call the system: its macros (near, far, small) are names elsewhere. Headers
// that depend on it (shellapi.h, timeapi.h) are included after this one.
#pragma once

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#endif

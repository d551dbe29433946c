// Includes windows.h. Headers that depend on it (shellapi.h, timeapi.h) are included after this one.
#pragma once

#include <windows.h>

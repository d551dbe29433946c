// Macros that an Unreal module or a plain <windows.h> has defined before our headers are included.
#pragma once

#ifdef _WIN32
#include <windows.h>
#endif

// Unreal: Core.
#define check(expression) unreal_check_was_expanded((expression))
#define verify(expression) unreal_verify_was_expanded((expression))
#define ensure(expression) unreal_ensure_was_expanded((expression))
#define PI (3.1415926535897932f)
#ifndef TEXT
#define TEXT(text) L##text
#endif

// <windows.h> without NOMINMAX and WIN32_LEAN_AND_MEAN, as Microsoft's defines them; MinGW's lacks some.
#ifndef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef max
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#ifndef small
#define small char
#endif
#ifndef near
#define near
#endif
#ifndef far
#define far
#endif
#ifndef interface
#define interface struct
#endif
#ifndef ERROR
#define ERROR 0
#endif
#ifndef _WIN32
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define DELETE (0x00010000L)
#define NO_ERROR 0L
#define TRUE 1
#define FALSE 0
#define GetMessage GetMessageA
#define CreateFile CreateFileA
#endif

// Macros that an Unreal module or a plain <windows.h> has defined before it includes one of our headers.
#pragma once

// Unreal: Core.
#define check(expression) unreal_check_was_expanded((expression))
#define verify(expression) unreal_verify_was_expanded((expression))
#define ensure(expression) unreal_ensure_was_expanded((expression))
#define TEXT(text) L##text
#define PI (3.1415926535897932f)

// <windows.h> without NOMINMAX and WIN32_LEAN_AND_MEAN.
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define small char
#define near
#define far
#define interface struct
#define ERROR 0
#define IN
#define OUT
#define CONST const
#define DELETE (0x00010000L)
#define NO_ERROR 0L
#define GetMessage GetMessageA
#define CreateFile CreateFileA

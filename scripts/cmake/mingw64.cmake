# 64-bit Windows 10 and later, compiled by Debian's mingw-w64 (with POSIX threads), everything static. Used by
# scripts/windows.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Templates of Asio create more sections than the old object format supports.
set(CMAKE_C_FLAGS_INIT "-D_WIN32_WINNT=0x0A00")
set(CMAKE_CXX_FLAGS_INIT "-D_WIN32_WINNT=0x0A00 -Wa,-mbig-obj")
set(CMAKE_CXX_FLAGS_RELEASE_INIT "-O2 -DNDEBUG")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,--gc-sections")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TICKREEL_WINDOWS_LIBRARIES)
# No other packages: mingw-w64's own folder may contain a zlib as a DLL.
set(CMAKE_FIND_ROOT_PATH "${TICKREEL_WINDOWS_LIBRARIES}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(TICKREEL_WINE NAMES wine64 wine PATHS /usr/lib/wine NO_CMAKE_FIND_ROOT_PATH)
if(TICKREEL_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${TICKREEL_WINE}")
endif()

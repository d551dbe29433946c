# The toolchain of Debian's clang-22, lld-22, libc++-22-dev-wasm32 and wasi-libc, which keeps its files under the
# old name of the target. Used by scripts/wasm.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# The linker reads archives itself, so those of any ar work.
set(CMAKE_AR ar CACHE STRING "")
set(CMAKE_RANLIB ranlib CACHE STRING "")
set(CMAKE_CXX_FLAGS_INIT
  "-fno-exceptions -fno-rtti -msimd128 -mbulk-memory -Wno-deprecated -Wdeprecated-declarations")
# A page loads it over a network. The linker compiles the whole program in one step, which makes it 5 % smaller.
set(CMAKE_CXX_FLAGS_RELEASE "-Oz -flto -DNDEBUG" CACHE STRING "")
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)
# A library without an entry point: the host calls its exports. A stack as large as that of a thread elsewhere; its overflow is an
# error and does not overwrite other data.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mexec-model=reactor -Wl,--gc-sections,--strip-all,--stack-first -Wl,-z,stack-size=1048576")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

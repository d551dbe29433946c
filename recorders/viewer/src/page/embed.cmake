# Makes a source of the page's files: cmake -D PAGE=FOLDER -D OUT=FILE.cpp -P embed.cmake
# PAGE empty: of none.
# Every compiler here takes texts longer than the standard asks of them; MSVC takes none above 64 KB.
set(text "// Made by embed.cmake.\n#ifdef __GNUC__\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n\n")
string(APPEND text "#include \"page/embedded.hpp\"\n\nnamespace tickreel::viewer {\n\nnamespace {\n\n")
set(cases "")
if(PAGE)
  # A bundle contains the hashes of its files: git on Windows, for example, may have changed their line
  # endings.
  set(manifest "")
  if(EXISTS "${PAGE}/manifest.json")
    file(READ "${PAGE}/manifest.json" manifest)
  endif()
  set(number 0)
  foreach(name index.html app.js worker.js app.css reader.wasm others.wasm)
    if(manifest)
      file(SHA256 "${PAGE}/${name}" hash)
      string(JSON expected GET "${manifest}" sha256 ${name})
      if(NOT hash STREQUAL expected)
        message(FATAL_ERROR "${PAGE}/${name} is not the file that manifest.json describes: restore it, or run scripts/viewer --bundle")
      endif()
    endif()
    file(READ "${PAGE}/${name}" bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR size "${digits} / 2")
    # As a string literal: compilers are fast with those, and slow with long lists of numbers.
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
    string(APPEND text "constexpr char file_${number}[] =\n    \"${bytes}\";\n")
    string(APPEND cases "  if (name == \"${name}\") return {file_${number}, ${size}};\n")
    math(EXPR number "${number} + 1")
  endforeach()
endif()
string(APPEND text "}  // namespace\n\nstd::string_view embedded_file([[maybe_unused]] std::string_view name) noexcept {\n${cases}  return {};\n}\n\n}  // namespace tickreel::viewer\n")
file(WRITE "${OUT}" "${text}")

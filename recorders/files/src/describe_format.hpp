// Helpers for format descriptions: members that some programs leave out.
#pragma once

#include "tickreel/files/format.hpp"

namespace tickreel::files {

// A function that needs files; null in a program without file access.
template <class Function>
consteval Function* with_files([[maybe_unused]] Function* function) {
#ifdef TICKREEL_WITHOUT_FILES
  return nullptr;
#else
  return function;
#endif
}

// Whether this program opens the formats of that reader. The viewer's page consists of two programs that
// share the formats; all other programs open everything.
consteval bool opens([[maybe_unused]] page_reader of) {
#if defined(TICKREEL_READS_ECHO)
  return of == page_reader::echo || of == page_reader::by_encoder;
#elif defined(TICKREEL_READS_OTHERS)
  return of == page_reader::others || of == page_reader::by_encoder;
#else
  return true;
#endif
}

inline result<std::unique_ptr<recording>> open_elsewhere(const byte_source&, const open_options&) {
  return fail(error_code::unsupported_operation, error::no_offset, read_elsewhere);
}

// Neither of the page's readers has room for the format.
inline result<std::unique_ptr<recording>> open_nowhere(const byte_source&, const open_options&) {
  return fail(error_code::unsupported_operation, error::no_offset,
              "the viewer's page does not open this format: convert the file to .echoreplay first");
}

// A function of a format that the page's `reader` opens; `otherwise` in the other program.
template <class Function>
consteval Function* opened_by(page_reader reader, Function* function, Function* otherwise = nullptr) {
  return opens(reader) ? function : otherwise;
}

}  // namespace tickreel::files

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

// Whether this program opens the formats of that reader. The viewer's page consists of three programs that
// share the formats; all other programs open everything.
consteval bool opens([[maybe_unused]] page_reader of) {
#if defined(TICKREEL_READS_ECHO)
  return of == page_reader::echo || of == page_reader::by_encoder;
#elif defined(TICKREEL_READS_OTHERS)
  return of == page_reader::others || of == page_reader::by_encoder;
#elif defined(TICKREEL_READS_CAPTURES)
  return of == page_reader::captures || of == page_reader::by_encoder;
#else
  return true;
#endif
}

template <page_reader Reader>
result<std::unique_ptr<recording>> open_elsewhere(const byte_source&, const open_options&) {
  return fail(error_code::unsupported_operation, error::no_offset, read_elsewhere,
              static_cast<std::int64_t>(Reader));
}

// A function for the programs with that reader; `otherwise` in the others.
template <page_reader Reader, class Function>
consteval Function* only_in(Function* function, Function* otherwise = nullptr) {
  return opens(Reader) ? function : otherwise;
}

// The function that opens recordings of a format: in a program without that reader the error names it.
template <page_reader Reader>
consteval auto opened_by(decltype(format::open) open) {
  return opens(Reader) ? open : &open_elsewhere<Reader>;
}

}  // namespace tickreel::files

// What modules of virtual tables share.
#pragma once

#include <sqlite3.h>

#include <exception>
#include <string_view>

namespace tickreel::query {

// SQLite is C: no exception may pass it.
template <class Function>
int guarded(Function&& function) noexcept {
#ifdef __cpp_exceptions
  try {
    return function();
  } catch (const std::exception&) {
    return SQLITE_NOMEM;
  }
#else
  return function();
#endif
}

// Whether a restriction compares texts byte by byte. SQLite also offers those with another collation, under which more
// rows are equal.
inline bool is_binary_comparison(sqlite3_index_info& of, int constraint) noexcept {
  const char* const collation = sqlite3_vtab_collation(&of, constraint);
  return collation == nullptr || std::string_view(collation) == "BINARY";
}

}  // namespace tickreel::query

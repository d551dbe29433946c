// Ticks as verbs and pages print them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lines.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/viewer/reader.hpp"

namespace tickreel::test {

inline std::uint64_t number_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == std::string_view::npos
             ? UINT64_MAX
             : std::strtoull(std::string(text.substr(at + key.size(), 20)).c_str(), nullptr, 10);
}

// Prints each tick as the viewer's reader returns it. 0: whole; 1 and 2: it cannot be opened; 3: a tick cannot be read.
inline int print_in_viewer(byte_span recording) {
  viewer::reader reader;
  std::byte* const place = reader.room(recording.size());
  if (place == nullptr) return 1;
  std::copy(recording.begin(), recording.end(), place);
  if (!reader.open().starts_with("{\"ok\":true")) return 2;
  std::uint64_t next = 0;
  for (;;) {
    const std::string& text = reader.range(next, 1000);
    if (text.empty()) return 0;
    if (text.starts_with("{\"error\"")) return 3;
    std::printf("%s\n", text.c_str());
    next = number_after(lines_of(text).back(), "{\"tick\":") + 1;
  }
}

}  // namespace tickreel::test

// Texts for help and messages, derived from the list of formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/format.hpp"

namespace tickreel::cli {

// "a, b and c"
[[nodiscard]] std::string list_of(const std::vector<std::string_view>& words);

// The extensions of the formats that have the member: ".butter, .icrep and .rec".
template <class Member>
[[nodiscard]] std::string formats_with(Member files::format::* member) {
  std::vector<std::string_view> found;
  for (const files::format& each : files::formats()) {
    if (each.*member != nullptr) found.push_back(each.extension);
  }
  return list_of(found);
}

// ".butter takes none, gzip and zstd"
[[nodiscard]] std::string codecs_of(const files::format& output);
// The same for each format that conversions write.
[[nodiscard]] std::string codecs_of_outputs();

}  // namespace tickreel::cli

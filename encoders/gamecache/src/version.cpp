#include "tickreel/gamecache/version.hpp"

namespace tickreel::gamecache {

std::string version_text(std::uint32_t version) {
  if (version == 0) return {};
  const std::uint32_t minor = version % 2600 / 26;
  const std::uint32_t letter = version % 26;
  std::string out = std::to_string(version / 2600);
  out += minor < 10 ? ".0" : ".";
  out += std::to_string(minor);
  if (letter != 0) out += static_cast<char>('a' + letter);
  return out;
}

std::optional<std::int64_t> unix_seconds(std::int64_t stored) noexcept {
  constexpr std::int64_t latest_unix_seconds = 100'000'000'000;
  constexpr std::int64_t least_file_time = 10'000'000'000'000'000;
  constexpr std::int64_t file_time_of_1970 = 116'444'736'000'000'000;  // 1601 to 1970 in steps of 100 ns
  if (stored >= 0 && stored <= latest_unix_seconds) return stored;
  if (stored <= least_file_time) return std::nullopt;
  const std::int64_t steps = stored - file_time_of_1970;
  return steps >= 0 ? steps / 10'000'000 : -((-steps + 9'999'999) / 10'000'000);
}

}  // namespace tickreel::gamecache

#include "tickreel/gamecache/version.hpp"

#include <charconv>

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

std::optional<std::uint32_t> parse_version(std::string_view text) noexcept {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  const char* const end = text.data() + text.size();
  const auto [dot, first_problem] = std::from_chars(text.data(), end, major);
  if (first_problem != std::errc{} || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, second_problem] = std::from_chars(dot + 1, end, minor);
  // Two digits: "6.5" could mean 6.05 or 6.50.
  if (second_problem != std::errc{} || rest - dot != 3 || major > 1'000'000) return std::nullopt;
  if (rest == end) return make_version(major, minor);
  if (end - rest != 1 || *rest < 'a' || *rest > 'z') return std::nullopt;
  return make_version(major, minor, static_cast<std::uint32_t>(*rest - 'a'));
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

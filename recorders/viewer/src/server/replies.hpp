// Parses requests of the page's server, without sockets.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tickreel::viewer {

// A part of a resource of `size` bytes.
struct byte_range {
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // one after its last byte
};
enum class range_kind : std::uint8_t {
  whole,  // no range, or an unsupported one: everything
  part,
  nothing,  // begins after the end
};
struct asked_range {
  range_kind kind = range_kind::whole;
  byte_range bytes;
};
// Parses a Range header; several ranges in one request are not supported, which HTTP permits.
[[nodiscard]] asked_range range_of(std::string_view header, std::uint64_t size) noexcept;

// "/recording?of=3": path and number. "/live?of=3&have=70": and the number of bytes that the client has.
// "/recording.json?game=1": and one of several games.
struct asked_target {
  std::string_view path;
  std::optional<std::uint64_t> game;
  std::optional<std::uint64_t> of;
  std::optional<std::uint64_t> have;
};
[[nodiscard]] asked_target target_of(std::string_view target) noexcept;

}  // namespace tickreel::viewer

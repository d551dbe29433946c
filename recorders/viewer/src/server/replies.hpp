// What a page's server makes of a request, without sockets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tickreel::viewer {

// A part of what is `size` bytes long.
struct byte_range {
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // behind its last byte
};
enum class range_kind : std::uint8_t {
  whole,  // no range, or one that is not understood: everything
  part,
  nothing,  // begins behind the end
};
struct asked_range {
  range_kind kind = range_kind::whole;
  byte_range bytes;
};
// Of a Range header; several ranges at once are not understood, which HTTP allows.
[[nodiscard]] asked_range range_of(std::string_view header, std::uint64_t size) noexcept;

// "/recording?of=3": path and number. "/live?of=3&have=70": and how many bytes of it are there.
// "/recording.json?game=1": of several games that one.
struct asked_target {
  std::string_view path;
  std::optional<std::uint64_t> game;
  std::optional<std::uint64_t> of;
  std::optional<std::uint64_t> have;
};
[[nodiscard]] asked_target target_of(std::string_view target) noexcept;

}  // namespace tickreel::viewer

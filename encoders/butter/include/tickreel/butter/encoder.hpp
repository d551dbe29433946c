// Encodes states as .butter version 3 frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/butter/options.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/record/encoder.hpp"

namespace tickreel::butter {

// What a .butter cannot store, counted during encoding.
struct omissions {
  std::uint64_t frames = 0;
  std::uint64_t unsupported_fields = 0;  // fields that the format never stores
  std::uint64_t clamped_values = 0;      // out of the format's range: written as the nearest valid value
  std::uint64_t transliterated_names = 0;
  std::uint64_t forced_keyframes = 0;  // where a delta would overflow or be misread
};

// The omissions as sentences: "3 names with letters that a .butter lacks were spelled without them".
[[nodiscard]] std::vector<std::string> sentences(const omissions& all);

// Contains a model of the format's own decoder and computes every difference against that decoder's state.
// Allocates only at construction; encode() is noexcept. One thread at a time.
class encoder {
 public:
  using state_type = echo::state;
  static constexpr std::string_view encoder_name = "butter";
  static constexpr std::uint32_t encoder_version = 3;

  explicit encoder(const encoder_options& options = {});
  encoder(encoder&&) noexcept;
  encoder& operator=(encoder&&) noexcept;
  ~encoder();

  [[nodiscard]] std::size_t max_frame_size() const noexcept;
  [[nodiscard]] bool needs_keyframe(const echo::state& next) const noexcept;
  // Writes a keyframe even for `delta` if needs_keyframe() requires one.
  void encode(const echo::state& next, frame_kind kind, byte_writer& out) noexcept;

  // The file header up to the map byte, as for a recording that ends now; file_layout fills in version,
  // interval and compression.
  [[nodiscard]] std::uint32_t header_revision() const noexcept;
  [[nodiscard]] std::size_t max_header_size() const noexcept;
  void write_header(byte_writer& out) const noexcept;

  // True if `next` needs another file: its session id or map differs from the first frame's, or the player
  // table is full.
  [[nodiscard]] bool needs_new_file(const echo::state& next) const noexcept;

  [[nodiscard]] const omissions& left_out() const noexcept;

 private:
  struct model;
  std::unique_ptr<model> model_;
};

}  // namespace tickreel::butter

// Reels as recordings: by their encoder, or with the facts of every reel.
#include <algorithm>

#include "reel_format.hpp"
#include "reels/ticked_reel.hpp"

namespace tickreel::files {

namespace {

// Frames of an unknown encoder.
class opaque_ticks {
 public:
  using state_type = std::size_t;  // bytes of the frame
  static constexpr std::string_view decoder_name = "";
  static bool reads_version(std::uint32_t) noexcept { return true; }

  result<void> decode(frame_kind, byte_span bytes) {
    bytes_ = bytes.size();
    return {};
  }
  [[nodiscard]] const state_type& state() const noexcept { return bytes_; }

  void append_state(std::string& json, bool keyframe) const {
    json += "\"keyframe\":";
    json += keyframe ? "true" : "false";
    json += ",\"frame_bytes\":";
    json += std::to_string(bytes_);
  }
  void describe(summary&) const {}

 private:
  std::size_t bytes_ = 0;
};

}  // namespace

claim claims_reel(const probe& file) noexcept {
  return as_text(file.head).starts_with("TICKREEL") ? claim::certain : claim::no;
}

std::optional<std::uint64_t> find_end_of_reel(byte_source& from, std::uint64_t /*file_bytes*/) {
  const auto opened = reel::reader::open(from);
  if (!opened || opened->contents().end != reel::reel_end::closed) return std::nullopt;
  return opened->contents().valid_bytes;
}

// Headers distinguish reels. If one reel is in a file twice, the reader returns the part that continues.
bool is_same_reel_at(const byte_source& from, std::uint64_t offset) {
  const auto first = reel::reader::open(from);
  if (!first || first->contents().records.empty()) return false;
  const auto bytes = static_cast<std::size_t>(first->contents().records.front().offset);
  byte_source one = from;
  byte_source other = from;
  const auto head = one.view(0, bytes);
  const auto again = other.view(offset, bytes);
  return head && again && std::ranges::equal(*head, *again);
}

result<std::unique_ptr<recording>> open_reel_recording(const byte_source& from, const open_options& options) {
  auto source = reel::reader::open(from);
  if (!source) return fail(source.error());
  const auto known = reel_encoder_of(source->head());
  if (known) return (*known)->open(from, options);
  if (known.error().code != error_code::unsupported_operation) return fail(known.error());
  return std::make_unique<ticked_reel<opaque_ticks>>(std::move(*source), opaque_ticks(), options.live);
}

}  // namespace tickreel::files

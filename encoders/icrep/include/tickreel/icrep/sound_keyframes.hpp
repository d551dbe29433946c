// Finds the usable keyframes of a file: those that can be opened, whose tick equals that in the index, and
// that depend on a usable one.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// For callers that copy them, in their order: unusable ones are rejected, and so are those that depend on
// them. One thread at a time.
class sound_keyframes {
 public:
  explicit sound_keyframes(const limits& most = {}) noexcept : most_(most) {}

  // Fails with the error and its position.
  result<void> take(const stored_keyframe& one);
  // The raw bytes of the last accepted one, valid until the next call.
  [[nodiscard]] byte_span raw() const noexcept { return raw_; }

 private:
  limits most_;
  byte_vector buffer_;
  byte_span raw_;
  std::optional<std::uint64_t> full_tick_;
  std::optional<std::uint64_t> last_tick_;
};

}  // namespace tickreel::icrep

// Which keyframes of a file can be used: those that open, that are of the tick that the index says, and that
// stand on one that can be used.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// For whoever copies them, in their order: what is not sound is left out, and nothing that stands on it is
// taken. One thread at a time.
class sound_keyframes {
 public:
  explicit sound_keyframes(const limits& most = {}) noexcept : most_(most) {}

  // Fails with what is wrong, and where.
  result<void> take(const stored_keyframe& one);
  // The raw bytes of the one that was taken last, valid until the next call.
  [[nodiscard]] byte_span raw() const noexcept { return raw_; }

 private:
  limits most_;
  byte_vector buffer_;
  byte_span raw_;
  std::optional<std::uint64_t> full_tick_;
  std::optional<std::uint64_t> last_tick_;
};

}  // namespace tickreel::icrep

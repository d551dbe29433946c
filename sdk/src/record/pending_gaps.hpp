// Ticks lost for each reason, until the reel contains them.
#pragma once

#include <array>
#include <cstddef>

#include "tickreel/record/pipeline.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::detail {

class pending_gaps {
 public:
  [[nodiscard]] tick_loss& of(reel::gap_reason reason) noexcept {
    // An unknown reason must not index beyond them.
    const auto place = static_cast<std::size_t>(reason);
    return by_reason_[place < reasons ? place : static_cast<std::size_t>(reel::gap_reason::source_failed)];
  }
  void merge(pending_gaps& from) noexcept;
  [[nodiscard]] bool empty() const noexcept;
  // Writes the pending gaps; written ones are no longer pending.
  result<void> write(reel::writer& out);

 private:
  static constexpr std::size_t reasons = static_cast<std::size_t>(reel::gap_reason::left_out) + 1;
  std::array<tick_loss, reasons> by_reason_;
};

}  // namespace tickreel::detail

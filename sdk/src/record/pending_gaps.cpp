#include "pending_gaps.hpp"

namespace tickreel::detail {

void pending_gaps::merge(pending_gaps& from) noexcept {
  for (std::size_t i = 0; i < by_reason_.size(); ++i) {
    tick_loss& loss = from.by_reason_[i];
    by_reason_[i].add(loss);
    loss = {};
  }
}

bool pending_gaps::empty() const noexcept {
  for (const tick_loss& loss : by_reason_) {
    if (!loss.empty()) return false;
  }
  return true;
}

result<void> pending_gaps::write(reel::writer& out) {
  for (std::size_t i = 0; i < by_reason_.size(); ++i) {
    tick_loss& loss = by_reason_[i];
    const auto reason = static_cast<reel::gap_reason>(i);
    if (loss.count != 0) {
      const auto done = out.append_gap({loss.count, reason}, loss.first, loss.last);
      if (!done) return fail(done.error());
      loss.count = 0;
    }
    if (loss.has_unknown) {
      const auto done = out.append_gap({0, reason}, loss.first, loss.last);
      if (!done) return fail(done.error());
    }
    loss = {};
  }
  return {};
}

}  // namespace tickreel::detail

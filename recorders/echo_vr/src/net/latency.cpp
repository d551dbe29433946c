#include "tickreel/echo_vr/latency.hpp"

#include <algorithm>
#include <cmath>

namespace tickreel::echo_vr {

std::uint64_t latency_histogram::quantile(double share) const noexcept {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const std::uint64_t rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, count_);
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
    seen += counts_[bucket];
    if (seen >= rank) return last_of(bucket);
  }
  return last_of(bucket_count - 1);
}

}  // namespace tickreel::echo_vr

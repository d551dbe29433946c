// The outcome of a copied record.
#pragma once

#include "tickreel/reel/writer.hpp"

namespace tickreel::reel {

// A copy fails with its file or with its sink.
inline result<void> appended_to(const writer& to, const result<record_info>& appended) {
  if (!appended) return fail(appended.error());
  if (to.sink_failure()) return fail(*to.sink_failure());
  return {};
}

}  // namespace tickreel::reel

// For copies of reels: their codec, and the outcome of a copied record.
#pragma once

#include "tickreel/reel/writer.hpp"

namespace tickreel::reel {

// A dictionary of the reel would apply to all records of the copy, and its index must be readable without one: the
// copy's own records are stored uncompressed then.
inline codec_options codec_of_copy(const header& from) noexcept {
  return from.find(dictionary_key) != nullptr ? codec_options{.codec = codec_id::none} : codec_options{};
}

// A copy fails with its file or with its sink.
inline result<void> appended_to(const writer& to, const result<record_info>& appended) {
  if (!appended) return fail(appended.error());
  if (to.sink_failure()) return fail(*to.sink_failure());
  return {};
}

}  // namespace tickreel::reel

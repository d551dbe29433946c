// Checks the frames of a reel with their decoder.
#pragma once

#include <memory>
#include <utility>

#include "tickreel/record/encoder.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::files {

template <tick_decoder Decoder>
result<reel::frame_check> check_with(reel::reader& source, Decoder decoder) {
  // A function can be copied; not every decoder can.
  const auto shared = std::make_shared<Decoder>(std::move(decoder));
  if constexpr (decoder_with_header<Decoder>) {
    const auto head = source.last_header_update();
    if (!head) return fail(head.error());
    if (!head->empty()) {
      if (auto applied = shared->apply_header(*head); !applied) return fail(applied.error());
    }
  }
  return [shared](const reel::frame& one) { return shared->decode(one.kind, one.bytes).has_value(); };
}

}  // namespace tickreel::files

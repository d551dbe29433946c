// The content of a file as its seal sees it: every item of the four streams, where nothing but these is
// there.
#pragma once

#include <functional>

#include "reader_state.hpp"
#include "tickreel/icrep/seal.hpp"

namespace tickreel::icrep {

// each(stream, tick, digest of the item): stream by stream. Fails where a stream is not as writers leave it,
// since what readers pass over is in no hash: block headers that say something else than what is in them,
// bytes between snapshots.
[[nodiscard]] result<void> for_each_sealed_item(
    const reader_state& file, const std::function<void(content_stream, std::uint64_t, const digest&)>& each);

// Whether everything holds that the seal says, and nothing else is in the file: the first reason why not.
// `links` are those of the chain's entries. A seal without an end is one of a recording that says it is
// incomplete.
[[nodiscard]] result<void> check_seal(const reader_state& file, const signature_chain& chain,
                                      std::span<const digest> links, const content_seal& seal);

}  // namespace tickreel::icrep

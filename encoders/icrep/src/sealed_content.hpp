// The content of a file that its seal covers: every item of the four streams, with the guarantee that there
// is nothing else.
#pragma once

#include <functional>

#include "reader_state.hpp"
#include "tickreel/icrep/seal.hpp"

namespace tickreel::icrep {

// each(stream, tick, digest of the item): stream by stream. Fails if a stream differs from the form of
// writers, because no hash covers bytes that readers skip: block headers that contradict their content, bytes
// between snapshots.
[[nodiscard]] result<void> for_each_sealed_item(
    const reader_state& file, const std::function<void(content_stream, std::uint64_t, const digest&)>& each);

// Whether the seal is valid and the file contains nothing else; otherwise the first reason. `links` are those
// of the chain's entries. A seal without an end requires a recording that is marked incomplete.
[[nodiscard]] result<void> check_seal(const reader_state& file, const signature_chain& chain,
                                      std::span<const digest> links, const content_seal& seal);

}  // namespace tickreel::icrep

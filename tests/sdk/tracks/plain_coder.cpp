#include "plain_coder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/varint.hpp"

// Both are linked into one program, so this one has another name.
#define TICKREEL_WITHOUT_SIMD
#define tracks plain_tracks
#define encoded encoded_by_plain
#define decoded decoded_by_plain
#define code_plan code_plan_plainly
#include "coder_run.hpp"

#if defined(TICKREEL_TRACKS_SSE2)
#error "this is to be the coder without SSE2"
#endif

namespace tickreel::test {

std::vector<std::byte> plain_encoded(const std::vector<std::uint64_t>& values) {
  return encoded(values);
}

std::vector<std::uint64_t> plain_decoded(const std::vector<std::byte>& bytes, std::size_t count) {
  return decoded(bytes, count);
}

}  // namespace tickreel::test

#include "tickreel/mpq/recover.hpp"

#include <algorithm>

#include "bzip2.hpp"

namespace tickreel::mpq {

namespace {

constexpr std::size_t max_contents = 64;
// The compression method, "BZh", a digit, and the magic number of every bzip2 block.
constexpr std::string_view in_front =
    "\x10"
    "BZh";
constexpr std::string_view magic_after_digit = "\x31\x41\x59\x26\x53\x59";

// Empty if it is not whole, or larger than `max_bytes`.
byte_vector unpacked_stream(byte_span stream, std::uint64_t max_bytes) {
  for (std::uint64_t room = 1u << 16;; room *= 4) {
    byte_vector out(static_cast<std::size_t>(std::min(room, max_bytes)));
    const unpacked done = unpack_bzip2(stream, out);
    if (done.outcome == unpack_outcome::whole) {
      out.resize(done.bytes);
      return out;
    }
    if (done.outcome == unpack_outcome::damaged || room >= max_bytes) return {};
  }
}

}  // namespace

std::vector<found_content> find_contents(byte_span file, const limits& most) {
  std::vector<found_content> out;
  const std::string_view text = as_text(file);
  std::uint64_t left = most.total_bytes;
  std::size_t tried = 0;
  for (std::size_t at = 0; (at = text.find(in_front, at)) != std::string_view::npos; ++at) {
    const std::string_view head = text.substr(at + in_front.size());
    if (head.empty() || !head.substr(1).starts_with(magic_after_digit)) continue;
    if (++tried > max_contents) break;
    byte_vector bytes = unpacked_stream(file.subspan(at + 1), std::min(left, most.member_bytes));
    if (bytes.empty()) continue;
    left -= bytes.size();
    out.push_back({at, std::move(bytes)});
  }
  return out;
}

}  // namespace tickreel::mpq

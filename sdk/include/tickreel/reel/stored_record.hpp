// One record by itself, as it travels: is it whole, and of this reel?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tickreel/bytes/span.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// Knows one reel's header, and by it the reel's records. Keeps no bytes.
class record_check {
 public:
  // `header_bytes` is the whole header and nothing behind it; fails as reader::open() does.
  static result<record_check> create(byte_span header_bytes, const limits& limits = {});

  // What the record says about itself when these bytes are all of it, with the right hashes, and within the
  // limits; its offset is 0.
  [[nodiscard]] std::optional<record_info> whole(byte_span record) const noexcept;

 private:
  std::uint16_t version_ = 0;
  std::uint64_t hash_ = 0;
  limits limits_;
};

// The gap that stands in a reel that was joined late for everything that is not in it.
struct late_beginning {
  record_info info;
  byte_vector bytes;       // the whole record
  std::size_t before = 0;  // it stands in front of that one of `kept`, or behind the last
};
// Of a reel with these records: `kept` from before, by their sequences, then `first` and all that comes
// behind it. Kept are the last header update and the events that last (record_info::lasts()), as far as they
// are to be had. Nothing where no record is left out.
[[nodiscard]] std::optional<late_beginning> beginning_of(byte_span header_bytes, const record_info& first,
                                                         std::span<const record_info> kept);

}  // namespace tickreel::reel

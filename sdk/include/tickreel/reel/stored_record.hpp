// Checks single records that are transferred outside of a file: whether a record is whole and belongs to a
// reel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tickreel/bytes/span.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// Holds one reel's header, which identifies the reel's records. Stores no bytes.
class record_check {
 public:
  // `header_bytes` is exactly the whole header; fails as reader::open() does.
  static result<record_check> create(byte_span header_bytes, const limits& limits = {});

  // The head of the record if these bytes are exactly one record with valid hashes, within the limits; its
  // offset is 0.
  [[nodiscard]] std::optional<record_info> whole(byte_span record) const noexcept;

 private:
  std::uint16_t version_ = 0;
  std::uint64_t hash_ = 0;
  limits limits_;
};

// The gap in a reel that was joined late; it stands for everything that is not in the reel.
struct late_beginning {
  record_info info;
  byte_vector bytes;       // the whole record
  std::size_t before = 0;  // its position in `kept`: before that record, or after the last
};
// For a reel that contains `kept`, by their sequences, then `first` and all later records. `kept` are the
// last header update and the lasting events (record_info::lasts()), as far as they are readable. Empty if no
// record is omitted.
[[nodiscard]] std::optional<late_beginning> beginning_of(byte_span header_bytes, const record_info& first,
                                                         std::span<const record_info> kept);

}  // namespace tickreel::reel

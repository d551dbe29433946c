// Records of which few change at a time: stores the changes from one tick to the next in few bytes. For a mostly
// constant world, blocks of rows (block_writer.hpp) would repeat it again and again.
//
// Each value is coded as its difference to the previous value of the same record, by adaptive models, one for each
// member of each kind of record. The models adapt from tick to tick, so ticks are read in the
// order in which they were written, from restart() on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// A kind of record is a shape, whose columns cover all of its bytes; their declarations are ignored.
inline constexpr std::size_t max_change_kinds = 64;

// One record that changed.
struct record_change {
  std::uint32_t record = 0;
  std::uint32_t kind = 0;
  byte_span before;  // both with row_bytes of the kind's shape
  byte_span now;
};

enum class float_coding : std::uint8_t {
  bits,      // differences of bits
  decimals,  // differences of decimals where both values are decimals of few places
};

// The largest sizes in a tick: of one change of that kind, and of the rest.
[[nodiscard]] std::size_t max_change_bytes(const shape& kind) noexcept;
inline constexpr std::size_t max_tick_head_bytes = 32;

// One thread at a time.
class change_writer {
 public:
  // The shapes pass validate(), and there are at most max_change_kinds.
  explicit change_writer(std::vector<shape> kinds, float_coding floats = float_coding::bits);
  ~change_writer();
  change_writer(change_writer&&) noexcept;
  change_writer& operator=(change_writer&&) noexcept;

  // Allocates all memory that write() needs for ticks of that size at most, except in `out`.
  void prepare(std::size_t max_tick_bytes);
  // Resets the models.
  void restart() noexcept;
  // Appends one tick to `out`: its changes rise by record, then by kind, without duplicates. A change with
  // equal values is valid.
  void write(std::span<const record_change> changes, byte_vector& out);

 private:
  class work;
  std::unique_ptr<work> work_;
};

// The inverse. Any bytes decode to something: the container checks their origin, and this class their
// effects.
class change_reader {
 public:
  explicit change_reader(std::vector<shape> kinds, float_coding floats = float_coding::bits);
  ~change_reader();
  change_reader(change_reader&&) noexcept;
  change_reader& operator=(change_reader&&) noexcept;

  void restart() noexcept;
  // One tick, whose bytes must outlive its use. over_limit for more changes than `most`; malformed.
  [[nodiscard]] result<void> open(byte_span tick, std::uint64_t most);
  // The next change: its record and kind; false after the last one. malformed if they do not rise, and for
  // unknown kinds.
  [[nodiscard]] result<bool> next(record_change& out);
  // Updates the record's value in place. malformed if the kind has another size. Call it once after each
  // next().
  [[nodiscard]] result<void> apply(mutable_byte_span value);

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tickreel::tracks

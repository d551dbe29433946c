// Records of which a few change at a time: what changed from one tick to the next, in few bytes. Where most
// of a world stays as it is, blocks of rows (block_writer.hpp) would say all of it again and again.
//
// Each value is told as its difference to what the same record had before, by models that learn, one for each
// member of each kind of record. They go on learning from one tick to the next, so ticks are read in the
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

// A kind of record is a shape, whose columns cover all of its bytes; what they declare is not looked at.
inline constexpr std::size_t max_change_kinds = 64;

// One record that is not as it was.
struct record_change {
  std::uint32_t record = 0;
  std::uint32_t kind = 0;
  byte_span before;  // both row_bytes of the kind's shape
  byte_span now;
};

// One thread at a time.
class change_writer {
 public:
  // The shapes pass validate(), and there are at most max_change_kinds.
  explicit change_writer(std::vector<shape> kinds);
  ~change_writer();
  change_writer(change_writer&&) noexcept;
  change_writer& operator=(change_writer&&) noexcept;

  // Nothing is known any more of earlier ticks.
  void restart() noexcept;
  // One tick, appended to `out`: its changes rise by record, then by kind, and none comes twice. What is the
  // same before and now may be told, too.
  void write(std::span<const record_change> changes, byte_vector& out);

 private:
  class work;
  std::unique_ptr<work> work_;
};

// The mirror. Any bytes are read as something: what they came from is checked by others, what they lead to
// here.
class change_reader {
 public:
  explicit change_reader(std::vector<shape> kinds);
  ~change_reader();
  change_reader(change_reader&&) noexcept;
  change_reader& operator=(change_reader&&) noexcept;

  void restart() noexcept;
  // One tick, whose bytes must outlive its use. over_limit for more changes than `most`, malformed.
  [[nodiscard]] result<void> open(byte_span tick, std::uint64_t most);
  // The next change: its record and kind, false behind the last one. malformed for what does not rise, and
  // for kinds that there are not.
  [[nodiscard]] result<bool> next(record_change& out);
  // Makes of what that record was what it is now, in place. malformed for another size than the kind has.
  // Once behind each next().
  [[nodiscard]] result<void> apply(mutable_byte_span value);

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tickreel::tracks

// Decodes the columns of a block, group by group, and holds their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "block.hpp"
#include "table.hpp"
#include "tickreel/bytes/room.hpp"

namespace tickreel::tracks {

// A group of columns: those at the coding positions from `first` to before `last`.
struct column_group {
  byte_span bytes;
  std::size_t number = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

class group_decoder {
 public:
  // `plan` must outlive it.
  explicit group_decoder(const layout& plan);

  // Makes room for a block of so many rows.
  void begin(std::size_t rows);
  // Decodes the columns of a group before the coding position `enough`, or all if they are stored plainly. The columns
  // that they refer to are decoded. Returns the coding position after the last one.
  result<std::size_t> decode(const column_group& group, std::size_t enough);

  // By coding position: the values of all rows, or that of the first row if the column is steady.
  [[nodiscard]] std::byte* values_of(std::size_t place) noexcept {
    return values_.data() + begins_[place] * count_;
  }
  // One value in all rows.
  [[nodiscard]] bool is_steady(std::size_t place) const noexcept { return steady_[place] != 0; }

 private:
  [[nodiscard]] std::int64_t* numbers_of(std::uint32_t i) noexcept {
    return plan_.slot[i] == layout::no_slot ? numbers_.data()
                                            : kept_.get() + std::size_t{plan_.slot[i]} * count_;
  }
  void keep_plainly(std::size_t place) noexcept;
  bool read_column(range_decoder& coder, std::size_t place) noexcept;
  bool read_exceptions(range_decoder& coder, value_type type);
  bool read_text(range_decoder& coder, std::size_t place) noexcept;

  const layout& plan_;
  std::vector<std::size_t> begins_;  // of each column in the bytes of one row, column by column
  std::size_t column_bytes_ = 0;     // of one row
  std::size_t count_ = 0;
  // These have the size of all columns. They are written where a column is decoded, and read only there.
  byte_room values_;
  byte_room entries_;
  std::unique_ptr<std::int64_t[]> kept_;
  std::size_t kept_size_ = 0;
  std::vector<std::int64_t> numbers_;
  std::vector<std::int64_t> first_;
  std::vector<std::int64_t> second_;
  std::vector<std::int64_t> room_;
  std::vector<std::uint8_t> steady_;  // by coding position
  std::vector<std::pair<std::size_t, std::uint64_t>> exceptions_;
  std::vector<mapping> mappings_;
  group_models models_;
};

}  // namespace tickreel::tracks

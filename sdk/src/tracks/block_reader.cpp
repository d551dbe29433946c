#include "tickreel/tracks/block_reader.hpp"

#include <algorithm>
#include <cstring>

#include "block.hpp"
#include "change_rows.hpp"
#include "group_decoder.hpp"

namespace tickreel::tracks {

class block_reader::work {
 public:
  work(const shape& of, const block_limits& limits) : plan_(of), limits_(limits), columns_(plan_) {
    if (!plan_.usable) return;
    of_four_.reserve(of.columns.size());
    of_other_size_.reserve(of.columns.size());
  }

  [[nodiscard]] std::size_t rows() const noexcept { return count_; }

  result<void> open(byte_span block, bool continues) {
    const auto opened = open_block(block, continues);
    if (changes_ && (!opened || !by_changes_)) changes_->close();
    return opened;
  }

  result<void> open_block(byte_span block, bool continues) {
    count_ = 0;
    by_changes_ = false;
    groups_.clear();
    if (!plan_.usable) return fail(error_code::invalid_argument, error::no_offset, "the shape of the rows");
    byte_reader in(block);
    const std::uint8_t version = in.u8();
    const std::uint64_t rows = read_prefix_varint(in);
    if (!in.ok()) return in.failure("block of rows");
    if (version != block_version && version != change_block_version)
      return fail(error_code::unsupported_version, 0, "block of rows, version {}", version);
    if (rows > limits_.rows || rows > max_block_rows)
      return fail(error_code::over_limit, 1, "a block of {} rows", static_cast<std::int64_t>(rows));
    by_changes_ = version == change_block_version && rows != 0;
    if (continues && !by_changes_) {
      return fail(error_code::malformed, 0, "a block of rows that does not continue the one before");
    }
    if (rows == 0) return at_end(in);
    if (by_changes_) {
      if (!changes_) changes_ = std::make_unique<change_row_reader>(plan_.of);
      const auto count = static_cast<std::size_t>(rows);
      if (auto opened = changes_->open(in, count, limits_.memory_bytes, continues); !opened) return opened;
      if (auto ended = at_end(in); !ended) return ended;
      count_ = static_cast<std::size_t>(rows);
      return {};
    }
    const std::uint64_t columns = read_prefix_varint(in);
    if (!in.ok()) return in.failure("block of rows");
    if (columns == 0) return fail(error_code::malformed, in.offset(), "a group of no columns");
    if (plan_.memory_for(rows) > limits_.memory_bytes)
      return fail(error_code::over_limit, 1, "a block of {} rows of {} bytes",
                  static_cast<std::int64_t>(rows), plan_.of.row_bytes);
    group_columns_ = static_cast<std::size_t>(
        std::min<std::uint64_t>(columns, std::max<std::size_t>(1, plan_.order.size())));
    const std::size_t groups = (plan_.order.size() + group_columns_ - 1) / group_columns_;
    // Each needs at least a byte for its size.
    if (groups > in.remaining())
      return fail(error_code::truncated, in.offset(), "sizes of groups of columns");
    groups_.resize(groups);
    for (group& one : groups_) one.size = read_prefix_varint(in);
    for (group& one : groups_) {
      if (one.size > in.remaining()) in.fail_with(error_code::truncated);
      one.bytes = in.bytes(static_cast<std::size_t>(one.size));
      if (!in.ok()) break;
    }
    if (const auto ended = at_end(in); !ended) {
      groups_.clear();
      return ended;
    }
    count_ = static_cast<std::size_t>(rows);
    rows_decoded_ = false;
    columns_.begin(count_);
    return {};
  }

  void keep_only(const std::vector<std::uint32_t>& columns) {
    count_ = 0;
    groups_.clear();
    kept_only_.assign(columns.empty() ? 0 : plan_.order.size(), 0);
    for (const std::uint32_t c : columns)
      if (c < plan_.place.size()) kept_only_[plan_.place[c]] = 1;
  }

  // `out_has_row`: it holds another row of this block.
  result<void> row(std::size_t i, mutable_byte_span out, bool out_has_row) {
    if (i >= count_)
      return fail(error_code::out_of_range, error::no_offset, "row {}", static_cast<std::int64_t>(i));
    if (out.size() < plan_.of.row_bytes) return fail(error_code::buffer_too_small, error::no_offset, "a row");
    if (by_changes_) return changed_row(i, out);
    if (!rows_decoded_) {
      if (const auto decoded = kept_only_.empty() ? decode_all() : decode_kept(); !decoded) return decoded;
      place_columns();
      rows_decoded_ = true;
    }
    if (!out_has_row && !steady_row_.empty()) std::memcpy(out.data(), steady_row_.data(), steady_row_.size());
    // The most frequent size; a copy of constant size is two instructions.
    for (const varying& each : of_four_) std::memcpy(out.data() + each.offset, each.from + i * 4, 4);
    for (const varying& each : of_other_size_) {
      if (each.size == 1) {
        out[each.offset] = each.from[i];
      } else {
        std::memcpy(out.data() + each.offset, each.from + i * each.size, each.size);
      }
    }
    return {};
  }

  result<void> column_of(std::size_t c, mutable_byte_span out) {
    if (c >= plan_.place.size())
      return fail(error_code::out_of_range, error::no_offset, "column {}", static_cast<std::int64_t>(c));
    const std::size_t bytes = plan_.of.columns[c].size_bytes * count_;
    if (out.size() < bytes) return fail(error_code::buffer_too_small, error::no_offset, "a column");
    if (count_ == 0) return {};
    if (by_changes_) return changed_column(plan_.of.columns[c], out);
    const std::size_t place = plan_.place[c];
    for (group& one : groups_) one.needed = 0;
    need(place);
    if (const auto decoded = decode_needed(place / group_columns_ + 1); !decoded) return decoded;
    const std::byte* values = columns_.values_of(place);
    const std::size_t each = plan_.of.columns[c].size_bytes;
    const bool steady = columns_.is_steady(place);
    if (steady && each == 1) {
      std::memset(out.data(), std::to_integer<int>(*values), bytes);
    } else if (steady) {
      for (std::size_t row = 0; row < count_; ++row) std::memcpy(out.data() + row * each, values, each);
    } else {
      std::memcpy(out.data(), values, bytes);
    }
    return {};
  }

 private:
  struct group {
    std::uint64_t size = 0;
    byte_span bytes;
    std::size_t decoded = 0;  // columns from its first on
    std::size_t needed = 0;   // as many of them
  };

  result<void> changed_row(std::size_t i, mutable_byte_span out) {
    const auto row = changes_->row(i);
    if (!row) return fail(row.error());
    if (kept_only_.empty()) {
      if (!row->empty()) std::memcpy(out.data(), row->data(), row->size());
      return {};
    }
    if (!row->empty()) std::memset(out.data(), 0, row->size());
    for (std::size_t place = 0; place < kept_only_.size(); ++place) {
      if (kept_only_[place] == 0) continue;
      const tracks::column& of = plan_.of.columns[plan_.order[place]];
      std::memcpy(out.data() + of.offset, row->data() + of.offset, of.size_bytes);
    }
    return {};
  }
  result<void> changed_column(const tracks::column& of, mutable_byte_span out) {
    for (std::size_t i = 0; i < count_; ++i) {
      const auto row = changes_->row(i);
      if (!row) return fail(row.error());
      std::memcpy(out.data() + i * of.size_bytes, row->data() + of.offset, of.size_bytes);
    }
    return {};
  }

  static result<void> at_end(const byte_reader& in) noexcept {
    if (!in.ok()) return in.failure("groups of columns");
    if (!in.at_end())
      return fail(error_code::malformed, in.offset(), "{} trailing byte{s} after a block of rows",
                  static_cast<std::int64_t>(in.remaining()));
    return {};
  }

  // A column that changes within the block.
  struct varying {
    const std::byte* from;
    std::uint32_t offset;
    std::uint32_t size;
  };

  // Most columns have one value in the whole block: those form a base row, and only the others are copied per
  // row.
  void place_columns() {
    steady_row_.assign(plan_.of.row_bytes, std::byte{0});
    of_four_.clear();
    of_other_size_.clear();
    for (std::size_t place = 0; place < plan_.order.size(); ++place) {
      if (!kept_only_.empty() && kept_only_[place] == 0) continue;
      const tracks::column& of = plan_.of.columns[plan_.order[place]];
      const std::byte* from = columns_.values_of(place);
      if (columns_.is_steady(place)) {
        std::memcpy(steady_row_.data() + of.offset, from, of.size_bytes);
      } else {
        (of.size_bytes == 4 ? of_four_ : of_other_size_).push_back({from, of.offset, of.size_bytes});
      }
    }
  }

  [[nodiscard]] std::size_t end_of(std::size_t g) const noexcept {
    return std::min((g + 1) * group_columns_, plan_.order.size());
  }

  void need(std::size_t place) noexcept {
    group& one = groups_[place / group_columns_];
    one.needed = std::max(one.needed, place % group_columns_ + 1);
  }

  result<void> decode_all() {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (const auto decoded = decode(g, group_columns_); !decoded) return decoded;
    return {};
  }
  result<void> decode_kept() {
    for (group& one : groups_) one.needed = 0;
    for (std::size_t place = 0; place < kept_only_.size(); ++place)
      if (kept_only_[place] != 0) need(place);
    return decode_needed(groups_.size());
  }

  // Decodes the columns marked by need() in the first `groups`. Columns that a column refers to precede it.
  result<void> decode_needed(std::size_t groups) {
    for (std::size_t g = groups; g-- > 0;) {
      group& one = groups_[g];
      // Model states are not stored: a partially decoded group is decoded again, to its end.
      if (one.needed > one.decoded && one.decoded > 0) one.needed = group_columns_;
      const std::size_t end = std::min(g * group_columns_ + one.needed, end_of(g));
      for (std::size_t at = g * group_columns_ + one.decoded; at < end; ++at) {
        const declaration& declared = plan_.of.columns[plan_.order[at]].declared;
        for (std::size_t r = 0; r < reference_count(declared.kind); ++r) need(plan_.place[declared.of[r]]);
      }
    }
    for (std::size_t g = 0; g < groups; ++g)
      if (const auto decoded = decode(g, groups_[g].needed); !decoded) return decoded;
    return {};
  }

  // Decodes the first `count` columns of a group, or all that it has. The columns that they refer to are
  // decoded.
  result<void> decode(std::size_t g, std::size_t count) {
    group& one = groups_[g];
    if (one.decoded >= std::min(count, end_of(g) - g * group_columns_)) return {};
    const std::size_t first = g * group_columns_;
    const std::size_t last = end_of(g);
    const auto end = columns_.decode({one.bytes, g, first, last}, std::min(first + count, last));
    if (!end) return fail(end.error());
    one.decoded = *end - first;
    return {};
  }

  layout plan_;
  block_limits limits_;
  group_decoder columns_;
  std::size_t group_columns_ = 1;
  std::size_t count_ = 0;
  bool rows_decoded_ = false;
  std::vector<group> groups_;
  std::vector<std::uint8_t> kept_only_;  // by coding position; empty: all
  byte_vector steady_row_;
  std::vector<varying> of_four_;
  std::vector<varying> of_other_size_;
  // The open block has rows as changes.
  bool by_changes_ = false;
  std::unique_ptr<change_row_reader> changes_;
};

block_reader::block_reader(const shape& of, const block_limits& limits)
    : work_(std::make_unique<work>(of, limits)) {}
block_reader::~block_reader() = default;
block_reader::block_reader(block_reader&&) noexcept = default;
block_reader& block_reader::operator=(block_reader&&) noexcept = default;
result<void> block_reader::open(byte_span block) {
  return work_->open(block, false);
}
result<void> block_reader::open_next(byte_span block) {
  return work_->open(block, true);
}
void block_reader::keep_only(const std::vector<std::uint32_t>& columns) {
  work_->keep_only(columns);
}
std::size_t block_reader::rows() const noexcept {
  return work_->rows();
}
result<void> block_reader::row(std::size_t i, mutable_byte_span out) {
  return work_->row(i, out, false);
}
result<void> block_reader::replace_row(std::size_t i, mutable_byte_span out) {
  return work_->row(i, out, true);
}
result<void> block_reader::column(std::size_t c, mutable_byte_span out) {
  return work_->column_of(c, out);
}

}  // namespace tickreel::tracks

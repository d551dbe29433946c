// Recovery of SA-MP and VC-MP recordings: the whole blocks that a player can apply, with times that rise.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "byte_stream.hpp"
#include "rec_file.hpp"
#include "rec_format.hpp"
#include "rec_layouts.hpp"
#include "tickreel/counted.hpp"

namespace tickreel::files {

namespace {

using samp_rec::block_layout;

constexpr std::uint64_t copied_bytes = 1u << 20;  // per read

// Concatenates parts whose clock restarted: where the time decreases, the block follows the previous one by
// the last positive step.
class clock_joiner {
 public:
  // Changes the time at the beginning of the block with that number. over_limit if times overflow.
  result<void> shift(mutable_byte_span block, std::uint64_t number) {
    const std::int64_t given_ms = byte_reader(block).u32();
    if (blocks_ > 0 && given_ms < last_given_ms_) {
      if (falls_++ == 0) first_fall_ = number;
      later_ms_ = last_ms_ + step_ms_ - given_ms;
    } else if (blocks_ > 0 && given_ms > last_given_ms_) {
      step_ms_ = std::min<std::int64_t>(given_ms - last_given_ms_, longest_step_ms);
    }
    last_given_ms_ = given_ms;
    last_ms_ = given_ms + later_ms_;
    ++blocks_;
    if (last_ms_ > std::numeric_limits<std::uint32_t>::max()) {
      return fail(error_code::over_limit, error::no_offset, "a recording lasts at most 49 days");
    }
    if (falls_ > 0) byte_writer(block).u32(static_cast<std::uint32_t>(last_ms_));
    return {};
  }
  [[nodiscard]] std::uint64_t falls() const noexcept { return falls_; }
  [[nodiscard]] std::uint64_t first_fall() const noexcept { return first_fall_; }

 private:
  static constexpr std::int64_t longest_step_ms = 500;  // what idle players send

  std::uint64_t blocks_ = 0, falls_ = 0, first_fall_ = 0;
  std::int64_t last_given_ms_ = 0, last_ms_ = 0, later_ms_ = 0;
  std::int64_t step_ms_ = 50;
};

// Whether a player can apply the block. `verify` rejects the others.
bool is_playable_block(block_layout layout, byte_span bytes) {
  bool playable = true;
  with_rec_block(layout, [&]<class Block>(std::type_identity<Block>) {
    if constexpr (is_samp_block<Block>) playable = is_finite(modern_block(rec_block<Block>(bytes)));
  });
  return playable;
}

// Copies blocks that a player can apply.
class block_copier {
 public:
  explicit block_copier(const samp_rec::file_shape& shape) : shape_(shape) {}

  // Of the blocks from number `first` on: moves those that are copied to the beginning, and returns their bytes.
  result<byte_span> select(mutable_byte_span blocks, std::uint64_t first) {
    const std::size_t each = samp_rec::block_bytes(shape_.layout);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < blocks.size(); at += each) {
      const mutable_byte_span block = blocks.subspan(at, each);
      const std::uint64_t number = first + at / each;
      if (!is_playable_block(shape_.layout, block)) {
        if (left_out_++ == 0) first_left_out_ = number;
        continue;
      }
      if (auto shifted = clock_.shift(block, number); !shifted) return fail(shifted.error());
      std::memmove(blocks.data() + kept, block.data(), each);
      kept += each;
    }
    return blocks.first(kept);
  }

  void report(recover_report& to) const {
    to.ticks = shape_.block_count - left_out_;
    to.lost_ticks = left_out_;
    if (left_out_ != 0) {
      to.lost.push_back(counted(left_out_, "block") +
                        " whose position, rotation or velocity is not a number, the first at offset " +
                        std::to_string(shape_.block_offset(first_left_out_)) + ": left out");
    }
    if (shape_.tail_bytes != 0) {
      to.lost.push_back(counted(shape_.tail_bytes, "byte") + " of a truncated last block");
    }
    if (clock_.falls() != 0) {
      to.lost.push_back("time went back at block " + std::to_string(clock_.first_fall()) +
                        (clock_.falls() == 1 ? "" : ", " + std::to_string(clock_.falls()) + " times in all") +
                        ": the following blocks were shifted after it");
    }
  }

 private:
  const samp_rec::file_shape& shape_;
  clock_joiner clock_;
  std::uint64_t left_out_ = 0, first_left_out_ = 0;
};

}  // namespace

result<recover_report> recover_rec(const file_path& input, const file_path& output,
                                   const recover_options& options) {
  auto from = rec_file::open(input);
  if (!from) return fail(from.error());
  const samp_rec::file_shape& shape = from->shape();
  if (shape.layout == block_layout::vcmp_packets) {
    return fail(error_code::unsupported_operation, error::no_offset, "VC-MP packets can only be read");
  }
  if (shape.block_count == 0) return fail(error_code::truncated, shape.file_bytes, "no block is readable");
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  const std::size_t each = samp_rec::block_bytes(shape.layout);
  const std::uint64_t at_once = copied_bytes / each;
  block_copier copier(shape);
  if (shape.header_bytes != 0) {
    const auto header = from->part(0, shape.header_bytes);
    if (!header) return fail(header.error());
    if (auto written = to->append(*header); !written) return fail(written.error());
  }
  for (std::uint64_t block = 0; block < shape.block_count; block += at_once) {
    options.watch.report(shape.block_offset(block), shape.file_bytes);
    if (options.watch.stop()) return fail(error_code::interrupted);
    const std::uint64_t count = std::min(at_once, shape.block_count - block);
    auto part = from->part(shape.block_offset(block), count * each);
    if (!part) return fail(part.error());
    const auto selected = copier.select(*part, block);
    if (!selected) return fail(selected.error());
    if (auto written = to->append(*selected); !written) return fail(written.error());
  }
  recover_report report;
  copier.report(report);
  report.bytes = to->size();
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

}  // namespace tickreel::files

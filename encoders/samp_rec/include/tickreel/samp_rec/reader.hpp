// Reads .rec files of every layout: whole ones from memory, and streams piece by piece in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/samp_rec/block.hpp"
#include "tickreel/samp_rec/fault.hpp"
#include "tickreel/samp_rec/legacy.hpp"
#include "tickreel/samp_rec/shape.hpp"

namespace tickreel::samp_rec {

// The handling of impossible blocks: with a NaN or an infinity in position, rotation or velocity.
enum class strictness : std::uint8_t {
  strict,   // fail with the block's number
  lenient,  // omit the block, normalise rotations, and report it
  as_is,    // return every block unchanged: for exact copies and for checks
};

// Unusual values that a reader counts.
enum class oddity_kind : std::uint8_t {
  not_finite,       // lenient: omitted
  far_position,     // beyond 20,000 m
  high_velocity,    // above 10, 1800 km/h
  rotation_length,  // differs from 1 by more than 0.02
  time_backwards,   // compared with the block before
  long_gap,         // of more than 30 s
  unknown_weapon,   // above 46
  cut_tail,         // a partial block at the end
};
[[nodiscard]] std::string_view name(oddity_kind kind) noexcept;
[[nodiscard]] std::string_view sentence(oddity_kind kind) noexcept;

struct oddity {
  oddity_kind kind;
  std::uint64_t block = 0;   // counted from 0, in the file
  std::uint64_t offset = 0;  // of the block in the file
  double value = 0;          // metres, length, milliseconds, id, bytes: depending on the kind
};

// The limits of oddity_kind that are not in fault.hpp.
inline constexpr double high_velocity_m_per_20ms = 10;
inline constexpr std::uint32_t long_gap_ms = 30'000;

struct read_options {
  strictness mode = strictness::strict;
  samp_rec::limits limits = {};
  std::size_t oddities = 1000;  // number of stored ones; all are counted
};

struct read_report {
  std::uint64_t blocks_read = 0;
  std::uint64_t blocks_left_out = 0;
  std::uint64_t oddity_count = 0;
  std::vector<oddity> oddities;
  [[nodiscard]] bool clean() const noexcept { return oddity_count == 0; }
};

// A file in memory. Legacy layouts are converted to current blocks, see legacy.hpp.
struct recording {
  file_shape shape;
  recording_kind kind = recording_kind::none;
  std::vector<vehicle_block> vehicle;  // filled for recording_kind::vehicle
  std::vector<on_foot_block> on_foot;  // filled for recording_kind::on_foot
  read_report report;

  template <block_type Block>
  [[nodiscard]] const std::vector<Block>& blocks() const noexcept {
    if constexpr (std::is_same_v<Block, vehicle_block>) {
      return vehicle;
    } else {
      return on_foot;
    }
  }
};

// malformed with the block's offset for a block that strict mode rejects; unsupported_operation for VC-MP,
// which vcmp.hpp reads; otherwise the errors of detect().
result<recording> read_recording(byte_span file, const read_options& options = {});

// Checks blocks one by one, in order, and counts. For callers that read the blocks themselves.
class block_inspector {
 public:
  explicit block_inspector(const file_shape& shape, const read_options& options = {});

  // False: omit this block. malformed in strict mode. A lenient inspector may change the rotation.
  template <block_type Block>
  result<bool> look_at(Block& block);
  // Adds a truncated last block.
  void finish();
  [[nodiscard]] const read_report& report() const noexcept { return report_; }

 private:
  void note(oddity_kind kind, double value);

  file_shape shape_;
  read_options options_;
  std::uint64_t index_ = 0;
  std::uint32_t last_time_ms_ = 0;
  bool has_time_ = false;
  read_report report_;
};

// Reads a file piece by piece; holds at most one block. Only for SA-MP layouts with blocks of a fixed size.
//
//   stream_reader<vehicle_block> reader(shape, options);
//   while (more) reader.feed(piece, [](const vehicle_block& block) { ... });
//   reader.finish();
template <block_type Block>
class stream_reader {
 public:
  // The shape must be of this kind of block: shape.kind == Block::kind.
  explicit stream_reader(const file_shape& shape, const read_options& options = {})
      : shape_(shape), block_bytes_(block_bytes(shape.layout)), inspector_(shape, options) {}

  // The next bytes of the file, from its first byte on, in pieces of any size. Calls use(const Block&) for
  // each complete block. malformed like read_recording().
  template <class Use>
  result<void> feed(byte_span piece, Use&& use);

  // The end.
  void finish() { inspector_.finish(); }
  [[nodiscard]] const read_report& report() const noexcept { return inspector_.report(); }

 private:
  static constexpr std::size_t max_block_bytes = legacy_vehicle_block::wire_bytes;

  template <class Use>
  result<void> give(byte_span bytes, Use& use);

  file_shape shape_;
  std::size_t block_bytes_;
  block_inspector inspector_;
  std::uint64_t position_ = 0;
  std::array<std::byte, max_block_bytes> held_{};
  std::size_t held_bytes_ = 0;
};

// `bytes` of a block in the layout of the shape; legacy ones are converted.
void read_as(block_layout layout, byte_span bytes, vehicle_block& to) noexcept;
void read_as(block_layout layout, byte_span bytes, on_foot_block& to) noexcept;

template <block_type Block>
template <class Use>
result<void> stream_reader<Block>::give(byte_span bytes, Use& use) {
  Block block;
  read_as(shape_.layout, bytes, block);
  const auto keep = inspector_.look_at(block);
  if (!keep) return fail(keep.error());
  if (*keep) use(static_cast<const Block&>(block));
  return {};
}

template <block_type Block>
template <class Use>
result<void> stream_reader<Block>::feed(byte_span piece, Use&& use) {
  if (position_ < shape_.header_bytes) {
    const std::uint64_t header_rest = shape_.header_bytes - position_;
    const std::size_t skipped =
        header_rest < piece.size() ? static_cast<std::size_t>(header_rest) : piece.size();
    piece = piece.subspan(skipped);
    position_ += skipped;
  }
  position_ += piece.size();
  if (block_bytes_ == 0) return {};
  if (held_bytes_ != 0) {
    const std::size_t wanted = block_bytes_ - held_bytes_;
    const byte_span taken = piece.first(wanted < piece.size() ? wanted : piece.size());
    for (const std::byte each : taken) held_[held_bytes_++] = each;
    piece = piece.subspan(taken.size());
    if (held_bytes_ < block_bytes_) return {};
    held_bytes_ = 0;
    if (auto given = give(byte_span(held_).first(block_bytes_), use); !given) return given;
  }
  for (; piece.size() >= block_bytes_; piece = piece.subspan(block_bytes_)) {
    if (auto given = give(piece.first(block_bytes_), use); !given) return given;
  }
  for (const std::byte each : piece) held_[held_bytes_++] = each;
  return {};
}

}  // namespace tickreel::samp_rec

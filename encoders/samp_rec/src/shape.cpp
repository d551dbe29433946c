#include "tickreel/samp_rec/shape.hpp"

#include <array>
#include <optional>

#include "tickreel/samp_rec/block.hpp"
#include "tickreel/samp_rec/legacy.hpp"
#include "tickreel/samp_rec/reader.hpp"
#include "tickreel/samp_rec/vcmp.hpp"

namespace tickreel::samp_rec {

namespace {

// A layout must fit the content of this many blocks at either end.
constexpr std::uint64_t sample_blocks = 16;
// A file without a header has at least this many.
constexpr std::uint64_t least_without_header = 3;

static_assert(detect_head_bytes >=
              file_header::wire_bytes + sample_blocks * legacy_vehicle_block::wire_bytes);
static_assert(detect_tail_bytes >= (sample_blocks + 1) * legacy_vehicle_block::wire_bytes);

struct evidence {
  std::uint64_t seen = 0;
  std::uint64_t fitting = 0;
  std::uint32_t first_time_ms = 0;
  std::uint32_t last_time_ms = 0;
  bool calm = true;  // no impossible velocity

  [[nodiscard]] bool all() const noexcept { return seen == fitting; }
  // A recording with a known header and some damaged blocks.
  [[nodiscard]] bool most() const noexcept { return seen != 0 && fitting * 4 >= seen * 3; }
  // Sufficient without a header, where zeros would fit any layout and random data fits occasionally.
  [[nodiscard]] bool speaks_for_itself() const noexcept {
    return seen >= least_without_header && calm && last_time_ms > first_time_ms;
  }
};

struct file_ends {
  byte_span head;
  byte_span tail;
  std::uint64_t bytes;

  // Empty if neither end contains it.
  [[nodiscard]] byte_span at(std::uint64_t offset, std::size_t count) const noexcept {
    if (offset + count <= head.size()) return head.subspan(static_cast<std::size_t>(offset), count);
    const std::uint64_t tail_begin = bytes - tail.size();
    if (offset < tail_begin || offset + count > bytes) return {};
    return tail.subspan(static_cast<std::size_t>(offset - tail_begin), count);
  }
};

template <class Block>
evidence gather(const file_ends& file, std::uint32_t header_bytes) noexcept {
  evidence found;
  const std::uint64_t count = (file.bytes - header_bytes) / Block::wire_bytes;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i == sample_blocks && count > 2 * sample_blocks) i = count - sample_blocks;
    const byte_span raw = file.at(header_bytes + i * Block::wire_bytes, Block::wire_bytes);
    if (raw.empty()) continue;  // the caller supplied no tail
    byte_reader from(raw);
    Block block;
    read(from, block);
    if (found.seen == 0) found.first_time_ms = found.last_time_ms = block.time_ms;
    const bool in_time = std::uint64_t{block.time_ms} + detect_time_tolerance_ms >= found.last_time_ms;
    const bool fits = from.ok() && in_time && fault_of(block) == block_fault::none;
    ++found.seen;
    if (fits) ++found.fitting;
    if (length(block.velocity_m_per_20ms) > high_velocity_m_per_20ms) found.calm = false;
    found.last_time_ms = block.time_ms;
  }
  return found;
}

evidence gather(const file_ends& file, block_layout layout, std::uint32_t header_bytes) noexcept {
  switch (layout) {
    case block_layout::vehicle:
      return gather<vehicle_block>(file, header_bytes);
    case block_layout::on_foot:
      return gather<on_foot_block>(file, header_bytes);
    case block_layout::legacy_vehicle:
      return gather<legacy_vehicle_block>(file, header_bytes);
    case block_layout::legacy_on_foot:
      return gather<legacy_on_foot_block>(file, header_bytes);
    default:
      return {};
  }
}

recording_kind kind_of(block_layout layout) noexcept {
  switch (layout) {
    case block_layout::vehicle:
    case block_layout::legacy_vehicle:
    case block_layout::vcmp_driver:
      return recording_kind::vehicle;
    case block_layout::on_foot:
    case block_layout::legacy_on_foot:
    case block_layout::vcmp_on_foot:
      return recording_kind::on_foot;
    default:
      return recording_kind::none;
  }
}

file_shape shape_of(block_layout layout, std::uint32_t version, std::uint64_t file_bytes,
                    std::uint32_t header_bytes) noexcept {
  file_shape shape{layout, kind_of(layout), version, file_bytes, header_bytes, 0, 0};
  const std::uint64_t body_bytes = file_bytes - header_bytes;
  if (const std::size_t each = block_bytes(layout); each != 0) {
    shape.block_count = body_bytes / each;
    shape.tail_bytes = static_cast<std::uint32_t>(body_bytes % each);
  }
  return shape;
}

bool divides(const file_ends& file, block_layout layout, std::uint32_t header_bytes) noexcept {
  return (file.bytes - header_bytes) % block_bytes(layout) == 0;
}

// Layouts of one age; whole files before truncated ones.
template <std::size_t Count>
std::optional<block_layout> fitting(const file_ends& file, const std::array<block_layout, Count>& candidates,
                                    std::uint32_t header_bytes) noexcept {
  for (const bool cut : {false, true}) {
    for (const block_layout layout : candidates) {
      if (divides(file, layout, header_bytes) == cut) continue;
      const evidence found = gather(file, layout, header_bytes);
      if (found.seen != 0 && found.all() && (header_bytes != 0 || found.speaks_for_itself())) return layout;
    }
  }
  return std::nullopt;
}

result<file_shape> samp_with_header(const file_ends& file, recording_kind kind) noexcept {
  constexpr std::uint32_t header_bytes = file_header::wire_bytes;
  const bool drives = kind == recording_kind::vehicle;
  const std::array candidates = drives ? std::array{block_layout::vehicle, block_layout::legacy_vehicle}
                                       : std::array{block_layout::on_foot, block_layout::legacy_on_foot};
  const auto shape = [&](block_layout layout) {
    return shape_of(layout, file_header::samp_version, file.bytes, header_bytes);
  };
  if (file.bytes < header_bytes + block_bytes(candidates[0])) return shape(candidates[0]);
  // A truncated current file before a whole old one: current blocks are never misdetected, because their
  // rotations must have length 1.
  for (const block_layout layout : candidates) {
    if (fitting(file, std::array{layout}, header_bytes)) return shape(layout);
  }
  for (const block_layout layout : candidates) {
    if (gather(file, layout, header_bytes).most()) return shape(layout);
  }
  return fail(error_code::not_recognised, header_bytes, "block layout not recognised");
}

result<file_shape> without_header(const file_ends& file) noexcept {
  constexpr std::array today = {block_layout::vehicle, block_layout::on_foot};
  constexpr std::array of_old = {block_layout::legacy_vehicle, block_layout::legacy_on_foot};
  for (const auto& candidates : {today, of_old}) {
    if (const auto layout = fitting(file, candidates, 0)) return shape_of(*layout, 0, file.bytes, 0);
  }
  return fail(error_code::not_recognised, 0, "block layout not recognised");
}

}  // namespace

std::string_view name(block_layout layout) noexcept {
  switch (layout) {
    case block_layout::none:
      return "none";
    case block_layout::vehicle:
      return "vehicle";
    case block_layout::on_foot:
      return "on_foot";
    case block_layout::legacy_vehicle:
      return "legacy_vehicle";
    case block_layout::legacy_on_foot:
      return "legacy_on_foot";
    case block_layout::vcmp_on_foot:
      return "vcmp_on_foot";
    case block_layout::vcmp_driver:
      return "vcmp_driver";
    case block_layout::vcmp_packets:
      return "vcmp_packets";
  }
  return "";
}

std::size_t block_bytes(block_layout layout) noexcept {
  switch (layout) {
    case block_layout::vehicle:
      return vehicle_block::wire_bytes;
    case block_layout::on_foot:
      return on_foot_block::wire_bytes;
    case block_layout::legacy_vehicle:
      return legacy_vehicle_block::wire_bytes;
    case block_layout::legacy_on_foot:
      return legacy_on_foot_block::wire_bytes;
    case block_layout::vcmp_on_foot:
      return vcmp::on_foot_block::wire_bytes;
    case block_layout::vcmp_driver:
      return vcmp::driver_block::wire_bytes;
    case block_layout::none:
    case block_layout::vcmp_packets:
      return 0;
  }
  return 0;
}

result<file_shape> detect(byte_span head, byte_span tail, std::uint64_t file_bytes,
                          const detect_options& options) noexcept {
  if (head.size() > file_bytes || tail.size() > file_bytes) return fail(error_code::invalid_argument);
  if (file_bytes > options.limits.file_bytes) {
    return fail(error_code::over_limit, error::no_offset, "a recording has at most {} bytes",
                static_cast<std::int64_t>(options.limits.file_bytes));
  }
  byte_reader from(head);
  const std::uint32_t version = from.u32();
  const std::uint32_t kind = from.u32();
  if (!from.ok()) return fail(error_code::truncated, file_bytes, "a recording begins with eight bytes");
  const file_ends file{head, tail, file_bytes};

  const auto checked = [&](result<file_shape> found) -> result<file_shape> {
    if (found && found->block_count > options.limits.blocks) {
      return fail(error_code::over_limit, error::no_offset, "a recording has at most {} blocks",
                  static_cast<std::int64_t>(options.limits.blocks));
    }
    return found;
  };
  if (version == file_header::samp_version && !options.vcmp) {
    if (kind == 1 || kind == 2) return checked(samp_with_header(file, static_cast<recording_kind>(kind)));
    if (kind == 0 && file_bytes == file_header::wire_bytes) {
      return shape_of(block_layout::none, version, file_bytes, file_header::wire_bytes);
    }
  }
  if (options.vcmp) return checked(vcmp::shape_of(head, file_bytes));
  const auto oldest = without_header(file);
  if (oldest || !vcmp::claims(version, kind)) return checked(oldest);
  return checked(vcmp::shape_of(head, file_bytes));
}

result<file_shape> detect(byte_span file, const detect_options& options) noexcept {
  return detect(file, file, file.size(), options);
}

}  // namespace tickreel::samp_rec

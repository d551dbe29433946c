// Fits the ring and the blocks of a recorder of described structs into a limit of memory.
#include <algorithm>
#include <bit>
#include <utility>

#include "change_models.hpp"
#include "change_rows.hpp"
#include "layout.hpp"
#include "tickreel/record/ring.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/tickreel.hpp"
#include "tickreel/tracks/event_queue.hpp"

namespace tickreel::tracks {

namespace {

// Upper bounds, from the members of the classes that have the memory.
class recorder_memory {
 public:
  recorder_memory(const shape& of, std::size_t state_bytes)
      : slot_bytes_(state_bytes + 4 * cache_line_bytes) {
    const layout plan(of);
    const std::uint64_t columns = of.columns.size();
    constexpr std::uint64_t memory_of_column = sizeof(column) + 3 * sizeof(std::uint32_t) +
                                               sizeof(decimal_step) + sizeof(mapping) + sizeof(std::size_t);
    // A slot of an event has the event and less than a hundred bytes; the index and small buffers begin with less than 256 KiB.
    fixed_bytes_ = (256u << 10) + event_queue::capacity * (max_event_bytes + 128) +
                   columns * memory_of_column + 3 * std::uint64_t{of.row_bytes};
    // The block's rows, coded columns, and the work on a column; then the chunk: encoded, compressed, and as a record.
    constexpr std::uint64_t work_bytes = 192;
    row_bytes_ = of.row_bytes + sizeof(std::int64_t) * plan.slots + plan.column_bytes + work_bytes;
    chunk_row_bytes_ = plan.column_bytes + reel::frame_head_bytes;
    const record_map records(of);
    if (of.row_bytes < default_min_change_row_bytes || !records.is_usable()) return;
    fixed_bytes_ += change_row_writer::memory_of(records, of.row_bytes, max_change_rows);
    change_chunk_bytes_ = reel::block_chunk_bytes(
        change_row_writer::largest_size_of(records, max_change_rows), max_change_rows);
  }

  [[nodiscard]] std::uint64_t ring(std::uint64_t ticks) const noexcept { return (ticks + 1) * slot_bytes_; }
  [[nodiscard]] std::uint64_t block(std::uint64_t rows) const noexcept {
    const std::uint64_t chunk = std::max(rows * chunk_row_bytes_, change_chunk_bytes_);
    // What does not become smaller is a little larger when compressed.
    return rows * row_bytes_ + 3 * (chunk + chunk / 128);
  }
  [[nodiscard]] std::uint64_t fixed() const noexcept { return fixed_bytes_; }

 private:
  std::uint64_t slot_bytes_;
  std::uint64_t fixed_bytes_;
  std::uint64_t row_bytes_;
  std::uint64_t chunk_row_bytes_;
  std::uint64_t change_chunk_bytes_ = 0;
};

}  // namespace

}  // namespace tickreel::tracks

namespace tickreel::detail {

result<void> limit_memory(recorder_options& options, const schema& described, std::size_t state_bytes) {
  const std::uint64_t limit = std::exchange(options.memory_bytes, 0);
  if (limit == 0) return {};
  const auto columns = tracks::shape_of(described);
  if (!columns) return fail(columns.error());
  const tracks::recorder_memory memory(*columns, state_bytes);
  constexpr std::uint32_t least_ticks = 2;
  std::uint32_t ticks = std::bit_ceil(std::clamp(options.ring_ticks, least_ticks, 1u << 24));
  std::uint32_t rows = tracks::rows_within(described.row_bytes(), options.seal_bytes);
  const auto needed = [&] { return memory.fixed() + memory.ring(ticks) + memory.block(rows); };
  while (needed() > limit && (ticks > least_ticks || rows > 1)) {
    const bool halves_ring = rows == 1 || (ticks > least_ticks && memory.ring(ticks) >= memory.block(rows));
    (halves_ring ? ticks : rows) /= 2;
  }
  if (needed() > limit) {
    return fail(
        error_code::over_limit, error::no_offset,
        "memory_bytes is {}, and a recorder of this struct needs {}: raise it, or make arrays smaller",
        static_cast<std::int64_t>(limit), static_cast<std::int64_t>(needed()));
  }
  options.ring_ticks = std::min(options.ring_ticks, ticks);
  options.seal_bytes = std::min(options.seal_bytes, rows * described.row_bytes());
  return {};
}

}  // namespace tickreel::detail

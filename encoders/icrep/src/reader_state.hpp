// State of a reader.
#pragma once

#include <algorithm>

#include "tickreel/icrep/cut.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::icrep {

struct reader_state {
  byte_span file;
  reader_options options;
  file_header header;
  icrep::metadata metadata;
  std::string_view metadata_json;
  std::uint64_t total_ticks = 0;
  std::vector<stored_keyframe> keyframes;
  block_index orders;
  block_index events;
  block_index voice;
  slot_table slots;
  std::vector<finding> findings;

  [[nodiscard]] bool hashes_core() const noexcept { return options.hashes_core || metadata.hashes_core(); }
  [[nodiscard]] byte_span bytes_of(section place) const noexcept {
    return file.subspan(place.offset, place.length);
  }
  void warn(severity how_bad, const error& what) { findings.push_back({how_bad, what}); }

  [[nodiscard]] std::uint64_t first_tick() const noexcept {
    const bool is_cut =
        std::ranges::any_of(metadata.others, [](const auto& each) { return each.first == cut_metadata_key; });
    return is_cut && !keyframes.empty() ? keyframes.front().tick : 0;
  }

  result<void> read_sections();
  result<void> read_keyframes();
  void index_streams();
  // The next file of the same match.
  result<void> join(reader_state&& next);

  [[nodiscard]] order_cursor orders_between(std::uint64_t first_tick, std::uint64_t end_tick) const {
    return order_cursor(*this, first_tick, end_tick);
  }
  // The first tick from `first_tick` on without a frame, at most `end_tick`.
  [[nodiscard]] std::uint64_t end_of_run(std::uint64_t first_tick, std::uint64_t end_tick) const;
  [[nodiscard]] std::optional<order_gap> find_gap(std::uint64_t first_tick, std::uint64_t end_tick) const;

  [[nodiscard]] result<sim_snapshot> read_full(std::size_t keyframe) const;
  [[nodiscard]] result<delta_snapshot> read_delta_of(std::size_t keyframe) const;
  [[nodiscard]] bool follows_baseline(const sim_core_delta& delta, const sim_core_snapshot& baseline) const;
  // `state` is the full keyframe `plan.full`; problems of intermediate deltas are added to `warnings`.
  result<void> apply_deltas(const restore_plan& plan, sim_snapshot& state,
                            std::vector<error>& warnings) const;
};

// The last tick of a stream of order blocks, + 1; 0 for none.
[[nodiscard]] std::uint64_t end_of_orders(const block_index& orders, const limits& most);

}  // namespace tickreel::icrep

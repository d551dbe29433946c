#include "layout.hpp"

#include <algorithm>

namespace tickreel::tracks {

std::vector<std::uint32_t> coding_order(const shape& of) {
  enum class state : std::uint8_t { untouched, open, done };
  struct visit {
    std::uint32_t column;
    std::uint32_t next_reference;
  };
  std::vector<std::uint32_t> order;
  order.reserve(of.columns.size());
  std::vector<state> states(of.columns.size(), state::untouched);
  std::vector<visit> path;
  for (std::uint32_t first = 0; first < of.columns.size(); ++first) {
    if (states[first] != state::untouched) continue;
    path.push_back({first, 0});
    states[first] = state::open;
    while (!path.empty()) {
      visit& here = path.back();
      const declaration& declared = of.columns[here.column].declared;
      if (here.next_reference == reference_count(declared.kind)) {
        states[here.column] = state::done;
        order.push_back(here.column);
        path.pop_back();
        continue;
      }
      const std::uint32_t other = declared.of[here.next_reference++];
      if (states[other] == state::open) return order;
      if (states[other] == state::untouched) {
        states[other] = state::open;
        path.push_back({other, 0});
      }
    }
  }
  return order;
}

decimal_step step_for(double tolerance) noexcept {
  if (!(tolerance > 0)) return {};
  double scaled = 2 * tolerance * (1 + 1e-9);
  int places = 0;
  while (places < max_places && scaled * 10 < 1000) {
    scaled *= 10;
    ++places;
  }
  auto multiple = static_cast<std::uint32_t>(scaled);
  if (multiple == 0) multiple = 1;
  while (places > 0 && multiple % 10 == 0) {
    multiple /= 10;
    --places;
  }
  return {multiple, static_cast<std::uint8_t>(places)};
}

layout::layout(const shape& made_of) : of(made_of) {
  usable = of.validate().has_value();
  if (!usable) return;
  const std::size_t columns = of.columns.size();
  order = coding_order(of);
  place.resize(columns);
  slot.assign(columns, no_slot);
  steps.resize(columns);
  for (std::uint32_t i = 0; i < columns; ++i) place[order[i]] = i;
  for (const column& one : of.columns) {
    column_bytes += one.size_bytes;
    if (one.kind == value_kind::text) largest_text = std::max(largest_text, one.size_bytes);
  }
  for (std::size_t i = 0; i < columns; ++i) {
    const declaration& declared = of.columns[i].declared;
    steps[i] = step_for(declared.tolerance);
    for (std::size_t r = 0; r < reference_count(declared.kind); ++r) {
      if (slot[declared.of[r]] == no_slot) slot[declared.of[r]] = slots++;
    }
  }
}

}  // namespace tickreel::tracks

#include "selection_tracker.hpp"

#include <algorithm>
#include <iterator>

namespace tickreel::sc2replay {

const selection_tracker::difference* selection_tracker::apply(std::uint8_t user,
                                                              const selection_delta& delta) {
  units& group = users_[user % users_.size()][delta.group % 16];
  units after = without(group, delta.removed);
  add(after, delta.added);
  const difference* const found = delta.group == active_selection ? changed(group, after) : nullptr;
  group = std::move(after);
  return found;
}

const selection_tracker::difference* selection_tracker::apply(std::uint8_t user,
                                                              const control_group_update& update) {
  groups& all = users_[user % users_.size()];
  units& group = all[update.group % 16];
  units& selected = all[active_selection];
  const bool steals =
      update.update == group_update::set_and_steal || update.update == group_update::append_and_steal;
  if (steals) {
    for (std::size_t i = 0; i < active_selection; ++i) {
      if (&all[i] == &group) continue;
      units kept;
      std::ranges::set_difference(all[i], selected, std::back_inserter(kept));
      all[i] = std::move(kept);
    }
  }
  switch (update.update) {
    case group_update::set:
    case group_update::set_and_steal:
      group = selected;
      return nullptr;
    case group_update::append:
    case group_update::append_and_steal: {
      units after = without(group, update.left_out);
      units joined;
      std::ranges::set_union(after, selected, std::back_inserter(joined));
      if (joined.size() > selection_limit) joined.resize(selection_limit);
      group = std::move(joined);
      return nullptr;
    }
    case group_update::recall: {
      units after = without(group, update.left_out);
      const difference* const found = changed(selected, after);
      selected = std::move(after);
      return found;
    }
    case group_update::clear:
      group.clear();
      return nullptr;
  }
  return nullptr;
}

selection_tracker::units selection_tracker::without(const units& from, const selection_mask& mask) {
  if (mask.exceeds(from.size())) ++contradictions_;
  const auto picked = mask.picks(from.size());
  units kept;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!picked[i]) kept.push_back(from[i]);
  }
  return kept;
}

void selection_tracker::add(units& to, std::span<const std::uint32_t> more) {
  units sorted(more.begin(), more.end());
  std::ranges::sort(sorted);
  units joined;
  std::ranges::set_union(to, sorted, std::back_inserter(joined));
  if (joined.size() < to.size() + sorted.size()) ++contradictions_;
  if (joined.size() > selection_limit) {
    ++contradictions_;
    joined.resize(selection_limit);
  }
  to = std::move(joined);
}

const selection_tracker::difference* selection_tracker::changed(const units& before, const units& after) {
  difference_.added.clear();
  difference_.removed.clear();
  auto was = before.begin();
  auto is = after.begin();
  while (was != before.end() || is != after.end()) {
    if (is == after.end() || (was != before.end() && *was < *is)) {
      difference_.removed.push_back({*was++});
    } else if (was == before.end() || *is < *was) {
      difference_.added.push_back({*is++});
    } else {
      ++was, ++is;
    }
  }
  return difference_.any() ? &difference_ : nullptr;
}

}  // namespace tickreel::sc2replay

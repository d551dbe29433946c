#include "tickreel/gamecache/store.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tickreel::gamecache {

namespace {

constexpr std::uint32_t last_age = 0x7FFFFFFF;  // 2^31 - 1: the program compares ages as signed numbers

// The first index for a key that `matches`.
template <class Index, class Key, class Matches>
std::optional<std::size_t> first_of(const Index& index, const Key& key, const Matches& matches) noexcept {
  std::optional<std::size_t> found;
  const auto [begin, end] = index.equal_range(key);
  for (auto at = begin; at != end; ++at) {
    if ((!found || at->second < *found) && matches(at->second)) found = at->second;
  }
  return found;
}

template <class Index, class Key>
void erase_entry(Index& index, const Key& key, std::size_t place) {
  const auto [begin, end] = index.equal_range(key);
  const auto found = std::find_if(begin, end, [place](const auto& each) { return each.second == place; });
  if (found != end) index.erase(found);
}

}  // namespace

store::store(contents from, const store_options& options) : all_(std::move(from)), options_(options) {
  build_index();
}

void store::build_index() {
  by_path_.clear();
  by_time_.clear();
  by_path_.reserve(all_.items.size());
  by_time_.reserve(all_.items.size());
  for (std::size_t at = 0; at < all_.items.size(); ++at) {
    by_path_.emplace(path_hash(all_.items[at].path), at);
    by_time_.emplace(all_.items[at].modified, at);
  }
}

void store::forget(std::size_t index) {
  erase_entry(by_path_, path_hash(all_.items[index].path), index);
  erase_entry(by_time_, all_.items[index].modified, index);
}

std::optional<std::size_t> store::find_path(std::string_view path) const noexcept {
  return first_of(by_path_, path_hash(path),
                  [&](std::size_t at) { return same_path(all_.items[at].path, path); });
}

std::optional<std::size_t> store::find_time(std::int64_t modified) const noexcept {
  return first_of(by_time_, modified, [](std::size_t) { return true; });
}

std::uint32_t store::next_age() {
  if (all_.next_age >= last_age) renumber();
  return all_.next_age++;
}

void store::touch(std::size_t index) noexcept {
  if (all_.layout == layout::flagged) all_.items[index].age = next_age();
}

std::optional<std::size_t> store::oldest() const noexcept {
  if (all_.items.empty()) return std::nullopt;
  const auto found =
      std::min_element(all_.items.begin(), all_.items.end(),
                       [](const item& left, const item& right) { return left.age < right.age; });
  return static_cast<std::size_t>(found - all_.items.begin());
}

store::put_report store::put(item fresh) {
  put_report report;
  const auto known = options_.by == key::path ? find_path(fresh.path) : find_time(fresh.modified);
  std::optional<std::size_t> place = known;
  const bool limited = options_.max_items != 0 && all_.layout == layout::flagged;
  if (known) {
    report.replaced = true;
  } else if (limited && all_.items.size() >= options_.max_items) {
    // There are more than the limit only after reading such a cache.
    while (all_.items.size() > options_.max_items) {
      all_.items.erase(all_.items.begin() + static_cast<std::ptrdiff_t>(*oldest()));
      ++report.evicted;
    }
    if (report.evicted != 0) build_index();
    place = oldest();
    ++report.evicted;
  }
  if (place) {
    forget(*place);
    all_.items[*place] = std::move(fresh);
  } else {
    place = all_.items.size();
    all_.items.push_back(std::move(fresh));
  }
  const item& put = all_.items[*place];
  by_path_.emplace(path_hash(put.path), *place);
  by_time_.emplace(put.modified, *place);
  touch(*place);
  report.index = *place;
  return report;
}

void store::renumber() {
  std::vector<std::size_t> order(all_.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](std::size_t left, std::size_t right) {
    return all_.items[left].age < all_.items[right].age;
  });
  std::uint32_t age = 0;
  for (const std::size_t at : order) all_.items[at].age = age++;
  all_.next_age = age;
}

}  // namespace tickreel::gamecache

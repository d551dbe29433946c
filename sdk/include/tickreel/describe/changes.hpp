// Two ways to find the changes since a baseline. Comparing needs no support by the game and costs time in
// proportion to the world; marking costs time in proportion to the changes, and the game must report them.
// Both find the same changes, except that a value that was changed and restored is marked but compares equal.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/component.hpp"

namespace tickreel {

// Calls changed(i) for each record that differs; both arrays have the same number of records of that size.
// Trailing bytes after the last whole record are ignored. Runs of equal records are skipped in blocks.
template <class Changed>
void compare_records(byte_span before, byte_span now, std::size_t record_bytes, Changed&& changed) {
  // Small enough that a change causes little work, large enough for vector units.
  constexpr std::size_t block_bytes = 1024;
  const std::size_t records = record_bytes == 0 ? 0 : (std::min)(before.size(), now.size()) / record_bytes;
  const std::size_t records_per_block =
      std::max<std::size_t>(1, block_bytes / std::max<std::size_t>(1, record_bytes));
  for (std::size_t first = 0; first < records; first += records_per_block) {
    const std::size_t last = (std::min)(records, first + records_per_block);
    const std::size_t at = first * record_bytes;
    if (std::memcmp(before.data() + at, now.data() + at, (last - first) * record_bytes) == 0) continue;
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t offset = i * record_bytes;
      if (std::memcmp(before.data() + offset, now.data() + offset, record_bytes) != 0) changed(i);
    }
  }
}

// Changes marked by the game: which components of which entities. Entities are indices into the game's own
// storage, components are numbered from 0 to 63. Allocates only in the constructor. One thread at a time.
class change_list {
 public:
  explicit change_list(std::size_t entities) : masks_(entities, 0) { marked_.reserve(entities); }

  // An entity or component out of range is not marked; the list is then not complete.
  void mark(std::size_t entity, unsigned component) noexcept {
    if (entity >= masks_.size() || component >= 64) {
      is_complete_ = false;
      return;
    }
    if (masks_[entity] == 0) marked_.push_back(static_cast<std::uint32_t>(entity));
    masks_[entity] |= std::uint64_t{1} << component;
  }
  // Marks all components: the entity was created, removed or replaced.
  void mark_all(std::size_t entity) noexcept {
    mark(entity, 0);
    if (entity < masks_.size()) masks_[entity] = ~std::uint64_t{0};
  }

  // Each marked entity once, in the order of their first marks.
  [[nodiscard]] std::span<const std::uint32_t> entities() const noexcept { return marked_; }
  [[nodiscard]] std::uint64_t mask(std::size_t entity) const noexcept {
    return entity < masks_.size() ? masks_[entity] : 0;
  }
  [[nodiscard]] bool is_marked(std::size_t entity, unsigned component) const noexcept {
    return component < 64 && (mask(entity) >> component & 1) != 0;
  }
  // False if a mark since clear() was out of range.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }
  void clear() noexcept {
    for (const std::uint32_t entity : marked_) masks_[entity] = 0;
    marked_.clear();
    is_complete_ = true;
  }

 private:
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint32_t> marked_;
  bool is_complete_ = true;
};

// A component that marks itself when it is assigned. The list must outlive it.
template <class T>
class tracked {
 public:
  tracked(change_list& changes, std::size_t entity, unsigned component, T value = {}) noexcept
      : value_(std::move(value)), changes_(&changes), entity_(entity), component_(component) {
    changes_->mark(entity_, component_);
  }
  tracked(const tracked&) = delete;
  tracked& operator=(const tracked&) = delete;

  tracked& operator=(const T& value) noexcept {
    if (!same_component(value_, value)) {
      value_ = value;
      changes_->mark(entity_, component_);
    }
    return *this;
  }
  // Changes in place: counter.change([](auto& now) { ++now.shots; });
  template <class Change>
  void change(Change&& apply) {
    T now = value_;
    apply(now);
    *this = now;
  }
  [[nodiscard]] const T& get() const noexcept { return value_; }
  const T* operator->() const noexcept { return &value_; }
  const T& operator*() const noexcept { return value_; }

 private:
  T value_;
  change_list* changes_;
  std::size_t entity_;
  unsigned component_;
};

}  // namespace tickreel

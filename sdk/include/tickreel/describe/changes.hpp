// Two ways to know what changed since a baseline. Comparing needs nothing of the game and costs as much as
// the world is large; marking costs as much as changes, and the game must tell. Both name the same changes,
// except that a value that went away and came back is marked and compares equal.
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

// Calls changed(i) for each record that differs; both arrays have as many records of that size. What is left
// behind the last whole record is not looked at. Runs of equal records are passed over a block at a time.
template <class Changed>
void compare_records(byte_span before, byte_span now, std::size_t record_bytes, Changed&& changed) {
  // Small enough that a change makes little work, large enough to keep vector units busy.
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

// What the game marked: which components of which entities. Entities are places in the game's own storage,
// components are numbered from 0 to 63. Takes all its memory when made. One thread at a time.
class change_list {
 public:
  explicit change_list(std::size_t entities) : masks_(entities, 0) { marked_.reserve(entities); }

  // Ignored for an entity or a component that there cannot be.
  void mark(std::size_t entity, unsigned component) noexcept {
    if (entity >= masks_.size() || component >= 64) return;
    if (masks_[entity] == 0) marked_.push_back(static_cast<std::uint32_t>(entity));
    masks_[entity] |= std::uint64_t{1} << component;
  }
  // All of it: born, gone, or replaced.
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
  void clear() noexcept {
    for (const std::uint32_t entity : marked_) masks_[entity] = 0;
    marked_.clear();
  }

 private:
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint32_t> marked_;
};

// A component that marks itself when it is given another value. The list must outlive it.
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

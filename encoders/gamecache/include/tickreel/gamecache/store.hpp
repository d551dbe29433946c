// A cache in use: looking up, adding, and forgetting what was not used for longest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "tickreel/gamecache/cache.hpp"

namespace tickreel::gamecache {

// What makes two items the same. Programs up to 2.04 and from 3.00 on went by path, those between by time,
// which drops copies of one replay.
enum class key : std::uint8_t { path, time };

struct store_options {
  std::size_t max_items = 2048;  // 0: no limit. The flat layout has none.
  key by = key::path;
};

// Keeps ages right. An item that is added, replaced or looked up gets the next age, so that ages are the
// order of last use; equal ages: the first item is the older one. One thread at a time.
//
// Looking up takes constant time; putting into a full store takes a walk over its items.
class store {
 public:
  // Takes a cache with more items than the limit; they go when the next one is put.
  explicit store(contents from, const store_options& options = {});

  [[nodiscard]] const contents& all() const noexcept { return all_; }
  [[nodiscard]] contents take() && noexcept { return std::move(all_); }

  // Without counting as use. The first of several.
  [[nodiscard]] std::optional<std::size_t> find_path(std::string_view path) const noexcept;
  [[nodiscard]] std::optional<std::size_t> find_time(std::int64_t modified) const noexcept;

  // The item was used.
  void touch(std::size_t index) noexcept;
  // The item of this path or time, touched. Null when there is none; valid until the store changes.
  const item* look_up_path(std::string_view path) noexcept;
  const item* look_up_time(std::int64_t modified) noexcept;

  struct put_report {
    std::size_t index = 0;
    bool replaced = false;    // there was one with this key
    std::size_t evicted = 0;  // items that made room
  };
  // Whatever its age is, it gets the next one. In a full store it takes the place of the oldest.
  put_report put(item fresh);

  // Which one would go first. Empty when there are none.
  [[nodiscard]] std::optional<std::size_t> oldest() const noexcept;
  // Gives ages 0 to n - 1 in the order of the present ones. Done by itself before the next age would pass
  // 2^31 - 1.
  void renumber();

 private:
  [[nodiscard]] std::uint64_t hash_of(const item& each) const noexcept;
  [[nodiscard]] std::uint32_t next_age();
  void build_index();
  void forget(std::size_t index);

  contents all_;
  store_options options_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_path_;
  std::unordered_multimap<std::int64_t, std::size_t> by_time_;
};

}  // namespace tickreel::gamecache

// A cache in use: look up, add, and evict the least recently used items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "tickreel/gamecache/cache.hpp"

namespace tickreel::gamecache {

// The identity of items. Programs up to 2.04 and from 3.00 on use the path, those between the time, which
// removes copies of one replay.
enum class key : std::uint8_t { path, time };

struct store_options {
  std::size_t max_items = 2048;  // 0: no limit. The flat layout has none.
  key by = key::path;
};

// Maintains ages. An item that is added, replaced or looked up gets the next age, so that ages are the
// order of last use; of equal ages the first item is the older one. One thread at a time.
//
// Looking up takes constant time; adding to a full store takes time in proportion to its items.
class store {
 public:
  // Accepts a cache with more items than the limit; they are evicted by the next put().
  explicit store(contents from, const store_options& options = {});

  [[nodiscard]] const contents& all() const noexcept { return all_; }
  [[nodiscard]] contents take() && noexcept { return std::move(all_); }

  // Does not count as use. The first of several.
  [[nodiscard]] std::optional<std::size_t> find_path(std::string_view path) const noexcept;
  [[nodiscard]] std::optional<std::size_t> find_time(std::int64_t modified) const noexcept;

  // Marks the item as used.
  void touch(std::size_t index) noexcept;

  struct put_report {
    std::size_t index = 0;
    bool replaced = false;    // an item with this key existed
    std::size_t evicted = 0;  // evicted items
  };
  // The item gets the next age, whatever its age was. In a full store it replaces the oldest.
  put_report put(item fresh);

  // The next item to be evicted. Empty if there are none.
  [[nodiscard]] std::optional<std::size_t> oldest() const noexcept;
  // Assigns ages 0 to n - 1 in the current order. Called automatically before the next age would pass 2^31 -
  // 1.
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

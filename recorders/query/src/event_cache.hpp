// Events of files that several scans of a statement read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tickreel/library/event_list.hpp"
#include "tickreel/workers/mutex.hpp"

namespace tickreel::query {

using library::event_line;
using library::event_list;

// Forgets the files that were used first. Thread-safe.
class event_cache {
 public:
  static constexpr std::size_t max_bytes = std::size_t{128} << 20;

  [[nodiscard]] std::shared_ptr<const event_list> find(const std::string& file) {
    const workers::mutex_guard lock(mutex_);
    const auto found = lists_.find(file);
    if (found == lists_.end()) return nullptr;
    found->second.used = ++uses_;
    return found->second.list;
  }
  void keep(const std::string& file, std::shared_ptr<const event_list> list) {
    const workers::mutex_guard lock(mutex_);
    bytes_ += list->bytes();
    const auto [at, is_new] = lists_.insert({file, {}});
    if (!is_new) bytes_ -= at->second.list->bytes();
    at->second = {std::move(list), ++uses_};
    while (bytes_ > max_bytes && lists_.size() > 1) forget_oldest();
  }

 private:
  struct entry {
    std::shared_ptr<const event_list> list;
    std::uint64_t used = 0;
  };
  void forget_oldest() {
    auto oldest = lists_.begin();
    for (auto each = lists_.begin(); each != lists_.end(); ++each) {
      if (each->second.used < oldest->second.used) oldest = each;
    }
    bytes_ -= oldest->second.list->bytes();
    lists_.erase(oldest);
  }

  workers::mutex mutex_;
  std::map<std::string, entry> lists_;
  std::size_t bytes_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace tickreel::query

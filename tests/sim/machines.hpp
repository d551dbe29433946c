// Several simulated machines, each with a disk: a path selects one.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "script.hpp"
#include "simulated_disk.hpp"

namespace tickreel::sim {

// Plans the fault of a step; `death` becomes what remains if it is one.
inline void plan(simulated_disk& disk, const step& one, cut& death) {
  if (one.first < 0) return;
  const auto kind = static_cast<fault>(one.first);
  const bool dies = kind == fault::death;
  if (dies)
    death = static_cast<cut>(std::clamp<std::int64_t>(one.third, 0, std::int64_t{std::size(cut_names)} - 1));
  disk.plan(kind, static_cast<std::uint64_t>(one.second), dies ? 1 : static_cast<std::uint64_t>(one.third));
}

class machines final : public system_calls {
 public:
  // Paths that begin with `folder` are on `disk`.
  void add(std::string folder, simulated_disk& disk) { all_.emplace_back(std::move(folder), &disk); }

  // For checks: no fault strikes during the call.
  template <class Call>
  auto without_faults(Call call) {
    struct pause {
      machines& of;
      explicit pause(machines& all) : of(all) { set(true); }
      ~pause() { set(false); }
      void set(bool paused) const {
        of.checks_ = paused;
        for (const auto& [folder, disk] : of.all_) disk->pause_faults(paused);
      }
    } const paused(*this);
    return call();
  }

  std::function<void(std::string_view path)> before_open;
  std::function<void(std::string_view from)> before_rename;
  std::function<bool()> is_dead;  // the calling process

  std::int64_t open(const char* path, unsigned flags) override {
    if (!checks_ && before_open) before_open(path);
    if (has_died()) return -EIO;
    const std::size_t which = of(path);
    const std::int64_t handle = all_[which].second->open(path, flags);
    return handle < 0 ? handle : handle * count + static_cast<std::int64_t>(which);
  }
  std::int64_t close(std::int64_t handle) override { return disk(handle).close(handle / count); }
  std::int64_t read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) override {
    return has_died() ? -EIO : disk(handle).read_at(handle / count, into, offset);
  }
  std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset) override {
    return has_died() ? -EIO : disk(handle).write_at(handle / count, from, offset);
  }
  std::int64_t sync(std::int64_t handle) override {
    return has_died() ? -EIO : disk(handle).sync(handle / count);
  }
  std::int64_t truncate(std::int64_t handle, std::uint64_t size) override {
    return has_died() ? -EIO : disk(handle).truncate(handle / count, size);
  }
  std::int64_t size(std::int64_t handle) override {
    return has_died() ? -EIO : disk(handle).size(handle / count);
  }
  std::int64_t version(std::int64_t handle) override {
    return has_died() ? -EIO : disk(handle).version(handle / count);
  }
  std::int64_t lock(std::int64_t handle) override {
    return has_died() ? -EIO : disk(handle).lock(handle / count);
  }
  std::int64_t is_locked(std::int64_t handle) override {
    return has_died() ? -EIO : disk(handle).is_locked(handle / count);
  }
  void wait_ms(std::uint32_t duration_ms) override { advance_clock(std::int64_t{duration_ms} * 1000); }
  std::int64_t rename(const char* from, const char* to) override {
    if (!checks_ && before_rename) before_rename(from);
    return has_died() ? -EIO : on(from).rename(from, to);
  }
  std::int64_t rename_new(const char* from, const char* to) override {
    return has_died() ? -EIO : on(from).rename_new(from, to);
  }
  std::int64_t remove(const char* path) override { return has_died() ? -EIO : on(path).remove(path); }
  std::int64_t sync_folder(const char* path_of_file_inside) override {
    return has_died() ? -EIO : on(path_of_file_inside).sync_folder(path_of_file_inside);
  }

 private:
  static constexpr std::int64_t count = 8;
  [[nodiscard]] std::size_t of(std::string_view path) const {
    std::size_t which = 0;
    while (which + 1 < all_.size() && !path.starts_with(all_[which].first)) ++which;
    return which;
  }
  [[nodiscard]] bool has_died() const { return !checks_ && is_dead && is_dead(); }
  [[nodiscard]] simulated_disk& on(std::string_view path) { return *all_[of(path)].second; }
  [[nodiscard]] simulated_disk& disk(std::int64_t handle) {
    return *all_[static_cast<std::size_t>(handle % count)].second;
  }

  std::vector<std::pair<std::string, simulated_disk*>> all_;
  bool checks_ = false;
};

}  // namespace tickreel::sim

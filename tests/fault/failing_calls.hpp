// System calls that fail on request.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "tickreel/io/file.hpp"

namespace tickreel::test {

enum class fault : std::uint8_t {
  refused,      // the call does nothing and returns the error
  short_write,  // a write writes half of the bytes and reports that; other calls fail
  torn_write,   // a write writes half of the bytes and returns the error; other calls fail
};

// The real system calls until call number `at` (from 1). Then that call fails, or, with `for_good`, all calls from there on.
// Closing always succeeds, as in the kernel.
class failing_calls final : public system_calls {
 public:
  failing_calls() = default;
  failing_calls(fault kind, int errno_value, std::uint64_t at, bool for_good)
      : kind_(kind), errno_(errno_value), at_(at), for_good_(for_good) {}

  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  [[nodiscard]] bool struck() const { return calls_ >= at_; }
  [[nodiscard]] bool failed_to_remove() const { return failed_to_remove_; }
  // From now on every call succeeds. Any thread.
  void heal() { at_ = UINT64_MAX; }
  // From now on every call fails. Any thread.
  void fail_with(int errno_value) {
    errno_ = errno_value;
    for_good_ = true;
    at_ = 0;
  }
  void only_syncs() { only_syncs_ = true; }

  std::int64_t open(const char* path, unsigned flags) override {
    return fails() ? -errno_ : system_calls::open(path, flags);
  }
  std::int64_t read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) override {
    // A full disk can be read.
    const int reason = errno_ == ENOSPC ? EIO : errno_.load();
    return fails() ? -reason : system_calls::read_at(handle, into, offset);
  }
  std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset) override {
    if (!fails()) return system_calls::write_at(handle, from, offset);
    if (kind_ == fault::refused || from.size() < 2) return -errno_;
    const std::int64_t written = system_calls::write_at(handle, from.first(from.size() / 2), offset);
    return kind_ == fault::short_write ? written : -errno_;
  }
  std::int64_t sync(std::int64_t handle) override {
    return fails(true) ? -errno_ : system_calls::sync(handle);
  }
  std::int64_t truncate(std::int64_t handle, std::uint64_t size) override {
    return fails() ? -errno_ : system_calls::truncate(handle, size);
  }
  std::int64_t size(std::int64_t handle) override { return fails() ? -errno_ : system_calls::size(handle); }
  std::int64_t version(std::int64_t handle) override {
    return fails() ? -errno_ : system_calls::version(handle);
  }
  std::int64_t lock(std::int64_t handle) override { return fails() ? -errno_ : system_calls::lock(handle); }
  std::int64_t is_locked(std::int64_t handle) override {
    return fails() ? -errno_ : system_calls::is_locked(handle);
  }
  std::int64_t rename(const char* from, const char* to) override {
    return fails() ? -errno_ : system_calls::rename(from, to);
  }
  std::int64_t rename_new(const char* from, const char* to) override {
    return fails() ? -errno_ : system_calls::rename_new(from, to);
  }
  std::int64_t remove(const char* path) override {
    if (!fails()) return system_calls::remove(path);
    failed_to_remove_ = true;
    return -errno_;
  }
  std::int64_t sync_folder(const char* path) override {
    return fails(true) ? -errno_ : system_calls::sync_folder(path);
  }

 private:
  bool fails(bool is_sync = false) {
    if (only_syncs_ && !is_sync) return false;
    ++calls_;
    return for_good_ ? calls_ >= at_ : calls_ == at_;
  }

  fault kind_ = fault::refused;
  std::atomic<int> errno_ = EIO;
  std::atomic<std::uint64_t> at_ = UINT64_MAX;
  std::atomic<bool> for_good_ = false;
  bool only_syncs_ = false;
  bool failed_to_remove_ = false;
  std::uint64_t calls_ = 0;
};

}  // namespace tickreel::test

// The lock of objects in a folder: a file beside them that exists only while a process holds it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::store {

inline constexpr std::string_view lock_ending = ".tickreel-lock";

// Movable. The destructor releases the lock and removes its file. One thread.
class object_lock {
 public:
  // Waits while another process holds the lock of that file. timed_out if it holds the lock for longer than a
  // stopped process may delay others; interrupted if `cancelled` returns true. Succeeds without a lock where
  // the file system has none.
  static result<object_lock> take(const file_path& path, const std::function<bool()>& cancelled,
                                  system_calls& calls = system_calls::real());
  object_lock(object_lock&& other) noexcept;
  object_lock& operator=(object_lock&&) = delete;
  ~object_lock();

 private:
  object_lock(std::int64_t handle, file_path path, system_calls& calls) noexcept;

  std::int64_t handle_;
  file_path path_;
  system_calls* calls_;
};

}  // namespace tickreel::store

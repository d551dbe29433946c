#include "object_lock.hpp"

#include <cerrno>
#include <utility>

namespace tickreel::store {

namespace {

// The lock is held during a rename and a sync of the folder: milliseconds, or seconds on a busy network.
constexpr std::uint32_t max_wait_ms = 10'000;
constexpr std::uint32_t wait_interval_ms = 10;

bool is_unsupported(std::int64_t answer) noexcept {
#ifdef _WIN32
  if (answer == -EIO) return true;  // an error without a name of its own
#endif
  return answer == -ENOLCK || answer == -EOPNOTSUPP || answer == -ENOTSUP || answer == -ENOSYS ||
         answer == -EINVAL || answer == -EBADF;
}

// Whether the file is being removed: Windows rejects to open it until its last handle is closed.
bool is_disappearing([[maybe_unused]] std::int64_t opened) noexcept {
#ifdef _WIN32
  return opened == -EACCES || opened == -EAGAIN;
#else
  return false;
#endif
}

std::int64_t open_or_create(const file_path& path, system_calls& calls) {
  const char* const name = path.utf8().c_str();
  const std::int64_t opened = calls.open(name, system_calls::write | system_calls::create);
  // Left by the killed process of another user: reading suffices for the lock.
  return opened == -EACCES ? calls.open(name, system_calls::read_only) : opened;
}

// False if the file was removed after it was opened: then another process may hold the lock of a new one.
bool has_name(std::int64_t handle, const file_path& path, system_calls& calls) {
  const std::int64_t named = calls.open(path.utf8().c_str(), system_calls::read_only);
  if (named < 0) return false;
  const std::int64_t version = calls.version(named);
  (void)calls.close(named);
  return version >= 0 && version == calls.version(handle);
}

}  // namespace

result<object_lock> object_lock::take(const file_path& path, const std::function<bool()>& cancelled,
                                      system_calls& calls) {
  for (std::uint32_t waited_ms = 0;; waited_ms += wait_interval_ms) {
    if (cancelled && cancelled()) return fail(error_code::interrupted);
    const std::int64_t handle = open_or_create(path, calls);
    if (handle < 0 && !is_disappearing(handle))
      return fail(from_system_error(static_cast<int>(-handle), "opening the lock of an object"));
    if (handle >= 0) {
      const std::int64_t locked = calls.lock(handle);
      const bool has_lock = locked >= 0 || is_unsupported(locked);
      // Without locks, a file that another process has removed is no reason to wait.
      if (has_lock && (locked < 0 || has_name(handle, path, calls))) return object_lock(handle, path, calls);
      (void)calls.close(handle);
      if (!has_lock && locked != -EAGAIN)
        return fail(from_system_error(static_cast<int>(-locked), "locking an object"));
    }
    if (waited_ms >= max_wait_ms) {
      return fail(error_code::timed_out, error::no_offset,
                  "another process holds the lock of the object (*.tickreel-lock) and does not continue");
    }
    calls.wait_ms(wait_interval_ms);
  }
}

object_lock::object_lock(std::int64_t handle, file_path path, system_calls& calls) noexcept
    : handle_(handle), path_(std::move(path)), calls_(&calls) {}

object_lock::object_lock(object_lock&& other) noexcept
    : handle_(std::exchange(other.handle_, -1)), path_(std::move(other.path_)), calls_(other.calls_) {}

object_lock::~object_lock() {
  if (handle_ < 0) return;
  // While it is locked: processes that wait for it notice that it lost its name.
  (void)calls_->remove(path_.utf8().c_str());
  (void)calls_->close(handle_);
}

}  // namespace tickreel::store

// system_calls on Linux, macOS and other POSIX systems.
#ifndef _WIN32

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <span>
#include <string>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "default_system_calls.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"

namespace tickreel {

namespace {

// Repeats a call that a signal interrupted.
template <class Call>
std::int64_t repeated(Call call) noexcept {
  for (;;) {
    const auto answer = call();
    if (answer >= 0) return static_cast<std::int64_t>(answer);
    if (errno != EINTR) return -errno;
  }
}

int descriptor(std::int64_t handle) noexcept {
  return static_cast<int>(handle);
}

}  // namespace

std::int64_t system_calls::open(const char* path, unsigned flags) {
  int mode = O_CLOEXEC | ((flags & write) != 0 ? O_RDWR : O_RDONLY);
  if ((flags & create_new) != 0) mode |= O_CREAT | O_EXCL;
  if ((flags & create) != 0) mode |= O_CREAT;
  if ((flags & truncate_existing) != 0) mode |= O_TRUNC;
  return repeated([&] { return ::open(path, mode, 0666); });
}

// Not repeated: after EINTR the descriptor is closed on Linux, and may have been reused.
std::int64_t system_calls::close(std::int64_t handle) {
  return ::close(descriptor(handle)) == 0 || errno == EINTR ? 0 : -errno;
}

std::int64_t system_calls::read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) {
  return repeated(
      [&] { return ::pread(descriptor(handle), into.data(), into.size(), static_cast<off_t>(offset)); });
}

std::int64_t system_calls::write_at(std::int64_t handle, byte_span from, std::uint64_t offset) {
  return repeated(
      [&] { return ::pwrite(descriptor(handle), from.data(), from.size(), static_cast<off_t>(offset)); });
}

std::int64_t system_calls::sync(std::int64_t handle) {
#if defined(__APPLE__)
  // fsync() there stops at the drive's cache.
  if (::fcntl(descriptor(handle), F_FULLFSYNC) == 0) return 0;
  return repeated([&] { return ::fsync(descriptor(handle)); });
#else
  return repeated([&] { return ::fdatasync(descriptor(handle)); });
#endif
}

std::int64_t system_calls::truncate(std::int64_t handle, std::uint64_t size) {
  return repeated([&] { return ::ftruncate(descriptor(handle), static_cast<off_t>(size)); });
}

std::int64_t system_calls::size(std::int64_t handle) {
  struct stat about = {};
  return ::fstat(descriptor(handle), &about) == 0 ? static_cast<std::int64_t>(about.st_size) : -errno;
}

std::int64_t system_calls::version(std::int64_t handle) {
  struct stat about = {};
  if (::fstat(descriptor(handle), &about) != 0) return -errno;
#ifdef __APPLE__
  const auto& time = about.st_mtimespec;
#else
  const auto& time = about.st_mtim;
#endif
  // Not the time of the last change of its attributes: a rename changes that, too.
  const std::int64_t parts[] = {
      static_cast<std::int64_t>(about.st_dev), static_cast<std::int64_t>(about.st_ino),
      static_cast<std::int64_t>(about.st_size), static_cast<std::int64_t>(time.tv_sec),
      static_cast<std::int64_t>(time.tv_nsec)};
  return static_cast<std::int64_t>(xxh3_64(std::as_bytes(std::span(parts))) >> 1);
}

// flock() instead of fcntl(): the lock belongs to the open file, so it also separates two recorders of one
// process, and it is released with the process however that ends.
std::int64_t system_calls::lock(std::int64_t handle) {
  return repeated([&] { return ::flock(descriptor(handle), LOCK_EX | LOCK_NB); });
}

std::int64_t system_calls::is_locked(std::int64_t handle) {
  const std::int64_t answer = repeated([&] { return ::flock(descriptor(handle), LOCK_SH | LOCK_NB); });
  if (answer == -EWOULDBLOCK) return 1;
  if (answer < 0) return answer;
  return repeated([&] { return ::flock(descriptor(handle), LOCK_UN); });
}

void system_calls::wait_ms(std::uint32_t duration_ms) {
  timespec left = {};
  left.tv_sec = static_cast<time_t>(duration_ms / 1000);
  left.tv_nsec = static_cast<long>(duration_ms % 1000) * 1'000'000;
  (void)repeated([&] { return ::nanosleep(&left, &left); });
}

std::int64_t system_calls::rename(const char* from, const char* to) {
  return ::rename(from, to) == 0 ? 0 : -errno;
}

std::int64_t system_calls::rename_new(const char* from, const char* to) {
#if defined(__linux__) && defined(SYS_renameat2)
  constexpr unsigned no_replace = 1;  // RENAME_NOREPLACE in linux/fs.h
  if (::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;  // unsupported by the file system or kernel
#elif defined(__APPLE__)
  if (::renamex_np(from, to, RENAME_EXCL) == 0) return 0;
  if (errno != ENOTSUP) return -errno;
#endif
  // link() also rejects an existing name, on file systems with links.
  if (::link(from, to) == 0) return ::unlink(from) == 0 ? 0 : -errno;
  if (errno != EPERM && errno != ENOTSUP && errno != EOPNOTSUPP) return -errno;
  // The fallback is a check first; another process could create the file in between.
  if (::access(to, F_OK) == 0) return -EEXIST;
  return ::rename(from, to) == 0 ? 0 : -errno;
}

std::int64_t system_calls::remove(const char* path) {
  return ::unlink(path) == 0 ? 0 : -errno;
}

std::int64_t system_calls::sync_folder(const char* path_of_file_inside) {
  std::string folder(path_of_file_inside);
  const std::size_t slash = folder.rfind('/');
  folder = slash == std::string::npos ? "." : slash == 0 ? "/" : folder.substr(0, slash);
  const std::int64_t handle =
      repeated([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (handle < 0) return handle;
  const std::int64_t answer = repeated([&] { return ::fsync(descriptor(handle)); });
  (void)::close(descriptor(handle));
  // Some file systems cannot sync a folder; this is not an error.
  return answer == -EINVAL ? 0 : answer;
}

system_calls*& default_system_calls() noexcept {
  static system_calls calls;
  static system_calls* in_use = &calls;
  return in_use;
}

system_calls& system_calls::real() noexcept {
  return *default_system_calls();
}

}  // namespace tickreel

#endif

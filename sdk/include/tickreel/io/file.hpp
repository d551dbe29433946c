// The only seam to the operating system's files. Tests inject failing system_calls.
#pragma once

#include <cstdint>
#include <memory>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// The system calls of the SDK. Every function returns the result of POSIX, or -errno. The default calls the
// real system; tests derive from it to inject faults.
class system_calls {
 public:
  virtual ~system_calls() = default;
  enum open_flags : unsigned { read_only = 0, write = 1, create_new = 2, create = 4, truncate_existing = 8 };
  virtual std::int64_t open(const char* path, unsigned flags);  // a handle
  virtual std::int64_t close(std::int64_t handle);
  virtual std::int64_t read_at(std::int64_t handle, mutable_byte_span into,
                               std::uint64_t offset);                                        // bytes read
  virtual std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset);  // bytes written
  virtual std::int64_t sync(std::int64_t handle);
  virtual std::int64_t truncate(std::int64_t handle, std::uint64_t size);
  virtual std::int64_t size(std::int64_t handle);
  // Differs if the content was written, or if a path leads to another file. Only for comparison, on one machine.
  virtual std::int64_t version(std::int64_t handle);
  virtual std::int64_t lock(std::int64_t handle);  // exclusive; fails immediately if locked
  // 1 if another handle holds the lock, else 0. A handle for reading suffices. Concurrent calls do not affect
  // each other, but a lock() during a call fails.
  virtual std::int64_t is_locked(std::int64_t handle);
  virtual void wait_ms(std::uint32_t duration_ms);
  virtual std::int64_t rename(const char* from, const char* to);      // replaces `to`
  virtual std::int64_t rename_new(const char* from, const char* to);  // -EEXIST if `to` exists
  virtual std::int64_t remove(const char* path);
  virtual std::int64_t sync_folder(const char* path_of_file_inside);

  // The real system.
  static system_calls& real() noexcept;
};

// invalid_argument for a path that is empty or contains a zero byte. Everything that opens a file calls this
// first. Call it before passing a path to a library that would stop at the zero.
result<void> check_path(const file_path& path) noexcept;

// An open file. Movable. The destructor closes it and discards errors; call close() to get them. One thread
// at a time.
class file {
 public:
  static result<file> open_for_reading(const file_path& path, system_calls& calls = system_calls::real());
  // already_exists if the file exists; in_use if a living recorder holds it. Locked against other writers,
  // including those of this process.
  static result<file> create_new(const file_path& path, system_calls& calls = system_calls::real());
  // An existing file for reading and appending; locked like create_new.
  static result<file> open_for_appending(const file_path& path, system_calls& calls = system_calls::real());

  file(file&&) noexcept;
  file& operator=(file&&) noexcept;
  ~file();

  [[nodiscard]] const file_path& path() const noexcept;
  // Whether another handle holds the lock of create_new() and open_for_appending() now.
  [[nodiscard]] bool is_locked_elsewhere() const;
  [[nodiscard]] result<std::uint64_t> size() const;
  // See system_calls::version().
  [[nodiscard]] result<std::uint64_t> version() const;
  // Reads until `into` is full or the file ends; returns the number of bytes read.
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) const;
  // All or nothing: after a failed write the file is truncated to its previous end. If that fails too, the
  // next append tries again; until it succeeds, nothing is appended.
  result<void> append(byte_span from);
  // Replaces existing bytes.
  result<void> overwrite(byte_span from, std::uint64_t offset);
  result<void> truncate(std::uint64_t size);
  result<void> sync();
  result<void> close();
  // Closes the file and removes it.
  void discard() noexcept;

 private:
  file(std::int64_t handle, file_path path, std::uint64_t end, system_calls& calls) noexcept;
  static result<file> open(const file_path& path, unsigned flags, system_calls& calls);
  result<void> write_all(byte_span from, std::uint64_t offset);
  // in_use if another handle holds the lock; the error states whether that is in this process. Retries, because
  // is_locked_elsewhere() of another handle locks briefly.
  result<void> lock();

  std::int64_t handle_ = -1;
  std::uint64_t end_ = 0;     // where append() continues
  bool has_remains_ = false;  // of a failed append, after end_
  bool is_locked_ = false;
  file_path path_;
  system_calls* calls_ = nullptr;
};

// A file that appears under its name only when it is complete: written under a temporary name, synced,
// renamed, folder synced. If it is destroyed without commit(), no file remains.
class published_file {
 public:
  // already_exists if `final_path` exists and `overwrite` is false; invalid_argument if it is to be overwritten but
  // is a folder, a device or a pipe. commit(), and the destructor without it, call remove_abandoned_parts().
  static result<published_file> create(const file_path& final_path, bool overwrite,
                                       system_calls& calls = system_calls::real());
  published_file(published_file&&) noexcept;
  published_file& operator=(published_file&&) noexcept;
  ~published_file();

  result<void> append(byte_span from);
  result<void> overwrite(byte_span from, std::uint64_t offset);
  [[nodiscard]] std::uint64_t size() const noexcept;
  // The temporary file's name, for libraries that write files by name: "<final path>.<random>.part".
  [[nodiscard]] const file_path& temporary_path() const noexcept;
  // Writes the content to the disk now, so that commit() takes only the time of a rename.
  result<void> sync();
  result<void> commit();

 private:
  struct state;
  explicit published_file(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel

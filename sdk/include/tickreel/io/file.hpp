// The one seam to the operating system's files. Tests put a failing system_calls behind it.
#pragma once

#include <cstdint>
#include <memory>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// What the SDK asks of the operating system. Every function returns what POSIX returns, or -errno.
// The default talks to the real system; faults are injected by deriving from it.
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
  virtual std::int64_t lock(std::int64_t handle);                     // exclusive, fails at once
  virtual std::int64_t rename(const char* from, const char* to);      // replaces `to`
  virtual std::int64_t rename_new(const char* from, const char* to);  // -EEXIST when `to` is there
  virtual std::int64_t remove(const char* path);
  virtual std::int64_t sync_folder(const char* path_of_file_inside);

  // The real system.
  static system_calls& real() noexcept;
};

// invalid_argument for a path that is empty or holds a zero byte. All that opens a file asks this first; ask
// it before a path goes to a library that would stop at the zero.
result<void> check_path(const file_path& path) noexcept;

// An open file. Moves; closes on destruction (errors are then lost: call close()).
// One thread at a time.
class file {
 public:
  static result<file> open_for_reading(const file_path& path, system_calls& calls = system_calls::real());
  // already_exists when there is one; in_use when a living recorder holds that one. Locked against other
  // writers, of this process too.
  static result<file> create_new(const file_path& path, system_calls& calls = system_calls::real());
  // An existing file for reading and appending; locked like create_new.
  static result<file> open_for_appending(const file_path& path, system_calls& calls = system_calls::real());

  file(file&&) noexcept;
  file& operator=(file&&) noexcept;
  ~file();

  [[nodiscard]] const file_path& path() const noexcept;
  [[nodiscard]] result<std::uint64_t> size() const;
  // Reads until `into` is full or the file ends; returns how much it was.
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) const;
  // All or nothing: after a failed write the file is cut back to where it ended before. Should even that
  // fail, it is tried again before the next append; until it works nothing more is appended.
  result<void> append(byte_span from);
  // Replaces bytes that are already there.
  result<void> overwrite(byte_span from, std::uint64_t offset);
  result<void> truncate(std::uint64_t size);
  result<void> sync();
  result<void> close();
  // Closes it and takes it out of its folder, as if it had never been there.
  void discard() noexcept;

 private:
  file(std::int64_t handle, file_path path, std::uint64_t end, system_calls& calls) noexcept;
  static result<file> open(const file_path& path, unsigned flags, system_calls& calls);
  result<void> write_all(byte_span from, std::uint64_t offset);
  // in_use, which says whether it is this process that has it.
  result<void> lock();

  std::int64_t handle_ = -1;
  std::uint64_t end_ = 0;     // where append() goes on
  bool has_remains_ = false;  // of a failed append, behind end_
  bool is_locked_ = false;
  file_path path_;
  system_calls* calls_ = nullptr;
};

// A file that appears under its name only when it is whole: written beside it, synced, renamed, folder
// synced. Destroyed without commit(), nothing is left behind.
class published_file {
 public:
  // already_exists when `final_path` is there and `overwrite` is false; invalid_argument when it is to be
  // overwritten and is a folder, a device or a pipe. Removes the temporary files of the same output that
  // killed processes left: those that were there when this process first wrote a file to that folder.
  static result<published_file> create(const file_path& final_path, bool overwrite,
                                       system_calls& calls = system_calls::real());
  published_file(published_file&&) noexcept;
  published_file& operator=(published_file&&) noexcept;
  ~published_file();

  result<void> append(byte_span from);
  result<void> overwrite(byte_span from, std::uint64_t offset);
  [[nodiscard]] std::uint64_t size() const noexcept;
  // The temporary file's name, for libraries that write files by name; it is "<final path>.<random>.part".
  [[nodiscard]] const file_path& temporary_path() const noexcept;
  result<void> commit();

 private:
  struct state;
  explicit published_file(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel

// The folder where one archiver puts matches together. Locked while it lives; what dead ones left goes.
#pragma once

#include <optional>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::archive {

class spool {
 public:
  static result<spool> open(const file_path& folder);
  spool(spool&&) noexcept = default;
  spool& operator=(spool&&) = delete;
  ~spool();

  [[nodiscard]] file_path path_of(const std::string& name) const;

 private:
  spool(file_path own, file lock) : own_(std::move(own)), lock_(std::move(lock)) {}
  file_path own_;
  std::optional<file> lock_;
};

// Takes a file away when it goes out of scope.
class temporary_file {
 public:
  explicit temporary_file(file_path path);  // and what is there
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file();
  [[nodiscard]] const file_path& path() const noexcept { return path_; }

 private:
  file_path path_;
};

}  // namespace tickreel::archive

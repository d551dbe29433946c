// The folder where one archiver assembles matches. Locked while it runs; folders of dead archivers are
// deleted.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::archive {

enum class failure_origin : std::uint8_t { broker, store, spool };

// What the current step of archiving a match uses, and so where its error is from.
struct failure_source {
  failure_origin origin = failure_origin::broker;
  file_path file = {};  // of the spool

  void use(failure_origin what) { *this = {what}; }
  void use_file(file_path path) { *this = {failure_origin::spool, std::move(path)}; }
};

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

// Deletes a file at the end of its scope.
class temporary_file {
 public:
  explicit temporary_file(file_path path);  // and its content
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file();
  [[nodiscard]] const file_path& path() const noexcept { return path_; }

 private:
  file_path path_;
};

}  // namespace tickreel::archive

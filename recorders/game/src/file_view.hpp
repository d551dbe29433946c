// A file's bytes: mapped into memory if the system supports it, else read.
#pragma once

#include <utility>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

// Mapped bytes are those of the file: it must not shrink while the view exists. Map only files that are no
// longer written. Movable; bytes() keep their address.
class file_view {
 public:
  file_view() noexcept = default;
  // Mapped if `calls` are the real system's and it succeeds; otherwise as copy().
  static result<file_view> map(const file_path& path, system_calls& calls);
  // The same for a file that this process has open, and possibly locked.
  static result<file_view> map(const file& opened, system_calls& calls);
  // Reads the whole file into memory; also for files that grow or shrink.
  static result<file_view> copy(const file_path& path, system_calls& calls);
  file_view(file_view&& other) noexcept { swap(other); }
  file_view& operator=(file_view&& other) noexcept {
    file_view moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~file_view();

  [[nodiscard]] byte_span bytes() const noexcept { return mapped_.empty() ? byte_span(copied_) : mapped_; }
  [[nodiscard]] bool is_mapped() const noexcept { return !mapped_.empty(); }

 private:
  void swap(file_view& other) noexcept {
    std::swap(mapped_, other.mapped_);
    copied_.swap(other.copied_);
  }
  byte_span mapped_;
  byte_vector copied_;
};

}  // namespace tickreel::game

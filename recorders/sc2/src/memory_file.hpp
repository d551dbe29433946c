// A nameless file in memory for libraries that open files by name; where the system has no such thing, a
// temporary file that is gone afterwards.
#pragma once

#include <filesystem>
#include <memory>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2 {

class memory_file {
 public:
  static result<memory_file> create(byte_span content = {});
  memory_file(memory_file&&) noexcept;
  memory_file& operator=(memory_file&&) noexcept;
  ~memory_file();

  // By which this process can open it.
  [[nodiscard]] const std::filesystem::path& path() const noexcept;
  // Everything that is in it now.
  result<byte_vector> content() const;

 private:
  struct state;
  explicit memory_file(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::sc2

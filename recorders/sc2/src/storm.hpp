// StormLib behind the few calls that are made of it. Everything it is handed has been checked before.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2 {

// StormLib fills its tables on the first opening of a process and keeps the last error in one place: held
// while an archive is opened or created.
[[nodiscard]] std::unique_lock<std::mutex> storm_lock();

// An archive that begins at the file's first byte.
class storm_archive {
 public:
  static result<storm_archive> open(const std::filesystem::path& path);
  storm_archive(storm_archive&&) noexcept;
  storm_archive& operator=(storm_archive&&) noexcept;
  ~storm_archive();

  // Fills `into`, whose size is the member's. `offset` and `detail` are for errors.
  result<void> read(const std::string& name, mutable_byte_span into, std::uint64_t offset,
                    const char* detail) const;

 private:
  struct state;
  explicit storm_archive(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::sc2

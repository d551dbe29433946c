// How much memory a replay takes, from its file on disk to the end of the work.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace tickreel::bench {

struct replay_memory {
  std::uint64_t unpacked_bytes = 0;  // all members together
  // the peak, including the file itself
  std::uint64_t decode = 0;  // the members unpacked and parsed, every event read
  std::uint64_t info = 0;    // of `tickreel info`, `verify` and `convert` to .icrep
  std::uint64_t verify = 0;
  std::uint64_t convert = 0;
};

// `decode` reads a replay with the library only.
[[nodiscard]] replay_memory measure_memory(const std::filesystem::path& file,
                                           const std::filesystem::path& scratch,
                                           const std::function<void()>& decode);

}  // namespace tickreel::bench

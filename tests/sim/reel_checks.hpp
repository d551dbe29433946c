// Checks of a reel that every reader relies on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sim {

struct violated {
  std::string sentence;
};

inline void require(bool holds, const std::string& sentence) {
  if (!holds) throw violated{sentence};
}
template <class Value>
void require(bool holds, const std::string& sentence, const result<Value>& why) {
  if (!holds) throw violated{sentence + (why ? "" : ": " + describe(why.error()))};
}

struct reel_check {
  std::optional<reel::reader> reel;
  std::vector<std::uint64_t> numbers;  // of all returned ticks
  std::uint64_t missing = 0;
  bool is_closed = false;
  bool is_damaged = false;
};

// Opens and reads the reel. Ticks 0 to `pushed` - 1 went in; each is returned, or reported lost. With `all` also those after
// the last one that is returned.
[[nodiscard]] reel_check check_reel(const std::string& path, std::uint64_t pushed, bool all);

}  // namespace tickreel::sim

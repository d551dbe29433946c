// Distinguishes a file that grew from one that was truncated or replaced, independent of its name.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel {
class file;
}

namespace tickreel::files {

// Compares the beginning, which differs between reels, and the size. The cost does not depend on the file's
// size.
class growing_file {
 public:
  // Whether `now` may be a later state of the files seen before. False if it cannot be read.
  [[nodiscard]] bool takes(const file& now);

 private:
  byte_vector beginning_;
  std::uint64_t bytes_ = 0;
};

}  // namespace tickreel::files

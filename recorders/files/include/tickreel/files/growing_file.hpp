// Tells a file that grew from one that was cut or replaced, whatever its name says.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel {
class file;
}

namespace tickreel::files {

// By its beginning, which tells reels apart, and its size: what that costs does not depend on how long it is.
class growing_file {
 public:
  // Whether `now` can be what the ones before have become. False for one that cannot be read.
  [[nodiscard]] bool takes(const file& now);

 private:
  byte_vector beginning_;
  std::uint64_t bytes_ = 0;
};

}  // namespace tickreel::files

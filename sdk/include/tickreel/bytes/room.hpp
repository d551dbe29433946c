// Memory of a fixed size whose bytes are written before they are read.
#pragma once

#include <cstddef>
#include <memory>

#include "tickreel/bytes/span.hpp"

namespace tickreel {

// Unlike a byte_vector it is not filled with zeros, so the system provides the pages of a large one at their first
// use: a recorder opens faster, and unused pages take no memory.
class byte_room {
 public:
  explicit byte_room(std::size_t size = 0)
      : bytes_(size == 0 ? nullptr : std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}

  [[nodiscard]] std::byte* data() noexcept { return bytes_.get(); }
  [[nodiscard]] const std::byte* data() const noexcept { return bytes_.get(); }
  [[nodiscard]] mutable_byte_span all() noexcept { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_;
};

}  // namespace tickreel

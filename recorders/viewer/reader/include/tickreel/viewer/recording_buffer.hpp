// The bytes of a recording, which may grow at their end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "tickreel/bytes/span.hpp"

namespace tickreel::viewer {

// Allocation that returns null instead of ending the program: sizes come from a page.
class recording_buffer {
 public:
  // Space for a recording of that size, which replaces the previous one; null if there is no memory.
  std::byte* room(std::uint64_t bytes) noexcept;
  // Space for more bytes after the existing ones, which may move; null if there is no memory.
  std::byte* append(std::uint64_t bytes) noexcept;
  [[nodiscard]] byte_span bytes() const noexcept { return {bytes_.get(), size_}; }

 private:
  struct releaser {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };
  std::unique_ptr<std::byte, releaser> bytes_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace tickreel::viewer

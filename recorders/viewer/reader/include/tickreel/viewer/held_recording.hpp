// The bytes of a recording, which may grow behind those that are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "tickreel/bytes/span.hpp"

namespace tickreel::viewer {

// Memory that says no instead of ending the program: what is asked for comes from a page.
class held_recording {
 public:
  // Room for a recording of that size in place of the one before; null when there is none.
  std::byte* room(std::uint64_t bytes) noexcept;
  // Room for more of it, behind what is there, which may move; null when there is none.
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

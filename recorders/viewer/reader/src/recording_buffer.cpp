#include "tickreel/viewer/recording_buffer.hpp"

#include <algorithm>
#include <limits>

namespace tickreel::viewer {

namespace {

// Larger sizes exceed the difference of pointers.
constexpr std::uint64_t max_bytes = std::numeric_limits<std::ptrdiff_t>::max();

}  // namespace

std::byte* recording_buffer::room(std::uint64_t bytes) noexcept {
  bytes_.reset();
  size_ = room_ = 0;
  return append(bytes);
}

std::byte* recording_buffer::append(std::uint64_t bytes) noexcept {
  if (bytes > max_bytes - size_) return nullptr;
  const std::size_t wanted = size_ + static_cast<std::size_t>(bytes);
  if (wanted > room_ || bytes_ == nullptr) {
    // A buffer that has grown will probably grow again.
    const std::size_t roomy =
        size_ == 0 ? wanted
                   : static_cast<std::size_t>(std::min<std::uint64_t>(max_bytes, wanted + wanted / 4));
    void* const grown = std::realloc(bytes_.get(), std::max<std::size_t>(roomy, 1));
    if (grown == nullptr) return nullptr;
    (void)bytes_.release();
    bytes_.reset(static_cast<std::byte*>(grown));
    room_ = roomy;
  }
  std::byte* const place = bytes_.get() + size_;
  std::fill_n(place, bytes, std::byte{0});
  size_ = wanted;
  return place;
}

}  // namespace tickreel::viewer

// A recording outside of the module's memory, which the page reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "tickreel/io/byte_source.hpp"

namespace tickreel::viewer {

// A page's numbers are exact below 2^53; any other value is beyond every end.
inline std::uint64_t tick_of(double number) noexcept {
  constexpr double exact_below = 9007199254740992.0;
  return number >= 0 && number < exact_below ? static_cast<std::uint64_t>(number)
                                             : std::numeric_limits<std::uint64_t>::max();
}

// A request to the page: copy that many bytes of the recording from `offset` to `place`. Returns the number
// of bytes copied; fewer at the end, and -1 if it cannot be read any more.
extern "C" [[clang::import_module("page"), clang::import_name("read_at")]] std::int32_t page_read_at(
    std::byte* place, std::uint32_t bytes, double offset);
extern "C" [[clang::import_module("page"), clang::import_name("size")]] double page_size();

class page_bytes final : public distant_bytes {
 public:
  [[nodiscard]] std::uint64_t size() const noexcept override { return tick_of(page_size()); }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    const std::int32_t came =
        page_read_at(into.data(), static_cast<std::uint32_t>(into.size()), static_cast<double>(offset));
    if (came < 0 || static_cast<std::size_t>(came) > into.size()) {
      return fail(error_code::io_failed, offset, "the page cannot read the recording");
    }
    return static_cast<std::size_t>(came);
  }
};

}  // namespace tickreel::viewer

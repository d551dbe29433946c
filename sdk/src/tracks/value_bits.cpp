#include "value_bits.hpp"

#include "tickreel/bytes/endian.hpp"

namespace tickreel::tracks {

namespace {

// Calls Use with the integer type of that size, outside of loops over values.
template <class Use>
void with_size(std::uint32_t size_bytes, Use&& use) noexcept {
  switch (size_bytes) {
    case 1:
      return use(std::uint8_t{});
    case 2:
      return use(std::uint16_t{});
    case 4:
      return use(std::uint32_t{});
    default:
      return use(std::uint64_t{});
  }
}

}  // namespace

void load_bits(const std::byte* from, std::size_t apart, std::uint32_t size_bytes, std::size_t count,
               std::uint64_t* bits) noexcept {
  with_size(size_bytes, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) bits[i] = detail::load<std::endian::little, T>(from + i * apart);
  });
}

void store_plain(const std::int64_t* n, std::size_t count, value_type type, unsigned shift,
                 std::byte* to) noexcept {
  with_size(type.size_bytes, [&]<class T>(T) {
    if (type.is_float()) {
      for (std::size_t i = 0; i < count; ++i)
        detail::store<std::endian::little>(to + i * sizeof(T),
                                           static_cast<T>(bits_of_plain(n[i], type, shift)));
    } else {
      for (std::size_t i = 0; i < count; ++i)
        detail::store<std::endian::little>(to + i * sizeof(T),
                                           static_cast<T>(static_cast<std::uint64_t>(n[i]) << shift));
    }
  });
}

}  // namespace tickreel::tracks

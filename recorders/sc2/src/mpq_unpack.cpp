#include "mpq_unpack.hpp"

#include <zlib.h>

#include <algorithm>

#include "bzip2.hpp"

namespace tickreel::sc2 {

namespace {

constexpr std::byte zlib_method{0x02};
constexpr std::byte bzip2_method{0x10};
constexpr std::size_t first_guess_bytes = 64u << 10;

unpacked unpack_zlib(byte_span stream, mutable_byte_span into) noexcept {
  auto size = static_cast<uLongf>(into.size());
  const int outcome =
      uncompress(reinterpret_cast<Bytef*>(into.data()), &size, reinterpret_cast<const Bytef*>(stream.data()),
                 static_cast<uLong>(stream.size()));
  if (outcome == Z_OK) return {unpack_outcome::whole, static_cast<std::size_t>(size)};
  return {outcome == Z_BUF_ERROR ? unpack_outcome::no_room : unpack_outcome::damaged, 0};
}

unpacked unpack_any(byte_span packed, mutable_byte_span into) {
  if (packed.empty() || !can_unpack(packed.front())) return {};
  const byte_span stream = packed.subspan(1);
  return packed.front() == zlib_method ? unpack_zlib(stream, into) : unpack_bzip2(stream, into);
}

}  // namespace

bool can_unpack(std::byte method) noexcept {
  return method == zlib_method || method == bzip2_method;
}

bool unpack(byte_span packed, mutable_byte_span into) {
  const unpacked found = unpack_any(packed, into);
  return found.outcome == unpack_outcome::whole && found.bytes == into.size();
}

bool unpack_of_unknown_size(byte_span packed, std::size_t limit, byte_vector& into) {
  std::size_t room = std::min(std::max(first_guess_bytes, packed.size() * 2), limit);
  for (;;) {
    into.resize(room);
    const unpacked found = unpack_any(packed, into);
    if (found.outcome == unpack_outcome::whole) {
      into.resize(found.bytes);
      return true;
    }
    if (found.outcome == unpack_outcome::damaged || room == limit) return false;
    room = std::min(room * 2, limit);
  }
}

}  // namespace tickreel::sc2

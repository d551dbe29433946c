#include "mpq_unpack.hpp"

#include <zlib.h>

#include "bzip2.hpp"

namespace tickreel::sc2 {

namespace {

constexpr std::byte zlib_method{0x02};
constexpr std::byte bzip2_method{0x10};

bool unpack_zlib(byte_span stream, mutable_byte_span into) noexcept {
  auto size = static_cast<uLongf>(into.size());
  const int outcome =
      uncompress(reinterpret_cast<Bytef*>(into.data()), &size, reinterpret_cast<const Bytef*>(stream.data()),
                 static_cast<uLong>(stream.size()));
  return outcome == Z_OK && size == into.size();
}

}  // namespace

bool can_unpack(std::byte method) noexcept {
  return method == zlib_method || method == bzip2_method;
}

bool unpack(byte_span packed, mutable_byte_span into) {
  if (packed.empty()) return false;
  const byte_span stream = packed.subspan(1);
  if (packed.front() == zlib_method) return unpack_zlib(stream, into);
  return packed.front() == bzip2_method && unpack_bzip2(stream, into);
}

}  // namespace tickreel::sc2

#include "pieces.hpp"

#include <zlib.h>

#include <algorithm>

#include "bzip2.hpp"

namespace tickreel::mpq {

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

pack_outcome pack_zlib(byte_span content, mutable_byte_span into, std::size_t& size) noexcept {
  auto room = static_cast<uLongf>(into.size());
  const int outcome =
      compress2(reinterpret_cast<Bytef*>(into.data()), &room, reinterpret_cast<const Bytef*>(content.data()),
                static_cast<uLong>(content.size()), Z_BEST_COMPRESSION);
  size = static_cast<std::size_t>(room);
  if (outcome == Z_OK) return pack_outcome::packed;
  return outcome == Z_BUF_ERROR ? pack_outcome::no_room : pack_outcome::no_memory;
}

unpacked unpack_any(byte_span packed, mutable_byte_span into) {
  const auto how = packed.empty() ? std::nullopt : known_packing(packed.front());
  if (!how) return {};
  const byte_span stream = packed.subspan(1);
  return *how == packing::zlib ? unpack_zlib(stream, into) : unpack_bzip2(stream, into);
}

// Into memory that grows as necessary, up to `limit`.
unpacked unpack_growing(byte_span packed, std::size_t limit, byte_vector& into) {
  std::size_t room = std::min(std::max(first_guess_bytes, packed.size() * 2), limit);
  for (;;) {
    into.resize(room);
    const unpacked found = unpack_any(packed, into);
    if (found.outcome != unpack_outcome::no_room || room == limit) return found;
    room = std::min(room * 2, limit);
  }
}

}  // namespace

std::optional<packing> known_packing(std::byte method) noexcept {
  if (method == zlib_method) return packing::zlib;
  if (method == bzip2_method) return packing::bzip2;
  return std::nullopt;
}

bool unpack(byte_span packed, mutable_byte_span into) {
  const unpacked found = unpack_any(packed, into);
  return found.outcome == unpack_outcome::whole && found.bytes == into.size();
}

bool unpack_of_unknown_size(byte_span packed, std::size_t limit, byte_vector& into) {
  const unpacked found = unpack_growing(packed, limit, into);
  if (found.outcome != unpack_outcome::whole) return false;
  into.resize(found.bytes);
  return true;
}

bool looks_packed(byte_span content, std::size_t limit) {
  if (content.empty() || !known_packing(content.front())) return false;
  byte_vector rubbish;
  return unpack_growing(content, limit, rubbish).outcome != unpack_outcome::damaged;
}

result<bool> pack(byte_span content, packing how, byte_vector& into) {
  // The method takes a byte, and a piece of the content's size means uncompressed.
  if (how == packing::none || content.size() <= 2) return false;
  into.resize(content.size() - 1);
  into.front() = how == packing::zlib ? zlib_method : bzip2_method;
  const mutable_byte_span room = mutable_byte_span(into).subspan(1);
  std::size_t size = 0;
  const pack_outcome outcome =
      how == packing::zlib ? pack_zlib(content, room, size) : pack_bzip2(content, room, size);
  if (outcome == pack_outcome::no_memory) return fail(error_code::out_of_memory, error::no_offset, "packing");
  if (outcome == pack_outcome::no_room) return false;
  into.resize(1 + size);
  return true;
}

}  // namespace tickreel::mpq

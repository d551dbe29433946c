#include "tickreel/sc2replay/map_ground.hpp"

#include <algorithm>
#include <bit>

#include "tickreel/bytes/reader.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr const char* info_member = "MapInfo";
constexpr const char* picture_member = "Minimap.tga";
constexpr const char* const map_members[] = {info_member, picture_member};

constexpr std::uint32_t widest_map = 1024;      // the editor's limit is 256
constexpr std::uint32_t widest_picture = 4096;  // pixels
constexpr std::size_t longest_name = 1024;

// The name of a preview's file, if the map has its own.
void skip_preview(byte_reader& from) {
  constexpr std::uint32_t own_file = 2;
  if (from.u32() == own_file) (void)from.zero_terminated(longest_name);
}

// The members of MapInfo up to the edges of the camera, which are those of the playable part.
result<void> read_edges(byte_span info, map_ground& to) {
  byte_reader from(info);
  constexpr std::uint32_t magic = 0x4D617049;  // "IpaM": "MapI" as a number
  if (from.u32() != magic) return fail(error_code::bad_magic, 0, info_member);
  const std::uint32_t version = from.u32();
  if (version >= 0x18) from.skip(8);
  to.map_width = from.u32();
  to.map_height = from.u32();
  skip_preview(from);
  skip_preview(from);
  if (version >= 0x1F) (void)from.zero_terminated(longest_name);
  if (version >= 0x26) (void)from.zero_terminated(longest_name);
  if (version >= 0x1F) from.skip(4);
  from.skip(4);
  (void)from.zero_terminated(longest_name);  // fog
  (void)from.zero_terminated(longest_name);  // textures
  const std::uint64_t at = from.offset();
  to.left = from.u32();
  to.bottom = from.u32();
  to.right = from.u32();
  to.top = from.u32();
  if (!from.ok()) return from.failure(info_member);
  if (to.map_width > widest_map || to.map_height > widest_map || to.right > to.map_width ||
      to.top > to.map_height || to.left >= to.right || to.bottom >= to.top) {
    return fail(error_code::malformed, at, "the edges of the playable part contradict the size of the map");
  }
  return {};
}

struct picture {
  std::uint32_t width = 0, height = 0;
  bool from_top = false;
  byte_vector pixels;  // three bytes each
};

// The pixels of a picture: single ones, or with `packed` runs of up to 128.
void read_pixels(byte_reader& from, bool packed, std::size_t pixel_bytes, std::size_t count,
                 byte_vector& to) {
  const auto take = [&] {
    const byte_span one = from.bytes(pixel_bytes);
    return one.size() < 3 ? byte_span{} : one.first(3);
  };
  to.reserve(count * 3);
  while (from.ok() && to.size() < count * 3) {
    const std::uint8_t head = packed ? from.u8() : 0;
    const std::size_t run = std::min((head & 0x7Fu) + std::size_t{1}, count - to.size() / 3);
    byte_span pixel = take();
    for (std::size_t i = 0; i < run; ++i) {
      if (i > 0 && (head & 0x80u) == 0) pixel = take();
      to.insert(to.end(), pixel.begin(), pixel.end());
    }
  }
}

result<picture> read_picture(byte_span file) {
  byte_reader from(file);
  picture out;
  const std::uint8_t name_bytes = from.u8();
  const std::uint8_t palette = from.u8();
  const std::uint8_t kind = from.u8();
  from.skip(9);
  out.width = from.u16();
  out.height = from.u16();
  const std::uint8_t bits = from.u8();
  const std::uint8_t order = from.u8();
  from.skip(name_bytes);
  if (!from.ok()) return from.failure(picture_member);
  constexpr std::uint8_t plain = 2, packed = 10, from_right = 0x10, from_top = 0x20;
  if (palette != 0 || (kind != plain && kind != packed) || (bits != 24 && bits != 32) ||
      (order & from_right)) {
    return fail(error_code::unsupported_version, 0, "the minimap has no pixels of 24 or 32 bits");
  }
  if (out.width > widest_picture || out.height > widest_picture)
    return fail(error_code::over_limit, 12, picture_member);
  out.from_top = (order & from_top) != 0;
  const std::size_t count = std::size_t{out.width} * out.height;
  // Before memory is allocated: a run of up to 128 equal pixels is a byte and one pixel.
  const std::size_t pixel_bytes = bits / 8u;
  const std::size_t least = kind == packed ? count / 128 * (1 + pixel_bytes) : count * pixel_bytes;
  if (from.remaining() < least) return fail(error_code::truncated, from.offset(), picture_member);
  read_pixels(from, kind == packed, pixel_bytes, count, out.pixels);
  if (!from.ok()) return from.failure(picture_member);
  return out;
}

// The editor makes the picture as wide and as high as the next powers of two from the playable part's sides, or a
// multiple of that: its middle is the playable part, with that many pixels per map unit.
result<void> cut(const picture& from, map_ground& to) {
  const std::uint32_t wide = to.right - to.left, high = to.top - to.bottom;
  const std::uint32_t scale = std::min(from.width / std::bit_ceil(wide), from.height / std::bit_ceil(high));
  if (scale == 0)
    return fail(error_code::malformed, 12, "the minimap has fewer pixels than the playable part has units");
  to.width = wide * scale;
  to.height = high * scale;
  const std::uint32_t x = (from.width - to.width) / 2, y = (from.height - to.height) / 2;
  to.pixels.reserve(std::size_t{to.width} * to.height * 3);
  for (std::uint32_t row = 0; row < to.height; ++row) {
    const std::uint32_t stored = from.from_top ? y + row : from.height - 1 - y - row;
    const auto begin =
        from.pixels.begin() + static_cast<std::ptrdiff_t>((std::size_t{stored} * from.width + x) * 3);
    to.pixels.insert(to.pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(std::size_t{to.width} * 3));
  }
  return {};
}

// Without the detail, "no such file" would seem to concern the map.
error named(const error& what, error_code code, const char* detail) {
  return what.code == error_code::not_found ? error{code, error::no_offset, detail} : what;
}

}  // namespace

result<map_ground> read_map_ground(byte_span map_info, byte_span minimap) {
  map_ground out;
  if (const auto known = read_edges(map_info, out); !known) return fail(known.error());
  const auto whole = read_picture(minimap);
  if (!whole) return fail(whole.error());
  if (const auto done = cut(*whole, out); !done) return fail(done.error());
  return out;
}

result<map_ground> read_map_ground(byte_span file, const mpq::limits& limits) {
  const auto archive = mpq::archive::open(file, {limits, map_members});
  if (!archive) return fail(archive.error());
  const auto info = archive->read(info_member);
  if (!info) return fail(named(info.error(), error_code::bad_magic, "it has no MapInfo"));
  const auto minimap = archive->read(picture_member);
  if (!minimap) return fail(named(minimap.error(), error_code::unsupported_version, "it has no Minimap.tga"));
  return read_map_ground(*info, *minimap);
}

}  // namespace tickreel::sc2replay

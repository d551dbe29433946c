#include "tickreel/npc/heights_file.hpp"

#include <array>

#include "tickreel/gta_world/height_map.hpp"

namespace tickreel::npc {

result<height_function> heights_of(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  const auto shape = gta_world::height_map_shape_of(*size);
  if (!shape) return fail(shape.error());
  return height_function([from, of = *shape](double x, double y) -> tl::expected<double, std::string> {
    const gta_world::height_places about = gta_world::places_about(of, x, y);
    // The two of a row are adjacent.
    const auto row_height = [&](std::uint32_t row) -> tl::expected<double, std::string> {
      std::array<std::byte, 2 * gta_world::height_bytes> bytes{};
      const auto got = from.read_at(bytes, of.offset(about.column, row));
      if (!got) return tl::unexpected(describe(got.error()));
      if (*got != bytes.size()) return tl::unexpected(std::string("the height map became shorter"));
      const byte_span both(bytes);
      return gta_world::height_of(both.first(gta_world::height_bytes)) * (1 - about.east) +
             gta_world::height_of(both.subspan(gta_world::height_bytes)) * about.east;
    };
    const auto north = row_height(about.row);
    if (!north) return north;
    const auto south = row_height(about.row + 1);
    if (!south) return south;
    return *north * (1 - about.south) + *south * about.south;
  });
}

result<height_function> open_heights(const file_path& path) {
  const auto from = byte_source::open(path);
  if (!from) return fail(from.error());
  return heights_of(*from);
}

}  // namespace tickreel::npc

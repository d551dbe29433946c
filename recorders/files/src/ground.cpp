#include "tickreel/files/ground.hpp"

#include <array>

#include "tickreel/files/format.hpp"

namespace tickreel::files {

namespace {

void append_little(std::uint32_t value, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFu);
}

}  // namespace

played_map played_map_of(const summary& of) {
  played_map out;
  for (const fact& each : of.facts) {
    const auto* const text = std::get_if<std::string>(&each.value);
    if (text != nullptr && each.key == "map_file") out.file = *text;
    if (text != nullptr && each.key == "map_size") out.size = *text;
  }
  return out;
}

result<ground_picture> read_ground(const byte_source& map, const played_map& played) {
  result<ground_picture> found = fail(error_code::unsupported_operation);
  for (const format& each : formats()) {
    if (each.read_ground != nullptr && !found) found = each.read_ground(map, played);
  }
  return found;
}

std::string refusal_text(const error& why, const played_map& played) {
  std::string text = describe(why);
  if (why.code == error_code::invalid_argument && !played.size.empty())
    text += ", and that of the recording's map is " + played.size;
  return text;
}

std::string edges_text(const ground_picture& of) {
  std::string out;
  for (const std::uint32_t edge : {of.left, of.bottom, of.right, of.top}) out += std::to_string(edge) + ' ';
  out.pop_back();
  return out;
}

// Without compression, 24 bits a pixel, rows from the bottom, each a multiple of four bytes.
std::string bitmap_of(const ground_picture& of) {
  constexpr std::uint32_t file_head = 14, picture_head = 40;
  const std::uint32_t row = of.width * 3;
  const std::uint32_t spare = (4 - row % 4) % 4;
  const std::uint32_t pixels = (row + spare) * of.height;
  std::string out = "BM";
  out.reserve(file_head + picture_head + pixels);
  append_little(file_head + picture_head + pixels, 4, out);
  append_little(0, 4, out);
  append_little(file_head + picture_head, 4, out);
  for (const std::uint32_t number : {picture_head, of.width, of.height}) append_little(number, 4, out);
  append_little(1, 2, out);   // plane
  append_little(24, 2, out);  // bits
  for (const std::uint32_t number : std::array<std::uint32_t, 6>{0, pixels}) append_little(number, 4, out);
  for (std::uint32_t left = of.height; left > 0; --left) {
    out += as_text(byte_span(of.pixels).subspan(std::size_t{left - 1} * row, row));
    out.append(spare, '\0');
  }
  return out;
}

}  // namespace tickreel::files

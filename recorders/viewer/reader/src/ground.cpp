// The ground of a map as a picture that every browser shows.
#include <array>
#include <cstdint>

#include "tickreel/files/format.hpp"
#include "tickreel/viewer/reader.hpp"

namespace tickreel::viewer {

namespace {

void append_little(std::uint32_t value, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFu);
}

// Without compression, 24 bits a pixel, rows from the bottom, each a multiple of four bytes.
void append_bitmap(const files::ground_picture& from, std::string& out) {
  constexpr std::uint32_t file_head = 14, picture_head = 40;
  const std::uint32_t row = from.width * 3;
  const std::uint32_t spare = (4 - row % 4) % 4;
  const std::uint32_t pixels = (row + spare) * from.height;
  out += "BM";
  append_little(file_head + picture_head + pixels, 4, out);
  append_little(0, 4, out);
  append_little(file_head + picture_head, 4, out);
  for (const std::uint32_t number : {picture_head, from.width, from.height}) append_little(number, 4, out);
  append_little(1, 2, out);   // plane
  append_little(24, 2, out);  // bits
  for (const std::uint32_t number : std::array<std::uint32_t, 6>{0, pixels}) append_little(number, 4, out);
  for (std::uint32_t left = from.height; left > 0; --left) {
    out += as_text(byte_span(from.pixels).subspan(std::size_t{left - 1} * row, row));
    out.append(spare, '\0');
  }
}

}  // namespace

const std::string& reader::ground() {
  result<files::ground_picture> found = fail(error_code::unsupported_operation);
  for (const files::format& each : files::formats()) {
    if (each.read_ground != nullptr && !found) found = each.read_ground(source());
  }
  if (!found) return refuse(found.error());
  answer_.clear();
  for (const std::uint32_t edge : {found->left, found->bottom, found->right, found->top})
    answer_ += std::to_string(edge) + ' ';
  answer_.back() = '\n';
  append_bitmap(*found, answer_);
  return answer_;
}

}  // namespace tickreel::viewer

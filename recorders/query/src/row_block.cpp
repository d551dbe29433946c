#include "row_block.hpp"

namespace tickreel::query {

std::vector<std::string> losses_of(file_rows& rows) {
  std::vector<std::string> out = rows.losses();
  for (std::string& each : rows.omitted().sentences()) out.push_back(std::move(each));
  return out;
}

row_block read_block(file_rows& from, std::size_t width, std::size_t max_rows) {
  row_block out;
  out.cells.reserve(max_rows * width);
  out.ids.reserve(max_rows);
  while (out.rows < max_rows) {
    out.cells.resize((out.rows + 1) * width);
    const auto more = from.next(std::span(out.cells).subspan(out.rows * width, width));
    if (!more) out.failure = more.error();
    if (!more || !*more) {
      out.is_last = true;
      break;
    }
    for (value& each : std::span(out.cells).subspan(out.rows * width, width)) {
      const auto* const text = std::get_if<std::string>(&each);
      if (text == nullptr || text->size() <= max_text_bytes) continue;
      each = {};
      from.omitted().add_long_text(from.tick());
    }
    out.ids.push_back(from.row_id());
    ++out.rows;
  }
  out.losses = losses_of(from);
  out.read = from.read();
  out.is_from_index = from.is_from_index();
  return out;
}

row_block failed_block(const error& why) {
  row_block out;
  out.is_last = true;
  out.failure = why;
  return out;
}

}  // namespace tickreel::query

// Schemas of described structs, as stored in a reel's header: a parsed schema stays within the limits, is written to bytes that
// read back equal, and everything derived from it agrees with it.
#include <cstdlib>

#include "tickreel/describe/recorded.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/tracks/rows.hpp"

using namespace tickreel;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span input = std::as_bytes(std::span(data, size));
  // As large as an attack needs, and small enough to try many.
  schema_limits limits;
  limits.max_values = 4096;
  limits.max_words = 1u << 16;
  limits.max_path_bytes = 1u << 20;
  const auto read = read_schema(input, limits);
  if (!read) return 0;
  check(read->row_bytes() <= limits.max_row_bytes && !read->types.empty());
  const auto again = read_schema(to_bytes(*read), limits);
  check(again && again->types == read->types);
  const auto values = values_of(*read);
  check(values.size() <= limits.max_values);
  std::uint32_t end = 0;
  for (const value_layout& each : values) {
    check(each.offset == end);
    end += each.size_bytes;
  }
  check(end == read->row_bytes());
  if (const auto shape = tracks::shape_of(*read)) {
    check(shape->row_bytes == read->row_bytes() && shape->columns.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      check(shape->columns[i].offset == values[i].offset && shape->columns[i].kind == values[i].kind);
    }
  }
  check(layout_match::between(values, values, read->row_bytes()).is_same());
  return 0;
}

// Blocks of rows: the first bytes define a shape, the rest is read as a block of such rows, row by row and column by column; then
// the same bytes are rows, which must round-trip. The reader is given little memory.
#include <cstring>

#include "shape_input.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/block_writer.hpp"

using namespace tickreel;
using namespace tickreel::tracks;

namespace {

shape shape_from(byte_span& input) {
  shape of;
  for (unsigned count = next(input) % 24; count > 0; --count) {
    column one = column_from(input, of);
    const unsigned said = next(input);
    one.declared.kind = static_cast<relation>(said % 9);
    one.declared.ticks_per_second = said;
    if (said >= 128) one.declared.tolerance = said / 1e4;
    for (auto& refers : one.declared.of) refers = next(input) % 24;
    of.row_bytes += one.size_bytes;
    of.columns.push_back(one);
  }
  // An invalid shape is used without relations.
  if (!of.validate()) {
    for (column& one : of.columns) one.declared = {};
  }
  if (!of.columns.empty())
    of.records.push_back({0, of.row_bytes, 1, 0, static_cast<std::uint32_t>(of.columns.size())});
  return of;
}

void read(const shape& of, byte_span block) {
  block_reader reader(of, {.rows = 4096, .memory_bytes = 1 << 20});
  if (!reader.open(block)) return;
  byte_vector row(of.row_bytes);
  for (std::size_t c = 0; c < of.columns.size(); c += 3) {
    byte_vector column(reader.rows() * of.columns[c].size_bytes);
    if (!reader.column(c, column)) continue;
    for (std::size_t i = 0; i < reader.rows() && reader.row(i, row); ++i)
      check(std::memcmp(row.data() + of.columns[c].offset, column.data() + i * of.columns[c].size_bytes,
                        of.columns[c].size_bytes) == 0);
  }
  for (std::size_t i = 0; i < reader.rows(); ++i)
    if (!reader.row(i, row)) break;
}

void write_and_read(const shape& of, byte_span rows) {
  if (of.row_bytes == 0) return;
  block_writer writer(of, {.max_rows = 64,
                           .group_columns = of.row_bytes % 7,
                           .min_change_row_bytes = of.row_bytes % 2 == 0 ? 0u : ~0u});
  while (rows.size() >= of.row_bytes && writer.add(rows.first(of.row_bytes)))
    rows = rows.subspan(of.row_bytes);
  const std::size_t count = writer.rows();
  const byte_span end = rows;
  byte_vector room(writer.max_size());
  byte_writer out(room);
  writer.write(out);
  check(out.ok());
  block_reader reader(of);
  check(reader.open(out.written()).has_value() && reader.rows() == count);
  byte_vector row(of.row_bytes);
  for (std::size_t i = 0; i < count; ++i) {
    check(reader.row(i, row).has_value());
    const std::byte* was = end.data() - (count - i) * of.row_bytes;
    for (const column& one : of.columns) {
      // With a tolerance bytes may differ, but NaNs may not.
      if (one.declared.tolerance == 0)
        check(std::memcmp(row.data() + one.offset, was + one.offset, one.size_bytes) == 0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  byte_span input = std::as_bytes(std::span(data, size));
  const shape of = shape_from(input);
  read(of, input);
  write_and_read(of, input);
  return 0;
}

// Changes of records: the first bytes define kinds of records, the rest is read as ticks of changes; then the same bytes are
// records that change, which must round-trip.
#include <cstring>
#include <vector>

#include "shape_input.hpp"
#include "tickreel/tracks/changes.hpp"

using namespace tickreel;
using namespace tickreel::tracks;

namespace {

constexpr std::size_t max_records = 16;

std::vector<shape> kinds_from(byte_span& input) {
  std::vector<shape> out(1 + next(input) % 20);
  for (shape& of : out) {
    for (unsigned count = next(input) % 6; count > 0; --count) {
      column one = column_from(input, of);
      of.row_bytes += one.size_bytes;
      of.columns.push_back(one);
    }
  }
  return out;
}

using records = std::vector<std::vector<byte_vector>>;

records empty_records(const std::vector<shape>& kinds) {
  records out(max_records);
  for (auto& record : out)
    for (const shape& of : kinds) record.emplace_back(of.row_bytes);
  return out;
}

bool read_tick(change_reader& reader, byte_span tick, records& of) {
  if (!reader.open(tick, max_records * of[0].size())) return false;
  record_change one;
  for (;;) {
    const auto more = reader.next(one);
    if (!more) return false;
    if (!*more) return true;
    if (one.record >= of.size() || !reader.apply(of[one.record][one.kind])) return false;
  }
}

void read(const std::vector<shape>& kinds, byte_span input) {
  change_reader reader(kinds);
  records of = empty_records(kinds);
  while (!input.empty()) {
    const std::size_t size = std::min<std::size_t>(next(input), input.size());
    if (!read_tick(reader, input.first(size), of)) reader.restart();
    input = input.subspan(size);
  }
}

void write_and_read(const std::vector<shape>& kinds, byte_span input) {
  change_writer writer(kinds);
  change_reader reader(kinds);
  records now = empty_records(kinds);
  records read_back = now;
  while (!input.empty()) {
    records after = now;
    std::vector<record_change> changes;
    for (unsigned count = next(input) % 8; count > 0; --count) {
      const std::uint32_t record = next(input) % max_records;
      const std::uint32_t kind = next(input) % static_cast<std::uint32_t>(kinds.size());
      if (!changes.empty() && (changes.back().record > record ||
                               (changes.back().record == record && changes.back().kind >= kind)))
        continue;
      byte_vector& value = after[record][kind];
      const std::size_t size = std::min(value.size(), input.size());
      if (size != 0) std::memcpy(value.data(), input.data(), size);
      input = input.subspan(size);
      changes.push_back({record, kind, now[record][kind], value});
    }
    byte_vector out;
    writer.write(changes, out);
    now = after;
    check(read_tick(reader, out, read_back) && read_back == now);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  byte_span input = std::as_bytes(std::span(data, size));
  const std::vector<shape> kinds = kinds_from(input);
  read(kinds, input);
  write_and_read(kinds, input);
  return 0;
}

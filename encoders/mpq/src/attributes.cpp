#include "tickreel/mpq/attributes.hpp"

#include <algorithm>

#include "attribute_columns.hpp"
#include "names.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::mpq {

result<attributes> read_attributes(const archive& of) {
  attributes out;
  if (of.find(attributes_name) == nullptr) return out;
  auto bytes = of.read(attributes_name);
  if (!bytes) return fail(bytes.error());
  byte_reader from(*bytes);
  const std::uint32_t version = from.u32();
  const std::uint32_t columns = from.u32();
  if (!from.ok()) return from.failure(attributes_name.data());
  if (version != attributes_version) return out;
  out.crc32 = (columns & crc32_column) != 0;
  out.file_times = (columns & file_time_column) != 0;
  out.md5 = (columns & md5_column) != 0;
  const std::size_t row_bytes = (out.crc32 ? 4u : 0u) + (out.file_times ? 8u : 0u) + (out.md5 ? 16u : 0u);
  if (row_bytes == 0) return out;
  out.rows.resize(from.remaining() / row_bytes);
  if (out.crc32) {
    for (row_attributes& each : out.rows) {
      if (const std::uint32_t stored = from.u32(); stored != 0) each.crc32 = stored;
    }
  }
  if (out.file_times) {
    for (row_attributes& each : out.rows) {
      if (const std::uint64_t stored = from.u64(); stored != 0) each.file_time = stored;
    }
  }
  if (out.md5) {
    for (row_attributes& each : out.rows) {
      md5_digest stored{};
      std::ranges::copy(from.bytes(stored.size()), stored.begin());
      if (stored != md5_digest{}) each.md5 = stored;
    }
  }
  return out;
}

}  // namespace tickreel::mpq

#include "tickreel/sc2/checksums.hpp"

#include "member_names.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::sc2 {

namespace {

constexpr std::uint32_t known_version = 100;
constexpr std::uint32_t has_crc32 = 1;
constexpr std::uint32_t has_file_time = 2;
constexpr std::uint32_t has_md5 = 4;

}  // namespace

result<std::vector<std::optional<std::uint32_t>>> read_checksums(const archive& of) {
  std::vector<std::optional<std::uint32_t>> out;
  if (of.find(attributes_name) == nullptr) return out;
  auto bytes = of.read(attributes_name);
  if (!bytes) return fail(bytes.error());
  byte_reader from(*bytes);
  const std::uint32_t version = from.u32();
  const std::uint32_t parts = from.u32();
  if (!from.ok()) return from.failure(attributes_name.data());
  if (version != known_version || (parts & has_crc32) == 0) return out;
  const std::size_t row_bytes =
      4u + ((parts & has_file_time) != 0 ? 8u : 0u) + ((parts & has_md5) != 0 ? 16u : 0u);
  out.resize(from.remaining() / row_bytes);
  for (auto& each : out) {
    // 0 stands for a row whose content was not known.
    if (const std::uint32_t stored = from.u32(); stored != 0) each = stored;
  }
  return out;
}

}  // namespace tickreel::sc2

#include "tickreel/sc2replay/attributes.hpp"

#include <algorithm>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::uint32_t longer_header_since = 17326;
constexpr std::size_t entry_bytes = 13;
constexpr std::size_t value_bytes = 4;

std::size_t header_bytes(std::uint32_t base_build) noexcept {
  return base_build < longer_header_since ? 4 : 5;
}

}  // namespace

std::string_view attributes::value(attribute_id id, std::uint8_t scope) const noexcept {
  for (const attribute& each : list) {
    if (each.id == static_cast<std::uint32_t>(id) && each.scope == scope) return each.value;
  }
  return {};
}

result<attributes> read_attributes(byte_span bytes, std::uint32_t base_build) {
  byte_reader from(bytes);
  attributes out;
  const byte_span header = from.bytes(header_bytes(base_build));
  out.header.assign(header.begin(), header.end());
  const std::uint32_t count = from.u32();
  if (!from.ok()) return from.failure("replay.attributes.events");
  if (count > from.remaining() / entry_bytes) {
    return fail(error_code::truncated, bytes.size(), "replay.attributes.events: {} promised, {} there", count,
                static_cast<std::int64_t>(from.remaining() / entry_bytes));
  }
  out.list.resize(count);
  for (attribute& each : out.list) {
    each.name_space = from.u32();
    each.id = from.u32();
    each.scope = from.u8();
    const std::string_view stored = as_text(from.bytes(value_bytes));
    each.value.assign(stored.rbegin(), stored.rend());
    each.value.erase(std::remove(each.value.begin(), each.value.end(), '\0'), each.value.end());
  }
  if (!from.at_end()) {
    return fail(error_code::malformed, from.offset(), "replay.attributes.events: {} trailing byte{s}",
                static_cast<std::int64_t>(from.remaining()));
  }
  return out;
}

result<byte_vector> write_attributes(const attributes& what, std::uint32_t base_build) {
  if (what.header.size() != header_bytes(base_build)) {
    return fail(error_code::invalid_argument, 0, "replay.attributes.events: header");
  }
  byte_vector out(what.header.size() + 4 + what.list.size() * entry_bytes);
  byte_writer to(out);
  to.bytes(what.header);
  to.u32(static_cast<std::uint32_t>(what.list.size()));
  for (const attribute& each : what.list) {
    if (each.value.size() > value_bytes) {
      return fail(error_code::invalid_argument, to.size(), "replay.attributes.events: value");
    }
    to.u32(each.name_space);
    to.u32(each.id);
    to.u8(each.scope);
    std::string stored(each.value.rbegin(), each.value.rend());
    stored.resize(value_bytes);
    to.bytes(as_bytes(stored));
  }
  return out;
}

}  // namespace tickreel::sc2replay

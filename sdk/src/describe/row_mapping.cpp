#include "tickreel/describe/row_mapping.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace tickreel {

namespace {

std::string type_of(const value_layout& value) {
  switch (value.kind) {
    case value_kind::boolean:
      return "boolean";
    case value_kind::text:
      return "text";
    case value_kind::interned:
      return "interned text";
    case value_kind::floating:
      return std::to_string(8 * value.size_bytes) + "-bit floating point";
    case value_kind::signed_integer:
      return std::to_string(8 * value.size_bytes) + "-bit signed integer";
    case value_kind::unsigned_integer:
      return std::to_string(8 * value.size_bytes) + "-bit unsigned integer";
  }
  return {};
}

// How many bytes of a text fit, without half a character at the end.
std::size_t fitting(byte_span text, std::size_t room) noexcept {
  if (text.size() <= room) return text.size();
  std::size_t size = room;
  while (size > 0 && (std::to_integer<unsigned>(text[size]) & 0xC0) == 0x80) --size;
  return size;
}

}  // namespace

std::string changed_value::sentence() const {
  return wanted.name + ": " + type_of(recorded) + " in the recording, " + type_of(wanted) + " in the program";
}

row_mapping::row_mapping(std::span<const value_layout> recorded, std::span<const value_layout> wanted) {
  std::unordered_map<std::string_view, const value_layout*> by_name;
  for (const value_layout& value : recorded) by_name.emplace(value.name, &value);
  for (const value_layout& value : wanted) {
    const auto found = by_name.find(value.name);
    if (found == by_name.end()) {
      missing_.push_back(value.name);
      continue;
    }
    const value_layout& from = *found->second;
    by_name.erase(found);
    const bool is_text = value.kind == value_kind::text && from.kind == value_kind::text;
    if (from.kind != value.kind || (!is_text && from.size_bytes != value.size_bytes)) {
      changed_.push_back({from, value});
    } else if (is_text && from.size_bytes != value.size_bytes) {
      pieces_.push_back({from.offset, value.offset, from.size_bytes, value.size_bytes});
    } else if (!pieces_.empty() && pieces_.back().text_bytes == 0 &&
               pieces_.back().from + pieces_.back().bytes == from.offset &&
               pieces_.back().to + pieces_.back().bytes == value.offset) {
      pieces_.back().bytes += from.size_bytes;
    } else {
      pieces_.push_back({from.offset, value.offset, from.size_bytes, 0});
    }
  }
  for (const value_layout& value : recorded) {
    if (by_name.count(value.name) != 0) unknown_.push_back(value.name);
  }
}

void row_mapping::apply(byte_span from, mutable_byte_span to) const noexcept {
  for (const piece& each : pieces_) {
    const byte_span source = from.subspan(each.from, each.bytes);
    if (each.text_bytes == 0) {
      std::memcpy(to.data() + each.to, source.data(), source.size());
      continue;
    }
    byte_reader in(source);
    const std::size_t size = std::min<std::size_t>(in.u16(), in.remaining());
    const std::size_t kept = fitting(source.subspan(2, size), each.text_bytes - 2);
    const mutable_byte_span room = to.subspan(each.to, each.text_bytes);
    std::memset(room.data(), 0, room.size());
    detail::store<std::endian::little>(room.data(), static_cast<std::uint16_t>(kept));
    if (kept != 0) std::memcpy(room.data() + 2, source.data() + 2, kept);
  }
}

}  // namespace tickreel

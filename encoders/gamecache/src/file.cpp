#include "tickreel/gamecache/file.hpp"

#include <algorithm>
#include <limits>

#include "item_codec.hpp"

namespace tickreel::gamecache {

namespace {

constexpr std::size_t flagged_header_bytes = 12;
constexpr std::size_t flat_header_bytes = 4;

// The result of following the sizes of a flat file's items.
struct hops {
  std::uint64_t items = 0;
  std::size_t end = flat_header_bytes;  // of the last whole item
  bool sound = true;                    // all sizes are possible sizes of items
};

hops hop_over(byte_span file) noexcept {
  hops out;
  byte_reader in(file);
  in.skip(flat_header_bytes);
  while (in.ok() && !in.at_end()) {
    const std::uint32_t size = in.u32();
    if (in.ok() && size < least_flat_item - 4) {
      out.sound = false;
      return out;
    }
    in.skip(size);
    if (!in.ok()) return out;
    ++out.items;
    out.end = in.position();
  }
  return out;
}

result<contents> read_flagged(byte_span file, const limits& most) {
  byte_reader in(file);
  contents out{.layout = layout::flagged, .items = {}};
  out.stored_version = in.u32();
  const std::uint32_t count = in.u32();
  out.next_age = in.u32();
  if (!in.ok()) return in.failure("the header");
  if (out.stored_version == 0) return fail(error_code::unsupported_version, 0, "version 0");
  if (count > most.items) return fail(error_code::over_limit, 4, "{} items", count);
  if (count * std::uint64_t{least_flagged_item} > file.size()) {
    return fail(error_code::malformed, 4, "{} item{s} in {} byte{s}", count,
                static_cast<std::int64_t>(file.size()));
  }
  const std::uint32_t version = normalised_version(out.stored_version);
  out.items.resize(count);
  for (item& each : out.items) {
    if (auto filled = read_flagged_item(in, version, most, each); !filled) return fail(filled.error());
  }
  if (!in.at_end()) {
    return fail(error_code::malformed, in.offset(), "{} trailing byte{s} after the last item",
                static_cast<std::int64_t>(in.remaining()));
  }
  return out;
}

result<contents> read_flat(byte_span file, const limits& most) {
  byte_reader in(file);
  contents out{.layout = layout::flat, .items = {}};
  std::uint64_t count = in.u32();
  if (!in.ok()) return in.failure("the count");
  if (count > most.items) {
    return fail(error_code::over_limit, 0, "{} items", static_cast<std::int64_t>(count));
  }
  const hops all = hop_over(file);
  if (count == 0 && file.size() > flat_header_bytes) {
    out.unfinished = true;
    out.torn_bytes = file.size() - all.end;
    count = all.items;
  } else if (count != all.items || all.end != file.size()) {
    return fail(error_code::malformed, all.end, "{} item{s}, of which {} can be read",
                static_cast<std::int64_t>(count), static_cast<std::int64_t>(all.items));
  }
  if (count > most.items) {
    return fail(error_code::over_limit, 0, "{} items", static_cast<std::int64_t>(count));
  }
  out.items.resize(static_cast<std::size_t>(count));
  for (item& each : out.items) {
    if (auto filled = read_flat_item(in, most, each); !filled) return fail(filled.error());
  }
  return out;
}

}  // namespace

std::string_view name(layout value) noexcept {
  return value == layout::flagged ? "flagged" : "flat";
}

bool holds_zero(std::string_view text) noexcept {
  return text.find('\0') != std::string_view::npos;
}

std::optional<layout> detect(byte_span file) noexcept {
  byte_reader in(file);
  const std::uint32_t first = in.u32();
  if (!in.ok()) return std::nullopt;
  if (first == 0 && file.size() == flat_header_bytes) return layout::flat;
  const hops all = hop_over(file);
  if (all.items != 0 && all.sound && (first == 0 || (all.items == first && all.end == file.size()))) {
    return layout::flat;
  }
  return file.size() >= flagged_header_bytes ? std::optional(layout::flagged) : std::nullopt;
}

std::optional<likeness> recognise(byte_span head, std::uint64_t file_bytes) {
  constexpr std::size_t enough_items = 8;
  const bool whole = head.size() == file_bytes;
  byte_reader in(head);
  const std::uint32_t first = in.u32();
  const std::uint32_t second = in.u32();
  if (whole && head.size() == flat_header_bytes && first == 0) return likeness{layout::flat, 0, false};
  if (!in.ok()) return std::nullopt;

  // Flat: a matching count, or none after a crash, then items with valid sizes.
  likeness found{layout::flat, 0, false};
  byte_reader items(head.subspan(flat_header_bytes));
  item each;
  while (found.items < enough_items && read_flat_item(items, {}, each)) ++found.items;
  // An item whose size exceeds the file is truncated.
  const hops all = hop_over(head);
  const bool cut = all.sound && all.items == found.items;
  const bool broken =
      items.ok() && !items.at_end() && found.items < enough_items && whole && first != 0 && !cut;
  const bool counted = first == 0 || (first >= found.items && first <= file_bytes / least_flat_item);
  if (found.items != 0 && counted && !broken) {
    found.is_complete = found.items == enough_items || found.items == first;
    return found;
  }

  // Flagged: the version of a program from 0.90 on, in either numbering, and before the flat layout.
  const bool old = first >= 180 && first < 600;
  const bool newer = first >= version_0_90 && first < make_version(3, 0);
  if ((!old && !newer) || second > file_bytes / least_flagged_item) return std::nullopt;
  found = {layout::flagged, 0, false};
  items = byte_reader(head);
  items.skip(flagged_header_bytes);
  if (!items.ok()) return std::nullopt;
  each = {};
  const std::uint32_t version = normalised_version(first);
  while (found.items < std::min<std::size_t>(enough_items, second) &&
         read_flagged_item(items, version, {}, each)) {
    ++found.items;
    each = {};
  }
  if (found.items == 0 && !(second == 0 && file_bytes == flagged_header_bytes)) return std::nullopt;
  found.is_complete = found.items == enough_items || (found.items != 0 && found.items == second);
  return found;
}

std::size_t item_size(const item& from, const contents& like) noexcept {
  return like.layout == layout::flagged ? flagged_item_size(from, normalised_version(like.stored_version))
                                        : flat_item_size(from);
}

result<contents> read(byte_span file, layout as, const limits& most) {
  return as == layout::flagged ? read_flagged(file, most) : read_flat(file, most);
}

result<contents> read(byte_span file, const limits& most) {
  const auto as = detect(file);
  if (!as) return fail(error_code::not_recognised, 0);
  return read(file, *as, most);
}

result<byte_vector> write(const contents& from, const write_options& options) {
  const bool flagged = from.layout == layout::flagged;
  if (flagged && from.stored_version == 0) {
    return fail(error_code::invalid_argument, error::no_offset, "version 0");
  }
  if (from.items.size() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(error_code::invalid_argument, error::no_offset, "too many items");
  }
  const std::uint32_t version = normalised_version(from.stored_version);
  std::size_t size = flagged ? flagged_header_bytes : flat_header_bytes;
  for (std::size_t at = 0; at < from.items.size(); ++at) {
    const item& each = from.items[at];
    const refusal reason = flagged ? refuse_flagged_item(each, options) : refuse_flat_item(each, options);
    if (reason != nullptr) {
      return fail(error_code::invalid_argument, error::no_offset, reason, static_cast<std::int64_t>(at));
    }
    size += flagged ? flagged_item_size(each, version) : flat_item_size(each);
  }
  byte_vector bytes(size);
  byte_writer out(bytes);
  if (flagged) out.u32(from.stored_version);
  out.u32(static_cast<std::uint32_t>(from.items.size()));
  if (flagged) out.u32(from.next_age);
  for (const item& each : from.items) {
    flagged ? write_flagged_item(each, version, out) : write_flat_item(each, out);
  }
  return bytes;
}

result<item> read_item(byte_span bytes, const contents& like, const limits& most) {
  byte_reader in(bytes);
  item out;
  const auto filled = like.layout == layout::flagged
                          ? read_flagged_item(in, normalised_version(like.stored_version), most, out)
                          : read_flat_item(in, most, out);
  if (!filled) return fail(filled.error());
  if (!in.at_end()) return fail(error_code::malformed, in.offset(), "trailing bytes after the item");
  return out;
}

result<byte_vector> write_item(const item& from, const contents& like, const write_options& options) {
  const bool flagged = like.layout == layout::flagged;
  const std::uint32_t version = normalised_version(like.stored_version);
  const refusal reason = flagged ? refuse_flagged_item(from, options) : refuse_flat_item(from, options);
  if (reason != nullptr) return fail(error_code::invalid_argument, error::no_offset, reason);
  byte_vector bytes(flagged ? flagged_item_size(from, version) : flat_item_size(from));
  byte_writer out(bytes);
  flagged ? write_flagged_item(from, version, out) : write_flat_item(from, out);
  return bytes;
}

}  // namespace tickreel::gamecache

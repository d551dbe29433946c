// Detects a .tape or a .nevrcap, and finds its end in a longer file.
#include <algorithm>

#include "tape_format.hpp"
#include "tickreel/tape/capture.hpp"
#include "tickreel/tape/container.hpp"

namespace tickreel::files {

namespace {

struct capture_probe {
  tape::capture_kind kind = tape::capture_kind::none;
  bool needs_dictionary = false;
};

capture_probe probe_capture(const probe& file) noexcept {
  capture_probe found;
  auto records = tape::record_reader::open(
      [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
        if (offset >= file.head.size()) return byte_span{};
        const byte_span rest = file.head.subspan(static_cast<std::size_t>(offset));
        return rest.first(std::min(count, rest.size()));
      },
      file.head.size());
  if (!records) return found;
  byte_span first;
  const auto more = records->next(first);
  if (more && *more) found.kind = tape::kind_of(first);
  found.needs_dictionary = !more && more.error().code == error_code::invalid_argument;
  return found;
}

}  // namespace

bool begins_another_capture(const tape::record_reader& records, byte_span record) noexcept {
  return (records.begins_block() || !records.is_compressed()) && tape::begins_capture(record);
}

claim claims_tape(const probe& file) noexcept {
  const capture_probe found = probe_capture(file);
  if (found.kind == tape::capture_kind::tape) return claim::certain;
  return found.needs_dictionary ? claim::plausible : claim::no;
}

claim claims_nevrcap(const probe& file) noexcept {
  const tape::capture_kind kind = probe_capture(file).kind;
  const bool is_mine = kind == tape::capture_kind::nevrcap || kind == tape::capture_kind::enveloped_nevrcap;
  return is_mine ? claim::certain : claim::no;
}

std::optional<std::uint64_t> find_end_of_capture(byte_source& from, std::uint64_t file_bytes) {
  auto records = tape::record_reader::open(
      [&](std::uint64_t offset, std::size_t count) { return from.view(offset, count); }, file_bytes);
  if (!records) return std::nullopt;
  byte_span record;
  for (bool is_first = true;; is_first = false) {
    const auto more = records->next(record);
    if (!more || !*more) return std::nullopt;
    if (!is_first && begins_another_capture(*records, record)) return records->block_offset();
  }
}

}  // namespace tickreel::files

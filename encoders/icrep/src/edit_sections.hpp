// Splits a finished file into sections, for functions that write a changed copy.
#pragma once

#include <algorithm>

#include "tickreel/icrep/header.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::icrep {

// Damaged places that reports of edits list; all are counted.
inline constexpr std::size_t max_listed_damage = 32;

inline byte_span bytes_of(byte_span file, section place) noexcept {
  return place.offset == 0 ? byte_span() : file.subspan(place.offset, place.length);
}

// A finished file ends with its last section. All of a truncated one.
inline byte_span without_trailing_bytes(byte_span file, const file_header& header) noexcept {
  return file.first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), end_of_sections(header))));
}

// Opens a file without its trailing bytes. wrong_state for a live file, otherwise the errors of reader::open.
inline result<reader> open_finished(byte_span file, const reader_options& options) {
  const auto header = read_header(file);
  const bool is_finished = header && !header->live;
  auto opened = reader::open(is_finished ? without_trailing_bytes(file, *header) : file, options);
  if (opened && opened->header().live) {
    return fail(error_code::wrong_state, 7, "the file is still being recorded, or its recorder died");
  }
  return opened;
}

// The first damage found, as an error.
inline result<void> refuse_damage(std::span<const finding> findings) {
  for (const finding& one : findings) {
    if (one.severity == severity::damage) return fail(one.what);
  }
  return {};
}

// The unchanged sections; valid as long as `file`.
inline file_sections sections_of(const reader& from, byte_span file) {
  const file_header& header = from.header();
  file_sections out;
  out.metadata_json = from.metadata_json();
  out.orders = bytes_of(file, header.orders);
  out.keyframes = bytes_of(file, header.keyframes);
  out.events = bytes_of(file, header.events);
  out.voice = bytes_of(file, header.voice);
  out.signature = bytes_of(file, header.signature);
  out.embedded = bytes_of(file, header.embedded);
  out.total_ticks = header.total_ticks;
  out.final_state_hash = header.final_state_hash;
  out.lost_frame_count = header.lost_frame_count;
  out.incomplete = header.incomplete;
  return out;
}

}  // namespace tickreel::icrep

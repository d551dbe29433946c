#include "tickreel/icrep/layout.hpp"

#include <algorithm>
#include <limits>

namespace tickreel::icrep {

namespace {

constexpr std::uint64_t file_limit_bytes = std::numeric_limits<std::uint32_t>::max();

}  // namespace

result<byte_vector> encode_file(const file_sections& sections) {
  if (sections.metadata_json.size() > limits{}.metadata_bytes) {
    return fail(error_code::over_limit, error::no_offset, "metadata of {} bytes",
                static_cast<std::int64_t>(sections.metadata_json.size()));
  }
  const byte_span parts[] = {as_bytes(sections.metadata_json),
                             sections.orders,
                             sections.keyframes,
                             sections.events,
                             sections.voice,
                             sections.signature,
                             sections.embedded};
  std::uint64_t size = header_bytes;
  for (const byte_span part : parts) size += part.size();
  if (size > file_limit_bytes) {
    return fail(error_code::over_limit, error::no_offset, "a file of {} bytes",
                static_cast<std::int64_t>(size));
  }

  byte_vector file(header_bytes);
  file.reserve(static_cast<std::size_t>(size));
  const auto add = [&](byte_span part) {
    section place;
    if (part.empty()) return place;
    place.offset = static_cast<std::uint32_t>(file.size());
    place.length = static_cast<std::uint32_t>(part.size());
    file.insert(file.end(), part.begin(), part.end());
    return place;
  };
  file_header header;
  header.metadata = add(as_bytes(sections.metadata_json));
  header.orders = add(sections.orders);
  header.keyframes = add(sections.keyframes);
  header.events = add(sections.events);
  header.voice = add(sections.voice);
  header.signature = add(sections.signature);
  header.embedded = add(sections.embedded);
  header.has_events = header.events.offset != 0;
  header.has_voice = header.voice.offset != 0;
  header.is_signed = header.signature.offset != 0;
  header.incomplete = sections.incomplete || sections.lost_frame_count != 0;
  header.total_ticks = sections.total_ticks;
  header.final_state_hash = sections.final_state_hash;
  header.lost_frame_count = sections.lost_frame_count;
  const auto head = to_bytes(header);
  std::copy(head.begin(), head.end(), file.begin());
  return file;
}

}  // namespace tickreel::icrep

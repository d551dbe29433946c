#include "tickreel/icrep/seal.hpp"

#include "tickreel/bytes/writer.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::string_view entry_name = "ICRP-SEAL-v1";
constexpr std::string_view end_name = "ICRP-SEAL-END-v1";
constexpr std::size_t content_bytes = content_streams * (sizeof(std::uint32_t) + sizeof(digest));
constexpr std::size_t end_bytes = 8 + sizeof(digest) + 4 + 1 + 2 * sizeof(digest);

std::size_t message_bytes(std::string_view name) noexcept {
  return name.size() + 1 + 8 + sizeof(digest) + content_bytes;
}

void write_message(byte_writer& out, std::string_view name, std::uint64_t number, const digest& link,
                   const content_mark& content) noexcept {
  out.bytes(as_bytes(name));
  out.u8(0);
  out.u64(number);
  out.bytes(link);
  for (const std::uint32_t count : content.counts) out.u32(count);
  for (const digest& hash : content.hashes) out.bytes(hash);
}

}  // namespace

void content_mark::add(content_stream stream, const digest& item) noexcept {
  const auto place = static_cast<std::size_t>(stream);
  ++counts[place];
  const byte_span parts[] = {hashes[place], item};
  hashes[place] = sha256(parts);
}

digest frame_item(byte_span frame) noexcept {
  return sha256(frame);
}

digest record_item(byte_span record) noexcept {
  std::array<std::byte, 4> length;
  byte_writer(length).u32(static_cast<std::uint32_t>(record.size()));
  const byte_span parts[] = {length, record};
  return sha256(parts);
}

digest keyframe_item(std::uint64_t tick, bool full, byte_span raw) noexcept {
  std::array<std::byte, 9> head;
  byte_writer out(head);
  out.u64(tick);
  out.u8(full ? 1 : 0);
  const byte_span parts[] = {head, raw};
  return sha256(parts);
}

byte_vector seal_message(std::uint64_t number, const digest& link, const content_mark& content) {
  byte_vector message(message_bytes(entry_name));
  byte_writer out(message);
  write_message(out, entry_name, number, link, content);
  return message;
}

byte_vector seal_end_message(std::uint64_t entries, const digest& link, const content_mark& content,
                             const recording_end& end) {
  byte_vector message(message_bytes(end_name) + end_bytes);
  byte_writer out(message);
  write_message(out, end_name, entries, link, content);
  out.u64(end.total_ticks);
  out.bytes(end.final_state_hash);
  out.u32(end.lost_frame_count);
  out.u8(end.incomplete ? 1 : 0);
  out.bytes(end.metadata);
  out.bytes(end.resources);
  return message;
}

mark_finder::mark_finder(const content_seal& seal) {
  for (const seal_entry& entry : seal.entries) {
    const auto counts = entry.counts();
    for (std::size_t i = 0; i < content_streams; ++i) streams_[i].counts.push_back(counts[i]);
  }
  for (std::size_t i = 0; i < content_streams; ++i) pass(i);
}

void mark_finder::add(content_stream stream, const digest& item) {
  now_.add(stream, item);
  pass(static_cast<std::size_t>(stream));
}

void mark_finder::pass(std::size_t stream) {
  stream_marks& marks = streams_[stream];
  while (marks.hashes.size() < marks.counts.size() &&
         marks.counts[marks.hashes.size()] == now_.counts[stream]) {
    marks.hashes.push_back(now_.hashes[stream]);
  }
}

bool mark_finder::find(std::size_t entry, content_mark& out) const {
  for (std::size_t i = 0; i < content_streams; ++i) {
    if (entry >= streams_[i].hashes.size()) return false;
    out.counts[i] = streams_[i].counts[entry];
    out.hashes[i] = streams_[i].hashes[entry];
  }
  return true;
}

}  // namespace tickreel::icrep

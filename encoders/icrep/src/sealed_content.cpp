#include "sealed_content.hpp"

#include <algorithm>

#include "item_walk.hpp"
#include "tickreel/icrep/embedded.hpp"
#include "tickreel/icrep/keyframe.hpp"

namespace tickreel::icrep {

namespace {

// In a block's header.
constexpr std::size_t flags_offset = 29;

result<void> not_as_written(std::uint64_t offset, const char* what) {
  return fail(error_code::malformed, offset, what);
}

// Compares a block's header with its content.
result<void> check_block(const reader_state& file, std::span<const block> blocks, const block_item& last) {
  const block& one = *last.from;
  const bool is_last = &one == &blocks.back();
  const std::uint64_t flags_at = one.offset + flags_offset;
  if (flags_at >= file.file.size()) return not_as_written(one.offset, "a block outside the file");
  const auto flags = std::to_integer<unsigned>(file.file[static_cast<std::size_t>(flags_at)]);
  if (one.head.count != last.number + 1 || flags != (is_last ? 1u : 0u)) {
    return not_as_written(one.offset, "a block's header does not say what is in the block");
  }
  return {};
}

using each_item = std::function<void(content_stream, std::uint64_t, const digest&)>;

result<void> block_items(const reader_state& file, const block_index& index, block_kind kind,
                         content_stream stream, const each_item& each) {
  if (!index.damage.empty()) return fail(index.damage.front().what);
  std::size_t blocks = 0;
  auto done =
      for_each_item(index.blocks, kind, file.options.most, [&](const block_item& item) -> result<void> {
        if (item.number == 0) ++blocks;
        if (item.number == 0 && item.tick != item.from->head.first_tick) {
          return not_as_written(item.from->offset, "a block that begins with another tick than it says");
        }
        each(stream, item.tick, sha256(item.bytes));
        return item.last ? check_block(file, index.blocks, item) : result<void>{};
      });
  if (done && blocks != index.blocks.size()) {
    return not_as_written(index.blocks.front().offset, "an empty block");
  }
  return done;
}

// Compares the section with the form that writers produce for these keyframes, except for the compression.
result<void> check_keyframe_section(const reader_state& file) {
  const byte_span section = file.bytes_of(file.header.keyframes);
  const std::uint64_t offset = file.header.keyframes.offset;
  keyframe_index index;
  std::uint64_t begin = offset + 8 + 21 * file.keyframes.size();
  for (const stored_keyframe& one : file.keyframes) {
    if (one.offset != begin) return not_as_written(one.offset, "keyframes that do not follow each other");
    begin += one.stored.size();
    if (auto added = index.add(one.tick, one.full, one.raw_bytes, one.stored); !added) return added;
  }
  const byte_vector head = index.head();
  const byte_vector tail = index.tail();
  if (section.size() != index.section_bytes() || !std::ranges::equal(section.first(head.size()), head) ||
      !std::ranges::equal(section.last(tail.size()), tail)) {
    return not_as_written(offset, "a keyframe section that has more than its keyframes");
  }
  return {};
}

result<void> keyframe_items(const reader_state& file, const each_item& each) {
  if (auto sound = check_keyframe_section(file); !sound) return sound;
  byte_vector buffer;
  for (const stored_keyframe& one : file.keyframes) {
    const auto raw = open_keyframe(one, buffer);
    if (!raw) return fail(raw.error());
    each(content_stream::keyframes, one.tick, keyframe_item(one.tick, one.full, *raw));
  }
  return {};
}

// Whether the sections, in the order of writers, are the whole file, and the header has no undefined values.
result<void> check_layout(const reader_state& file) {
  if (!file.findings.empty()) return fail(file.findings.front().what);
  const file_header& header = file.header;
  if (header.live || !std::ranges::equal(to_bytes(header), file.file.first(header_bytes))) {
    return not_as_written(0, "a header that says what has no meaning");
  }
  std::uint64_t end = header_bytes;
  for (const section place : {header.metadata, header.orders, header.keyframes, header.events, header.voice,
                              header.signature, header.embedded}) {
    if (place.offset == 0 && place.length == 0) continue;
    if (place.offset != end || place.length == 0) {
      return not_as_written(place.offset, "a section that does not follow the one before");
    }
    end += place.length;
  }
  if (end != file.file.size()) return not_as_written(end, "bytes that belong to no section");
  return {};
}

recording_end end_of(const reader_state& file) {
  const file_header& header = file.header;
  return {header.total_ticks,
          header.final_state_hash,
          header.lost_frame_count,
          header.incomplete,
          sha256(file.bytes_of(header.metadata)),
          sha256(without_seal(file.bytes_of(header.embedded)))};
}

}  // namespace

result<void> for_each_sealed_item(const reader_state& file, const each_item& each) {
  auto done = block_items(file, file.orders, block_kind::orders, content_stream::orders, each);
  if (done) done = keyframe_items(file, each);
  if (done) done = block_items(file, file.events, block_kind::events, content_stream::events, each);
  if (done) done = block_items(file, file.voice, block_kind::voice, content_stream::voice, each);
  return done;
}

result<void> check_seal(const reader_state& file, const signature_chain& chain, std::span<const digest> links,
                        const content_seal& seal) {
  const std::uint64_t seal_offset = file.header.embedded.offset;
  const auto refuse = [&](const char* why, std::size_t entry) {
    return fail(error_code::checksum_mismatch, seal_offset, why, static_cast<std::int64_t>(entry),
                static_cast<std::int64_t>(chain.chain[entry].tick));
  };
  if (seal.entries.size() != chain.chain.size()) {
    return fail(error_code::malformed, seal_offset, "a seal of {} entries for a chain of {}",
                static_cast<std::int64_t>(seal.entries.size()),
                static_cast<std::int64_t>(chain.chain.size()));
  }
  if (auto sound = check_layout(file); !sound) return sound;
  mark_finder marks(seal);
  auto read = for_each_sealed_item(
      file, [&](content_stream stream, std::uint64_t, const digest& item) { marks.add(stream, item); });
  if (!read) return read;
  for (std::size_t i = 0; i < seal.entries.size(); ++i) {
    content_mark content;
    if (!marks.find(i, content) ||
        !holds(seal.entries[i].relay_sig, seal_message(i, links[i], content), chain.relay_public_key)) {
      return refuse("what is recorded up to signature {}, of tick {u}, is not what was signed", i);
    }
  }
  if (!seal.end) {
    if (file.header.incomplete && chain.chain.back().tick <= file.total_ticks) return {};
    return refuse(
        "the seal ends at signature {u}, of tick {u}, and the recording does not say that it is incomplete",
        seal.entries.size() - 1);
  }
  const content_mark& all = marks.content();
  const byte_vector message = seal_end_message(seal.entries.size(), links.back(), all, end_of(file));
  if (seal.end->counts() != all.counts || !holds(seal.end->relay_sig, message, chain.relay_public_key)) {
    return refuse(
        "the end, the metadata or the content after signature {}, of tick {u}, is not what was signed",
        seal.entries.size() - 1);
  }
  return {};
}

}  // namespace tickreel::icrep

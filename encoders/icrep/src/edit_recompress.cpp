#include <algorithm>

#include "edit_sections.hpp"
#include "item_walk.hpp"
#include "tickreel/codec/lz4_block.hpp"
#include "tickreel/icrep/edit.hpp"
#include "tickreel/icrep/sound_keyframes.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::uint32_t record_block_ticks = 256;
constexpr std::uint32_t record_block_bytes = 64u << 10;

class recompression {
 public:
  explicit recompression(const recompress_options& options) : options_(options) {}

  result<byte_vector> orders(byte_span stream, std::uint64_t base_offset) {
    block_stream_writer writer(block_kind::orders,
                               {std::clamp(options_.block_ticks, 32u, 1024u), options_.most.block_bytes,
                                options_.compress, options_.level});
    return stream_again(stream, block_kind::orders, base_offset, writer);
  }

  result<byte_vector> records(byte_span stream, block_kind kind, std::uint64_t base_offset) {
    block_stream_writer writer(kind,
                               {record_block_ticks, record_block_bytes, options_.compress, options_.level});
    return stream_again(stream, kind, base_offset, writer);
  }

  result<byte_vector> keyframes(std::span<const stored_keyframe> all) {
    keyframe_section_writer writer;
    sound_keyframes sound(options_.most);
    for (const stored_keyframe& one : all) {
      if (const auto taken = sound.take(one); !taken) return fail(taken.error());
      if (auto done = writer.add(one.tick, one.full, sound.raw(), options_.compress, options_.level); !done) {
        return fail(done.error());
      }
    }
    return writer.finish();
  }

 private:
  result<byte_vector> stream_again(byte_span stream, block_kind kind, std::uint64_t base_offset,
                                   block_stream_writer& writer) {
    const block_index index = index_blocks(stream, kind, options_.most, base_offset);
    if (!index.damage.empty()) return fail(index.damage.front().what);
    byte_vector out;
    auto done = for_each_item(index.blocks, kind, options_.most, [&](const block_item& item) -> result<void> {
      return add_in_order(writer, item.tick, item.bytes, item.from->offset, out);
    });
    if (done) done = writer.finish(out);
    if (!done) return fail(done.error());
    return out;
  }

  const recompress_options& options_;
};

}  // namespace

result<byte_vector> recompress_file(byte_span file, const recompress_options& options) {
  if (options.compress) {
    byte_vector ignored;
    if (auto can = lz4_block_compress({}, ignored, options.level); !can) return fail(can.error());
  }
  reader_options reading;
  reading.most = options.most;
  const auto from = open_finished(file, reading);
  if (!from) return fail(from.error());
  if (auto sound = refuse_damage(from->findings()); !sound) return fail(sound.error());
  const file_header& header = from->header();
  file_sections sections = sections_of(*from, file);
  recompression work(options);
  const auto orders = work.orders(sections.orders, header.orders.offset);
  if (!orders) return fail(orders.error());
  const auto keyframes = work.keyframes(from->keyframes());
  if (!keyframes) return fail(keyframes.error());
  const auto events = work.records(sections.events, block_kind::events, header.events.offset);
  if (!events) return fail(events.error());
  const auto voice = work.records(sections.voice, block_kind::voice, header.voice.offset);
  if (!voice) return fail(voice.error());
  sections.orders = *orders;
  sections.keyframes = *keyframes;
  sections.events = *events;
  sections.voice = *voice;
  return encode_file(sections);
}

}  // namespace tickreel::icrep

#include "recover_stream.hpp"

#include <algorithm>

#include "edit_sections.hpp"
#include "item_walk.hpp"
#include "tickreel/icrep/record.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::uint64_t max_sorted_bytes = 1u << 30;  // of memory for records
constexpr std::size_t record_length_bytes = sizeof(std::uint32_t);
constexpr std::size_t track_record_bytes = record_length_bytes + 8;

class stream_recovery {
 public:
  stream_recovery(block_kind kind, const limits& most, std::uint64_t end_tick)
      : kind_(kind), most_(most), end_tick_(end_tick), writer_(kind, {256, most.block_bytes, true}) {}

  result<recovered_stream> run(const block_index& index) {
    for (const stream_damage& each : index.damage) lose(each.what, 1);
    for (const block& one : index.blocks) {
      if (auto done = take(one); !done) return fail(done.error());
    }
    if (out_.was_sorted) return sorted(index);
    if (auto done = writer_.finish(out_.blocks); !done) return fail(done.error());
    return std::move(out_);
  }

 private:
  struct item {
    std::uint64_t tick = 0;
    byte_span bytes;
  };

  // The readable items of a block.
  void read(const block& one) {
    items_.clear();
    const auto content = open_block(one, buffer_);
    if (!content) return lose(content.error(), std::max(one.head.count, 1u));
    item_measure measure(kind_, most_);
    byte_span rest = *content;
    std::uint64_t number = 0;
    std::uint64_t refused = 0;
    error first{};
    const auto refuse = [&](const error& why, std::uint64_t count) {
      if (refused == 0) first = why;
      refused += count;
    };
    for (; !rest.empty(); ++number) {
      const auto size = measure.measure(rest, one.offset);
      if (!size) {
        refuse(size.error(), std::max<std::uint64_t>(one.head.count, number + 1) - number);
        break;
      }
      const byte_span bytes = rest.first(*size);
      const std::uint64_t before = items_.empty() ? last_tick_ : items_.back().tick;
      const item next{is_track(bytes) ? before : measure.tick(), bytes};
      rest = rest.subspan(*size);
      const auto sound = check(next, one.offset);
      sound ? items_.push_back(next) : refuse(sound.error(), 1);
    }
    if (refused != 0) return lose(first, refused);
    is_stored_form_ = number == one.head.count;
  }

  // A voice track, which has no tick.
  [[nodiscard]] bool is_track(byte_span record) const noexcept {
    return kind_ == block_kind::voice && record.size() == track_record_bytes;
  }

  result<void> check(const item& next, std::uint64_t offset) {
    const byte_span record = next.bytes.subspan(std::min(record_length_bytes, next.bytes.size()));
    if (kind_ == block_kind::events) {
      if (auto sound = check_event(record, most_, offset); !sound) return sound;
    } else if (kind_ == block_kind::voice) {
      if (const auto said = read_voice(record, most_, offset); !said) return fail(said.error());
    }
    if (next.tick >= end_tick_) {
      return fail(error_code::malformed, offset, "tick {u} is after the end",
                  static_cast<std::int64_t>(next.tick));
    }
    if (kind_ == block_kind::orders) {
      if (next.tick < next_tick_) {
        return fail(error_code::malformed, offset, "a second frame for tick {u}, or a late one",
                    static_cast<std::int64_t>(next.tick));
      }
      next_tick_ = next.tick + 1;
    }
    return {};
  }

  result<void> take(const block& one) {
    is_stored_form_ = false;
    read(one);
    if (items_.empty()) return {};
    out_.items += items_.size();
    for (const item& each : items_) {
      out_.was_sorted |= each.tick < last_tick_;
      last_tick_ = each.tick;
      out_.end_tick = std::max(out_.end_tick, each.tick + 1);
    }
    if (out_.was_sorted) return {};
    // Readers find a block by its first tick.
    if (is_stored_form_ && one.head.first_tick <= items_.front().tick && one.head.first_tick >= head_tick_) {
      if (auto done = writer_.flush(out_.blocks); !done) return done;
      out_.blocks.insert(out_.blocks.end(), one.payload.data() - block_header_bytes,
                         one.payload.data() + one.payload.size());
    } else {
      for (const item& each : items_) {
        if (auto done = writer_.add(each.tick, each.bytes, out_.blocks); !done) return done;
      }
    }
    head_tick_ = last_tick_;
    return {};
  }

  result<recovered_stream> sorted(const block_index& index) {
    std::vector<std::pair<std::uint64_t, byte_vector>> all;
    std::uint64_t bytes = 0;
    recovered_stream counted = std::move(out_);
    for (const block& one : index.blocks) {
      read(one);
      for (const item& each : items_) {
        bytes += each.bytes.size() + sizeof(all.front());
        if (bytes > max_sorted_bytes) {
          return fail(error_code::over_limit, one.offset, "records of more than 1 GiB whose ticks fall");
        }
        // The consent of a player precedes the first packet.
        all.emplace_back(is_track(each.bytes) ? 0 : each.tick,
                         byte_vector(each.bytes.begin(), each.bytes.end()));
      }
    }
    std::ranges::stable_sort(all, {}, [](const auto& each) { return each.first; });
    counted.blocks.clear();
    block_stream_writer writer(kind_, {256, most_.block_bytes, true});
    for (const auto& [tick, record] : all) {
      if (auto done = writer.add(tick, record, counted.blocks); !done) return fail(done.error());
    }
    if (auto done = writer.finish(counted.blocks); !done) return fail(done.error());
    return counted;
  }

  void lose(const error& why, std::uint64_t items) {
    out_.lost_items += items;
    ++out_.damaged_blocks;
    if (out_.damage.size() < max_listed_damage) out_.damage.push_back(why);
  }

  block_kind kind_;
  const limits& most_;
  std::uint64_t end_tick_;
  block_stream_writer writer_;
  recovered_stream out_;
  byte_vector buffer_;
  std::vector<item> items_;
  bool is_stored_form_ = false;
  std::uint64_t next_tick_ = 0;
  std::uint64_t last_tick_ = 0;
  std::uint64_t head_tick_ = 0;
};

}  // namespace

result<recovered_stream> recover_stream(byte_span stream, block_kind kind, const limits& most,
                                        std::uint64_t base_offset, std::uint64_t end_tick) {
  return stream_recovery(kind, most, end_tick).run(index_blocks(stream, kind, most, base_offset));
}

}  // namespace tickreel::icrep

#include <filesystem>

#include "match_reel.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/keyframe.hpp"

namespace tickreel::game {

namespace {

// What a recorder of .icrep would have left, put together from a reel's records.
class reel_image_maker {
 public:
  reel_image_maker(reel::reader& from, const std::function<bool(std::uint64_t, std::uint64_t)>& progress)
      : from_(from), progress_(progress) {}

  result<reel_image> run() {
    const auto beginning = icrep::begin_live_file(as_text(from_.head().schema));
    if (!beginning) return fail(beginning.error());
    main_ = *beginning;
    const auto& records = from_.contents().records;
    const std::uint64_t total = end_tick();
    out_.damaged_parts = from_.contents().damaged.size() + from_.contents().missing_records;
    for (std::size_t number = 0; number < records.size(); ++number) {
      if (progress_ && !progress_(std::min(records[number].first_tick, total), total)) {
        return fail(error_code::interrupted);
      }
      if (auto done = take(number, records[number].kind); !done) return fail(done.error());
    }
    return finish();
  }

 private:
  [[nodiscard]] std::uint64_t end_tick() const {
    std::uint64_t end = 0;
    for (const auto& info : from_.contents().records) {
      if (info.kind == reel::record_kind::chunk) end = std::max(end, info.last_tick + 1);
    }
    return end;
  }

  // Damage is counted and passed over; failing is for what can't be read at all.
  result<void> take(std::size_t number, reel::record_kind kind) {
    if (kind != reel::record_kind::chunk && kind != reel::record_kind::event &&
        kind != reel::record_kind::header_update) {
      return {};
    }
    if (auto read = from_.read(number, record_); !read) {
      if (read.error().code >= error_code::invalid_argument) return read;
      ++out_.damaged_parts;
      return {};
    }
    bool sound = true;
    if (kind == reel::record_kind::chunk) sound = chunk();
    if (kind == reel::record_kind::event) sound = event();
    if (kind == reel::record_kind::header_update) sound = end();
    if (!sound) ++out_.damaged_parts;
    return {};
  }

  bool chunk() {
    reel::frame_cursor frames(record_);
    reel::frame one;
    for (;;) {
      const auto more = frames.next(one);
      if (!more) return false;
      if (!*more) return true;
      if (!frame(one)) ++out_.damaged_parts;
    }
  }

  bool frame(const reel::frame& one) {
    byte_reader in(one.bytes);
    const std::uint8_t parts = in.u8();
    if (!in.ok() || (parts & ~(orders_part | full_part | delta_part)) != 0 ||
        (parts & (full_part | delta_part)) == (full_part | delta_part)) {
      return false;
    }
    if ((parts & (full_part | delta_part)) != 0) {
      const byte_span raw = in.bytes(in.u32());
      if (!in.ok() || !keyframe(one.stamp.tick, (parts & full_part) != 0, raw)) return false;
    }
    if ((parts & orders_part) == 0) return in.at_end();
    auto orders = icrep::read_bc1<icrep::tick_frame>(in.rest());
    if (!orders || orders->tick != one.stamp.tick || !orders_.add(*orders, main_)) return false;
    ++out_.ticks;
    return true;
  }

  bool keyframe(std::uint64_t tick, bool full, byte_span raw) {
    // A delta without the keyframe that it stands on is of no use.
    if (!full) {
      const std::uint64_t baseline = byte_reader(raw).u64();
      if (baseline != last_full_ && baseline != last_keyframe_) return false;
    }
    if (!icrep::append_keyframe_block(keyframes_, tick, full, raw)) return false;
    if (full) last_full_ = tick;
    last_keyframe_ = tick;
    ++out_.keyframes;
    return true;
  }

  bool event() {
    const auto told = reel::read_event(record_.payload);
    if (!told) return false;
    if (told->type == voice_event_type) {
      const auto said = icrep::read_voice(told->bytes);
      if (!said || !voice_writer_.add(*said, voice_)) return false;
      ++out_.voice_records;
      return true;
    }
    const auto happened = icrep::read_event(told->bytes);
    // Events that are newer than this code are not damage.
    if (happened && !*happened) return true;
    if (!happened || !event_writer_.add(**happened, events_)) return false;
    ++out_.events;
    return true;
  }

  bool end() {
    icrep::limits most;
    auto read = icrep::read_bc1<match_end>(record_.payload, most);
    if (!read) return false;
    end_ = std::move(*read);
    return true;
  }

  result<reel_image> finish() {
    auto done = orders_.finish(main_);
    if (done) done = event_writer_.finish(events_);
    if (done) done = voice_writer_.finish(voice_);
    if (!done) return fail(done.error());
    icrep::finish_options how;
    if (end_) {
      auto facts = icrep::read_metadata(as_text(end_->metadata_json));
      if (!facts) return fail(facts.error());
      icrep::orderly_end closed;
      closed.facts = std::move(*facts);
      closed.facts.total_ticks = end_->total_ticks;
      closed.final_state_hash = end_->final_state_hash;
      closed.lost_frame_count = end_->lost_frame_count;
      closed.incomplete = end_->incomplete || out_.damaged_parts != 0;
      closed.signature = end_->signature;
      closed.embedded = end_->embedded;
      how.closed = std::move(closed);
    }
    auto made = icrep::finish_live({main_, keyframes_, events_, voice_}, how);
    if (!made) return fail(made.error());
    main_.resize(static_cast<std::size_t>(made->keep_bytes));
    main_.insert(main_.end(), made->tail.begin(), made->tail.end());
    std::copy(made->header.begin(), made->header.end(), main_.begin());
    out_.file = std::move(main_);
    return std::move(out_);
  }

  reel::reader& from_;
  const std::function<bool(std::uint64_t, std::uint64_t)>& progress_;
  reel::record record_;
  reel_image out_;
  byte_vector main_;
  byte_vector keyframes_;
  byte_vector events_;
  byte_vector voice_;
  icrep::order_stream_writer orders_;
  icrep::record_stream_writer event_writer_ = icrep::record_stream_writer::events();
  icrep::record_stream_writer voice_writer_ = icrep::record_stream_writer::voice_frames();
  std::optional<std::uint64_t> last_full_;
  std::optional<std::uint64_t> last_keyframe_;
  std::optional<match_end> end_;
};

}  // namespace

bool is_match_reel(const reel::header& head) noexcept {
  return head.encoder_name == match_reel_encoder;
}

result<reel_image> image_of_reel(reel::reader& from,
                                 const std::function<bool(std::uint64_t, std::uint64_t)>& progress) {
  if (!is_match_reel(from.head())) {
    return fail(error_code::unsupported_operation, error::no_offset, "a reel that holds no .icrep match");
  }
  if (from.head().encoder_version != match_reel_version) {
    return fail(error_code::unsupported_version, error::no_offset, "a match in a reel, version {}",
                from.head().encoder_version);
  }
  return reel_image_maker(from, progress).run();
}

result<reel_image> image_of_reel(std::string_view path, system_calls& calls,
                                 const std::function<bool(std::uint64_t, std::uint64_t)>& progress) {
  const std::u8string name(path.begin(), path.end());
  auto opened = reel::reader::open(std::filesystem::path(name), {}, false, calls);
  if (!opened) return fail(opened.error());
  return image_of_reel(*opened, progress);
}

}  // namespace tickreel::game

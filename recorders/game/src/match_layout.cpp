#include "match_layout.hpp"

#include <algorithm>

#include "kept_signatures.hpp"
#include "layout_json.hpp"
#include "match_frame.hpp"
#include "match_parts.hpp"
#include "match_scan.hpp"
#include "section_writer.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/cut.hpp"
#include "tickreel/icrep/embedded.hpp"
#include "tickreel/icrep/header.hpp"
#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/icrep/snapshot.hpp"

namespace tickreel::game {

namespace {

constexpr const char* core_hashes = "core-sha256";
// Keyframes that are kept between two scans, to save another one.
constexpr std::size_t max_kept_bytes = 64u << 20;
// More than the digits of a number of ticks or seconds.
constexpr std::size_t longest_number = 32;

class match_layout {
 public:
  // `facts`: of the beginning, with later descriptions if the match was not ended.
  match_layout(reel::reader& from, const icrep::metadata& first_facts, const match_part& part,
               layout_target& to, const publish_progress& progress)
      : from_(from),
        first_facts_(first_facts),
        part_(part),
        walk_(from, part),
        to_(to),
        progress_(progress) {}

  result<published_match> run() {
    icrep::metadata facts = first_facts_;
    for (const auto& info : from_.contents().records) {
      if (info.kind == reel::record_kind::chunk) steps_ = std::max(steps_, info.last_tick + 1);
      has_events_ = has_events_ || reel::holds_events(info.kind);
    }
    const std::byte nothing[icrep::header_bytes] = {};
    auto done = to_.append(nothing);
    if (done) done = beginning(facts);
    if (done) done = orders();
    if (done) done = keyframes();
    // Each of them scans the reel again.
    if (done && has_events_) done = events();
    if (done && has_voice_) done = voice();
    if (done) done = signatures(facts.replay_id);
    if (done && !end_) done = metadata_of_unfinished(std::move(facts));
    if (done && end_) done = changed_metadata();
    if (done) done = header();
    if (!done) return fail(done.error());
    return out_;
  }

 private:
  [[nodiscard]] bool is_one_of_many() const noexcept { return part_.of != 1; }
  [[nodiscard]] bool is_last() const noexcept { return part_.number == part_.of; }

  // The chunks are read twice.
  auto progress_of_pass(std::uint64_t pass) {
    return [this, pass](std::uint64_t tick) -> result<void> {
      const std::uint64_t passes = std::uint64_t{part_.number - 1} * 2 + pass;
      const std::uint64_t done = (passes * steps_ + std::min(tick, steps_)) / (std::uint64_t{part_.of} * 2);
      if (!progress_ || progress_(done, steps_)) return {};
      return fail(error_code::interrupted);
    };
  }

  // The metadata come first: a file that is truncated later can still be recovered.
  result<void> beginning(const icrep::metadata& first) {
    if (const auto last = from_.last_header_update(); last && !last->empty()) {
      auto end = icrep::read_bc1<match_end>(*last, icrep::limits{});
      if (end) end_ = std::move(*end);
      if (!end) ++unreadable_ends_;
    }
    if (!end_) return room_for_metadata(first);
    auto facts = icrep::read_metadata(as_text(end_->metadata_json));
    if (!facts) return fail(facts.error());
    end_facts_ = std::move(*facts);
    const bool states_loss = !is_closed() && has_unstated_loss(end_facts_);
    if (states_loss) icrep::set_lost_content(end_facts_, icrep::lost_content{});
    if (is_one_of_many()) {
      end_facts_.total_ticks = end_->total_ticks;
      add_part(end_facts_, part_);
    }
    // Otherwise unchanged, because they may be sealed.
    if (!states_loss && !is_one_of_many()) return to_.whole(end_->metadata_json, header_.metadata);
    const std::string json = icrep::to_json(end_facts_);
    if (json.size() > icrep::limits{}.metadata_bytes) return fail(error_code::over_limit, 0, "metadata");
    return to_.whole(as_bytes(json), header_.metadata);
  }

  // The length of a match without an end is known only after the whole scan. Spaces fill the room of the
  // longest possible value.
  result<void> room_for_metadata(icrep::metadata facts) {
    facts = icrep::facts_of_unfinished(std::move(facts), UINT64_MAX);
    if (!facts.state_hash) facts.state_hash = core_hashes;
    if (is_one_of_many()) add_part(facts, part_);
    if (has_unstated_loss(facts)) icrep::set_lost_content(facts, icrep::lost_content{});
    std::string json = icrep::to_json(facts);
    json.resize(std::min<std::size_t>(json.size() + longest_number, icrep::limits{}.metadata_bytes), ' ');
    return to_.whole(as_bytes(json), header_.metadata);
  }
  result<void> metadata_of_unfinished(icrep::metadata facts) {
    facts = icrep::facts_of_unfinished(std::move(facts), out_.total_ticks);
    if (!facts.state_hash && hashes_cores_) facts.state_hash = core_hashes;
    facts.is_signed = header_.signature.offset != 0;
    if (is_one_of_many()) add_part(facts, part_);
    if (has_unstated_loss(facts)) icrep::set_lost_content(facts, icrep::lost_content{});
    std::string json = icrep::to_json(facts);
    if (json.size() > header_.metadata.length) return fail(error_code::over_limit, 0, "metadata");
    json.resize(header_.metadata.length, ' ');
    return to_.overwrite(as_bytes(json), header_.metadata.offset);
  }

  // Without signed content the file must not claim to be signed.
  result<void> changed_metadata() {
    const bool is_unsigned = !is_one_of_many() && end_facts_.is_signed && header_.signature.offset == 0;
    const bool states_loss = lacks_content() && has_unstated_loss(end_facts_);
    if (!is_unsigned && !states_loss) return {};
    if (is_unsigned) end_facts_.is_signed = false;
    if (states_loss) icrep::set_lost_content(end_facts_, icrep::lost_content{});
    // The text is longer than before, so there is no room to change it in place.
    return to_.whole(as_bytes(icrep::to_json(end_facts_)), header_.metadata);
  }

  [[nodiscard]] bool is_closed() const noexcept { return from_.contents().end == reel::reel_end::closed; }
  // Whether the reel lacks content, or may lack it because it has no end record.
  [[nodiscard]] bool lacks_content() const noexcept {
    return !end_ || !is_closed() || damaged_parts() != 0 || walk_.lost_before();
  }
  // For a match that lacks content. A clip is marked as incomplete only because it begins later: readers take it as complete
  // unless its metadata state a loss.
  [[nodiscard]] bool has_unstated_loss(const icrep::metadata& facts) const {
    const bool is_clip = std::ranges::any_of(
        facts.others, [](const auto& each) { return each.first == icrep::cut_metadata_key; });
    return part_.number == 1 && is_clip && !icrep::lost_content_of(facts);
  }

  // Also lists the keyframes.
  result<void> orders() {
    const std::uint64_t begin = to_.bytes();
    icrep::order_stream_writer writer;
    byte_vector blocks;
    auto done = walk_.frames(progress_of_pass(0), [&](sound_frame& one) -> result<void> {
      if (one.content.keyframe) {
        if (auto added = add_keyframe(one); !added) return added;
      }
      if (!one.orders) return {};
      if (!writer.add(*one.orders, blocks)) {
        ++refused_orders_;
        return {};
      }
      ++out_.ticks;
      out_.total_ticks = one.tick + 1;
      return to_.flush(blocks);
    });
    if (done) done = to_.finish_section(writer, blocks, header_.orders, begin);
    if (!done) return done;
    if (end_) out_.total_ticks = end_->total_ticks;
    if (!is_last()) out_.total_ticks = part_.end_tick;
    // A state after the last tick is valid only if the match was ended; otherwise it belongs to a lost tick.
    // The first state is needed even without any tick.
    index_.cut(out_.total_ticks + (end_ && is_last() ? 1 : 0));
    out_.keyframes = index_.count();
    return {};
  }

  result<void> add_keyframe(const sound_frame& one) {
    const framed_keyframe& keyframe = *one.content.keyframe;
    byte_vector packed;
    const byte_span stored = keyframe.stored ? keyframe.bytes : icrep::pack_snapshot(keyframe.bytes, packed);
    if (auto added = index_.add(one.tick, keyframe.full, keyframe.raw_bytes, stored); !added) return added;
    // Checked early, before the sections are written.
    if (auto room = to_.check_room(index_.section_bytes(), one.offset); !room) return room;
    look_at_hash(one);
    kept_all_ = kept_all_ && kept_.size() + stored.size() <= max_kept_bytes;
    if (kept_all_) {
      kept_.insert(kept_.end(), stored.begin(), stored.end());
      kept_ends_.push_back(kept_.size());
    } else {
      kept_ = {};
    }
    return {};
  }

  result<void> keyframes() {
    const std::uint64_t begin = to_.bytes();
    if (auto done = to_.append(index_.head()); !done) return done;
    walk_.count(false, false);
    auto done = kept_all_ ? append_kept() : copy_keyframes();
    kept_ = {};
    if (done) done = to_.append(index_.tail());
    if (done) to_.place(header_.keyframes, begin);
    return done;
  }
  result<void> append_kept() {
    const std::size_t kept = index_.count() == 0 ? 0 : kept_ends_[index_.count() - 1];
    return to_.append(byte_span(kept_).first(kept));
  }
  result<void> copy_keyframes() {
    std::uint64_t written = 0;
    byte_vector buffer;
    return walk_.frames(progress_of_pass(1), [&](sound_frame& one) -> result<void> {
      if (!one.content.keyframe || written == index_.count()) return {};
      ++written;
      const framed_keyframe& keyframe = *one.content.keyframe;
      return to_.append(keyframe.stored ? keyframe.bytes : icrep::pack_snapshot(keyframe.bytes, buffer));
    });
  }

  // Whether state hashes are those of keyframes. A recorder knows only at the end whether its game has its
  // own hashes, so the reel of a dead recorder does not contain this fact.
  void look_at_hash(const sound_frame& one) {
    const framed_keyframe& keyframe = *one.content.keyframe;
    if (end_ || !keyframe.full || !one.orders || hashes_differ_) return;
    byte_vector buffer;
    const auto raw = raw_of(keyframe, buffer);
    if (!raw) return;
    const auto state = icrep::read_snapshot(*raw);
    if (!state) return;
    hashes_cores_ = one.orders->state_hash == icrep::sync_hash(icrep::core_hash(state->core));
    hashes_differ_ = !hashes_cores_;
  }

  // Events of missing ticks are left out.
  [[nodiscard]] bool is_there(std::uint64_t tick) const noexcept {
    return end_.has_value() || tick < out_.total_ticks;
  }

  result<void> events() {
    const std::uint64_t begin = to_.bytes();
    auto writer = icrep::record_stream_writer::events();
    byte_vector blocks;
    result<void> outcome;
    walk_.count(false, true);
    auto done = walk_.events([&](const reel::event& recorded) {
      if (recorded.type == voice_event_type) {
        has_voice_ = true;
        return icrep::read_voice(recorded.bytes).has_value();
      }
      if (recorded.type == signature_event_type) return take_signature(recorded.bytes);
      if (!outcome) return true;
      if (recorded.type == described_event_type) return true;
      byte_reader head(recorded.bytes);
      head.skip(sizeof(std::uint32_t));
      if (!is_there(head.u64())) return true;
      // Events of newer versions and of the game itself are copied.
      if (!writer.add_encoded_event(recorded.bytes, blocks)) {
        ++refused_events_;
        return false;
      }
      ++out_.events;
      outcome = to_.flush(blocks);
      return true;
    });
    if (done) done = outcome;
    if (done) done = to_.finish_section(writer, blocks, header_.events, begin);
    return done;
  }

  result<void> voice() {
    const std::uint64_t begin = to_.bytes();
    auto writer = icrep::record_stream_writer::voice_frames();
    byte_vector blocks;
    result<void> outcome;
    walk_.count(false, false);
    auto done = walk_.events([&](const reel::event& recorded) {
      const auto said = recorded.type == voice_event_type && outcome
                            ? icrep::read_voice(recorded.bytes)
                            : result<icrep::voice::record>(fail(error_code::not_found));
      if (!said) return true;
      const auto* frame = std::get_if<icrep::voice::frame>(&*said);
      if (frame != nullptr && !is_there(frame->tick)) return true;
      if (!writer.add(*said, blocks)) {
        ++refused_voice_;
        return true;
      }
      ++out_.voice_records;
      outcome = to_.flush(blocks);
      return true;
    });
    if (done) done = outcome;
    if (done) done = to_.finish_section(writer, blocks, header_.voice, begin);
    return done;
  }

  // Entries that the recorder wrote during the match, in order.
  bool take_signature(byte_span bytes) {
    const auto recorded = icrep::read_bc1<signed_entry>(bytes);
    if (!recorded) return false;
    if (recorded->number != left_.chain.chain.size()) return true;
    left_.chain.chain.push_back(recorded->entry);
    left_.chain.relay_public_key = recorded->signer;
    left_.seal.entries.push_back(recorded->seal);
    return true;
  }

  // The signatures from the end of the match. If there are none, or signed content was lost since, the
  // entries that are still valid.
  result<void> signatures(std::string_view replay_id) {
    byte_vector signature;
    byte_vector embedded;
    if (end_) {
      signature = end_->signature;
      embedded = end_->embedded;
    }
    // A match in several files is not signed, and its files share the resources in the first.
    if (is_one_of_many()) return part_.number == 1 ? to_.whole(embedded, header_.embedded) : result<void>{};
    auto sealed = end_ ? sealed_by(*end_) : std::optional(left_);
    if (sealed && lacks_content()) {
      walk_.count(false, false);
      const bool all_written = refused_orders_ + refused_events_ + refused_voice_ == 0;
      const published_content content{index_.count(), out_.total_ticks, end_.has_value()};
      auto kept = all_written ? keep_what_holds(walk_, content, replay_id, *sealed, progress_of_pass(1))
                              : result<void>{};
      // No signature covers the statement of a loss.
      if (!all_written || (end_ && has_unstated_loss(end_facts_))) *sealed = {};
      if (!kept) return kept;
      signature.clear();
      const bool any = !sealed->chain.chain.empty();
      if (any) icrep::append_bc1(signature, sealed->chain);
      auto made = icrep::with_seal(embedded, any ? &sealed->seal : nullptr);
      if (!made) return fail(made.error());
      embedded = std::move(*made);
    }
    auto done = to_.whole(signature, header_.signature);
    if (done) done = to_.whole(embedded, header_.embedded);
    return done;
  }

  [[nodiscard]] std::uint64_t damaged_parts() const noexcept {
    return walk_.damaged_parts() + refused_orders_ + refused_voice_ + unreadable_ends_;
  }

  result<void> header() {
    out_.bytes = to_.bytes();
    out_.damaged_parts = damaged_parts();
    header_.has_events = header_.events.offset != 0;
    header_.has_voice = header_.voice.offset != 0;
    header_.is_signed = header_.signature.offset != 0;
    header_.total_ticks = out_.total_ticks;
    const bool misses_start = index_.count() == 0 || index_.first_tick() != 0;
    header_.incomplete = lacks_content() || end_->incomplete || end_->lost_frame_count != 0 || misses_start;
    if (end_) {
      if (is_last()) header_.final_state_hash = end_->final_state_hash;
      if (part_.number == 1) header_.lost_frame_count = end_->lost_frame_count;
    }
    out_.incomplete = header_.incomplete;
    return to_.overwrite(icrep::to_bytes(header_), 0);
  }

  reel::reader& from_;
  const icrep::metadata& first_facts_;
  const match_part& part_;
  match_scan walk_;
  section_writer to_;
  const publish_progress& progress_;
  bool has_events_ = false;
  bool has_voice_ = false;
  published_match out_;
  std::optional<match_end> end_;
  icrep::metadata end_facts_;
  icrep::file_header header_;
  icrep::keyframe_index index_;
  byte_vector kept_;  // the keyframes in their stored form
  std::vector<std::size_t> kept_ends_;
  bool kept_all_ = true;
  std::uint64_t steps_ = 0;
  kept_signatures left_;
  std::uint64_t unreadable_ends_ = 0;
  std::uint64_t refused_orders_ = 0;
  std::uint64_t refused_events_ = 0;  // damage found by the scan
  std::uint64_t refused_voice_ = 0;
  bool hashes_cores_ = false;
  bool hashes_differ_ = false;
};

}  // namespace

result<published_match> write_match(reel::reader& from, const icrep::metadata& facts, const match_part& part,
                                    layout_target& to, const publish_progress& progress) {
  return match_layout(from, facts, part, to, progress).run();
}

}  // namespace tickreel::game

#include <algorithm>

#include "reader_state.hpp"
#include "sealed_content.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/lost_content.hpp"

namespace tickreel::icrep {

namespace {

class verification {
 public:
  verification(const reader& source, const reader_state& state) : source_(source), state_(state) {
    found_.assign(state.findings.begin(), state.findings.end());
  }

  std::vector<finding> run() {
    orders();
    keyframes();
    records();
    if (state_.header.embedded.offset != 0) {
      if (const auto resources = source_.embedded(); !resources) damaged(resources.error());
    }
    const signature_report signatures = source_.verify_signatures();
    if (signatures.why) damaged(*signatures.why);
    const bool only_cut =
        state_.first_tick() != 0 && state_.header.lost_frame_count == 0 && !lost_content_of(state_.metadata);
    if ((state_.header.incomplete && !only_cut) || state_.header.lost_frame_count != 0) {
      const bool is_counted = state_.header.lost_frame_count != 0;
      found_.push_back({is_counted ? severity::warning : severity::note,
                        {error_code::truncated,
                         error::no_offset,
                         is_counted ? "the recording is incomplete: {} frame{s} lost"
                                    : "the recording is marked as incomplete",
                         {state_.header.lost_frame_count, 0}}});
    }
    return std::move(found_);
  }

 private:
  void damaged(const error& what) { found_.push_back({severity::damage, what}); }
  // The reader's own findings contain those of block headers.
  void damaged(std::span<const stream_damage> all, std::span<const stream_damage> known) {
    for (const stream_damage& one : all.subspan(std::min(known.size(), all.size()))) damaged(one.what);
  }

  void orders() {
    order_cursor frames = source_.orders();
    const std::size_t known = frames.damage().size();
    std::uint64_t expected = state_.first_tick();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps;
    tick_frame frame;
    while (frames.next(frame)) {
      if (frame.tick != expected) gaps.emplace_back(expected, frame.tick);
      expected = frame.tick + 1;
    }
    if (expected < state_.total_ticks) gaps.emplace_back(expected, state_.total_ticks);
    // The cause of a loss precedes the loss.
    damaged(frames.damage(), frames.damage().first(known));
    for (const auto& [first, end] : gaps) gap(first, end);
    if (expected > state_.total_ticks || state_.total_ticks > last_writable_tick + 1) {
      damaged({error_code::malformed,
               error::no_offset,
               "orders up to tick {u}, of {u} tick{s}",
               {static_cast<std::int64_t>(expected) - 1, static_cast<std::int64_t>(state_.total_ticks)}});
    }
  }

  void gap(std::uint64_t first, std::uint64_t end) {
    finding found{severity::warning,
                  {error_code::truncated,
                   error::no_offset,
                   "no orders for {u} tick{s} from tick {u} on",
                   {static_cast<std::int64_t>(end - first), static_cast<std::int64_t>(first)}}};
    // A recorder that knows of its loss reports it.
    if (!state_.header.incomplete) found.severity = severity::damage;
    found_.push_back(found);
  }

  void keyframes() {
    std::optional<sim_core_snapshot> first;
    for (std::size_t number = 0; number < state_.keyframes.size(); ++number) {
      const stored_keyframe& keyframe = state_.keyframes[number];
      const auto state = source_.snapshot(number);
      if (!state) {
        damaged(state.error());
        continue;
      }
      place(keyframe.tick, 0, keyframe.offset);
      if (!first) first = state->core;
      if (state->core.map_hash != first->map_hash || state->core.game_seed != first->game_seed) {
        damaged({error_code::malformed,
                 keyframe.offset,
                 "the keyframe of tick {u} has another map or seed",
                 {static_cast<std::int64_t>(keyframe.tick), 0}});
      }
      if (state_.hashes_core()) compare_with_frame(keyframe, state->core);
    }
  }

  void compare_with_frame(const stored_keyframe& keyframe, const sim_core_snapshot& core) {
    order_cursor frames = source_.orders(keyframe.tick, keyframe.tick + 1);
    tick_frame frame;
    if (!frames.next(frame) || frame.state_hash == sync_hash(core_hash(core))) return;
    damaged({error_code::checksum_mismatch,
             keyframe.offset,
             "the keyframe of tick {u} is not the state that its frame has the hash of",
             {static_cast<std::int64_t>(keyframe.tick), 0}});
  }

  void records() {
    event_cursor events = source_.events();
    event_record event;
    for (std::uint64_t last = 0; events.next(event); last = event.tick) {
      if (auto sound = check_event(event.bytes, state_.options.most, event.offset); !sound) {
        damaged(sound.error());
      } else {
        place(event.tick, last, event.offset);
      }
    }
    damaged(events.damage(), {});
    record_cursor voice = source_.voice();
    byte_span record;
    std::uint64_t offset = 0;
    std::uint64_t last = 0;
    while (voice.next(record, offset)) {
      const auto said = read_voice(record, state_.options.most, offset);
      if (!said) damaged(said.error());
      const auto* frame = said ? std::get_if<voice::frame>(&*said) : nullptr;
      if (frame == nullptr) continue;
      place(frame->tick, last, offset);
      last = frame->tick;
    }
    damaged(voice.damage(), {});
  }

  // Records are in the order of their ticks.
  void place(std::uint64_t tick, std::uint64_t first_tick, std::uint64_t offset) {
    // The spools of a live file are ahead of its blocks of orders.
    if (tick >= first_tick && (tick <= state_.total_ticks || state_.header.live)) return;
    damaged({error_code::malformed,
             offset,
             "tick {u} is not between tick {u} and the end",
             {static_cast<std::int64_t>(tick), static_cast<std::int64_t>(first_tick)}});
  }

  const reader& source_;
  const reader_state& state_;
  std::vector<finding> found_;
};

}  // namespace

namespace {

// Order frames contain the first 8 bytes of the signed hash; 0 is unknown.
std::optional<error> frame_of_another_state(order_cursor frames, std::span<const chain_entry> chain) {
  tick_frame frame;
  auto entry = chain.begin();
  while (entry != chain.end() && frames.next(frame)) {
    while (entry != chain.end() && entry->tick < frame.tick) ++entry;
    if (entry == chain.end() || entry->tick != frame.tick || frame.state_hash == 0) continue;
    if (sync_hash(entry->state_hash) != frame.state_hash) {
      return error{error_code::checksum_mismatch,
                   error::no_offset,
                   "the orders of tick {u} belong to another state than the signed one",
                   {static_cast<std::int64_t>(frame.tick), 0}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(signature_state state) noexcept {
  switch (state) {
    case signature_state::not_signed:
      return "unsigned";
    case signature_state::states_only:
      return "signed states only";
    case signature_state::whole:
      return "whole";
    case signature_state::incomplete:
      return "incomplete";
    case signature_state::tampered:
      return "tampered";
  }
  return "unknown";
}

signature_report reader::verify_signatures() const {
  const reader_state& self = *state_;
  signature_report report;
  if (!self.header.is_signed) return report;
  // A signature covers its own file, not the files that continue it.
  if (!self.options.continued.empty()) {
    reader_options alone = self.options;
    alone.continued.clear();
    const auto first = open(self.file, alone);
    if (first) return first->verify_signatures();
    report.state = signature_state::tampered;
    report.why = first.error();
    return report;
  }
  const auto tampered = [&](error what) {
    if (what.offset == error::no_offset) what.offset = self.header.signature.offset;
    report.state = signature_state::tampered;
    report.why = what;
    return report;
  };
  const auto chain = read_signature_section(self.bytes_of(self.header.signature), self.options.most,
                                            self.header.signature.offset);
  if (!chain) return tampered(chain.error());
  report.entries = chain->chain.size();
  report.signer = chain->relay_public_key;
  if (self.keyframes.empty()) {
    return tampered({error_code::missing_keyframe, error::no_offset, "no keyframe to check signatures with"});
  }
  const auto start = self.read_full(0);
  if (!start) return tampered(start.error());
  const auto resources = embedded();
  if (!resources) return tampered(resources.error());
  std::optional<content_seal> seal;
  if (resources->seal) {
    auto read = read_bc1<content_seal>(*resources->seal, self.options.most, self.header.embedded.offset);
    if (!read) return tampered(read.error());
    seal = std::move(*read);
  }
  const chain_subject subject{self.metadata.replay_id, start->core.map_hash, start->core.game_seed};
  const auto links = verify_chain_entries(*chain, subject);
  if (!links) return tampered(links.error());
  // A recording without an end has no signature of it.
  if (!seal || seal->end) {
    auto sound = verify_chain_end(*chain, self.total_ticks, self.header.final_state_hash);
    if (!sound) return tampered(sound.error());
  }
  if (self.hashes_core()) {
    for (const chain_entry& entry : chain->chain) {
      const auto place = std::ranges::lower_bound(self.keyframes, entry.tick, {}, &stored_keyframe::tick);
      if (place == self.keyframes.end() || place->tick != entry.tick) continue;
      const auto state = snapshot(static_cast<std::size_t>(place - self.keyframes.begin()));
      if (!state) return tampered(state.error());
      if (core_hash(state->core) != entry.state_hash) {
        return tampered({error_code::checksum_mismatch,
                         place->offset,
                         "the keyframe of tick {u} is not the signed state",
                         {static_cast<std::int64_t>(entry.tick), 0}});
      }
    }
  }
  if (const auto other = frame_of_another_state(orders(), chain->chain)) return tampered(*other);
  report.signed_ticks = chain->chain.back().tick;
  report.ended = !seal || seal->end;
  if (seal) {
    const auto sound = check_seal(self, *chain, *links, *seal);
    if (!sound) return tampered(sound.error());
    report.sealed = true;
  }
  const bool complete = report.ended && !self.header.incomplete && self.header.lost_frame_count == 0;
  report.state = !complete       ? signature_state::incomplete
                 : report.sealed ? signature_state::whole
                                 : signature_state::states_only;
  return report;
}

result<void> reader::sealed_items(
    const std::function<void(content_stream, std::uint64_t, const digest&)>& each) const {
  return for_each_sealed_item(*state_, each);
}

std::vector<finding> reader::verify() const {
  return verification(*this, *state_).run();
}

}  // namespace tickreel::icrep

#include "tickreel/game/world_recorder.hpp"

#include <algorithm>

#include "facts.hpp"
#include "match_parts.hpp"
#include "publish_match.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/describe/kept_sentence.hpp"
#include "world_recorder_state.hpp"

namespace tickreel::game {

namespace {

constexpr std::uint32_t orders_per_tick_limit = 4096;  // icrep::limits
constexpr std::size_t order_bytes_limit = 1u << 20;
constexpr std::uint32_t longest_wait_ms = 5;  // of the format's design
// Far above the 1275 bytes of the longest Opus frame, RFC 6716, 3.2.1.
constexpr std::size_t opus_packet_limit = 16u << 10;

bool can_be(const match& about, const match_options& options) noexcept {
  return options.keyframe_interval_ticks != 0 && options.full_keyframe_interval != 0 &&
         options.wait_limit_ms <= longest_wait_ms && options.when_full != loss_policy::drop_oldest &&
         (options.when_full != loss_policy::block || options.mode == threading::own_thread) &&
         options.events_per_tick != 0 && options.voice_per_tick != 0 && options.ring_bytes != 0 &&
         options.signing_interval_ticks != 0 && about.ticks_per_second != 0 &&
         options.file_limit_bytes <= icrep::writer_file_limit_bytes && options.file_limit_keyframes != 0 &&
         options.file_limit_keyframes <= icrep::limits{}.keyframes &&
         (!options.split || (options.file == container::icrep && !options.signing_key_seed &&
                             options.file_limit_bytes >= least_part_bytes &&
                             options.file_limit_keyframes >= least_part_keyframes));
}

std::string text_of(std::string_view name, std::uint32_t bytes, const std::vector<value_layout>& values) {
  std::string text = '"' + std::string(name) + "\" of " + counted(bytes, "byte") + " (";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ", ") + values[i].name;
  return text + ')';
}

// Readers identify events by name.
template <class Described>
error two_of_one_name(const Described& first, const Described& second) {
  return {error_code::invalid_argument, error::no_offset,
          tickreel::detail::kept_sentence(
              "two structs of events are described by one name, " +
                  text_of(first.name, first.bytes, first.values) + " and " +
                  text_of(second.name, second.bytes, second.values) +
                  ", and those of the second are not recorded: rename one of them",
              "two structs of events are described by one name, and those of the second are not recorded: "
              "rename one of them")};
}

bool can_be(const world_layout& layout) noexcept {
  const auto known = [](const slot_layout& slot) {
    return std::ranges::all_of(slot.values,
                               [](const value_layout& one) { return one.kind <= value_kind::interned; });
  };
  return std::ranges::all_of(layout.components, known) && std::ranges::all_of(layout.player_fields, known) &&
         std::ranges::all_of(layout.world, known);
}

recorder_options recorder_options_of(const match_options& options, const icrep::metadata& facts) {
  recorder_options out;
  // The content of an .icrep is already compressed.
  out.codec = options.file == container::reel ? options.reel_codec : codec_options{codec_id::none};
  out.mode = options.mode;
  // Chunks without compression may be short at no cost, so a crash loses half as much.
  out.seal_interval_ms =
      options.file == container::reel ? options.seal_interval_ms : options.seal_interval_ms / 2;
  out.sync_each_chunk = options.sync_interval_ms != 0;
  out.sync_interval_ms = options.sync_interval_ms;
  out.ring_ticks = options.ring_ticks;
  out.ring_bytes = options.ring_bytes;
  out.ticks_per_second = match_clock(facts).ticks_per_second();
  out.schema = match_schema(facts);
  out.observer = options.observer;
  return out;
}

// A file of that name would be replaced by this recording.
result<void> is_free(const file_path& path, system_calls& calls) {
  if (file::open_for_reading(path, calls)) return fail(error_code::already_exists);
  return {};
}

}  // namespace

world_recorder::world_recorder(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
world_recorder::world_recorder(world_recorder&&) noexcept = default;
world_recorder& world_recorder::operator=(world_recorder&& other) noexcept {
  if (this != &other) {
    abandon();
    state_ = std::move(other.state_);
  }
  return *this;
}
world_recorder::~world_recorder() {
  abandon();
}

void world_recorder::abandon() noexcept {
  if (state_ && !state_->ended) (void)state_->close(nullptr);
}

result<world_recorder> world_recorder::begin(const file_path& path, const match& about,
                                             const world_layout& layout, const match_options& options) {
  if (!can_be(about, options)) return fail(error_code::invalid_argument, error::no_offset, "match options");
  if (!can_be(layout))
    return fail(error_code::invalid_argument, error::no_offset, "a layout's kinds of value");
  match_fixes fixes;
  icrep::metadata facts = facts_of(about, layout, options, fixes);
  auto slots = icrep::slot_table::create(*facts.schema);
  if (!slots) return fail(slots.error());
  const auto outcome_room = room_for_outcomes(facts);
  if (!outcome_room) return fail(error_code::over_limit, error::no_offset, "the metadata: names and layout");
  system_calls& calls = options.calls != nullptr ? *options.calls : system_calls::real();
  if (const auto checked = check_path(path); !checked) return fail(checked.error());
  const bool is_reel = options.file == container::reel;
  if (!is_reel) {
    if (const auto free = is_free(path, calls); !free) return fail(free.error());
    if (options.split) {
      if (const auto free = is_free(part_path(path, 2), calls); !free) return fail(free.error());
    }
  }
  auto owned = std::make_unique<state>(path, options, facts, layout);
  owned->outcome_room = *outcome_room;
  match_status::count(owned->talk.fixed_texts, fixes.texts);
  match_status::count(owned->talk.rejected_values, fixes.values);
  const recorder_options how = recorder_options_of(options, facts);
  match_encoder encoder(about, options, std::move(facts), *slots, owned->talk);
  const file_path reel = is_reel ? path : reel_path_of(path);
  auto opened = item_recorder<match_encoder>::open(
      reel, std::move(encoder), how,
      options.sinks ? options.sinks(reel) : std::vector<std::unique_ptr<reel::sink>>{}, &calls);
  if (!opened) {
    if (!is_reel && opened.error().code == error_code::already_exists) {
      return fail(error_code::already_exists, error::no_offset,
                  "its reel, which was left by a recorder that died; recover() finishes it");
    }
    return fail(opened.error());
  }
  owned->to.emplace(std::move(*opened));
  world_recorder out(std::move(owned));
  // The world's own archetype has the number 0.
  if (!layout.world.empty()) (void)out.intern("world");
  return out;
}

result<bool> world_recorder::tick(std::uint64_t number, std::uint64_t state_hash) noexcept {
  state& self = *state_;
  if (self.ended) return fail(error_code::wrong_state, error::no_offset, "the recording has ended");
  if (self.tick && number <= *self.tick) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {} after tick {}",
                static_cast<std::int64_t>(number), static_cast<std::int64_t>(*self.tick));
  }
  if (number > icrep::last_writable_tick) {
    return fail(error_code::over_limit, error::no_offset, "a tick above 2^53");
  }
  self.close_tick();
  if ((self.talk.requests.load(std::memory_order_relaxed) & match_status::file_is_full) != 0) {
    self.tick.reset();
    return fail(error_code::over_limit, error::no_offset, "the file is full");
  }
  self.open_tick(number, state_hash);
  return self.keyframe_open;
}

result<void> world_recorder::order(std::uint32_t player, std::uint16_t type, byte_span payload,
                                   std::uint32_t sub_tick_us) noexcept {
  state& self = *state_;
  if (!self.tick || self.ended) return fail(error_code::wrong_state, error::no_offset, "no tick has begun");
  if (self.orders_in_tick == orders_per_tick_limit || self.order_bytes + payload.size() > order_bytes_limit) {
    return fail(error_code::over_limit, error::no_offset, "orders in tick {}",
                static_cast<std::int64_t>(*self.tick));
  }
  ++self.orders_in_tick;
  self.order_bytes += payload.size() + 14;
  self.notes.numbers(static_cast<std::uint8_t>(note::order), player, sub_tick_us, type,
                     static_cast<std::uint32_t>(payload.size()));
  self.notes.append(payload);
  return {};
}

bool world_recorder::describe_order(std::uint16_t type, const void* key, std::string_view name,
                                    std::uint32_t bytes, std::vector<value_layout> (*values)()) noexcept {
  state& self = *state_;
  const state::described_type* known = nullptr;
  for (const state::described_type& one : self.described_orders) {
    if (one.number != type) continue;
    if (one.key == key) return !one.is_refused;
    if (one.is_first) known = &one;
  }
  state::described_type made{key, type, std::string(name), bytes, values()};
  if (known != nullptr) {
    made.is_first = false;
    made.is_refused = !made.is_made_of(*known);
    self.described_orders.push_back(std::move(made));
    return !self.described_orders.back().is_refused;
  }
  world_layout described_types;
  described_types.orders.push_back({{type, made.name, bytes}, made.values});
  self.described_orders.push_back(std::move(made));
  self.note_described(described_types);
  return true;
}

std::uint32_t world_recorder::describe_event(const void* key, std::string_view name, std::uint32_t bytes,
                                             std::vector<value_layout> (*values)()) noexcept {
  state& self = *state_;
  const state::described_type* known = nullptr;
  for (const state::described_type& one : self.described_events) {
    if (one.key == key) return one.number;
    if (one.is_first && one.name == name) known = &one;
  }
  state::described_type made{key, self.kinds_of_events, std::string(name), bytes, values()};
  if (known != nullptr) {
    made.is_first = false;
    made.is_refused = !made.is_made_of(*known);
    made.number = made.is_refused ? icrep::first_game_event_type : known->number;
    if (made.is_refused && !self.refused_event) self.refused_event = two_of_one_name(*known, made);
    self.described_events.push_back(std::move(made));
    return self.described_events.back().number;
  }
  world_layout described_types;
  described_types.events.push_back({{made.number, made.name, bytes}, made.values});
  self.described_events.push_back(std::move(made));
  self.note_described(described_types);
  return self.kinds_of_events++;
}

bool world_recorder::own_event(std::uint32_t number, byte_span content) noexcept {
  state& self = *state_;
  if (!self.tick || number >= icrep::first_game_event_type) {
    match_status::count(self.talk.by_game.events);
    return false;
  }
  self.encoded.clear();
  icrep::append_game_event(self.encoded, number, *self.tick, content);
  return self.put_record(self.encoded);
}

bool world_recorder::event(const analysis::event& happened) noexcept {
  return state_->put_event(happened);
}

bool world_recorder::voice_track(std::uint32_t player, bool consented) noexcept {
  state& self = *state_;
  if (self.ended || !self.options.record_voice) return false;
  std::erase(self.speakers, player);
  if (consented) self.speakers.push_back(player);
  self.said = icrep::voice::track{player, consented ? 1u : 0u};
  return self.put_voice();
}

bool world_recorder::voice(std::uint32_t player, byte_span opus, const icrep::voice::target& to) noexcept {
  state& self = *state_;
  if (self.ended || !self.tick || opus.size() > opus_packet_limit) return false;
  if (std::ranges::find(self.speakers, player) == self.speakers.end()) return false;
  if (!std::holds_alternative<icrep::voice::frame>(self.said)) self.said.emplace<icrep::voice::frame>();
  auto& frame = std::get<icrep::voice::frame>(self.said);
  frame.player = player;
  frame.tick = *self.tick;
  frame.target = to;
  frame.opus.assign(opus.begin(), opus.end());
  return self.put_voice();
}

bool world_recorder::wants_whole_world() const noexcept {
  return state_->notes_are_whole;
}

void world_recorder::changes_only(bool chosen) noexcept {
  state_->changes_only = chosen;
  if (!chosen) state_->whole_wanted = true;
}

void world_recorder::drop_keyframe() noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  self.next_keyframe =
      (*self.tick / self.options.keyframe_interval_ticks + 1) * self.options.keyframe_interval_ticks;
  self.lose_keyframe();
}

bool world_recorder::pump() noexcept {
  return !state_->ended && state_->to->pump() != 0;
}

result<end_report> world_recorder::end(const match_result& how) noexcept {
  state& self = *state_;
  if (self.ended) return fail(error_code::wrong_state, error::no_offset, "the recording has ended");
  if (how.outcome && self.tick) {
    analysis::event ended;
    auto& content = ended.what.emplace<analysis::match_ended>();
    content.tick = *self.tick;
    content.outcome = *how.outcome;
    (void)event(ended);
  }
  match_fixes fixes;
  match_result fixed = how;
  fixed.player_outcomes = fix_outcomes(std::move(fixed.player_outcomes), self.outcome_room, fixes);
  match_status::count(self.talk.fixed_texts, fixes.texts);
  const auto closed = self.close(&fixed);
  if (!closed) return fail(closed.error());
  end_report report;
  report.counters = counters();
  report.earlier_failure = closed->earlier_failure;
  if (!report.earlier_failure) report.earlier_failure = self.to->encoder().refused();
  if (!report.earlier_failure) report.earlier_failure = self.refused_event;
  report.total_ticks = self.to->encoder().total_ticks();
  report.reached_file_limit = self.to->encoder().reached_limit();
  report.file_bytes = report.counters.stored_bytes;
  if (self.options.file == container::reel) return report;
  system_calls& calls = self.options.calls != nullptr ? *self.options.calls : system_calls::real();
  report.reel_stays = report.counters.failed_sinks != 0;
  const auto published =
      report.reel_stays ? publish_beside_reel(self.path, calls) : publish_and_remove_reel(self.path, calls);
  if (!published) return fail(published.error());
  report.file_bytes = published->bytes;
  report.files = published->parts;
  return report;
}

match_counters world_recorder::counters() const noexcept {
  return state_->counters();
}

std::optional<error> world_recorder::failure() const {
  if (const auto failed = state_->to->failure()) return failed;
  return state_->talk.too_large();
}

}  // namespace tickreel::game

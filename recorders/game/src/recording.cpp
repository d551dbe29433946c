#include "tickreel/game/recording.hpp"

#include <algorithm>
#include <system_error>

#include "recording_state.hpp"

namespace tickreel::game {

namespace {

constexpr std::uint32_t orders_per_tick_limit = 4096;  // icrep::limits
constexpr std::size_t order_bytes_limit = 1u << 20;
constexpr std::uint32_t longest_wait_ms = 5;  // of the format's design
// Far above the 1275 bytes that the longest Opus frame has, RFC 6716, 3.2.1.
constexpr std::size_t opus_packet_limit = 16u << 10;

}  // namespace

recording::recording(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
recording::recording(recording&&) noexcept = default;
recording& recording::operator=(recording&& other) noexcept {
  if (this != &other) {
    abandon();
    state_ = std::move(other.state_);
  }
  return *this;
}
recording::~recording() {
  abandon();
}

void recording::abandon() noexcept {
  if (!state_) return;
  state_->stop_thread();
  if (!state_->ended) (void)state_->write_some(true);
}

result<recording> recording::begin(std::string_view path, const match& about, const world_layout& layout,
                                   const recording_options& options) {
  if (options.keyframe_interval_ticks == 0 || options.full_keyframe_every == 0 || options.queue_items == 0 ||
      options.event_queue_items == 0 || options.wait_limit_ms > longest_wait_ms ||
      options.signing_interval_ticks == 0 || options.voice_queue_items == 0 || about.ticks_per_second == 0 ||
      options.file_limit_bytes > icrep::writer_file_limit_bytes) {
    return fail(error_code::invalid_argument, error::no_offset, "recording options");
  }
  auto losses = std::make_unique<writer_losses>();
  auto writer = match_writer::begin(path, about, layout, options, *losses);
  if (!writer) return fail(writer.error());
  recording out(std::make_unique<state>(std::move(*writer), std::move(losses), options));
  // The world's own archetype has number 0.
  if (!layout.world.empty()) (void)out.intern("world");
  if (options.mode == threading::own_thread) {
    try {
      out.state_->thread = std::thread([owned = out.state_.get()] { owned->run(); });
    } catch (const std::system_error& refused) {
      // Nothing has been recorded; nothing shall stand in the way of another try.
      out.state_->output->discard();
      out.state_->ended = true;
      return fail(thread_refused(refused.code().value(), "starting the writer thread"));
    }
  }
  return out;
}

result<bool> recording::tick(std::uint64_t number, std::uint64_t state_hash) noexcept {
  state& self = *state_;
  if (self.ended) return fail(error_code::wrong_state, error::no_offset, "the recording has ended");
  if (self.tick && number <= *self.tick) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {} after tick {}",
                static_cast<std::int64_t>(number), static_cast<std::int64_t>(*self.tick));
  }
  if (self.full.load(std::memory_order_relaxed)) {
    if (self.tick) self.close_tick();
    self.tick.reset();
    return fail(error_code::over_limit, error::no_offset, "the file is full");
  }
  self.close_tick();
  const std::uint64_t expected = self.tick ? *self.tick + 1 : 0;
  if (number > expected) state::add(self.lost_ticks, number - expected);
  self.tick = number;
  self.tick_hash = state_hash;
  self.orders_in_tick = 0;
  self.keyframe_open = number >= self.next_keyframe;
  self.notes_are_whole = self.whole_wanted;
  if (note_buffer* spare = self.keyframe_open ? self.spare_notes.front() : nullptr) {
    // The larger of both.
    if (spare->capacity() > self.notes.capacity()) self.notes.swap(*spare);
    self.notes.clear();
    self.spare_notes.pop();
  }
  self.entity_named = false;
  return self.keyframe_open;
}

result<void> recording::order(std::uint32_t player, std::uint16_t type, byte_span payload,
                              std::uint32_t sub_tick_us) noexcept {
  state& self = *state_;
  if (!self.tick || self.ended) return fail(error_code::wrong_state, error::no_offset, "no tick has begun");
  if (self.orders_in_tick == orders_per_tick_limit ||
      self.orders.size() + payload.size() > order_bytes_limit) {
    return fail(error_code::over_limit, error::no_offset, "orders in tick {}",
                static_cast<std::int64_t>(*self.tick));
  }
  ++self.orders_in_tick;
  self.orders.numbers(player, sub_tick_us, type, static_cast<std::uint32_t>(payload.size()));
  self.orders.append(payload);
  return {};
}

bool recording::event(const analysis::event& happened) noexcept {
  state& self = *state_;
  auto* const slot = self.ended ? nullptr : self.events.begin_push();
  if (slot == nullptr) {
    state::add(self.lost_events);
    return false;
  }
  slot->emplace(happened);
  self.events.commit_push();
  return true;
}

bool recording::voice_track(std::uint32_t player, bool consented) noexcept {
  state& self = *state_;
  if (self.ended || !self.options.record_voice) return false;
  std::erase(self.speakers, player);
  if (consented) self.speakers.push_back(player);
  return self.put_voice(icrep::voice::track{player, consented ? 1u : 0u});
}

bool recording::voice(std::uint32_t player, byte_span opus, const icrep::voice::target& to) noexcept {
  state& self = *state_;
  if (self.ended || !self.tick || opus.size() > opus_packet_limit) return false;
  if (std::ranges::find(self.speakers, player) == self.speakers.end()) return false;
  return self.put_voice(player, opus, to);
}

bool recording::wants_whole_world() const noexcept {
  return state_->notes_are_whole;
}

void recording::changes_only(bool chosen) noexcept {
  state_->changes_only = chosen;
  if (!chosen) state_->whole_wanted = true;
}

bool recording::pump() noexcept {
  return state_->options.mode == threading::pumped && !state_->ended && state_->write_some(false);
}

result<end_report> recording::end(const match_result& how) noexcept {
  state& self = *state_;
  if (self.ended) return fail(error_code::wrong_state, error::no_offset, "the recording has ended");
  // From here on nothing is in a hurry, so what is left finds room.
  self.stop_thread();
  (void)self.write_some(false);
  self.close_tick();
  (void)self.write_some(false);
  if (how.outcome && self.tick) {
    analysis::event ended;
    auto& content = ended.what.emplace<analysis::match_ended>();
    content.tick = *self.tick;
    content.outcome = *how.outcome;
    (void)event(ended);
  }
  (void)self.write_some(true);
  self.ended = true;
  auto report = self.output->finish(how, self.lost_ticks.load(), self.lost_keyframes.load());
  if (report) report->counters = counters();
  return report;
}

recording_counters recording::counters() const noexcept {
  const state& self = *state_;
  recording_counters out;
  out.ticks = self.ticks.load();
  out.keyframes = self.keyframes.load();
  out.lost_ticks = self.lost_ticks.load() + self.losses->ticks.load();
  out.lost_keyframes = self.lost_keyframes.load() + self.losses->keyframes.load();
  out.lost_events = self.lost_events.load() + self.losses->events.load();
  out.lost_voice = self.lost_voice.load() + self.losses->voice.load();
  out.failed_writes = self.losses->failed_writes.load();
  return out;
}

}  // namespace tickreel::game

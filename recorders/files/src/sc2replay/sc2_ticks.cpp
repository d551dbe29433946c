#include "sc2_ticks.hpp"

#include <algorithm>

#include "sc2_facts.hpp"
#include "tickreel/sc2replay/events_json.hpp"

namespace tickreel::files {

void sc2_ticks::restart() {
  state_.reset();
  tick_ = 0;
  at_tick_ = false;
  stops_.clear();
}

void sc2_ticks::begin() {
  const std::uint32_t base_build = from_->base_build();
  state_.reset(
      new state{{"replay.tracker.events", sc2replay::tracker_event_reader(from_->tracker_events, base_build)},
                {"replay.game.events", sc2replay::game_event_reader(from_->game_events, base_build)},
                {"replay.message.events", sc2replay::message_reader(from_->message_events, base_build)}});
  advance(state_->tracker);
  advance(state_->game);
  advance(state_->messages);
}

bool sc2_ticks::next() {
  if (!state_) begin();
  if (at_tick_) {
    pass(state_->tracker);
    pass(state_->game);
    pass(state_->messages);
  }
  std::optional<std::uint64_t> nearest;
  const auto look = [&nearest](const auto& of) {
    if (of.there) nearest = std::min(nearest.value_or(of.tick), of.tick);
  };
  look(state_->tracker);
  look(state_->game);
  look(state_->messages);
  at_tick_ = nearest.has_value();
  if (!nearest) return false;
  tick_ = *nearest;
  return true;
}

bool sc2_ticks::append_events(const std::function<bool(std::string_view)>& piece) const {
  if (!at_tick_) return true;
  // Reads the events of a tick twice, so that they need not be stored.
  if (tick_copy_) {
    *tick_copy_ = *state_;
  } else {
    tick_copy_ = std::make_unique<state>(*state_);
  }
  std::string json;
  bool any = false;
  return append_events_of(tick_copy_->tracker, json, any, piece) &&
         append_events_of(tick_copy_->game, json, any, piece) &&
         append_events_of(tick_copy_->messages, json, any, piece);
}

template <class Stream>
bool sc2_ticks::append_events_of(Stream& of, std::string& json, bool& any,
                                 const std::function<bool(std::string_view)>& piece) const {
  const double rate = clock_ticks_per_second(*from_);
  while (of.there && of.tick == tick_) {
    json.clear();
    if (any) json += ',';
    any = true;
    sc2replay::append_json(of.event, json, rate);
    if (!piece(json)) return false;
    (void)of.next();
  }
  return true;
}

template <class Stream>
void sc2_ticks::advance(Stream& of) {
  auto more = of.next();
  if (!more) stops_.push_back({of.member, more.error()});
}

template <class Stream>
void sc2_ticks::pass(Stream& of) {
  while (of.there && of.tick == tick_) advance(of);
}

}  // namespace tickreel::files

#include "sc2_ticks.hpp"

#include <algorithm>

#include "sc2_survey.hpp"
#include "tickreel/sc2replay/events_json.hpp"

namespace tickreel::files {

void sc2_ticks::restart() {
  state_.reset();
  tick_ = 0;
  event_count_ = 0;
  json_.clear();
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
  std::optional<std::uint64_t> nearest;
  const auto look = [&nearest](const auto& of) {
    if (of.there) nearest = std::min(nearest.value_or(of.event.tick), of.event.tick);
  };
  look(state_->tracker);
  look(state_->game);
  look(state_->messages);
  if (!nearest) return false;
  tick_ = *nearest;
  json_.clear();
  take(state_->tracker);
  take(state_->game);
  take(state_->messages);
  return true;
}

template <class Stream>
void sc2_ticks::advance(Stream& of) {
  auto more = of.reader.next(of.event);
  of.there = more && *more;
  if (!more) stops_.push_back({of.member, more.error()});
}

template <class Stream>
void sc2_ticks::take(Stream& of) {
  while (of.there && of.event.tick == tick_) {
    if (!json_.empty()) json_ += ',';
    sc2replay::append_json(of.event, json_, clock_ticks_per_second(*from_));
    ++event_count_;
    advance(of);
  }
}

}  // namespace tickreel::files

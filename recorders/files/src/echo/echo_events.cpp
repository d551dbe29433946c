#include "echo_events.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tickreel::files {

namespace {

// Events are near their ticks. More events than this without a readable tick mean a damaged reel: they are
// then printed without times.
constexpr std::size_t max_early = 1u << 14;

std::int64_t since(std::int64_t first_ms, std::int64_t now_ms) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(now_ms) - static_cast<std::uint64_t>(first_ms));
}

}  // namespace

result<echo_event_lines> echo_event_lines::make(const event_query& query,
                                                const std::function<bool(std::string_view)>& each) {
  echo_event_lines made(query, each);
  if (query.types.empty()) made.types_.set();
  for (const std::string& name : query.types) {
    const auto type = echo::event_type_from_name(name);
    if (!type) return fail(error_code::invalid_argument, error::no_offset, "there is no such type of event");
    made.types_.set(*type);
  }
  return made;
}

void echo_event_lines::look(const tick_position& at, const echo::state& state) {
  if (!first_time_ms_) {
    first_time_ms_ = since(at.time_ms, state.recorded_time_ms);
    show_early();
  }
  if (!query_->player.empty() && !player_seen_) {
    const std::size_t count = std::min<std::size_t>(state.match.player_count, echo::max_players);
    for (std::size_t place = 0; place < count && !player_seen_; ++place) {
      const echo::player& one = state.players[place];
      player_seen_ = query_->player == one.name.view() || query_->player == std::to_string(one.userid) ||
                     query_->player == std::to_string(one.playerid);
    }
  }
  if (query_->to) {
    const moment& to = *query_->to;
    if (to.unit == moment::by::tick) is_past_ = at.tick > to.tick;
    if (to.unit == moment::by::time) is_past_ = static_cast<double>(at.time_ms) > to.seconds * 1000 + 0.5;
  }
}

std::optional<double> echo_event_lines::since_first_ms(const echo::event& what) const noexcept {
  if (!first_time_ms_) return std::nullopt;
  return static_cast<double>(since(*first_time_ms_, what.time_ms));
}

bool echo_event_lines::is_reached(const moment& where, const echo::event& what) const noexcept {
  if (where.unit == moment::by::tick) return what.tick >= where.tick;
  if (where.unit == moment::by::time) {
    const auto time_ms = since_first_ms(what);
    return time_ms && *time_ms >= where.seconds * 1000 - 0.5;
  }
  return what.game_clock >= 0 && static_cast<double>(what.game_clock) <= where.seconds;
}

bool echo_event_lines::is_after_end(const moment& where, const echo::event& what) const noexcept {
  if (where.unit == moment::by::tick) return what.tick > where.tick;
  if (where.unit == moment::by::time) {
    const auto time_ms = since_first_ms(what);
    return time_ms && *time_ms > where.seconds * 1000 + 0.5;
  }
  return what.game_clock >= 0 && static_cast<double>(what.game_clock) < where.seconds;
}

void echo_event_lines::happened(const echo::event& what) noexcept {
  if (stopped_) return;
  if (!first_time_ms_ && early_.size() < max_early) return early_.push_back(what);
  show_early();
  show(what);
}

void echo_event_lines::finish() {
  show_early();
}

void echo_event_lines::show_early() {
  for (const echo::event& each : std::exchange(early_, {})) {
    if (!stopped_) show(each);
  }
}

void echo_event_lines::show(const echo::event& what) {
  began_ = began_ || !query_->from || is_reached(*query_->from, what);
  if (!began_) return;
  if (query_->to && is_after_end(*query_->to, what)) {
    // A clock counts down, and starts again in the next round.
    stopped_ = query_->to->unit == moment::by::clock;
    return;
  }
  if (!types_.test(what.what.index())) return;
  if (!query_->player.empty() && !echo::concerns(what, query_->player)) return;
  line_.clear();
  echo::append_json(what, first_time_ms_, line_);
  ++given_;
  if (!(*each_)(line_)) stopped_ = true;
}

void echo_event_lines::take_record(byte_span record) {
  if (const auto read = counter_.take(record)) happened(read->what);
}

}  // namespace tickreel::files

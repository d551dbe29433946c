#include "playback.hpp"

#include <algorithm>
#include <utility>

namespace tickreel::echo_vr {
namespace {

// The game's response for /player_bones if there are none.
constexpr std::string_view no_bones = R"({"err_code":0})";

constexpr std::chrono::milliseconds shortest_last_tick{10};

}  // namespace

playback::playback(std::unique_ptr<files::echo_source> source, const serve_options& options)
    : source_(std::move(source)),
      options_(options),
      shown_(std::make_unique<tick>()),
      next_(std::make_unique<tick>()) {}

result<void> playback::prepare() {
  if (read_next()) return {};
  if (!source_result_) return source_result_;
  return fail(error_code::truncated, error::no_offset, "the recording contains no tick");
}

void playback::begin(time_point now) noexcept {
  if (begun_) return;
  begun_ = true;
  begun_at_ = now;
}

void playback::advance(time_point now) {
  if (!begun_) return;
  const std::chrono::duration<double, std::nano> real = now - begun_at_;
  const std::chrono::nanoseconds position(static_cast<std::int64_t>(real.count() * options_.speed));
  while (!status_.finished && (has_next_ ? next_->due : end_) <= position) {
    if (has_next_) {
      show_next();
    } else {
      end_round();
    }
  }
}

void playback::show_next() {
  std::swap(shown_, next_);
  ++status_.ticks;
  const std::string_view map = shown_->state.match.map_name.view();
  scene_ = map.starts_with("mpl_lobby") ? scene::lobby : scene::match;
  status_.map = map;
  status_.clock = shown_->state.match.game_clock_display.view();
  // The last tick is shown as long as the one before it.
  if (!read_next()) end_ = shown_->due + std::max<std::chrono::nanoseconds>(last_pause_, shortest_last_tick);
}

void playback::end_round() {
  ++status_.rounds;
  if (options_.loop && source_result_) {
    if (losses_of_round_.empty()) losses_of_round_ = current_losses();
    source_result_ = source_->rewind();
    last_recorded_ms_ = 0;
    last_due_ = end_;
    if (source_result_ && read_next()) return;
  }
  status_.finished = true;
  status_.map.clear();
  status_.clock.clear();
  scene_ = scene::menu;
}

bool playback::read_next() {
  has_next_ = false;
  const result<bool> more = source_->next(next_->state);
  if (!more) source_result_ = fail(more.error());
  if (!more || !*more) return false;
  next_->session.assign(source_->session_json());
  next_->bones.assign(source_->bones_json());
  const std::int64_t recorded_ms = next_->state.recorded_time_ms;
  // Clocks of recorders jump; playback time only increases.
  last_pause_ = std::chrono::milliseconds(
      last_recorded_ms_ == 0
          ? 0
          : std::clamp<std::int64_t>(recorded_ms - last_recorded_ms_, 0, options_.max_pause_ms));
  last_recorded_ms_ = recorded_ms;
  last_due_ += last_pause_;
  next_->due = last_due_;
  has_next_ = true;
  return true;
}

std::vector<std::string> playback::losses() const {
  return losses_of_round_.empty() ? current_losses() : losses_of_round_;
}

std::vector<std::string> playback::current_losses() const {
  files::source_losses losses = source_->losses();
  if (source_->keeps_source_text()) losses = files::losses_of_source_text(std::move(losses));
  return files::sentences(losses);
}

std::string_view playback::session_answer() {
  if (shown_->session.empty()) {
    echo::append_session_json(shown_->state, echo::json_shape::api, options_.numbers, shown_->session);
  }
  return shown_->session;
}

std::string_view playback::bones_answer() {
  if (shown_->bones.empty()) {
    echo::append_bones_json(shown_->state, echo::json_shape::api, options_.numbers, shown_->bones);
    if (shown_->bones.empty()) shown_->bones = no_bones;
  }
  return shown_->bones;
}

}  // namespace tickreel::echo_vr

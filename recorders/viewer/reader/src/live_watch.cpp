#include "live_watch.hpp"

#include "tickreel/viewer/reader.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::size_t max_watched_event_bytes = 256u << 20;

}  // namespace

result<files::growth> live_watch::look() {
  const auto grew = scanned->extend();
  if (!grew || *grew == files::growth::other) return grew;
  if (*grew == files::growth::none && about) return grew;
  files::observer to;
  to.tick = [this] {
    const files::tick_position& at = scanned->position();
    if (!first) first = at;
    last = at;
    line.see(at, scanned->game_clock(), scanned->echo_state());
  };
  to.event = [this](std::string_view event) {
    too_many_events = too_many_events || events.size() + event.size() > max_watched_event_bytes;
    if (too_many_events) return;
    events += event;
    events += '\n';
  };
  auto resumed = scanned->resume(to);
  if (!resumed) return fail(resumed.error());
  about = std::move(*resumed);
  return grew;
}

const std::string& reader::look_on() {
  const auto grew = watch_->look();
  if (!grew) return refuse_file(grew.error());
  return *grew == files::growth::other ? answer_replaced() : answer_;
}

const std::string& reader::extend() {
  if (!extends_) return begin();
  const auto grew = open_->extend();
  if (!grew) return refuse_file(grew.error());
  if (*grew == files::growth::other) return answer_replaced();
  answer_ = "{\"ok\":true}";
  return answer_;
}

const std::string& reader::answer_replaced() {
  open_.reset();
  watch_.reset();
  extends_ = false;
  answer_ = R"({"ok":false,"other":true,"error":{"code":"wrong_state","message":"another recording replaced)"
            R"( this one","offset":null},"recoverable":false})";
  return answer_;
}

const std::string& reader::watched_about() {
  if (watch_ == nullptr) {
    auto beside = files::open(source(), {.live = true});
    if (!beside) return refuse_file(beside.error());
    watch_ = std::make_unique<live_watch>(std::move(*beside));
  }
  (void)look_on();
  if (watch_ == nullptr) return answer_;
  if (watch_->first) {
    first_tick_ = watch_->first->tick;
    first_ms_ = watch_->first->time_ms;
  }
  ticks_ = watch_->about->ticks;
  return tell(*watch_->about, true);
}

const std::string& reader::watched_overview() {
  (void)look_on();
  if (watch_ == nullptr) return answer_;
  return answer_overview(watch_->line, watch_->scanned->losses());
}

const std::string& reader::watched_events() {
  (void)look_on();
  if (watch_ == nullptr) return answer_;
  if (watch_->too_many_events) {
    return refuse({error_code::over_limit, error::no_offset, "there are too many events to list"});
  }
  answer_ = std::exchange(watch_->events, {});
  return answer_;
}

}  // namespace tickreel::viewer

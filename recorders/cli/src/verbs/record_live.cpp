#include "record_live.hpp"

#include <utility>

#include "tickreel/text/json.hpp"

namespace tickreel::cli {

std::vector<std::string> live_lines::take() {
  std::vector<std::string> lines;
  const std::uint64_t changes = feed_->changes();
  if (std::exchange(changes_, changes) == changes) return lines;
  events_.clear();
  if (const std::uint64_t missed = feed_->take(next_, events_); missed != 0) {
    text::json_writer(lines.emplace_back())
        .begin_object()
        .member("event", "happened_missed")
        .member("count", missed)
        .end_object();
  }
  for (const echo_vr::live_event& each : events_) {
    std::string what;
    echo::append_json(each.what, each.first_time_ms, what);
    std::string& line = lines.emplace_back();
    text::json_writer json(line);
    json.begin_object().member("event", "happened").member("target", each.target);
    json.member("sessionid", each.sessionid);
    line += ",\"what\":" + what + '}';
  }
  std::vector<echo_vr::live_score> now = feed_->standings();
  printed_.resize(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::string clock = now[i].game_clock;
    now[i].game_clock = clock.substr(0, clock.find('.'));  // "09:58" of "09:58.42"
    if (now[i] == printed_[i]) continue;
    printed_[i] = now[i];
    now[i].game_clock = clock;
    std::string standing;
    echo_vr::append_json(now[i], standing);
    lines.push_back("{\"event\":\"standing\"," + standing.substr(1));
  }
  return lines;
}

}  // namespace tickreel::cli

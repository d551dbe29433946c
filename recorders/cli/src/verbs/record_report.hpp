// What 'record' reports to the user beside the events of its session: the result, and failures of what follows it.
#pragma once

#include <string>

#include "console/live_status.hpp"
#include "fleet/record_publish.hpp"
#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/echo_vr/record_session.hpp"

namespace tickreel::cli {

void print_report(const echo_vr::session_report& report, const echo_vr::clip_counts& clips,
                  std::size_t formats, bool as_json);

// The words of a failure: before its reason, and as an event of JSON.
struct failure_words {
  const char* subject;
  const char* event;
};
// Reported once, while the user can still act; nothing if `why` is empty.
void report_first_failure(const failure_words& words, const std::string& why, live_status& status,
                          bool as_json);

// Reports that the broker is away, or back; the recording continues meanwhile.
void report_deliveries(delivery_watch& watch, const std::string& url, live_status& status, bool as_json);

// For the whole session. Reels without ticks and those that --keep deleted do not exist any more.
void report_undelivered(const delivery_watch& watch, const std::string& url);

}  // namespace tickreel::cli

#include "record_report.hpp"

#include <fmt/format.h>

#include "console/console.hpp"
#include "console/shell_word.hpp"
#include "record_clips.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

void print_report(const echo_vr::session_report& report, const echo_vr::clip_counts& clips,
                  std::size_t formats, bool as_json) {
  if (!as_json) {
    standard_output().write_line(
        fmt::format("{}, {}, {} lost, {} dropped{}{}{}{}{}{}", counted(report.files_finished, "file"),
                    counted(report.frames, "tick"), counted(report.lost_polls, "poll"),
                    counted(report.dropped_ticks, "tick"),
                    formats > 1 && report.dropped_ticks != 0 ? " over all formats" : "",
                    report.left_out == 0 ? "" : ", " + counted(report.left_out, "value") + " omitted",
                    report.files_failed == 0 ? "" : ", " + counted(report.files_failed, "file") + " FAILED",
                    clips_text(clips),
                    report.discarded_ticks == 0
                        ? ""
                        : ", " + counted(report.discarded_ticks, "tick") + " discarded with the buffer",
                    report.repeated_ticks * 5 < report.frames || report.repeated_ticks == 0
                        ? ""
                        : ", " + counted(report.repeated_ticks, "tick repeats", "ticks repeat") +
                              " the response before"));
    return;
  }
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("event", "finished").member("files_finished", report.files_finished);
  json.member("files_failed", report.files_failed).member("ticks", report.frames);
  json.member("lost_polls", report.lost_polls).member("dropped_ticks", report.dropped_ticks);
  json.member("left_out", report.left_out).member("discarded_ticks", report.discarded_ticks);
  json.member("repeated_ticks", report.repeated_ticks);
  json.member("clips_saved", clips.saved).member("clips_failed", clips.failed);
  json.member("clip_events_missed", clips.missed).end_object();
  standard_output().write_line(text);
}

void report_first_failure(const failure_words& words, const std::string& why, live_status& status,
                          bool as_json) {
  if (why.empty()) return;
  status.clear();
  report_error(words.subject + why);
  if (!as_json) return;
  std::string text;
  text::json_writer(text).begin_object().member("event", words.event).member("message", why).end_object();
  status.line(text);
}

void report_deliveries(delivery_watch& watch, const std::string& url, live_status& status, bool as_json) {
  for (const delivery_watch::change& each : watch.take()) {
    status.clear();
    const std::string why = each.what ? describe(*each.what) : std::string();
    report_error(each.what ? fmt::format("--publish {}: {}; the recording continues, and missing records are "
                                         "delivered later",
                                         url, why)
                           : fmt::format("--publish {}: the broker accepts records again", url));
    if (!as_json) continue;
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("event", each.what ? "delivery_failed" : "delivery_back");
    json.member("file", each.reel.utf8());
    if (each.what) json.member("message", why);
    json.end_object();
    status.line(text);
  }
}

void report_undelivered(const delivery_watch& watch, const std::string& url) {
  for (const file_path& each : watch.undelivered()) {
    if (!path_exists(each)) continue;
    report_error(each, error{error_code::timed_out, error::no_offset, "the broker does not have all records"},
                 false);
    report_advice(fmt::format("'tickreel publish {} {}' delivers the missing records",
                              shell_word(each.utf8()), shell_word(url)));
  }
}

}  // namespace tickreel::cli

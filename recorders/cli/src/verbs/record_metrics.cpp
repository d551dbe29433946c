#include "record_metrics.hpp"

#include <filesystem>
#include <system_error>

#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/text/metrics.hpp"

namespace tickreel::cli {

namespace {

using polled_target = echo_vr::target_status;

struct target_metric {
  const char* name;
  text::metric_kind kind;
  const char* help;
  std::uint64_t (*value)(const polled_target&);
};

std::uint64_t does_answer(const polled_target& of) {
  using state = echo_vr::target_state;
  return of.state == state::connecting || of.state == state::unreachable || of.state == state::bad_answer ? 0
                                                                                                          : 1;
}

constexpr auto gauge_kind = text::metric_kind::gauge;
constexpr auto counter_kind = text::metric_kind::counter;

constexpr target_metric target_metrics[] = {
    {"tickreel_recorder_target_up", gauge_kind, "1 while the game answers", does_answer},
    {"tickreel_recorder_in_match", gauge_kind, "1 while a match is recorded",
     [](const polled_target& of) { return std::uint64_t{of.match.recording}; }},
    {"tickreel_recorder_polls_total", counter_kind, "Polls of the game",
     [](const polled_target& of) { return of.polls; }},
    {"tickreel_recorder_polls_failed_total", counter_kind, "Polls without a valid response",
     [](const polled_target& of) { return of.polls_failed; }},
    {"tickreel_recorder_lost_polls_total", counter_kind, "Polls lost in matches",
     [](const polled_target& of) { return of.match.lost_polls; }},
    {"tickreel_recorder_ticks_total", counter_kind, "Ticks of matches, including dropped ticks",
     [](const polled_target& of) { return of.match.total_frames; }},
    {"tickreel_recorder_dropped_ticks_total", counter_kind, "Ticks dropped because the disk was too slow",
     [](const polled_target& of) { return of.match.dropped_ticks; }},
    {"tickreel_recorder_waiting_ticks", gauge_kind,
     "Ticks that are not on the disk yet; drops follow if it grows",
     [](const polled_target& of) { return of.match.waiting_ticks; }},
    {"tickreel_recorder_left_out_total", counter_kind, "Values missing in at least one file",
     [](const polled_target& of) { return of.match.left_out; }},
    {"tickreel_recorder_files_finished_total", counter_kind, "Finished recordings",
     [](const polled_target& of) { return of.match.files_finished; }},
    {"tickreel_recorder_files_failed_total", counter_kind, "Recordings that could not be opened or finished",
     [](const polled_target& of) { return of.match.files_failed; }},
};

void append_disk(const file_path& folder, text::metrics_writer& page) {
  std::error_code failure;
  const auto space = std::filesystem::space(filesystem_path(folder), failure);
  if (failure) return;
  page.metric("tickreel_recorder_disk_bytes", gauge_kind, "Size of the disk with the recordings");
  page.sample(std::uint64_t{space.capacity});
  page.metric("tickreel_recorder_disk_free_bytes", gauge_kind, "Free space for the recorder there");
  page.sample(std::uint64_t{space.available});
}

}  // namespace

std::string record_metrics(const std::vector<polled_target>& targets, const delivery_totals& deliveries,
                           const file_path& folder) {
  std::string out;
  text::metrics_writer page(out);
  std::vector<std::string> names;
  for (const polled_target& each : targets) names.push_back(echo_vr::to_text(each.where));
  for (const target_metric& each : target_metrics) {
    page.metric(each.name, each.kind, each.help);
    for (std::size_t at = 0; at < targets.size(); ++at) {
      page.sample(each.value(targets[at]), {{"target", names[at]}});
    }
  }
  page.metric("tickreel_recorder_poll_seconds", gauge_kind, "Duration of answered polls");
  for (std::size_t at = 0; at < targets.size(); ++at) {
    page.sample(static_cast<double>(targets[at].latency_p50_us) / 1e6,
                {{"target", names[at]}, {"percentile", "50"}});
    page.sample(static_cast<double>(targets[at].latency_p99_us) / 1e6,
                {{"target", names[at]}, {"percentile", "99"}});
  }
  append_disk(folder, page);
  page.metric("tickreel_recorder_lag_records", gauge_kind, "Records that the broker has not confirmed");
  page.sample(deliveries.lag_records);
  page.metric("tickreel_recorder_lag_bytes", gauge_kind, "Their bytes").sample(deliveries.lag_bytes);
  page.metric("tickreel_recorder_lag_seconds", gauge_kind, "The age of the oldest of them");
  page.sample(deliveries.lag_seconds);
  page.metric("tickreel_recorder_failing_deliveries", gauge_kind, "Matches whose delivery currently fails");
  page.sample(deliveries.failing);
  page.metric("tickreel_recorder_undelivered_reels", gauge_kind,
              "Ended matches with records that the broker lacks; 'tickreel publish' delivers them");
  page.sample(deliveries.undelivered);
  return out;
}

}  // namespace tickreel::cli

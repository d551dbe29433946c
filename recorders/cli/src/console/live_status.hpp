// The output of a recording session while it runs: events as lines and, on a terminal, a status line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "tickreel/echo_vr/record_session.hpp"

namespace tickreel::cli {

// One thread prints; event() is thread-safe.
class live_status {
 public:
  explicit live_status(bool json) : json_(json) {}

  // Queues an event until print_events(). Polls call it, so it never waits for the reader of standard output:
  // beyond max_waiting_events, events are only counted.
  void event(const echo_vr::record_event& what);
  // Prints the queued events, one text line or JSON object each, and the number dropped since the last call.
  void print_events();
  // The last failure of a file or a clip, with its name; empty if there was none.
  [[nodiscard]] std::string last_failure();
  // One line of standard output.
  void line(const std::string& text);
  // Only on a terminal.
  void show(const std::vector<echo_vr::target_status>& targets);
  // The same after polling has ended.
  void show_finishing(const std::vector<echo_vr::target_status>& targets);
  void clear();

  static constexpr std::size_t max_waiting_events = 4096;

 private:
  void show_line(const std::string& line);

  const bool json_;
  bool visible_ = false;

  std::mutex mutex_;  // the members below
  std::vector<std::string> waiting_;
  std::uint64_t missed_ = 0;
  std::string last_failure_;
};

}  // namespace tickreel::cli

// What a recording session shows while it runs: events as lines, and on a terminal one line that is always
// new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "tickreel/echo_vr/record_session.hpp"

namespace tickreel::cli {

// One thread shows; event() is for any thread.
class live_status {
 public:
  explicit live_status(bool json) : json_(json) {}

  // Keeps what happened until print_events(). Polls call it, so it never waits for who reads standard output:
  // beyond max_waiting_events it is only counted.
  void event(const echo_vr::record_event& what);
  // Shows what was kept, a line for people or a JSON object each, and how many were missed since the last
  // call.
  void print_events();
  // One line of standard output.
  void line(const std::string& text);
  // Only on a terminal.
  void show(const std::vector<echo_vr::target_status>& targets);
  // The same once polling has ended.
  void show_finishing(const std::vector<echo_vr::target_status>& targets);
  void clear();

  static constexpr std::size_t max_waiting_events = 4096;

 private:
  void show_line(const std::string& line);

  const bool json_;
  bool visible_ = false;

  std::mutex mutex_;  // what is below
  std::vector<std::string> waiting_;
  std::uint64_t missed_ = 0;
};

}  // namespace tickreel::cli

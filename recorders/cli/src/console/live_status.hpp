// What a recording session shows while it runs: events as lines, and on a terminal one line that is always
// new.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "tickreel/echo_vr/record_session.hpp"

namespace tickreel::cli {

// Any thread may call it.
class live_status {
 public:
  explicit live_status(bool json) : json_(json) {}

  // Keeps the line for people, or a JSON object on standard output.
  void event(const echo_vr::record_event& what);
  // One line of standard output.
  void line(const std::string& text);
  // Only on a terminal.
  void show(const std::vector<echo_vr::target_status>& targets);
  // The same once polling has ended.
  void show_finishing(const std::vector<echo_vr::target_status>& targets);
  void clear();

 private:
  void clear_locked();
  void show_line(const std::string& line);

  std::mutex mutex_;
  bool json_ = false;
  bool visible_ = false;
};

}  // namespace tickreel::cli

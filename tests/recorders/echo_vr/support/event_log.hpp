// Collects the events of a recorder, which calls from its own threads.
#pragma once

#include <mutex>
#include <vector>

#include "tickreel/echo_vr/match_recorder.hpp"

namespace tickreel::test {

class event_log {
 public:
  echo_vr::event_function function() {
    return [this](const echo_vr::record_event& event) {
      const std::lock_guard lock(mutex_);
      events_.push_back(event);
    };
  }
  std::vector<echo_vr::record_event> of(echo_vr::event_kind kind) const {
    const std::lock_guard lock(mutex_);
    std::vector<echo_vr::record_event> found;
    for (const echo_vr::record_event& each : events_) {
      if (each.kind == kind) found.push_back(each);
    }
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<echo_vr::record_event> events_;
};

}  // namespace tickreel::test

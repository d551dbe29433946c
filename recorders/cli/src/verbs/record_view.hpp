// The match that is being recorded, in the browser: for `record echo --view`.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::cli {

class record_view {
 public:
  // `page`: its folder; empty: the one inside the program. Null, and reported, when it cannot be shown.
  // `targets`: as record_event names them; of several the page has a list.
  static std::unique_ptr<record_view> start(std::uint16_t port, const std::string& page,
                                            std::vector<std::string> targets);

  // What a session tells; any thread. Of several formats the first is shown. A page that names no target
  // shows the first whose match begins, until it is finished: then whichever begins next.
  void event(const echo_vr::record_event& what);
  [[nodiscard]] std::uint16_t port() const noexcept { return server_.port(); }

 private:
  struct game {
    std::string target;
    file_path shown = {};  // under its final name
    bool finished = true;  // nothing is being written to it any more
  };
  record_view(viewer::page_server server, const std::vector<std::string>& targets)
      : server_(std::move(server)) {
    for (const std::string& each : targets) games_.push_back({each});
    if (games_.empty()) games_.emplace_back();
  }

  viewer::page_server server_;
  std::mutex mutex_;  // what is below
  std::vector<game> games_;
  std::size_t first_ = 0;  // which is shown to whoever does not say
};

}  // namespace tickreel::cli

// The live match in the browser, for `record echo --view`.
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
  // `page`: the page's folder; empty: the embedded page. Null, with a report, if it cannot be shown.
  // `targets`: as record_event names them; with several the page lists them.
  static std::unique_ptr<record_view> start(std::uint16_t port, const std::string& page,
                                            std::vector<std::string> targets);

  // Receives a session's events; any thread. Of several formats the first is shown. A page that names no
  // target shows the first match that begins, until it is finished; then the next one that begins.
  void event(const echo_vr::record_event& what);
  [[nodiscard]] std::uint16_t port() const noexcept { return server_.port(); }

 private:
  struct game {
    std::string target;
    file_path shown = {};  // under its final name
    bool finished = true;  // no longer written to
  };
  record_view(viewer::page_server server, const std::vector<std::string>& targets)
      : server_(std::move(server)) {
    for (const std::string& each : targets) games_.push_back({each});
    if (games_.empty()) games_.emplace_back();
  }

  viewer::page_server server_;
  std::mutex mutex_;  // the members below
  std::vector<game> games_;
  std::size_t first_ = 0;  // shown to pages that name no target
};

}  // namespace tickreel::cli

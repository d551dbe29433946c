// The match that is being recorded, in the browser: for `record echo --view`.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::cli {

class record_view {
 public:
  // `page`: its folder; empty: the one inside the program. Null, and reported, when it cannot be shown.
  static std::unique_ptr<record_view> start(std::uint16_t port, const std::string& page);

  // What a session tells; any thread. Of several targets and formats the first is shown, until it is
  // finished: then whichever begins next.
  void event(const echo_vr::record_event& what);
  [[nodiscard]] std::uint16_t port() const noexcept { return server_.port(); }

 private:
  explicit record_view(viewer::page_server server) : server_(std::move(server)) {}

  viewer::page_server server_;
  std::mutex mutex_;  // what is below
  std::string target_;
  file_path shown_;       // under its final name
  bool finished_ = true;  // nothing is being written to it any more
};

}  // namespace tickreel::cli

// A page for casters: score, clock, possession and the last goal over a transparent background.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/echo_vr/live_feed.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

struct overlay_options {
  std::uint16_t port = 8081;  // of 127.0.0.1; 0: any free one, see port()
  std::uint32_t interval_ms = 50;
  std::uint32_t max_clients = 32;  // connections; those beyond are closed at once
  // Asks for a clip now, and calls what it is given when that is saved, on any thread: clip_saver::ask().
  // Null: there is no /clip.
  std::function<void(std::function<void(const saved_clips&)>)> ask_for_clip = {};
};

// Over HTTP/1.1, everything by GET but /clip:
//   /          the page; /overlay.js and /overlay.css belong to it
//   /live      text/event-stream: the first target's standing as JSON, at once and after every change
//   /state     all standings as a JSON list
//   /clip      by POST: saves the last seconds of every match, and answers with the names of the files
// Bound to the loopback; a request whose Host is another name is refused, and so is one whose Origin is, so
// that no web page reaches it. Bodies are not read. A client that reads too slowly gets the newest standing
// and misses those between. Runs on a thread of its own.
class overlay_server {
 public:
  // address_in_use or permission_denied when it cannot listen there. `feed` must outlive it.
  static result<overlay_server> start(const live_feed& feed, const overlay_options& options = {});

  overlay_server(overlay_server&&) noexcept;
  overlay_server& operator=(overlay_server&&) noexcept;
  ~overlay_server();  // stops

  [[nodiscard]] std::uint16_t port() const noexcept;
  // Closes all connections and ends the thread. Safe to call twice.
  void stop() noexcept;

 private:
  struct internals;
  explicit overlay_server(std::unique_ptr<internals> owned) noexcept;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr

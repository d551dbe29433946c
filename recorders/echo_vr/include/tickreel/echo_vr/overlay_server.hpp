// A page for casters: score, clock, possession and the last goal on a transparent background.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/echo_vr/live_feed.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

struct overlay_options {
  std::uint16_t port = 8081;  // of 127.0.0.1; 0: any free port, see port()
  std::uint32_t interval_ms = 50;
  std::uint32_t max_clients = 32;  // connections; further ones are closed immediately
  // Requests a clip, and calls the callback when it is saved, on any thread: clip_saver::ask(). Null: there
  // is no /clip.
  std::function<void(std::function<void(const saved_clips&)>)> ask_for_clip = {};
};

// Serves over HTTP/1.1, with GET except for /clip:
//   /          the page; /overlay.js and /overlay.css belong to it
//   /live      text/event-stream: the first target's score as JSON, immediately and after every change
//   /state     all scores as a JSON list
//   /clip      with POST: saves the last seconds of every match, and responds with the file names
// Bound to the loopback; requests with another name in Host or Origin are refused, so
// that no other web page can use it. Bodies are not read. A slow client gets the newest score
// and misses those between. Runs on its own thread.
class overlay_server {
 public:
  // Fails with address_in_use or permission_denied if it cannot listen. `feed` must outlive it.
  static result<overlay_server> start(const live_feed& feed, const overlay_options& options = {});

  overlay_server(overlay_server&&) noexcept;
  overlay_server& operator=(overlay_server&&) noexcept;
  ~overlay_server();  // stops

  [[nodiscard]] std::uint16_t port() const noexcept;
  // Closes all connections and ends the thread. Idempotent.
  void stop() noexcept;

 private:
  struct internals;
  explicit overlay_server(std::unique_ptr<internals> owned) noexcept;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr

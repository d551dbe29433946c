// Serves a recording or the simulator as if it were a running Echo VR.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/target.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

struct serve_options {
  std::string address = "127.0.0.1";  // an IP address; "0.0.0.0" serves the whole network
  std::uint16_t port = default_port;  // 0: any free one, see api_server::port()
  double speed = 1;                   // of the recording's own time; above 0, up to 1000
  bool loop = false;                  // begin again at the end, else be in the main menu from then on
  bool wait_for_client = false;       // time begins with the first request for /session
  bool api_disabled = false;          // answer as a game does whose player has not allowed API access
  echo::number_style numbers = echo::number_style::game;
  // Longer pauses between two ticks of the source are cut to this.
  std::uint32_t max_pause_ms = 5000;
  std::uint32_t max_clients = 256;  // connections; those beyond are closed at once
};

struct serve_status {
  std::uint64_t requests = 0;
  std::uint64_t clients = 0;  // connected now
  std::uint64_t ticks = 0;    // ticks of the source passed so far, over all rounds of the loop
  std::uint64_t rounds = 0;   // how often the source came to its end
  bool finished = false;      // at the end and not looping
  std::string map;            // of the tick that is shown, "" in the menu
  std::string clock;          // its game_clock_display
};

// GET /session and GET /player_bones over HTTP/1.1 with kept-alive connections. What the source kept of the
// API's own text is served as it was, everything else is written from the state. As the game does:
//   404 without JSON            before the first tick, after the last, and for every other path
//   500, err_code -6            while the source's map is a lobby
//   500, err_code -2            with api_disabled
// Runs on a thread of its own; status() may be called from any thread.
class api_server {
 public:
  // address_in_use, permission_denied or invalid_argument when it cannot listen there; the source's error
  // when it has no first tick.
  static result<api_server> start(std::unique_ptr<files::echo_source> source,
                                  const serve_options& options = {});

  api_server(api_server&&) noexcept;
  api_server& operator=(api_server&&) noexcept;
  ~api_server();  // stops

  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] serve_status status() const;
  // Why the source came to an early end, if it did.
  [[nodiscard]] result<void> source_result() const;
  // What the source could not give, as sentences, in its first whole round or as far as it came. After
  // stop().
  [[nodiscard]] std::vector<std::string> losses() const;

  // Closes all connections and ends the thread. Safe to call twice.
  void stop() noexcept;

 private:
  struct internals;
  explicit api_server(std::unique_ptr<internals> owned) noexcept;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr

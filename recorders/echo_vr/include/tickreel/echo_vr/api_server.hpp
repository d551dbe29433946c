// Serves a recording or the simulator like a running Echo VR.
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
  std::uint16_t port = default_port;  // 0: any free port, see api_server::port()
  // Accepted host names besides localhost and, with another address than 127.0.0.1, numeric addresses.
  std::vector<std::string> names = {};
  double speed = 1;              // relative to the recording's time; above 0, up to 1000
  bool loop = false;             // restart at the end; otherwise the main menu is served from then on
  bool wait_for_client = false;  // playback starts with the first request for /session
  bool api_disabled = false;     // respond like a game without permission for API access
  echo::number_style numbers = echo::number_style::game;
  // Longer pauses between two ticks of the source are shortened to this.
  std::uint32_t max_pause_ms = 5000;
  std::uint32_t max_clients = 256;  // connections; further ones are closed immediately
};

struct serve_status {
  std::uint64_t requests = 0;
  std::uint64_t clients = 0;  // current connections
  std::uint64_t ticks = 0;    // ticks of the source that were shown, over all rounds of the loop
  std::uint64_t rounds = 0;   // how often the source reached its end
  bool finished = false;      // the source has ended and does not loop
  std::string map;            // of the current tick, "" in the menu
  std::string clock;          // its game_clock_display
};

// GET /session and GET /player_bones over HTTP/1.1 with kept-alive connections. Stored response bodies of
// the API are served unchanged, others are generated from the state. Status codes as the game's:
//   404 without JSON            before the first tick, after the last, and for every other path
//   500, err_code -6            while the source's map is a lobby
//   500, err_code -2            with api_disabled
//   403                         for a foreign Host or Origin
// Runs on its own thread; status() is thread-safe.
class api_server {
 public:
  // Fails with address_in_use, permission_denied or invalid_argument if it cannot listen, or with the
  // source's error if there is no first tick, which is read before. `failed_to_listen`: which of the two it is.
  static result<api_server> start(std::unique_ptr<files::echo_source> source,
                                  const serve_options& options = {}, bool* failed_to_listen = nullptr);

  api_server(api_server&&) noexcept;
  api_server& operator=(api_server&&) noexcept;
  ~api_server();  // stops

  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] serve_status status() const;
  // The error that ended the source early, if there was one.
  [[nodiscard]] result<void> source_result() const;
  // Losses of the source as texts, in its first complete round or the part that was read. After stop().
  [[nodiscard]] std::vector<std::string> losses() const;

  // Closes all connections and ends the thread. Idempotent.
  void stop() noexcept;

 private:
  struct internals;
  explicit api_server(std::unique_ptr<internals> owned) noexcept;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr

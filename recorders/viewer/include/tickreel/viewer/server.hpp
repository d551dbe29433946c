// Serves the viewer's page and its recordings to browsers of this machine, and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"
#include "tickreel/viewer/page.hpp"

namespace tickreel::viewer {

struct server_options {
  std::uint16_t port = 0;  // 0: any free port
  // The listening address, numeric. With another address than this one, requests to numeric addresses are
  // also accepted.
  std::string address = "127.0.0.1";
  std::vector<std::string> names = {};  // further accepted host names, for example of a reverse proxy
  std::size_t max_clients = 64;
  std::uint32_t longest_silence_ms = 60'000;  // of a client
  // limit of records queued for a client; a single record is always allowed
  std::size_t max_push_queue_bytes = 8u << 20;
  std::size_t max_push_kept_bytes = 16u << 20;  // limit of the records that new clients start with
};

struct push_counters {
  std::uint64_t watchers = 0;  // now
  std::uint64_t records = 0;   // accepted connections
  // How often watchers were too slow, and the records that they did not get.
  std::uint64_t drops = 0;
  std::uint64_t dropped_records = 0;
  friend bool operator==(const push_counters&, const push_counters&) = default;
};

struct shown_recording {
  file_path path;
  std::string name;  // as the page requests it
};

// Listens on 127.0.0.1 and accepts no other host name (so that no foreign page can reach it through its own
// name; the options add names). Serves only the page's files, recording.json, recording, and live. A
// recording is read from its file in pieces, with range requests, up to its current length; live is a
// WebSocket, if records are pushed. Runs on its own thread; every call is thread-safe.
class page_server {
 public:
  // Fails with address_in_use if the port is taken, or invalid_argument for an invalid address.
  static result<page_server> start(page files, const server_options& options = {});
  // The same in two steps: between them requests wait, and no thread runs.
  static result<page_server> listen(page files, const server_options& options = {});
  result<void> answer();
  page_server(page_server&&) noexcept;
  page_server& operator=(page_server&&) noexcept;
  ~page_server();

  // Sets the recording to show; none: the page waits. `live`: it grows. Pages that show an older one are
  // notified to reload. `game`: one of those that set_games() named.
  void show(std::vector<shown_recording> recordings, bool live, std::size_t game = 0);
  // The same recording under another path: pages that have it continue, and later ones load this.
  void moved(shown_recording to, std::size_t game = 0);
  // Several games that are recorded in parallel, with nothing to show yet: the page lists and links them by
  // these names. Once, before anything is shown.
  void set_games(const std::vector<std::string>& names);
  // The game that a page shows if its address names none.
  void prefer(std::size_t game);
  // The picture under whatever is shown. Once, before anything is shown.
  void set_map(page_map map);
  // Adds a text page under that path.
  void set_text(const std::string& path, const std::string& type, std::string text);

  // A sink for one thread: pushes accepted records to the pages that show the live recording. It must be the
  // reel that show() names, from its first byte.
  [[nodiscard]] reel::sink& pushing() noexcept;
  [[nodiscard]] push_counters pushed() const noexcept;

  [[nodiscard]] std::uint16_t port() const noexcept;
  void stop() noexcept;

 private:
  struct internals;
  explicit page_server(std::unique_ptr<internals> owned) noexcept;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::viewer

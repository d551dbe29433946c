// Serves the viewer's page and the recordings it is to show to browsers of this machine, and nothing else.
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
  std::uint16_t port = 0;  // 0: any that is free
  // Who may ask: an address of this machine, as numbers. With another one than this it answers to
  // addresses as numbers, too.
  std::string address = "127.0.0.1";
  std::vector<std::string> names = {};  // other names it answers to, as of a proxy in front of it
  std::size_t max_clients = 64;
  std::uint32_t longest_silence_ms = 60'000;  // of a client
  std::size_t max_push_queue_bytes = 8u
                                     << 20;  // what may wait for one that is pushed to; one record always may
  std::size_t max_push_kept_bytes = 16u << 20;  // what those who join begin with
};

struct push_counters {
  std::uint64_t watchers = 0;  // now
  std::uint64_t records = 0;   // that came
  // Watchers that were too slow, each time, and what they did not get.
  std::uint64_t drops = 0;
  std::uint64_t dropped_records = 0;
  friend bool operator==(const push_counters&, const push_counters&) = default;
};

struct shown_recording {
  file_path path;
  std::string name;  // as the page calls it
};

// Listens on 127.0.0.1, answers to no other name (so no foreign page reaches it through a name of its own;
// options have others),
// and knows the page's files, recording.json, recording, and live alone. A recording is read from its file
// piece by piece, in ranges when asked, as long as it is then; live is a WebSocket, where there is something
// pushed. It has a thread of its own; every call is for any thread.
class page_server {
 public:
  // address_in_use when the port is taken; invalid_argument for an address that is none.
  static result<page_server> start(page files, const server_options& options = {});
  page_server(page_server&&) noexcept;
  page_server& operator=(page_server&&) noexcept;
  ~page_server();

  // What the page shows from now on; nothing: it waits. `live`: it grows. A page that shows something older
  // is told to begin anew. `game`: of those that set_games() named.
  void show(std::vector<shown_recording> recordings, bool live, std::size_t game = 0);
  // The same recording, which lies elsewhere now: pages that have it go on, and later ones load this.
  void moved(shown_recording to, std::size_t game = 0);
  // Several games that are recorded at once, each with nothing to show yet: the page lists them by these
  // names and links to each. Once, before anything is shown.
  void set_games(const std::vector<std::string>& names);
  // Which of them a page shows that does not say.
  void prefer(std::size_t game);
  // A page of text beside those of the page, under that path.
  void set_text(const std::string& path, const std::string& type, std::string text);

  // For one thread: what is accepted there is pushed, as it comes, to the pages that show what grows. It is
  // the reel that show() names, from its first byte on.
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

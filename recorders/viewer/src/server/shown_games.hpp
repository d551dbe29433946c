// The recordings to show, and the ids by which pages request them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/files/growing_file.hpp"
#include "tickreel/net/http_server.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::viewer {

struct shown {
  std::size_t game = 0;  // of several
  std::vector<shown_recording> recordings;
  bool live = false;
  // In addresses; unique per file, also after a restart of the program, because a page may still be open.
  // Below 2^53.
  std::uint64_t number = std::uint64_t{std::random_device()()} << 20;
  std::uint64_t first_number = 0;  // of the same recording, if it was moved
};

// Thread-safe.
class shown_games {
 public:
  // As in page_server.
  void show(std::vector<shown_recording> recordings, bool live, std::size_t game);
  void moved(shown_recording to, std::size_t game);
  void set_games(const std::vector<std::string>& names);
  void prefer(std::size_t game);
  void set_map(page_map map);
  void set_text(const std::string& path, const std::string& type, std::string text);

  // Of that game; if there is none of that number, the default game.
  [[nodiscard]] shown now(std::optional<std::uint64_t> game = std::nullopt) const;
  // The recording with that id, or its successor.
  [[nodiscard]] std::optional<shown> with(std::uint64_t number) const;
  [[nodiscard]] std::optional<net::http_response> text_at(std::string_view path) const;
  // recording.json
  [[nodiscard]] std::string list_of(const shown& what, bool pushes) const;

  // Whether the live file has changed since the last call. Pages that show the previous one are then notified
  // to reload.
  bool is_replaced(const shown& what, const file& now);

 private:
  void append_map(text::json_writer& json) const;
  void append_games(std::size_t asked, text::json_writer& json) const;

  mutable std::mutex mutex_;
  std::vector<shown> games_ = std::vector<shown>(1);
  std::size_t preferred_ = 0;
  std::vector<std::string> names_;  // none if there is only one
  // Each game's recording, with its id.
  std::map<std::size_t, std::pair<std::uint64_t, files::growing_file>> known_files_;
  std::map<std::string, std::pair<std::string, std::string>, std::less<>> texts_;  // type and text, by path
  std::optional<page_map> map_;  // its picture is one of the texts
};

}  // namespace tickreel::viewer

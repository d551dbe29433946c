// What there is to show, and what a page knows it by.
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
  // In addresses; another one for whatever is another file, also of a program that was started again: a page
  // may still be open. Below 2^53.
  std::uint64_t number = std::uint64_t{std::random_device()()} << 20;
  std::uint64_t first_number = 0;  // of the same recording, when it has moved
};

// For any thread.
class shown_games {
 public:
  // As page_server has them.
  void show(std::vector<shown_recording> recordings, bool live, std::size_t game);
  void moved(shown_recording to, std::size_t game);
  void set_games(const std::vector<std::string>& names);
  void prefer(std::size_t game);
  void set_text(const std::string& path, const std::string& type, std::string text);

  // Of that game; of the one that is shown to those who do not say, where there is none of that number.
  [[nodiscard]] shown now(std::optional<std::uint64_t> game = std::nullopt) const;
  // What had that number, or the recording it has become.
  [[nodiscard]] std::optional<shown> with(std::uint64_t number) const;
  [[nodiscard]] std::optional<net::http_response> text_at(std::string_view path) const;
  // recording.json
  [[nodiscard]] std::string list_of(const shown& what, bool pushes) const;

  // Whether the file that is shown while it grows is another one than the last time. Pages that show the one
  // before are then told to begin anew.
  bool is_replaced(const shown& what, const file& now);

 private:
  void append_games(std::size_t asked, text::json_writer& json) const;

  mutable std::mutex mutex_;
  std::vector<shown> games_ = std::vector<shown>(1);
  std::size_t preferred_ = 0;
  std::vector<std::string> names_;  // none where there is but one
  // Of each game's recording, with its number.
  std::map<std::size_t, std::pair<std::uint64_t, files::growing_file>> known_files_;
  std::map<std::string, std::pair<std::string, std::string>, std::less<>> texts_;  // type and text, by path
};

}  // namespace tickreel::viewer

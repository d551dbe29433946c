#include "shown_games.hpp"

#include <algorithm>

namespace tickreel::viewer {

namespace {

std::uint64_t size_of(const shown_recording& of) {
  const auto opened = file::open_for_reading(of.path);
  if (!opened) return 0;
  const auto size = opened->size();
  return size ? *size : 0;
}

}  // namespace

void shown_games::show(std::vector<shown_recording> recordings, bool live, std::size_t game) {
  const std::lock_guard lock(mutex_);
  shown& now = games_.at(game);
  now.recordings = std::move(recordings);
  now.live = live;
  now.first_number = ++now.number;
}

void shown_games::moved(shown_recording to, std::size_t game) {
  const std::lock_guard lock(mutex_);
  shown& now = games_.at(game);
  now.recordings.assign(1, std::move(to));
  ++now.number;
}

void shown_games::set_games(const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  names_ = names;
  games_.resize(std::max<std::size_t>(1, names.size()));
  for (std::size_t each = 0; each < games_.size(); ++each) {
    shown& game = games_[each];
    game.game = each;
    game.live = true;
    game.first_number = game.number;
  }
}

void shown_games::prefer(std::size_t game) {
  const std::lock_guard lock(mutex_);
  preferred_ = std::min(game, games_.size() - 1);
}

void shown_games::set_map(page_map map) {
  set_text("/map", "application/octet-stream", std::exchange(map.picture, {}));
  const std::lock_guard lock(mutex_);
  map_ = std::move(map);
}

void shown_games::set_text(const std::string& path, const std::string& type, std::string text) {
  const std::lock_guard lock(mutex_);
  texts_[path] = {type, std::move(text)};
}

shown shown_games::now(std::optional<std::uint64_t> game) const {
  const std::lock_guard lock(mutex_);
  return games_[game && *game < games_.size() ? static_cast<std::size_t>(*game) : preferred_];
}

std::optional<shown> shown_games::with(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(games_.begin(), games_.end(), [number](const shown& each) {
    return each.first_number <= number && number <= each.number;
  });
  return found == games_.end() ? std::nullopt : std::optional(*found);
}

std::optional<net::http_response> shown_games::text_at(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  const auto found = texts_.find(path);
  if (found == texts_.end()) return std::nullopt;
  net::http_response out;
  out.status = 200;
  out.type = found->second.first;
  out.body = found->second.second;
  return out;
}

std::string shown_games::list_of(const shown& what, bool pushes) const {
  std::string out;
  text::json_writer json(out);
  const auto describe = [&](const shown_recording& each, std::string_view address) {
    json.member("name", each.name).member("live", what.live).member("bytes", size_of(each));
    json.member("address", std::string(address) + "?of=" + std::to_string(what.number));
  };
  const shown_recording nothing;
  json.begin_object();
  describe(what.recordings.empty() ? nothing : what.recordings.front(), "recording");
  if (what.live && pushes) json.member("push", "live?of=" + std::to_string(what.number));
  json.key("recordings").begin_array();
  for (std::size_t at = 0; at < std::max<std::size_t>(1, what.recordings.size()); ++at) {
    json.begin_object();
    describe(what.recordings.empty() ? nothing : what.recordings[at],
             at == 0 ? "recording" : "recording-" + std::to_string(at + 1));
    json.end_object();
  }
  json.end_array();
  append_map(json);
  append_games(what.game, json);
  json.end_object();
  return out;
}

bool shown_games::is_replaced(const shown& what, const file& now) {
  if (!what.live || what.recordings.size() != 1) return false;
  const std::lock_guard lock(mutex_);
  auto& [number, growing] = known_files_[what.game];
  if (std::exchange(number, what.number) != what.number) growing = {};
  if (growing.takes(now)) return false;
  growing = {};
  shown& current = games_[what.game];
  if (current.number == what.number) current.first_number = ++current.number;
  return true;
}

void shown_games::append_map(text::json_writer& json) const {
  const std::lock_guard lock(mutex_);
  if (!map_) return;
  json.key("map").begin_object().member("name", map_->name).member("edges", map_->edges);
  json.member("doubt", map_->doubt).end_object();
}

void shown_games::append_games(std::size_t asked, text::json_writer& json) const {
  const std::lock_guard lock(mutex_);
  if (names_.empty()) return;
  json.member("game", asked).key("games").begin_array();
  for (std::size_t each = 0; each < names_.size(); ++each) {
    json.begin_object().member("title", names_[each]);
    json.member("state",
                games_[each].recordings.empty() ? "no match yet" : games_[each].recordings.front().name);
    json.end_object();
  }
  json.end_array();
}

}  // namespace tickreel::viewer

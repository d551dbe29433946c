// Caches of the DotA replay manager as recordings: each game is a tick.
#include <algorithm>
#include <unordered_set>

#include "byte_stream.hpp"
#include "gamecache_format.hpp"
#include "gamecache_json.hpp"
#include "gamecache_statistics.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/gamecache/names.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

// A hundred times the largest file of the known program.
constexpr std::uint64_t max_bytes = 256u << 20;

class gamecache_recording final : public recording, public statistics_source {
 public:
  gamecache_recording(gamecache::contents cache, std::uint64_t file_bytes)
      : cache_(std::move(cache)), file_bytes_(file_bytes) {}

  std::string_view format() const noexcept override { return "gamecache"; }
  capabilities offers() noexcept override { return {.statistics = this, .games = &cache_}; }

  result<bool> next() override {
    if (take_found()) return true;
    if (next_ == cache_.items.size()) return false;
    // The times of games have no common origin.
    position_ = {next_, 0, offset_, true};
    offset_ += gamecache::item_size(cache_.items[next_++], cache_);
    return true;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    append_gamecache_item(cache_.items[static_cast<std::size_t>(position_.tick)], cache_.layout, json);
  }

  result<void> rewind() override {
    statistics_asked_ = false;
    found_ = false;
    next_ = 0;
    offset_ = header_bytes();
    return {};
  }

  result<summary> summarise(const monitor&) override {
    summary out;
    const bool flagged = cache_.layout == gamecache::layout::flagged;
    out.format = "gamecache";
    out.format_version = flagged ? 2 : 3;  // the program's generation
    out.bytes = file_bytes_;
    out.ticks = out.keyframes = cache_.items.size();
    if (cache_.unfinished) out.health = health::incomplete;
    std::unordered_set<std::string> seen;
    std::int64_t played_ms = 0;
    for (const gamecache::item& each : cache_.items) {
      played_ms += each.length_ms;
      for (const gamecache::player& one : each.players) {
        std::string name = gamecache::to_utf8(one.name);
        if (name.empty() || !seen.insert(name).second) continue;
        out.players.push_back({std::move(name), {}, std::nullopt});
      }
    }
    out.facts.push_back({"layout", std::string(gamecache::name(cache_.layout))});
    if (flagged) {
      const std::uint32_t version = gamecache::normalised_version(cache_.stored_version);
      out.facts.push_back({"program_version", gamecache::version_text(version)});
      out.facts.push_back({"next_age", static_cast<std::int64_t>(cache_.next_age)});
    }
    out.facts.push_back({"games_duration_ms", played_ms});
    if (cache_.torn_bytes != 0) {
      out.facts.push_back({"torn_bytes", static_cast<std::int64_t>(cache_.torn_bytes)});
    }
    next_ = cache_.items.size();
    return out;
  }

  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch) override {
    statistics_asked_ = true;
    for (next_ = 0; next_ < cache_.items.size();) {
      const gamecache::item& game = cache_.items[next_++];
      if (next_ % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
      if (game.understood() && !each(statistics_of(game, cache_.layout))) break;
    }
    next_ = cache_.items.size();
    return {};
  }

  std::vector<std::string> losses() const override {
    std::vector<std::string> out;
    if (!statistics_asked_) return out;
    const auto unknown =
        std::ranges::count_if(cache_.items, [](const gamecache::item& each) { return !each.understood(); });
    if (unknown != 0) {
      out.push_back(counted(static_cast<std::uint64_t>(unknown), "game") +
                    " with unknown fields, whose players are not counted");
    }
    if (cache_.torn_bytes != 0) {
      out.push_back(counted(cache_.torn_bytes, "byte") + " of a game that ends early, not counted");
    }
    return out;
  }

  result<verification> verify(const monitor&) override {
    verification out;
    out.ticks = cache_.items.size();
    std::uint64_t offset = header_bytes();
    std::unordered_set<std::uint64_t> paths;
    for (const gamecache::item& each : cache_.items) {
      inspect(each, offset, out.findings);
      if (!paths.insert(gamecache::path_hash(each.path)).second) {
        out.findings.push_back({severity::note, offset, "a path of another game too"});
      }
      offset += gamecache::item_size(each, cache_);
    }
    if (cache_.unfinished) {
      out.findings.push_back(
          {severity::warning, 0, "the program ended before it wrote how many games there are"});
    }
    if (cache_.torn_bytes != 0) {
      out.findings.push_back(
          {severity::error, offset, counted(cache_.torn_bytes, "byte") + " of a game that ends early"});
    }
    next_ = cache_.items.size();
    return out;
  }

 private:
  [[nodiscard]] std::uint64_t header_bytes() const noexcept {
    return cache_.layout == gamecache::layout::flagged ? 12 : 4;
  }

  void inspect(const gamecache::item& each, std::uint64_t offset, std::vector<finding>& out) const {
    const auto say = [&](severity level, const char* what) { out.push_back({level, offset, what}); };
    if (!each.understood()) {
      say(severity::warning, "unknown fields: the game is kept as bytes");
      return;
    }
    if (!each.tail.empty()) say(severity::note, "unknown bytes after the fields of a game");
    if (!gamecache::unix_seconds(each.modified)) say(severity::warning, "an invalid time");
    if (gamecache::winner_name(each.winner).empty()) say(severity::warning, "an unknown winner");
    if (cache_.layout == gamecache::layout::flagged && each.age >= cache_.next_age) {
      say(severity::note, "an age that is not below the next one");
    }
    const auto any = [&](auto wrong) { return std::any_of(each.players.begin(), each.players.end(), wrong); };
    using gamecache::player;
    if (any([](const player& one) { return gamecache::team_name(one.team).empty(); })) {
      say(severity::warning, "an unknown team");
    }
    if (any([](const player& one) { return gamecache::lane_name(one.lane).empty(); })) {
      say(severity::warning, "an unknown lane");
    }
    if (any([](const player& one) { return one.level > 25; })) say(severity::warning, "a level above 25");
    if (each.players.size() > 10) say(severity::warning, "more than ten players");
  }

  gamecache::contents cache_;
  std::uint64_t file_bytes_ = 0;
  bool statistics_asked_ = false;  // unknown fields then count as a loss
  std::size_t next_ = 0;
  std::uint64_t offset_ = header_bytes();
  tick_position position_;
};

}  // namespace

claim claims_gamecache(const probe& file) noexcept {
  const auto likeness = gamecache::recognise(file.head, file.file_bytes);
  if (!likeness) return claim::no;
  return likeness->is_complete ? claim::certain : claim::plausible;
}

result<std::unique_ptr<recording>> open_gamecache_recording(const byte_source& from, const open_options&) {
  const auto file = from.whole(max_bytes);
  if (!file) return fail(file.error());
  auto cache = gamecache::read(*file);
  if (!cache) return fail(cache.error());
  return std::make_unique<gamecache_recording>(std::move(*cache), file->size());
}

}  // namespace tickreel::files

#include "describe_file.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <new>

#include "file_identity.hpp"
#include "summary_facts.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/gamecache/names.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::library {

using files::fact;

namespace {

player player_of(const gamecache::item& from, std::size_t slot, bool flat) {
  const gamecache::player& each = from.players[slot];
  namespace field = gamecache::field;
  const auto has = [&](std::uint32_t bit) { return flat || (from.fields & bit) != 0; };
  player out;
  out.name = gamecache::to_utf8(each.name);
  if (has(field::teams)) {
    out.team = gamecache::team_name(each.team);
    if (const auto winner = gamecache::winning_team(from.winner)) out.won = *winner == each.team;
  }
  std::vector<fact> facts;
  const auto number = [&](const char* key, std::int64_t value) { facts.push_back({key, value}); };
  if (has(field::heroes)) {
    number("hero", each.hero);
    if (each.hero != 0 && !gamecache::hero_name(each.hero).empty()) {
      facts.push_back({"hero_name", std::string(gamecache::hero_name(each.hero))});
    }
  }
  if (has(field::levels)) number("level", each.level);
  if (has(field::lanes)) facts.push_back({"lane", std::string(gamecache::lane_name(each.lane))});
  // All -1: the statistics were not recorded.
  if (has(field::stats) && each.kills >= 0) {
    number("kills", each.kills);
    number("deaths", each.deaths);
    number("assists", each.assists);
    number("creeps", each.creeps);
    number("denies", each.denies);
  }
  if (has(field::item_gold)) number("item_gold", each.item_gold);
  if (has(field::actions_per_minute)) number("actions_per_minute", each.actions_per_minute);
  if (has(field::leave_times)) number("leave_ms", each.leave_ms);
  out.statistics = object_of(facts);
  return out;
}

described_game cached_game_of(const gamecache::item& from, const gamecache::contents& cache,
                              std::uint64_t place) {
  const bool flat = cache.layout == gamecache::layout::flat;
  described_game out;
  game& facts = out.facts;
  facts.place = place;
  facts.name = gamecache::to_utf8(from.name);
  if (from.map_version != 0) facts.map = "DotA " + gamecache::version_text(from.map_version);
  facts.mode = gamecache::to_utf8(from.mode);
  facts.duration_ms = from.length_ms;
  facts.ticks = 1;
  if (const auto team = gamecache::winning_team(from.winner)) facts.result = gamecache::team_name(*team);
  if (const auto saved = gamecache::unix_seconds(from.modified)) {
    // A replay is saved at the end of the game.
    facts.started_ms = *saved * 1000 - std::int64_t{from.length_ms};
    // Games have no id here; two copies of a replay have the same time and length.
    facts.session = "w3g-" + std::to_string(*saved) + "-" + std::to_string(from.length_ms);
  }
  for (std::size_t slot = 0; slot < from.players.size(); ++slot) {
    facts.players.push_back(player_of(from, slot, flat));
  }
  if (auto bytes = gamecache::write_item(from, cache, {.program_limits = false})) {
    out.cache_item = std::string(as_text(*bytes));
  }
  return out;
}

void describe_cache(const gamecache::contents& cache, description& out) {
  const bool flat = cache.layout == gamecache::layout::flat;
  out.format_version = flat ? 3 : 2;
  out.health = cache.unfinished ? "incomplete" : "whole";
  if (cache.unfinished)
    out.reason = "the number of games is missing: the program that wrote the file did not finish it";
  out.cache = {std::string(name(cache.layout)), flat ? 0 : cache.stored_version, cache.next_age};
  for (std::size_t place = 0; place < cache.items.size(); ++place) {
    out.games.push_back(cached_game_of(cache.items[place], cache, place));
  }
}

std::string why_not_whole(const files::recording& read, const files::summary& found) {
  std::string out;
  for (const std::string& each : read.losses()) out += (out.empty() ? "" : "; ") + each;
  if (out.empty()) out = text_of(found.facts, {"problem"});
  if (!out.empty()) return out;
  switch (found.health) {
    case files::health::incomplete:
      return "it ends early";
    case files::health::recovered:
      return "it states that it lacks something; 'tickreel verify' lists it";
    default:
      return "it is damaged; 'tickreel verify' lists the damage";
  }
}

// A recording without its declared content is damaged, whatever health it declares.
result<void> check(files::recording& read, const files::monitor& watch, description& out) {
  const auto checked = read.verify(watch);
  if (!checked) return fail(checked.error());
  const auto& findings = checked->findings;
  const auto worst = std::ranges::find(findings, files::severity::error, &files::finding::level);
  if (worst == findings.end() || out.health != "whole") return {};
  out.health = "damaged";
  out.reason = worst->message;
  return {};
}

// A recording whose events may be stored.
struct readable_recording {
  std::function<result<std::unique_ptr<files::recording>>()> open;
  // Also true if that cannot be determined.
  std::function<bool()> has_trailing_bytes;
  std::function<void()> described;  // see describe_bytes()
};

// Takes events until they exceed the limit of the index.
class event_collector {
 public:
  static result<event_collector> create() {
    auto builder = event_list_builder::create();
    if (!builder) return fail(builder.error());
    return event_collector(std::move(*builder));
  }

  bool add(std::string_view json) {
    bytes_ += json.size();
    if (bytes_ <= max_event_text_bytes) builder_.add(json);
    return bytes_ <= max_event_text_bytes;
  }
  // Empty if a query has to read the recording: it reports what is missing.
  std::optional<event_groups> finish(const readable_recording& where, const files::recording& read,
                                     const files::monitor& watch) {
    event_list list = builder_.finish();
    if (bytes_ > max_event_text_bytes || !list.losses.empty() || !read.losses().empty()) return std::nullopt;
    if (read.has_other_files()) return std::nullopt;
    if (where.has_trailing_bytes() || !set_event_times(list, where.open, watch)) return std::nullopt;
    auto groups = group_events(list);
    return groups ? std::optional(std::move(*groups)) : std::nullopt;
  }

 private:
  explicit event_collector(event_list_builder builder) : builder_(std::move(builder)) { builder_.begin({}); }

  event_list_builder builder_;
  std::size_t bytes_ = 0;
};

// Reads the summary and the events in one pass. Empty if the format needs one for each.
std::optional<result<files::summary>> summarise_events(files::recording& from,
                                                       const readable_recording& where,
                                                       const files::monitor& watch,
                                                       std::optional<event_groups>& events) {
  files::event_source* const source = from.offers().events;
  if (source == nullptr) return std::nullopt;
  auto collector = event_collector::create();
  if (!collector) return fail(collector.error());
  auto found = source->summarise_events([&](std::string_view json) { (void)collector->add(json); }, watch);
  if (!found && found.error().code == error_code::unsupported_operation) return std::nullopt;
  if (found) {
    where.described();
    events = collector->finish(where, from, watch);
  }
  return found;
}

// In a pass of its own.
result<void> read_events(files::recording& from, const readable_recording& where, const files::monitor& watch,
                         std::optional<event_groups>& events) {
  if (from.offers().events == nullptr) return {};
  auto collector = event_collector::create();
  if (!collector) return fail(collector.error());
  const auto given = from.events({}, [&](std::string_view json) { return collector->add(json); }, watch);
  if (!given && given.error().code == error_code::interrupted) return fail(given.error());
  if (given) events = collector->finish(where, from, watch);
  return {};
}

result<void> describe_recording(const result<std::unique_ptr<files::recording>>& opened,
                                const readable_recording& where, bool thorough, const files::monitor& watch,
                                description& out) {
  if (!opened) return fail(opened.error());
  if (const gamecache::contents* const cache = (*opened)->offers().games) {
    describe_cache(*cache, out);
    return {};
  }
  auto both = summarise_events(**opened, where, watch, out.events);
  const bool has_events = both.has_value();
  auto found = has_events ? std::move(*both)
               : thorough ? (*opened)->summarise(watch)
                          : (*opened)->quick_summary(watch);
  if (!found) return fail(found.error());
  out.format_version = found->format_version;
  out.health = files::name(found->health);
  if (found->health != files::health::whole) out.reason = why_not_whole(**opened, *found);
  out.games.push_back({library::game_of(*found), {}});
  if (!thorough) return {};
  if (auto checked = check(**opened, watch, out); !checked) return checked;
  return has_events ? result<void>() : read_events(**opened, where, watch, out.events);
}

void call_damaged(std::string reason, description& out) {
  out.health = "damaged";
  out.reason = std::move(reason);
  out.games.clear();
  out.cache.reset();
  out.events.reset();
}

}  // namespace

bool is_collection(std::string_view format) noexcept {
  const files::format* const known = files::find_format(format);
  return known != nullptr && known->shown.is_collection;
}

bool is_local_failure(const error& what) noexcept {
  return what.code >= error_code::not_found && what.code < error_code::connection_refused;
}

namespace {

// The result of `detect`, or else the format of its name. Empty for a file that is not a recording, such as one of
// a format that is only written.
std::string named_format(const result<const files::format*>& found, const file_path& name) {
  if (found) return (*found)->is_only_written ? std::string() : std::string((*found)->name);
  const std::string extension = text::to_lower(file_path(filesystem_path(name).extension()).utf8());
  if (extension.empty()) return {};
  for (const files::format& each : files::formats()) {
    if (!each.is_only_written && text::to_lower(std::string(each.extension)) == extension)
      return std::string(each.name);
  }
  return {};
}

template <class Describe>
result<description> describe_with(const std::string& format, const Describe& describe_it) {
  description out;
  out.format = format;
  try {
    const result<void> done = describe_it(out);
    if (!done) {
      if (done.error().code == error_code::interrupted) return fail(done.error());
      if (is_local_failure(done.error())) out.machine_refused = done.error();
      call_damaged(describe(done.error()), out);
    }
  } catch (const std::bad_alloc&) {
    out.machine_refused = error{error_code::out_of_memory};
    call_damaged(describe(*out.machine_refused), out);
  } catch (const std::exception& problem) {
    // An exception in one reader must not end the others.
    call_damaged(problem.what(), out);
  }
  // A recording without facts is still a recording.
  if (out.games.empty() && !is_collection(format)) out.games.push_back({});
  return out;
}

}  // namespace

std::string format_of(const std::filesystem::path& path) {
  return named_format(files::detect(path), path);
}

std::string format_of(const byte_source& from) {
  return named_format(files::detect(from), from.name());
}

result<description> describe_file(const std::filesystem::path& path, const std::string& format, bool thorough,
                                  const files::monitor& watch) {
  const auto has_trailing_bytes = [&path] {
    const auto found = files::find_trailing_bytes(file_path(path));
    return !found || found->has_value();
  };
  const readable_recording where{[&path] { return files::open(file_path(path)); }, has_trailing_bytes, [] {}};
  return describe_with(format, [&](description& out) {
    return describe_recording(where.open(), where, thorough, watch, out);
  });
}

result<description> describe_bytes(const byte_source& from, const std::string& format, bool thorough,
                                   const files::monitor& watch, std::optional<files::summary>& head,
                                   const std::function<void()>& described) {
  const readable_recording where{[&from] { return files::open(from); },
                                 [&from] { return files::find_trailing_bytes(from).has_value(); }, described};
  return describe_with(format, [&](description& out) {
    const auto opened = where.open();
    if (opened) head = (*opened)->head();
    return describe_recording(opened, where, thorough, watch, out);
  });
}

}  // namespace tickreel::library

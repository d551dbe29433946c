// Compares two replays: facts of the game first, then each stream, event by event.
#include <simdjson.h>

#include <algorithm>
#include <memory>

#include "sc2_facts.hpp"
#include "sc2_problem.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/sc2replay/events_json.hpp"

namespace tickreel::files {

namespace {

namespace dom = simdjson::dom;

struct differing_field {
  std::string path;
  std::string values[2];
};

std::string json_text(const dom::element& value) {
  return simdjson::minify(value);
}

// The first value that differs, in the order of the first object's keys.
std::optional<differing_field> first_differing_field(const dom::element& first, const dom::element& second,
                                                     const std::string& path) {
  dom::object objects[2];
  if (first.get(objects[0]) == simdjson::SUCCESS && second.get(objects[1]) == simdjson::SUCCESS) {
    for (const auto& [key, value] : objects[0]) {
      const std::string inner = path.empty() ? std::string(key) : path + '.' + std::string(key);
      dom::element other;
      if (objects[1].at_key(key).get(other) != simdjson::SUCCESS) {
        return differing_field{inner, {json_text(value), "nothing"}};
      }
      if (auto found = first_differing_field(value, other, inner)) return found;
    }
    for (const auto& [key, value] : objects[1]) {
      dom::element other;
      if (objects[0].at_key(key).get(other) == simdjson::SUCCESS) continue;
      const std::string inner = path.empty() ? std::string(key) : path + '.' + std::string(key);
      return differing_field{inner, {"nothing", json_text(value)}};
    }
    return std::nullopt;
  }
  dom::array arrays[2];
  if (first.get(arrays[0]) == simdjson::SUCCESS && second.get(arrays[1]) == simdjson::SUCCESS &&
      arrays[0].size() == arrays[1].size()) {
    std::size_t at = 0;
    for (auto left = arrays[0].begin(), right = arrays[1].begin(); left != arrays[0].end(); ++left, ++right) {
      const std::string inner = path + '[' + std::to_string(at++) + ']';
      if (auto found = first_differing_field(*left, *right, inner)) return found;
    }
    return std::nullopt;
  }
  std::string texts[2] = {json_text(first), json_text(second)};
  if (texts[0] == texts[1]) return std::nullopt;
  return differing_field{path, {std::move(texts[0]), std::move(texts[1])}};
}

template <class Reader, class Event>
struct replay_stream {
  Reader reader;
  std::unique_ptr<Event> event = std::make_unique<Event>();
  bool there = false;

  // Adds to `lost` if the stream ends early.
  void advance(std::string_view member, std::uint64_t& count, std::vector<std::string>& lost) {
    const auto more = reader.next(*event);
    there = more && *more;
    if (there) ++count;
    if (!more) lost.push_back(stop_text(member, more.error()));
  }
};

template <class Event>
std::string line_of(const Event& event) {
  std::string out;
  append_json(event, out);
  return out;
}

template <class Reader, class Event>
result<void> compare_stream(std::string_view member, const std::array<byte_span, 2>& bytes,
                            const std::array<std::uint32_t, 2>& builds, const monitor& watch,
                            replay_comparison& out) {
  replay_comparison::stream& here = out.streams.emplace_back();
  here.member = member;
  std::array<replay_stream<Reader, Event>, 2> sides = {
      replay_stream<Reader, Event>{Reader(bytes[0], builds[0])},
      replay_stream<Reader, Event>{Reader(bytes[1], builds[1])}};
  const auto advance = [&](std::size_t at) { sides[at].advance(member, here.total[at], out.lost[at]); };
  advance(0);
  advance(1);
  simdjson::dom::parser parsers[2];
  for (std::uint64_t number = 0; sides[0].there && sides[1].there; ++number) {
    if (number % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    const Event& first = *sides[0].event;
    const Event& second = *sides[1].event;
    const bool same_bytes =
        first.tick == second.tick && builds[0] == builds[1] && std::ranges::equal(first.bytes, second.bytes);
    if (!same_bytes && !here.first) {
      const simdjson::padded_string lines[2] = {simdjson::padded_string(line_of(first)),
                                                simdjson::padded_string(line_of(second))};
      dom::element parsed[2];
      const bool read = parsers[0].parse(lines[0]).get(parsed[0]) == simdjson::SUCCESS &&
                        parsers[1].parse(lines[1]).get(parsed[1]) == simdjson::SUCCESS;
      auto field = read ? first_differing_field(parsed[0], parsed[1], "")
                        : std::optional(differing_field{"bytes", {"unreadable", "unreadable"}});
      if (field) {
        std::string_view type;
        if (read && parsed[0]["type"].get(type) != simdjson::SUCCESS) type = {};
        here.first = replay_difference{number,
                                       first.tick,
                                       std::string(type),
                                       std::move(field->path),
                                       std::move(field->values[0]),
                                       std::move(field->values[1])};
      }
    }
    if (!here.first) ++here.same;
    advance(0);
    advance(1);
  }
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}}) {
    while (sides[at].there) advance(at);
  }
  return {};
}

void compare_facts(const std::array<sc2replay::replay, 2>& of, replay_comparison& out) {
  const auto compare = [&out](std::string field, std::string first, std::string second) {
    if (first != second)
      out.facts.push_back({0, 0, "", std::move(field), std::move(first), std::move(second)});
  };
  compare("base_build", std::to_string(of[0].base_build()), std::to_string(of[1].base_build()));
  compare("loops", std::to_string(of[0].header.loops), std::to_string(of[1].header.loops));
  compare("map", std::string(of[0].map()), std::string(of[1].map()));
  compare("players", std::to_string(of[0].players.size()), std::to_string(of[1].players.size()));
  for (std::size_t at = 0; at < std::min(of[0].players.size(), of[1].players.size()); ++at) {
    const sc2replay::player& first = of[0].players[at];
    const sc2replay::player& second = of[1].players[at];
    const std::string where = "players[" + std::to_string(at) + "].";
    compare(where + "name", first.name, second.name);
    compare(where + "handle", first.handle, second.handle);
    compare(where + "race", first.race, second.race);
    compare(where + "result", std::to_string(static_cast<unsigned>(first.result)),
            std::to_string(static_cast<unsigned>(second.result)));
  }
  if (of[0].lobby && of[1].lobby) {
    compare("random_seed", std::to_string(of[0].lobby->random_seed),
            std::to_string(of[1].lobby->random_seed));
    compare("random_value", std::to_string(of[0].lobby->random_value),
            std::to_string(of[1].lobby->random_value));
  }
}

}  // namespace

result<replay_comparison> compare_replays(const file_path& first, const file_path& second,
                                          const monitor& watch, std::size_t* failed) {
  replay_comparison out;
  std::array<sc2replay::replay, 2> replays;
  const file_path* const files[2] = {&first, &second};
  for (std::size_t at = 0; at < 2; ++at) {
    const auto fail_here = [&](const error& what) {
      if (failed != nullptr) *failed = at;
      return fail(what);
    };
    const auto bytes = read_whole_file(*files[at], mpq::limits{}.file_bytes);
    if (!bytes) return fail_here(bytes.error());
    auto opened = sc2replay::replay::open(*bytes);
    if (!opened) return fail_here(opened.error());
    replays[at] = std::move(*opened);
    out.total[at] = replays[at].header.loops;
    for (const sc2replay::member_problem& each : replays[at].problems) {
      if (each.damages(replays[at].base_build())) out.lost[at].push_back(problem_text(each));
    }
  }
  compare_facts(replays, out);
  const std::array<std::uint32_t, 2> builds = {replays[0].base_build(), replays[1].base_build()};
  using namespace sc2replay;
  auto done = compare_stream<game_event_reader, game_event>(
      "replay.game.events", {replays[0].game_events, replays[1].game_events}, builds, watch, out);
  if (!done) return fail(done.error());
  done = compare_stream<tracker_event_reader, tracker_event>(
      "replay.tracker.events", {replays[0].tracker_events, replays[1].tracker_events}, builds, watch, out);
  if (!done) return fail(done.error());
  done = compare_stream<message_reader, message>(
      "replay.message.events", {replays[0].message_events, replays[1].message_events}, builds, watch, out);
  if (!done) return fail(done.error());
  return out;
}

}  // namespace tickreel::files

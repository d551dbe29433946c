// Compares every event of real replays with the output of two independent readers.
#include <fmt/format.h>
#include <simdjson.h>
#include <sodium.h>

#include <boost/test/unit_test.hpp>
#include <cctype>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "file_bytes.hpp"
#include "shared_data.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/events_json.hpp"
#include "tickreel/sc2replay/game_actions.hpp"
#include "tickreel/sc2replay/header.hpp"
#include "why.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_real_events_tests)
BOOST_AUTO_TEST_SUITE(real_events_test)

using namespace tickreel;
using namespace tickreel::sc2replay;
using simdjson::dom::element;
using test::why;

namespace {

class sha256 {
 public:
  sha256() { crypto_hash_sha256_init(&state_); }
  void line(const std::string& text) {
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>("\n"), 1);
  }
  std::string hex() {
    unsigned char sum[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(&state_, sum);
    std::string out;
    for (const unsigned char each : sum) out += fmt::format("{:02x}", each);
    return out;
  }

 private:
  crypto_hash_sha256_state state_;
};

// Converts the names of the expected results: camel case to snake case.
std::string snake(std::string_view name) {
  static const std::map<std::string_view, std::string_view> others = {
      {"type", "value_type"}, {"posXUI", "pos_x_ui"}, {"posYUI", "pos_y_ui"}};
  if (const auto other = others.find(name); other != others.end()) return std::string(other->second);
  std::string out;
  const auto upper = [&](std::size_t i) { return i < name.size() && std::isupper(name[i]) != 0; };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool begins = upper(i) && (!upper(i - 1) || (i + 1 < name.size() && !upper(i + 1)));
    if (i > 0 && begins) out += '_';
    out += static_cast<char>(std::tolower(name[i]));
  }
  std::string words = "_" + out + "_";
  for (const auto& [from, to] : {std::pair{"_cmd_", "_command_"}, std::pair{"_abil_", "_ability_"}}) {
    for (std::size_t at; (at = words.find(from)) != std::string::npos;)
      words.replace(at, std::string(from).size(), to);
  }
  return words.substr(1, words.size() - 2);
}

std::string event_name(std::string_view name) {
  if (name.starts_with("S")) name.remove_prefix(1);
  if (name.ends_with("Event")) {
    name.remove_suffix(5);
  } else if (name.ends_with("Message")) {
    name.remove_suffix(7);
  }
  return snake(name);
}

std::vector<std::pair<std::string_view, element>> members_of(element object) {
  std::vector<std::pair<std::string_view, element>> out;
  const simdjson::dom::object all = object.get_object();
  for (const auto& [key, value] : all) out.emplace_back(key, value);
  return out;
}

std::vector<element> items_of(element array) {
  const simdjson::dom::array all = array.get_array();
  return {all.begin(), all.end()};
}

// One canonical spelling of a JSON value; `names` converts keys of objects.
std::string canonical(element value, bool names) {
  switch (value.type()) {
    case simdjson::dom::element_type::ARRAY: {
      std::string out = "[";
      for (const element each : items_of(value)) out += canonical(each, names) + ",";
      return out + "]";
    }
    case simdjson::dom::element_type::OBJECT: {
      std::map<std::string, std::string> members;
      for (const auto& [key, content] : members_of(value)) {
        members[names ? snake(key) : std::string(key)] = canonical(content, names);
      }
      std::string out = "{";
      for (const auto& [key, content] : members) out += key + ":" + content + ",";
      return out + "}";
    }
    default:
      return simdjson::minify(value);
  }
}

struct replay {
  std::string name;
  simdjson::dom::parser parser;
  element expected;
  sc2replay::header header;
  byte_vector game;
  byte_vector message;
  byte_vector tracker;  // empty before 2.0.8
};

const std::deque<replay>& replays() {
  static const std::deque<replay> all = [] {
    std::deque<replay> out;
    for (const auto& file : test::shared_files("sc2", ".SC2Replay")) {
      replay& next = out.emplace_back();
      next.name = file.stem().string();
      next.expected = next.parser.load((file.parent_path() / (next.name + ".expected.json")).string());
      const auto archive = sc2replay::open_archive(test::read_file(file));
      BOOST_REQUIRE_MESSAGE(archive, next.name << ": " << why(archive));
      next.header = read_header(archive->user_data()).value();
      next.game = archive->read("replay.game.events").value();
      next.message = archive->read("replay.message.events").value();
      if (archive->find("replay.tracker.events") != nullptr) {
        next.tracker = archive->read("replay.tracker.events").value();
      }
    }
    return out;
  }();
  return all;
}

using counts = std::map<std::string, std::int64_t>;

counts expected_counts(element object) {
  counts out;
  for (const auto& [key, value] : members_of(object)) out[event_name(key)] = value.get_int64().value();
  return out;
}

void check_counts(const counts& found, element expected) {
  const counts wanted = expected_counts(expected);
  for (const auto& [name, count] : wanted) {
    BOOST_TEST_CONTEXT(name) BOOST_TEST((found.contains(name) ? found.at(name) : 0) == count);
  }
  BOOST_TEST(found.size() == wanted.size());
}

// The events of a stream as JSON, for comparison with the expected first and last ones.
struct shown_event {
  std::uint64_t offset = 0;
  std::uint64_t tick = 0;
  std::uint32_t id = 0;
  std::string json;
};

void check_shown(const shown_event& found, element expected) {
  simdjson::dom::parser parser;
  element ours = parser.parse(found.json);
  BOOST_TEST_CONTEXT(found.json) {
    if (std::uint64_t offset = 0; expected["offset"].get(offset) == simdjson::SUCCESS) {
      BOOST_TEST(found.offset == offset);
    }
    BOOST_TEST(found.tick == expected["loop"].get_uint64().value());
    BOOST_TEST(found.id == expected["id"].get_uint64().value());
    BOOST_TEST(ours["type"].get_string().value() == event_name(expected["event"].get_string().value()));
    std::size_t members = 0;
    for (const auto& [key, value] : members_of(expected["data"])) {
      ++members;
      std::string name = snake(key);
      if (ours["type"].get_string().value() == "player_setup" && key == "type") name = "player_type";
      element mine;
      BOOST_REQUIRE_MESSAGE(ours[name].get(mine) == simdjson::SUCCESS, "no " << name);
      if (key == "stats") {
        // A list in the order of field numbers there, an object in the same order here.
        std::string list = "[";
        for (const auto& [stat, number] : members_of(mine)) list += canonical(number, false) + ",";
        BOOST_TEST(list + "]" == canonical(value, false));
      } else {
        BOOST_TEST(canonical(mine, false) == canonical(value, true));
      }
    }
    std::size_t own = 0;
    for (const std::string_view common : {"tick", "seconds", "stream", "type", "user"}) {
      element ignored;
      own += ours[common].get(ignored) == simdjson::SUCCESS ? 1u : 0u;
    }
    BOOST_TEST(members_of(ours).size() == members + own);
  }
}

void check_ends(const std::vector<shown_event>& all, element expected) {
  const auto first = items_of(expected["first"]);
  const auto last = items_of(expected["last"]);
  std::size_t at = 0;
  for (const element each : first) check_shown(all.at(at++), each);
  at = all.size() - last.size();
  for (const element each : last) check_shown(all.at(at++), each);
}

std::string tags(std::span<const std::uint32_t> values) {
  return fmt::format("{}", fmt::join(values, ","));
}

std::string_view target_kind(const game_event& event, const command& order) {
  if (event.base_build < 16561) return "fixed";
  if (order.point) return "TargetPoint";
  if (order.unit) return "TargetUnit";
  return order.data ? "Data" : "None";
}

}  // namespace

BOOST_AUTO_TEST_CASE(game_events_are_exactly_the_expected_ones) {
  for (const replay& each : replays()) {
    BOOST_TEST_CONTEXT(each.name) {
      const element expected = each.expected["gameEvents"];
      game_event_reader reader(each.game, each.header.base_build);
      const auto event = std::make_unique<game_event>();
      counts by_type, by_user;
      std::vector<shown_event> shown;
      sha256 index, camera, selection, commands;
      std::uint64_t last_tick = 0;
      for (;;) {
        const auto more = reader.next(*event);
        BOOST_REQUIRE_MESSAGE(more, why(more));
        if (!*more) break;
        ++by_type[std::string(event->name())];
        ++by_user[std::to_string(event->user)];
        last_tick = event->tick;
        shown_event& now = shown.emplace_back(shown_event{event->offset, event->tick, 0, {}});
        append_json(*event, now.json);
        now.id = event->what->id;
        index.line(fmt::format("{} {} {} {}", event->offset, event->tick, event->user, now.id));
        camera_update view;
        if (read_camera_update(*event, view)) {
          const double scale = each.header.base_build < 15405 ? 4096 : 256;
          camera.line(view.target ? fmt::format("{} {} {} {}", event->tick, event->user,
                                                view.target->x * scale, view.target->y * scale)
                                  : fmt::format("{} {} - -", event->tick, event->user));
        }
        selection_delta delta;
        if (read_selection_delta(*event, delta)) {
          selection.line(
              fmt::format("{} {} {} {}", event->tick, event->user, delta.group, tags(delta.added)));
          // The sizes of the subgroups add up to the units.
          std::size_t units = 0;
          for (std::size_t i = 0; i < delta.subgroup_count(); ++i) units += delta.subgroup_at(i).count;
          BOOST_TEST((delta.subgroup_count() == 0 || units == delta.added.size()));
        }
        command order;
        if (read_command(*event, order)) {
          std::string what =
              order.ability ? fmt::format("{} {}", order.ability->link, order.ability->index) : "- -";
          if (std::int64_t link = 0, number = 0; event->base_build < 16561) {
            BOOST_REQUIRE(event->number("ability_link", link));
            BOOST_REQUIRE(event->number("ability_command_index", number));
            what = fmt::format("{} {}", link, number);
          }
          commands.line(
              fmt::format("{} {} {} {}", event->tick, event->user, what, target_kind(*event, order)));
        }
      }
      BOOST_TEST(reader.offset() == each.game.size());
      BOOST_TEST(shown.size() == expected["count"].get_uint64().value());
      BOOST_TEST(last_tick == expected["lastLoop"].get_uint64().value());
      check_counts(by_type, expected["byType"]);
      check_counts(by_user, expected["byUser"]);
      check_ends(shown, expected);
      BOOST_TEST(index.hex() == expected["sha256"]["index"].get_string().value());
      BOOST_TEST(camera.hex() == expected["sha256"]["camera"].get_string().value());
      BOOST_TEST(selection.hex() == expected["sha256"]["selection"].get_string().value());
      BOOST_TEST(commands.hex() == expected["sha256"]["command"].get_string().value());
    }
  }
}

BOOST_AUTO_TEST_CASE(tracker_events_are_exactly_the_expected_ones) {
  for (const replay& each : replays()) {
    BOOST_TEST_CONTEXT(each.name) {
      element expected;
      const bool some = each.expected["trackerEvents"].get(expected) == simdjson::SUCCESS;
      BOOST_TEST(some == !each.tracker.empty());
      if (!some) continue;
      tracker_event_reader reader(each.tracker, each.header.base_build);
      tracker_event event;
      counts by_type;
      std::vector<shown_event> shown;
      sha256 index, born_or_init, died, stats, positions;
      // The sums count positions as they are in the stream.
      const double scale = tracker_scale(each.header.base_build);
      for (;;) {
        const auto more = reader.next(event);
        BOOST_REQUIRE_MESSAGE(more, why(more));
        if (!*more) break;
        ++by_type[std::string(event.name())];
        shown_event& now = shown.emplace_back(shown_event{event.offset, event.tick, event.id, {}});
        append_json(event, now.json);
        index.line(fmt::format("{} {}", event.tick, event.id));
        unit_born born;
        if (read_unit_born(event, born)) {
          born_or_init.line(fmt::format("{} {} {} {} {} {} {} {} {}", event.tick, event.id, born.unit.index(),
                                        born.unit.recycle(), born.type_name, born.control_player,
                                        born.upkeep_player, born.place.x / scale, born.place.y / scale));
        }
        unit_died death;
        if (read_unit_died(event, death)) {
          died.line(fmt::format("{} {} {} {} {} {}", event.tick, death.unit.index(), death.unit.recycle(),
                                death.killer_player ? std::to_string(*death.killer_player) : "-",
                                death.place.x / scale, death.place.y / scale));
        }
        player_stats numbers;
        if (read_player_stats(event, numbers)) {
          std::string line = fmt::format("{} {}", event.tick, numbers.player);
          for (std::size_t i = 0; i < event.stats.size(); ++i) {
            if ((event.filled_stats >> i & 1) != 0) line += fmt::format(" {}", event.stats[i]);
          }
          stats.line(line);
          BOOST_TEST(numbers.food_made == event.stats[30]);
        }
        if (event.is(tracker_kind::unit_positions)) {
          unit_positions places(event);
          for (indexed_place place; places.next(place);) {
            positions.line(fmt::format("{} {} {} {}", event.tick, place.index, place.place.x / scale,
                                       place.place.y / scale));
          }
        }
      }
      BOOST_TEST(reader.offset() == each.tracker.size());
      BOOST_TEST(shown.size() == expected["count"].get_uint64().value());
      check_counts(by_type, expected["byType"]);
      check_ends(shown, expected);
      BOOST_TEST(index.hex() == expected["sha256"]["index"].get_string().value());
      BOOST_TEST(born_or_init.hex() == expected["sha256"]["unitsBornInit"].get_string().value());
      BOOST_TEST(died.hex() == expected["sha256"]["unitsDied"].get_string().value());
      BOOST_TEST(stats.hex() == expected["sha256"]["playerStats"].get_string().value());
      BOOST_TEST(positions.hex() == expected["sha256"]["positions"].get_string().value());
    }
  }
}

BOOST_AUTO_TEST_CASE(messages_are_exactly_the_expected_ones) {
  for (const replay& each : replays()) {
    BOOST_TEST_CONTEXT(each.name) {
      const element expected = each.expected["messages"];
      message_reader reader(each.message, each.header.base_build);
      message said;
      counts by_type;
      std::vector<std::string> chat;
      for (;;) {
        const auto more = reader.next(said);
        BOOST_REQUIRE_MESSAGE(more, why(more));
        if (!*more) break;
        ++by_type[std::string(name(said.kind))];
        if (said.kind == message_kind::chat) {
          chat.push_back(
              fmt::format("{} {} {} {}", said.tick, said.user, static_cast<int>(said.to), said.text));
        }
      }
      BOOST_TEST(reader.offset() == each.message.size());
      check_counts(by_type, expected["counts"]);
      std::vector<std::string> wanted;
      for (const element line : items_of(expected["chat"])) {
        wanted.push_back(fmt::format("{} {} {} {}", line.at(0).get_uint64().value(),
                                     line.at(1).get_uint64().value(), line.at(2).get_uint64().value(),
                                     line.at(3).get_string().value()));
      }
      BOOST_TEST(chat == wanted, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

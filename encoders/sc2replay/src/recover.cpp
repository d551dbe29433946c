#include "tickreel/sc2replay/recover.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>

#include "tickreel/mpq/recover.hpp"
#include "tickreel/mpq/user_data.hpp"
#include "tickreel/mpq/write_archive.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/versioned.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::sc2replay {

namespace {

// Other members may parse as one of these by chance, but not with plausible times and values.
constexpr std::uint64_t late_ticks = 160;
constexpr std::uint64_t silent_ticks = 4800;

// Whether a stream of events ends with its last byte and with the game; `sound` checks every event.
template <class Reader, class Event, class Sound>
bool reads_through(Reader reader, Event& event, std::uint64_t loops, Sound&& sound) {
  bool any = false;
  auto more = reader.next(event);
  for (; more && *more; more = reader.next(event)) {
    if (event.tick > loops + late_ticks || !sound(event)) return false;
    any = true;
  }
  return any && more.has_value();
}

bool is_sound(const message& said) noexcept {
  if (said.kind == message_kind::chat) return !said.text.empty() && text::is_utf8(said.text);
  if (said.kind == message_kind::loading_progress) return said.progress >= 0 && said.progress <= 100;
  return said.kind != message_kind::ping ||
         (said.place.x >= 0 && said.place.x < 1024 && said.place.y >= 0 && said.place.y < 1024);
}

// Identifies the content, most reliable first; empty if it is not a known member.
std::string_view member_of(byte_span bytes, const header& head) {
  const std::uint32_t base_build = head.base_build;
  if (const auto read = read_details(bytes); read && read->players && !read->players->empty()) {
    return "replay.details";
  }
  if (const auto read = read_lobby(bytes, base_build); read && !read->users.empty()) return "replay.initData";
  if (as_text(bytes).starts_with('{') && read_game_metadata(bytes)) return "replay.gamemetadata.json";
  if (const auto read = read_attributes(bytes, base_build); read && !read->list.empty()) {
    return "replay.attributes.events";
  }
  const auto tracked = std::make_unique<tracker_event>();
  const auto any = [](const auto&) { return true; };
  if (reads_through(tracker_event_reader(bytes, base_build), *tracked, head.loops, any)) {
    return "replay.tracker.events";
  }
  const auto event = std::make_unique<game_event>();
  if (reads_through(game_event_reader(bytes, base_build), *event, head.loops, any) &&
      event->tick + silent_ticks >= head.loops) {
    return "replay.game.events";
  }
  message said;
  if (reads_through(message_reader(bytes, base_build), said, head.loops, is_sound)) {
    return "replay.message.events";
  }
  return {};
}

// Details mostly consist of hashes, which do not compress, so they are often stored uncompressed: a struct
// whose first field is the list of players.
std::vector<byte_span> find_plain_details(byte_span file, const std::function<bool()>& cancelled) {
  constexpr std::string_view list_of_players("\x00\x04\x01\x00", 4);
  constexpr std::size_t in_front = 2;
  constexpr std::size_t max_details = 2;  // including their backup
  const std::string_view text = as_text(file);
  std::vector<byte_span> out;
  // Limits repeated reading of the same bytes after false starts.
  std::uint64_t bytes_to_try = 4 * std::uint64_t{file.size()};
  std::size_t at = in_front;
  while (bytes_to_try != 0 && out.size() < max_details) {
    at = text.find(list_of_players, at);
    if (at == std::string_view::npos || (cancelled && cancelled())) break;
    const std::size_t begin = at++ - in_front;
    if (file[begin] != std::byte{5}) continue;
    versioned_reader from(file.subspan(begin));
    const byte_span whole = from.raw();
    bytes_to_try -= std::min<std::uint64_t>(bytes_to_try, from.position() + 1);
    if (!from.ok()) continue;
    const auto read = read_details(whole);
    if (!read || !read->players || read->players->empty()) continue;
    out.push_back(whole);
    at = begin + whole.size() + in_front;
  }
  return out;
}

bool has(const std::vector<mpq::new_member>& members, std::string_view name) {
  return std::ranges::find(members, name, &mpq::new_member::name) != members.end();
}

// Of two contents that parse as one member the larger is used; if the member has a backup, the second is
// that.
void keep(std::vector<mpq::new_member>& members, std::string_view name, byte_vector bytes) {
  const auto there = std::ranges::find(members, name, &mpq::new_member::name);
  if (there == members.end()) {
    members.push_back({std::string(name), std::move(bytes)});
    return;
  }
  const std::string backup = std::string(name) + ".backup";
  const bool backed_up = name == "replay.details" || name == "replay.initData";
  if (backed_up && !has(members, backup)) {
    members.push_back({backup, std::move(bytes)});
  } else if (!backed_up && bytes.size() > there->bytes.size()) {
    there->bytes = std::move(bytes);
  }
}

}  // namespace

result<recovered_file> recover_file(byte_span file, const mpq::limits& limits,
                                    const std::function<bool()>& cancelled) {
  const auto prefix = mpq::read_prefix(file);
  if (!prefix) return fail(prefix.error());
  if (file.size() < mpq::prefix_bytes + std::size_t{prefix->user_data_bytes}) {
    return fail(error_code::truncated, file.size(), "the replay header");
  }
  const byte_span user_data = file.subspan(mpq::prefix_bytes, prefix->user_data_bytes);
  const auto header = read_header(user_data);
  if (!header) return fail(header.error());
  recovered_file out;
  out.loops = header->loops;
  std::vector<mpq::new_member> members;
  if (const auto archive = open_archive(file, limits)) {
    for (const mpq::member& each : archive->members()) {
      if (auto bytes = archive->read(each.name)) {
        members.push_back({each.name, std::move(*bytes)});
      } else {
        out.lost.push_back(each.name);
      }
    }
    for (const std::string& each : archive->lost()) {
      if (!has(members, each) && !mpq::is_housekeeping(each)) out.lost.push_back(each);
    }
    out.nameless = archive->nameless();
  } else {
    out.lost_tables = true;
    for (mpq::found_content& each : mpq::find_contents(file, limits)) {
      if (cancelled && cancelled()) break;
      const std::string_view name = member_of(each.bytes, *header);
      if (name.empty()) {
        ++out.unknown;
      } else {
        keep(members, name, std::move(each.bytes));
      }
    }
    for (const byte_span each : find_plain_details(file, cancelled)) {
      keep(members, "replay.details", {each.begin(), each.end()});
    }
    if (cancelled && cancelled()) return fail(error_code::interrupted);
    constexpr std::array<std::string_view, 6> usual = {"replay.details",           "replay.initData",
                                                       "replay.attributes.events", "replay.game.events",
                                                       "replay.message.events",    "replay.tracker.events"};
    for (const std::string_view name : usual) {
      const bool by_version = name != "replay.tracker.events" || has_tracker_by_version(*header);
      if (by_version && !has(members, name)) out.lost.emplace_back(name);
    }
  }
  if (!has(members, "replay.game.events") && !has(members, "replay.details") &&
      !has(members, "replay.tracker.events") && !has(members, "replay.info")) {
    return fail(error_code::truncated, file.size(), "neither events nor players are left");
  }
  for (const mpq::new_member& each : members) out.members.push_back(each.name);
  auto written = mpq::write_archive(user_data, members);
  if (!written) return fail(written.error());
  out.file = std::move(*written);
  return out;
}

}  // namespace tickreel::sc2replay

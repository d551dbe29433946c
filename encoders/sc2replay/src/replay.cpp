#include "tickreel/sc2replay/replay.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tickreel/codec/crc32.hpp"
#include "tickreel/mpq/attributes.hpp"
#include "tickreel/sc2replay/layout.hpp"
#include "tickreel/sc2replay/races.hpp"

namespace tickreel::sc2replay {

namespace {

using problem_kind = member_problem::kind;

// 2.0.8 has base build 24944, and so has 2.0.4, which writes none.
constexpr std::uint32_t first_base_build_with_trackers = 24945;

// Loads the first existing one of two names, decompressed and compared with the archive's data. Errors become
// problems.
class loader {
 public:
  loader(const mpq::archive& from, replay& into) : from_(&from), into_(&into) {
    // Damage to the checksums themselves is not damage to the members.
    if (auto kept = mpq::read_attributes(from)) kept_ = std::move(*kept);
  }

  bool load(const char* name, const char* backup, byte_vector& out) {
    const bool needs_backup =
        from_->find(name) == nullptr && backup != nullptr && from_->find(backup) != nullptr;
    current_ = needs_backup ? backup : name;
    const mpq::member* const there = from_->find(current_);
    if (there == nullptr) return false;
    into_->looked_at.push_back(current_);
    if (auto read = from_->read(current_, out); !read) {
      report(read.error(), problem_kind::unpacking);
      return false;
    }
    compare(*there, out);
    return true;
  }

  // A member that every replay of that version has.
  bool load_needed(const char* name, const char* backup, byte_vector& out) {
    if (load(name, backup, out)) return true;
    need(current_);
    return false;
  }

  // Members in the archive without their name.
  void report_lost() {
    const auto report_missing = [this](const char* name, const char* detail) {
      current_ = name;
      report(error{error_code::not_found, error::no_offset, detail, {0, 0}, 0}, problem_kind::missing);
    };
    for (const char* each : known_members()) {
      if (is_lost(each)) report_missing(each, "the archive's tables do not lead to it");
    }
    if (from_->nameless() > 0 && !from_->has_list()) {
      report_missing("(listfile)", "nothing names some members of the archive");
    }
  }

  void need(const char* name) {
    if (from_->find(name) != nullptr || is_lost(name)) return;
    current_ = name;
    report(error{error_code::not_found, error::no_offset, "the replay lacks this member", {0, 0}, 0},
           problem_kind::missing);
  }

  // A member that the game writes and that is optional.
  void expect(const char* name) {
    if (from_->find(name) != nullptr || is_lost(name)) return;
    into_->stripped.emplace_back(name);
  }

  // Stores the value, or the error.
  template <class Value>
  void keep(result<Value>&& parsed, std::optional<Value>& out) {
    if (parsed) {
      out = std::move(*parsed);
    } else {
      report(parsed.error(), problem_kind::content);
    }
  }

 private:
  [[nodiscard]] bool is_lost(std::string_view name) const {
    return std::ranges::find(from_->lost(), name) != from_->lost().end();
  }
  void compare(const mpq::member& there, byte_span content) {
    const bool known = there.block < kept_.rows.size() && kept_.rows[there.block].crc32;
    if (content.size() != there.bytes) {
      // If the archive has checksums but none for this member, the content is unconfirmed.
      const bool unconfirmed = kept_.crc32 && !known;
      report(error{error_code::checksum_mismatch,
                   error::no_offset,
                   "has {} byte{s}, and the archive says {}",
                   {static_cast<std::int64_t>(content.size()), static_cast<std::int64_t>(there.bytes)},
                   0},
             unconfirmed ? problem_kind::checksum : problem_kind::size);
    }
    if (known && *kept_.rows[there.block].crc32 != crc32(content)) {
      report(error{error_code::checksum_mismatch,
                   error::no_offset,
                   "its content does not have the archive's checksum",
                   {0, 0},
                   0},
             problem_kind::checksum);
    }
  }
  void report(const error& what, problem_kind is) { into_->problems.push_back({current_, what, is}); }

  const mpq::archive* from_;
  replay* into_;
  mpq::attributes kept_;
  const char* current_ = "";
};

}  // namespace

bool member_problem::damages(std::uint32_t base_build) const noexcept {
  if (is == problem_kind::size) return false;
  const bool lobby = member.starts_with("replay.initData");
  return !(is == problem_kind::content && lobby && base_build > newest_known_base_build);
}

bool has_tracker_by_version(const header& of) noexcept {
  if (of.base_build >= first_base_build_with_trackers) return true;
  constexpr std::uint32_t since[] = {2, 0, 8};
  const std::uint32_t version[] = {of.major, of.minor, of.revision};
  return !std::lexicographical_compare(std::begin(version), std::end(version), std::begin(since),
                                       std::end(since));
}

void replay::join() {
  const auto setups = sc2replay::read_player_setups(tracker_events, base_build());
  players = sc2replay::join_players(
      {base_build(), details ? &*details : nullptr, lobby ? &*lobby : nullptr, setups});
  observers = sc2replay::find_observers(lobby ? &*lobby : nullptr, base_build());
  resumptions = find_resumptions(game_events, base_build());
  take_over(resumptions, players, observers);
  for (sc2replay::player& each : players) {
    if (each.type == player_type::computer) each.chosen_race = race_of_computer(each);
  }
  if (!metadata) return;
  for (sc2replay::player& each : players) {
    for (const metadata_player& known : metadata->players) {
      if (known.number == each.number && each.race_english.empty()) {
        each.race_english = english_race(known.assigned_race);
      }
    }
  }
}

// The lobby's slots have no race for computers, the attributes have one. Co-op missions fill both with values
// that were not chosen; a race other than the played one is unknown.
std::string replay::race_of_computer(const sc2replay::player& of) const {
  if (!attributes) return {};
  const std::string_view chosen = attributes->value(attribute_id::race, of.number);
  if (chosen == "RAND") return "random";
  constexpr std::pair<std::string_view, std::string_view> races[] = {
      {"Terr", "Terran"}, {"Zerg", "Zerg"}, {"Prot", "Protoss"}};
  for (const auto& [word, race] : races) {
    if (chosen == word && of.race_english == race) return std::string(race);
  }
  return {};
}

result<replay> replay::open_without_events(const mpq::archive& from) {
  auto header = sc2replay::read_header(from.user_data());
  if (!header) return fail(header.error());
  replay out;
  out.file_bytes = from.file_bytes();
  out.members.assign(from.members().begin(), from.members().end());
  out.header = std::move(*header);
  const std::uint32_t base_build = out.base_build();
  const bool beta = out.header.encoding == sc2replay::header_encoding::beta;
  loader load(from, out);
  load.report_lost();
  byte_vector bytes;
  if (beta) {
    if (load.load_needed("replay.info", nullptr, bytes)) {
      load.keep(sc2replay::read_lobby(bytes, base_build), out.lobby);
    }
  } else {
    if (load.load_needed("replay.details", "replay.details.backup", bytes)) {
      load.keep(sc2replay::read_details(bytes), out.details);
    }
    if (load.load_needed("replay.initData", "replay.initData.backup", bytes)) {
      load.keep(sc2replay::read_lobby(bytes, base_build), out.lobby);
    }
    load.expect("replay.attributes.events");
    // Empty in games without a lobby, which bots start.
    if (load.load("replay.attributes.events", nullptr, bytes) && !bytes.empty()) {
      load.keep(sc2replay::read_attributes(bytes, base_build), out.attributes);
    }
    if (load.load("replay.gamemetadata.json", nullptr, bytes)) {
      load.keep(sc2replay::read_game_metadata(bytes), out.metadata);
    }
  }
  load.need("replay.game.events");
  load.expect("replay.message.events");
  if (out.has_tracker_by_version()) load.expect("replay.tracker.events");
  out.join();
  return out;
}

void replay::unpack_events(const mpq::archive& from) {
  loader load(from, *this);
  load.load("replay.game.events", nullptr, game_events);
  load.load("replay.message.events", nullptr, message_events);
  load.load("replay.tracker.events", nullptr, tracker_events);
  join();
}

result<replay> replay::open(const mpq::archive& from) {
  auto out = open_without_events(from);
  if (out) out->unpack_events(from);
  return out;
}

result<replay> replay::open(byte_span file, const mpq::limits& limits) {
  auto from = open_archive(file, limits);
  if (!from) return fail(from.error());
  return open(*from);
}

std::string_view replay::name_at(std::uint8_t event_user, std::uint64_t tick) const noexcept {
  for (auto each = resumptions.rbegin(); each != resumptions.rend(); ++each) {
    if (each->tick > tick) continue;
    for (const resumption::taken_user& user : each->users) {
      if (user.event_user == event_user) return user.by.name;
    }
  }
  const auto original = [](const auto& who) -> std::string_view {
    return who.before ? who.before->name : who.name;
  };
  for (const sc2replay::player& each : players) {
    if (each.event_user == event_user) return original(each);
  }
  for (const sc2replay::observer& each : observers) {
    if (each.event_user == event_user) return original(each);
  }
  return name_of_user(event_user, players, observers, lobby ? &*lobby : nullptr, base_build());
}

std::string_view replay::map() const noexcept {
  if (details) return details->title;
  return lobby ? std::string_view(lobby->title) : std::string_view();
}

}  // namespace tickreel::sc2replay

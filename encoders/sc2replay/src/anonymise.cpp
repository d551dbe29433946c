#include "tickreel/sc2replay/anonymise.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "tickreel/mpq/attributes.hpp"
#include "tickreel/mpq/write_archive.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/rewrite.hpp"

namespace tickreel::sc2replay {

namespace {

using sc2replay::player_type;

constexpr std::string_view neutral_chat = "...";
constexpr std::size_t logo_bytes = 40;
constexpr std::uint64_t first_spectator_id = 100;
// Shorter names and ids turn up everywhere by chance.
constexpr std::size_t searchable_bytes = 3;
constexpr std::size_t searchable_digits = 6;
// Hold names, and more, in forms of their own; replays of earlier versions do without them.
constexpr std::array<std::string_view, 2> always_left_out = {"replay.server.battlelobby",
                                                             "replay.resumable.events"};

// Who is who, and who it becomes.
class identities {
 public:
  explicit identities(const replay& from) {
    for (const sc2replay::player& each : from.players) {
      if (each.type == player_type::computer) continue;
      add(each.name, each.clan_tag, each.handle, "Player " + std::to_string(each.number), each.number);
    }
    if (!from.lobby) return;
    for (std::size_t user = 0; user < from.lobby->users.size(); ++user) add_user(from, user);
  }

  // Nothing for a text that is nobody's name.
  std::optional<std::string> name(std::string_view old) const { return look_up(names_, old); }
  std::optional<std::string> handle(std::string_view old) const { return look_up(handles_, old); }
  // Two players may have one name; their places tell them apart.
  std::string name_of_user(std::size_t user) const { return user < users_.size() ? users_[user] : ""; }

  // Whether anybody can be told from it.
  bool told_by(std::string_view text) const {
    return std::any_of(traces_.begin(), traces_.end(), [text](const std::string& trace) {
      return text.find(trace) != std::string_view::npos;
    });
  }

 private:
  using table = std::map<std::string, std::string, std::less<>>;

  static std::optional<std::string> look_up(const table& in, std::string_view key) {
    const auto found = in.find(key);
    if (found == in.end()) return std::nullopt;
    return found->second;
  }

  // Handles of the lobby's users and slots belong to whoever has that entry.
  void add_user(const replay& from, std::size_t user) {
    const sc2replay::lobby_user& here = from.lobby->users[user];
    users_.resize(user + 1);
    if (here.name.empty()) return;
    const auto is_it = [user](const sc2replay::player& each) { return each.user == user; };
    const auto player = std::find_if(from.players.begin(), from.players.end(), is_it);
    std::string neutral;
    std::uint64_t id = 0;
    if (player != from.players.end()) {
      id = player->number;
      neutral = "Player " + std::to_string(id);
    } else {
      id = first_spectator_id + spectators_++;
      neutral = "Spectator " + std::to_string(spectators_);
    }
    users_[user] = neutral;
    add(here.name, here.clan_tag.value_or(""), here.toon_handle, neutral, id);
    for (const sc2replay::lobby_slot& slot : from.lobby->slots) {
      if (slot.user_id == user) add({}, {}, slot.toon_handle, neutral, id);
    }
  }

  void add(const std::string& name, const std::string& clan_tag, const std::string& handle,
           const std::string& neutral, std::uint64_t id) {
    if (!name.empty()) names_.emplace(name, neutral);
    if (!handle.empty()) handles_.emplace(handle, neutral_handle(handle, id));
    for (const std::string* trace : {&name, &clan_tag, &handle}) {
      if (trace->size() >= searchable_bytes) traces_.push_back(*trace);
    }
    if (name.size() >= searchable_bytes) traces_.push_back(utf16(name));
    const std::string digits = handle.substr(handle.rfind('-') + 1);
    if (digits.size() >= searchable_digits) traces_.push_back(digits);
  }

  // Little-endian, of names in Latin letters.
  static std::string utf16(std::string_view text) {
    std::string out;
    for (const char each : text) {
      out += each;
      out += '\0';
    }
    out.pop_back();
    return out;
  }

  static std::string neutral_handle(std::string_view handle, std::uint64_t id) {
    const std::size_t last = handle.rfind('-');
    const std::string_view server = last == std::string_view::npos ? "" : handle.substr(0, last + 1);
    return std::string(server) + std::to_string(id);
  }

  table names_;
  table handles_;
  std::vector<std::string> traces_;
  std::vector<std::string> users_;  // by their place in the lobby
  std::uint64_t spectators_ = 0;
};

class cleaner {
 public:
  cleaner(const replay& from, anonymised& report) : from_(&from), who_(from), report_(&report) {}

  // The member as it goes into the new archive; nothing when it is left out.
  result<std::optional<byte_vector>> clean(std::string_view name, byte_vector bytes) {
    if (name == "replay.details" || name == "replay.details.backup") return wrap(clean_details(bytes));
    if (name == "replay.initData" || name == "replay.initData.backup" || name == "replay.info") {
      return wrap(clean_lobby(bytes));
    }
    if (name == "replay.message.events") return wrap(clean_messages(bytes));
    if (name == "replay.game.events") return wrap(clean_events(bytes));
    // Described bit by bit, and free of names but for those of units.
    if (name == "replay.tracker.events") return std::optional(std::move(bytes));
    const bool never =
        std::find(always_left_out.begin(), always_left_out.end(), name) != always_left_out.end();
    if (never || who_.told_by(as_text(bytes))) {
      report_->left_out.emplace_back(name);
      return std::optional<byte_vector>();
    }
    return std::optional(std::move(bytes));
  }

 private:
  static result<std::optional<byte_vector>> wrap(result<byte_vector>&& cleaned) {
    if (!cleaned) return fail(cleaned.error());
    return std::optional(std::move(*cleaned));
  }

  result<byte_vector> clean_details(byte_span bytes) {
    return sc2replay::rewrite_details(
        bytes,
        [this](std::size_t index,
               const sc2replay::details_player& old) -> std::optional<sc2replay::player_identity> {
          if (index >= from_->players.size()) return std::nullopt;
          const sc2replay::player& player = from_->players[index];
          if (player.type == player_type::computer || old.name.empty()) return std::nullopt;
          ++report_->names;
          if (old.toon.id != 0) ++report_->handles;
          return sc2replay::player_identity{"Player " + std::to_string(player.number),
                                            old.toon.id == 0 ? 0u : player.number};
        });
  }

  result<byte_vector> clean_lobby(byte_span bytes) {
    return sc2replay::rewrite_lobby(bytes, from_->base_build(), [this](const sc2replay::lobby_text& old) {
      if (old.list == "user_initial_data" && old.field == "name") {
        ++report_->names;
        return std::optional(who_.name_of_user(old.index));
      }
      return old.list.empty() ? std::nullopt : neutral(old.field, old.text);
    });
  }

  result<byte_vector> clean_messages(byte_span bytes) {
    return sc2replay::rewrite_messages(bytes, from_->base_build(), [this](const sc2replay::message&) {
      ++report_->chat_lines;
      return std::optional<std::string>(neutral_chat);
    });
  }

  result<byte_vector> clean_events(byte_span bytes) {
    return sc2replay::rewrite_game_events(bytes, from_->base_build(),
                                          [this](const sc2replay::game_event& event, std::string_view field,
                                                 std::string_view text) -> std::optional<std::string> {
                                            if (field == "chat_message") {
                                              ++report_->chat_lines;
                                              return std::string(neutral_chat);
                                            }
                                            const bool about_users = event.name() == "game_user_join" ||
                                                                     event.name() == "hijack_replay_game" ||
                                                                     event.name() == "bank_signature";
                                            if (about_users) return neutral(field, text);
                                            // What a map or a player saved may hold anything.
                                            if (!who_.told_by(text)) return std::nullopt;
                                            ++report_->names;
                                            return std::string();
                                          });
  }

  // By what a field is called.
  std::optional<std::string> neutral(std::string_view field, std::string_view text) {
    if (field == "name") {
      ++report_->names;
      return who_.name(text).value_or("Player");
    }
    if (field == "clan_tag") {
      ++report_->names;
      return std::string();
    }
    if (field == "clan_logo") return std::string(logo_bytes, '\0');
    if (field == "toon_handle") {
      ++report_->handles;
      return who_.handle(text).value_or("");
    }
    return std::nullopt;
  }

  const replay* from_;
  identities who_;
  anonymised* report_;
};

}  // namespace

result<anonymised> anonymise(byte_span file, const mpq::limits& limits) {
  auto from = open_archive(file, limits);
  if (!from) return fail(from.error());
  auto whole = replay::open(*from);
  if (!whole) return fail(whole.error());
  anonymised out;
  cleaner cleaning(*whole, out);
  out.nameless = from->nameless();
  // Only for when each member was changed.
  const auto kept = mpq::read_attributes(*from);
  std::vector<mpq::new_member> members;
  for (const mpq::member& each : from->members()) {
    auto bytes = from->read(each.name);
    if (!bytes) return fail(bytes.error());
    auto cleaned = cleaning.clean(each.name, std::move(*bytes));
    if (!cleaned) return fail(cleaned.error());
    if (!*cleaned) continue;
    members.push_back({each.name, std::move(**cleaned), from->storage_of(each)});
    if (kept && each.block < kept->rows.size()) {
      members.back().file_time = kept->rows[each.block].file_time.value_or(0);
    }
  }
  auto written = mpq::write_archive(from->user_data(), members, from->shape());
  if (!written) return fail(written.error());
  out.file = std::move(*written);
  return out;
}

}  // namespace tickreel::sc2replay

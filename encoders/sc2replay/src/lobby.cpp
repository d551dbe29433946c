#include "tickreel/sc2replay/lobby.hpp"

#include <algorithm>
#include <variant>

#include "tickreel/sc2replay/packed_fields.hpp"

namespace tickreel::sc2replay {

namespace {

// Real ones have up to 5 KiB.
constexpr std::size_t bytes_limit = 4u << 20;
constexpr std::size_t no_element = static_cast<std::size_t>(-1);

const layout* layout_of(std::uint32_t base_build) noexcept {
  const layout* beta = find_layout(layout_stream::info, 0, base_build);
  return beta != nullptr ? beta : find_layout(layout_stream::init_data, 0, base_build);
}

// The storage of a lobby field.
using keeper = std::variant<std::monostate, std::uint32_t*, std::optional<std::uint32_t>*,
                            std::optional<std::int32_t>*, bool*, std::string*, std::optional<std::string>*>;

keeper user_keeper(lobby_user& user, const layout_place& at) {
  if (at.parent == "race_preference") return &user.race;
  if (at.parent == "team_preference") return &user.team;
  if (at.name == "name") return &user.name;
  if (at.name == "clan_tag") return &user.clan_tag;
  if (at.name == "random_seed") return &user.random_seed;
  if (at.name == "observe") return &user.observe;
  if (at.name == "highest_league") return &user.highest_league;
  if (at.name == "combined_race_levels") return &user.combined_race_levels;
  if (at.name == "scaled_rating") return &user.scaled_rating;
  if (at.name == "toon_handle") return &user.toon_handle;
  return {};
}

keeper slot_keeper(lobby_slot& slot, const layout_place& at) {
  if (at.parent == "color_pref") return &slot.color;
  if (at.parent == "race_pref") return &slot.race;
  if (at.name == "control") return &slot.control;
  if (at.name == "user_id") return &slot.user_id;
  if (at.name == "team_id") return &slot.team_id;
  if (at.name == "difficulty") return &slot.difficulty;
  if (at.name == "ai_build") return &slot.ai_build;
  if (at.name == "handicap") return &slot.handicap;
  if (at.name == "observe") return &slot.observe;
  if (at.name == "working_set_slot_id") return &slot.working_set_slot_id;
  if (at.name == "toon_handle") return &slot.toon_handle;
  if (at.name == "commander") return &slot.commander;
  if (at.name == "commander_level") return &slot.commander_level;
  return {};
}

keeper player_keeper(beta_player& player, const layout_place& at) {
  if (at.name == "name") return &player.name;
  if (at.name == "race") return &player.race;
  return &player.color;
}

keeper description_keeper(lobby& of, const layout_place& at) {
  if (at.name == "game_cache_name") return &of.game_cache_name;
  if (at.name == "map_file_name") return &of.map_file_name;
  if (at.name == "map_author_name") return &of.map_author_name;
  if (at.name == "random_value") return &of.random_value;
  if (at.name == "game_speed") return &of.game_speed;
  if (at.name == "game_type") return &of.game_type;
  if (at.name == "max_players") return &of.max_players;
  if (at.name == "map_size_x") return &of.map_size_x;
  if (at.name == "map_size_y") return &of.map_size_y;
  if (at.name == "is_blizzard_map") return &of.is_blizzard_map;
  if (at.name == "is_coop_mode") return &of.is_coop_mode;
  return {};
}

keeper state_keeper(lobby& of, const layout_place& at) {
  if (at.name == "random_seed") return &of.random_seed;
  if (at.name == "host_user_id") return &of.host_user_id;
  if (at.name == "is_single_player") return &of.is_single_player;
  if (at.name == "default_difficulty") return &of.default_difficulty;
  return {};
}

// Finds the storage of each operation in a lobby, for reading and for writing.
class binding {
 public:
  binding(std::span<const layout_op> ops, lobby& of) : ops_(ops), places_(places(ops)), of_(&of) {}

  const layout_place& place(const layout_op& op) const noexcept {
    return places_[static_cast<std::size_t>(&op - ops_.data())];
  }

  // Must be called for every array and every value, in their order.
  void begin_array(const layout_op& op) noexcept {
    if (place(op).list.empty()) element_ = no_element;
  }
  keeper find(const layout_op& op) {
    const layout_place& at = place(op);
    if (at.starts_element && is_list(at.list)) ++element_;
    if (at.list == "user_initial_data") return user_keeper(of_->users[element_], at);
    if (at.list == "slots") return inner(at) ? keeper{} : slot_keeper(of_->slots[element_], at);
    if (at.list == "players") return player_keeper(of_->players[element_], at);
    if (at.parent == "game_description" && at.list.empty()) return description_keeper(*of_, at);
    if (at.parent == "lobby_state") return state_keeper(*of_, at);
    if (at.parent.empty() && at.name == "title") return &of_->title;
    if (at.parent.empty() && at.name == "difficulty") return &of_->difficulty;
    return {};
  }

  static bool is_list(std::string_view name) noexcept {
    return name == "user_initial_data" || name == "slots" || name == "players";
  }
  std::size_t element() const noexcept { return element_; }

 private:
  // Of a structure inside of a slot without relevant names.
  static bool inner(const layout_place& at) noexcept {
    return at.parent != "slots" && at.parent != "color_pref" && at.parent != "race_pref";
  }

  std::span<const layout_op> ops_;
  std::vector<layout_place> places_;
  lobby* of_;
  std::size_t element_ = no_element;
};

struct reading : packed_sink {
  binding bound;
  lobby* out;
  reading(std::span<const layout_op> ops, lobby& into) : bound(ops, into), out(&into) {}

  void begin_array(const layout_op& op, unsigned count) {
    const std::string_view name = bound.place(op).name;
    bound.begin_array(op);
    if (name == "user_initial_data") out->users.resize(count);
    if (name == "slots") out->slots.resize(count);
    if (name == "players") out->players.resize(count);
  }
  void number(const layout_op& op, std::int64_t value) {
    const layout_place& at = bound.place(op);
    if (at.parent == "game_options") {
      out->options.push_back({at.name, static_cast<std::uint64_t>(value)});
      return;
    }
    const keeper to = bound.find(op);
    const auto narrow = static_cast<std::uint32_t>(value);
    if (auto* const* number = std::get_if<std::uint32_t*>(&to)) **number = narrow;
    if (auto* const* number = std::get_if<std::optional<std::uint32_t>*>(&to)) **number = narrow;
    if (auto* const* number = std::get_if<std::optional<std::int32_t>*>(&to)) {
      **number = static_cast<std::int32_t>(value);
    }
    if (auto* const* flag = std::get_if<bool*>(&to)) **flag = value != 0;
  }
  void blob(const layout_op& op, byte_span bytes) {
    if (bound.place(op).name == "cache_handles") {
      out->cache_handles.emplace_back(as_text(bytes));
      return;
    }
    const keeper to = bound.find(op);
    if (auto* const* text = std::get_if<std::string*>(&to)) **text = as_text(bytes);
    if (auto* const* text = std::get_if<std::optional<std::string>*>(&to)) **text = as_text(bytes);
  }
};

struct writing {
  binding bound;
  const lobby* from;
  std::size_t handle = 0;
  writing(std::span<const layout_op> ops, lobby& of) : bound(ops, of), from(&of) {}

  std::int64_t number(const layout_op& op) {
    const layout_place& at = bound.place(op);
    if (at.parent == "game_options") {
      for (const game_option& each : from->options) {
        if (each.name == at.name) return static_cast<std::int64_t>(each.value);
      }
      return 0;
    }
    const keeper to = bound.find(op);
    if (auto* const* number = std::get_if<std::uint32_t*>(&to)) return **number;
    if (auto* const* number = std::get_if<std::optional<std::uint32_t>*>(&to))
      return **number ? ***number : 0;
    if (auto* const* number = std::get_if<std::optional<std::int32_t>*>(&to)) {
      return **number ? ***number : 0;
    }
    if (auto* const* flag = std::get_if<bool*>(&to)) return **flag ? 1 : 0;
    return op.extra;
  }
  byte_span blob(const layout_op& op) {
    if (bound.place(op).name == "cache_handles") return as_bytes(from->cache_handles[handle++]);
    const keeper to = bound.find(op);
    if (auto* const* text = std::get_if<std::string*>(&to)) return as_bytes(**text);
    if (auto* const* text = std::get_if<std::optional<std::string>*>(&to)) return as_bytes(***text);
    return {};
  }
  unsigned bit_array(const layout_op&) noexcept { return 0; }
  bool bit(const layout_op&) noexcept { return false; }
  bool optional(const layout_op& op) {
    const keeper to = bound.find(op);
    if (auto* const* number = std::get_if<std::optional<std::uint32_t>*>(&to)) return (*number)->has_value();
    if (auto* const* number = std::get_if<std::optional<std::int32_t>*>(&to)) return (*number)->has_value();
    if (auto* const* text = std::get_if<std::optional<std::string>*>(&to)) return (*text)->has_value();
    return false;
  }
  unsigned array(const layout_op& op) noexcept {
    const std::string_view name = bound.place(op).name;
    bound.begin_array(op);
    if (name == "user_initial_data") return static_cast<unsigned>(from->users.size());
    if (name == "slots") return static_cast<unsigned>(from->slots.size());
    if (name == "players") return static_cast<unsigned>(from->players.size());
    if (name == "cache_handles") return static_cast<unsigned>(from->cache_handles.size());
    return 0;
  }
  unsigned choice(const layout_op&) noexcept { return 0; }
};

constexpr const char* what_text = "replay.initData";

result<const layout*> layout_for(std::size_t bytes, std::uint32_t base_build) noexcept {
  if (bytes > bytes_limit) return fail(error_code::over_limit, 0, what_text);
  const layout* found = layout_of(base_build);
  if (found == nullptr) return fail(error_code::unsupported_version, 0, what_text);
  return found;
}

result<void> check_end(packed_reader& from) noexcept {
  from.align();
  if (from.remaining_bits() == 0) return {};
  return fail(error_code::malformed, from.offset(),
              "replay.initData: {} trailing byte{s} after its last field",
              static_cast<std::int64_t>(from.remaining_bits() / 8));
}

}  // namespace

result<lobby> read_lobby(byte_span bytes, std::uint32_t base_build) {
  auto layout = layout_for(bytes.size(), base_build);
  if (!layout) return fail(layout.error());
  lobby out;
  packed_reader from(bytes);
  reading sink((*layout)->ops, out);
  read_layout((*layout)->ops, from, sink);
  if (!from.ok()) return from.failure(what_text);
  if (auto ended = check_end(from); !ended) return fail(ended.error());
  return out;
}

result<byte_vector> write_lobby(const lobby& what, std::uint32_t base_build) {
  auto layout = layout_for(0, base_build);
  if (!layout) return fail(layout.error());
  std::size_t room = 4096;
  const auto add = [&room](const auto&... texts) { room += (std::size_t{512} + ... + texts.size()); };
  for (const lobby_user& each : what.users) add(each.name, each.clan_tag.value_or(""), each.toon_handle);
  for (const lobby_slot& each : what.slots) add(each.toon_handle, each.commander);
  for (const beta_player& each : what.players) add(each.name, each.race, each.color);
  for (const std::string& each : what.cache_handles) add(each);
  add(what.game_cache_name, what.map_file_name, what.map_author_name, what.title, what.difficulty);
  byte_vector out(room);
  packed_writer to(out);
  lobby copy = what;
  writing source((*layout)->ops, copy);
  write_layout((*layout)->ops, to, source);
  if (!to.ok()) return fail(error_code::invalid_argument, to.bit_position() / 8, what_text);
  out.resize(to.written().size());
  return out;
}

result<byte_vector> rewrite_lobby(
    byte_span bytes, std::uint32_t base_build,
    const std::function<std::optional<std::string>(const lobby_text&)>& replace) {
  auto layout = layout_for(bytes.size(), base_build);
  if (!layout) return fail(layout.error());
  packed_reader from(bytes);
  auto document = packed_fields::read((*layout)->ops, from);
  if (!document) return fail(document.error());
  if (auto ended = check_end(from); !ended) return fail(ended.error());
  const std::vector<layout_place> at = places((*layout)->ops);
  // Its elements do not move while fields point into it.
  std::vector<std::string> replaced;
  replaced.reserve(document->fields().size());
  std::size_t element = no_element;
  for (packed_field& field : document->fields()) {
    const layout_place& place = at[static_cast<std::size_t>(field.op - (*layout)->ops.data())];
    if (field.op->kind == layout_kind::array && place.list.empty()) element = no_element;
    const bool in_list = binding::is_list(place.list);
    if (in_list && place.starts_element) ++element;
    const bool is_text = field.op->kind == layout_kind::blob || field.op->kind == layout_kind::bytes;
    if (!is_text || field.bytes.empty()) continue;
    auto text = replace(
        {in_list ? place.list : std::string_view(), in_list ? element : 0, place.name, as_text(field.bytes)});
    if (!text) continue;
    replaced.push_back(std::move(*text));
    field.bytes = as_bytes(replaced.back());
  }
  byte_vector out(document->room());
  packed_writer to(out);
  if (!document->write(to)) return fail(error_code::invalid_argument, to.bit_position() / 8, what_text);
  out.resize(to.written().size());
  return out;
}

}  // namespace tickreel::sc2replay

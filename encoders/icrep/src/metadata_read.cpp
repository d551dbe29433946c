#include <simdjson.h>

#include <charconv>

#include "tickreel/analysis/event.hpp"
#include "tickreel/icrep/metadata.hpp"

namespace tickreel::icrep {

namespace {

namespace dom = simdjson::dom;
using simdjson::error_code::SUCCESS;

// Reads values into fields; stores the first with another type.
class member_reader {
 public:
  [[nodiscard]] bool ok() const noexcept { return wrong_ == nullptr; }
  [[nodiscard]] const char* wrong() const noexcept { return wrong_; }
  void refuse(const char* what) noexcept {
    if (wrong_ == nullptr) wrong_ = what;
  }

  void read(dom::element from, std::string& to) {
    std::string_view text;
    if (from.get(text) != SUCCESS) return refuse("a metadata value that should be text");
    to.assign(text);
  }
  void read(dom::element from, bool& to) {
    if (from.get(to) != SUCCESS) refuse("a metadata value that should be true or false");
  }
  void read(dom::element from, double& to) {
    if (from.get(to) != SUCCESS) refuse("a metadata value that should be a number");
  }
  void read(dom::element from, std::uint64_t& to) {
    if (from.get(to) != SUCCESS) refuse("a metadata value that should be a whole number");
  }
  void read(dom::element from, std::uint32_t& to) {
    std::uint64_t number = 0;
    read(from, number);
    if (number > std::numeric_limits<std::uint32_t>::max()) refuse("a metadata number above 32 bits");
    to = static_cast<std::uint32_t>(number);
  }
  template <class T>
  void read(dom::element from, std::optional<T>& to) {
    read(from, to.emplace());
  }
  template <class T>
  void read(dom::element from, std::vector<T>& to) {
    dom::array items;
    if (from.get(items) != SUCCESS) return refuse("a metadata value that should be a list");
    for (const dom::element item : items) read(item, to.emplace_back());
  }
  void read(dom::element from, mod_entry& to) {
    members(from, [&](std::string_view key, dom::element value) {
      if (key == "id") read(value, to.id);
      if (key == "version") read(value, to.version);
    });
  }
  void read(dom::element from, player_entry& to) {
    members(from, [&](std::string_view key, dom::element value) {
      if (key == "slot") read(value, to.slot);
      if (key == "name") read(value, to.name);
      if (key == "faction") read(value, to.faction);
      if (key == "outcome") read(value, to.outcome);
      if (key == "apm_avg") read(value, to.apm_avg);
    });
  }
  void read(dom::element from, slot_description& to) {
    members(from, [&](std::string_view key, dom::element value) {
      if (key == "slot" || key == "bit") read(value, to.slot);
      if (key == "name") read(value, to.name);
      if (key == "size") read(value, to.size_bytes);
    });
  }
  void read(dom::element from, schema& to) {
    members(from, [&](std::string_view key, dom::element value) {
      if (key == "components") read(value, to.components);
      if (key == "player_fields") read(value, to.player_fields);
      if (key == "world") read(value, to.world);
    });
  }
  void read(dom::element from, conversion& to) {
    members(from, [&](std::string_view key, dom::element value) {
      if (key == "source") return read(value, to.source);
      if (key == "original_file") return read(value, to.original_file);
      if (key == "original_mod") return read(value, to.original_mod);
      if (key == "original_version") return read(value, to.original_version);
      if (key == "conversion_date") return read(value, to.conversion_date);
      if (key == "translation_warnings") return keep(value, to.translation_warnings_json);
      if (key == "diverged_at_tick") return read(value, to.diverged_at_tick);
      keep(key, value, to.others);
    });
  }
  void read(dom::element from, branch& to) {
    members(from, [&](std::string_view key, dom::element value) {
      if (key == "parent_replay_id") return read(value, to.parent_replay_id);
      if (key == "parent_replay_file_sha256") return read(value, to.parent_replay_file_sha256);
      if (key == "branch_tick") return read(value, to.branch_tick);
      if (key == "branch_state_hash") return read(value, to.branch_state_hash);
      if (key == "original_player_slot") return read(value, to.original_player_slot);
      if (key == "ai_assignments") return keep(value, to.ai_assignments_json);
      keep(key, value, to.others);
    });
  }
  void read(dom::element from, metadata& to) {
    members(from, [&](std::string_view key, dom::element value) {
      if (key == "replay_id") return read(value, to.replay_id);
      if (key == "timestamp") return read(value, to.timestamp);
      if (key == "engine_version") return read(value, to.engine_version);
      if (key == "base_build") return read(value, to.base_build);
      if (key == "data_version") return read(value, to.data_version);
      if (key == "game_module") return read(value, to.game_module);
      if (key == "active_mods") return read(value, to.active_mods);
      if (key == "map_name") return read(value, to.map_name);
      if (key == "map_hash") return read(value, to.map_hash);
      if (key == "game_speed") return read(value, to.game_speed);
      if (key == "balance_preset") return read(value, to.balance_preset);
      if (key == "total_ticks") return read(value, to.total_ticks);
      if (key == "duration_seconds") return read(value, to.duration_seconds);
      if (key == "players") return read(value, to.players);
      if (key == "initial_rng_seed") return read(value, to.initial_rng_seed);
      if (key == "signed") return read(value, to.is_signed);
      if (key == "relay_server") return read(value, to.relay_server);
      if (key == "converted_from") return read(value, to.converted_from);
      if (key == "branch_from") return read(value, to.branch_from);
      if (key == "state_hash") return read(value, to.state_hash);
      if (key == "tick_rate") return read(value, to.tick_rate);
      if (key == "schema") return read(value, to.schema);
      keep(key, value, to.others);
    });
  }

 private:
  template <class Take>
  void members(dom::element from, Take take) {
    dom::object object;
    if (from.get(object) != SUCCESS) return refuse("a metadata value that should be an object");
    for (const auto member : object) take(member.key, member.value);
  }
  void keep(dom::element value, std::string& json) { json = simdjson::minify(value); }
  void keep(std::string_view key, dom::element value, other_members& others) {
    others.emplace_back(key, simdjson::minify(value));
  }

  const char* wrong_ = nullptr;
};

}  // namespace

result<metadata> read_metadata(std::string_view json, const limits& most) {
  if (json.size() > most.metadata_bytes) {
    return fail(error_code::over_limit, 0, "metadata of {} bytes", static_cast<std::int64_t>(json.size()));
  }
  if (json.starts_with("\xef\xbb\xbf")) return fail(error_code::bad_json, 0, "a byte order mark");
  dom::parser parser;
  dom::element root;
  // The parser copies even zero bytes, so the address must be valid.
  if (json.empty() || parser.parse(json.data(), json.size()).get(root) != SUCCESS) {
    return fail(error_code::bad_json, error::no_offset, "the metadata are not JSON");
  }
  metadata facts;
  member_reader in;
  in.read(root, facts);
  if (!in.ok()) return fail(error_code::bad_json, error::no_offset, in.wrong());
  return facts;
}

std::uint32_t derived_types(const metadata& facts) noexcept {
  std::uint32_t types = 0;
  for (const auto& [key, json] : facts.others) {
    if (key != derived_types_key) continue;
    dom::parser parser;
    dom::array names;
    if (parser.parse(json).get(names) != SUCCESS) continue;
    for (const dom::element each : names) {
      std::string_view name;
      if (each.get(name) != SUCCESS) continue;
      if (const auto type = analysis::type_from_name(name)) types |= 1u << *type;
    }
  }
  return types;
}

std::optional<double> tick_seconds(const metadata& facts) noexcept {
  if (facts.tick_rate) {
    double ticks = 0;
    double seconds = 1;
    const char* const end = facts.tick_rate->data() + facts.tick_rate->size();
    const auto first = std::from_chars(facts.tick_rate->data(), end, ticks);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
      (void)std::from_chars(first.ptr + 1, end, seconds);
    }
    if (ticks > 0 && seconds > 0) return seconds / ticks;
  }
  if (const auto duration_ms = tick_duration_ms(facts.game_speed)) return *duration_ms / 1000.0;
  return std::nullopt;
}

}  // namespace tickreel::icrep

#include "tickreel/sc2replay/anonymise.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "identities.hpp"
#include "text_rules.hpp"
#include "tickreel/mpq/attributes.hpp"
#include "tickreel/mpq/write_archive.hpp"
#include "tickreel/sc2replay/game_metadata.hpp"
#include "tickreel/sc2replay/races.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/rewrite.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"
#include "tickreel/sc2replay/versioned.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::string_view neutral_chat = "...";

// Unchanged unless they contain a name or an id.
constexpr std::array<std::string_view, 6> plain_members = {
    "replay.attributes.events", "replay.smartcam.events", "replay.sync.events",
    "replay.sync.history",      "replay.load.info",       "save.jpg"};
// Of tracker events, names in the game's data.
constexpr std::array<std::string_view, 3> tracker_texts = {"unit_type_name", "upgrade_type_name",
                                                           "creator_ability_name"};

// Whether a value contains anything but numbers.
bool holds_text(versioned_reader& from, unsigned depth = 0) {
  if (depth >= versioned_depth_limit) return true;
  bool found = false;
  switch (from.peek()) {
    case versioned_tag::blob:
      return !from.blob().empty();
    case versioned_tag::bit_array: {
      std::uint64_t bits = 0;
      return !from.bit_array(bits).empty();
    }
    case versioned_tag::array:
      for (std::size_t left = from.array(); left > 0 && from.ok(); --left) {
        found = holds_text(from, depth + 1) || found;
      }
      return found;
    case versioned_tag::choice:
      (void)from.choice();
      return from.ok() && holds_text(from, depth + 1);
    case versioned_tag::optional:
      return from.optional() && holds_text(from, depth + 1);
    case versioned_tag::structure:
      from.fields(
          [&](std::int64_t, versioned_reader& value) { found = holds_text(value, depth + 1) || found; });
      return found;
    default:
      from.skip();
      return false;
  }
}

// Whether a stream of tracker events is readable and has only the texts of known builds.
bool is_known_tracker_stream(byte_span stream, std::uint32_t base_build) {
  tracker_event_reader events(stream, base_build);
  const auto event = std::make_unique<tracker_event>();
  auto more = events.next(*event);
  for (; more && *more; more = events.next(*event)) {
    versioned_reader from(event->fields);
    bool strange = false;
    from.fields([&](std::int64_t number, versioned_reader& value) {
      const std::string_view name = tracker_field_name(event->id, number);
      const bool listed = std::ranges::find(tracker_texts, name) != tracker_texts.end();
      if (listed) return value.skip();
      strange = holds_text(value) || strange;
    });
    if (strange || !from.ok()) return false;
  }
  return more.has_value();
}

class cleaner {
 public:
  cleaner(const replay& from, anonymised& report) : from_(&from), who_(from), report_(&report) {}

  // The member for the new archive; empty if it is omitted.
  result<std::optional<byte_vector>> clean(const mpq::archive& archive, std::string_view name) {
    member_ = name;
    const bool plain = std::ranges::find(plain_members, name) != plain_members.end();
    const auto step = plain ? &cleaner::clean_plain : step_for(name);
    if (step == nullptr) {
      report_->left_out.emplace_back(name);
      return std::optional<byte_vector>();
    }
    auto bytes = archive.read(name);
    if (!bytes) return fail(bytes.error());
    auto cleaned = (this->*step)(std::move(*bytes));
    if (cleaned && !*cleaned) report_->left_out.emplace_back(name);
    return cleaned;
  }

  void finish() { report_->kept.assign(kept_.begin(), kept_.end()); }

 private:
  using outcome = result<std::optional<byte_vector>>;
  using cleaning = outcome (cleaner::*)(byte_vector);

  static cleaning step_for(std::string_view name) noexcept {
    constexpr std::array<std::pair<std::string_view, cleaning>, 9> steps = {{
        {"replay.details", &cleaner::clean_details},
        {"replay.details.backup", &cleaner::clean_details},
        {"replay.initData", &cleaner::clean_lobby},
        {"replay.initData.backup", &cleaner::clean_lobby},
        {"replay.info", &cleaner::clean_lobby},
        {"replay.message.events", &cleaner::clean_messages},
        {"replay.game.events", &cleaner::clean_events},
        {"replay.tracker.events", &cleaner::clean_tracker},
        {"replay.gamemetadata.json", &cleaner::clean_metadata},
    }};
    const auto found = std::ranges::find(steps, name, &std::pair<std::string_view, cleaning>::first);
    return found == steps.end() ? nullptr : found->second;
  }

  static outcome wrap(result<byte_vector> done) {
    if (!done) return fail(done.error());
    return std::optional(std::move(*done));
  }

  outcome clean_plain(byte_vector bytes) {
    if (who_.held_by(bytes)) return std::optional<byte_vector>();
    if (!bytes.empty()) kept_.insert(member_);
    return std::optional(std::move(bytes));
  }

  outcome clean_tracker(byte_vector bytes) {
    if (!is_known_tracker_stream(bytes, from_->base_build())) return std::optional<byte_vector>();
    if (!bytes.empty()) kept_.insert(member_ + ": names in the game's data");
    return std::optional(std::move(bytes));
  }

  // Unknown fields are dropped.
  outcome clean_details(byte_vector bytes) {
    auto facts = sc2replay::read_details(bytes);
    if (!facts) return fail(facts.error());
    if (facts->players) {
      for (std::size_t at = 0; at < facts->players->size(); ++at) clean_player(at, (*facts->players)[at]);
    }
    apply(text_rule::map_text, "title", facts->title);
    apply(text_rule::map_text, "description", facts->description);
    apply(text_rule::word, "thumbnail", facts->thumbnail);
    apply(text_rule::drop, "difficulty", facts->difficulty);
    apply(text_rule::drop, "image_file", facts->image_file);
    apply(text_rule::cache, "map_file", facts->map_file);
    if (facts->cache_handles) {
      for (std::string& each : *facts->cache_handles) apply(text_rule::hash, "cache_handles", each);
    }
    if (facts->mod_paths && *facts->mod_paths) {
      for (std::string& each : **facts->mod_paths) apply(text_rule::drop, "mod_paths", each);
    }
    return std::optional(sc2replay::write_details(*facts));
  }

  void clean_player(std::size_t index, sc2replay::details_player& each) {
    const bool known = index < from_->players.size();
    const bool computer = known && from_->players[index].type == player_type::computer;
    const std::uint64_t number = known ? from_->players[index].number : index + 1;
    if (computer) {
      apply(text_rule::map_text, "name of a computer", each.name);
    } else if (!each.name.empty()) {
      each.name = "Player " + std::to_string(number);
      ++report_->names;
    }
    if (each.toon.id != 0) {
      each.toon.id = number;
      ++report_->handles;
    }
    apply(text_rule::race, "race", each.race);
    if (each.hero) apply(text_rule::word, "hero", *each.hero);
  }

  outcome clean_lobby(byte_vector bytes) {
    return wrap(sc2replay::rewrite_lobby(
        bytes, from_->base_build(), [this](const sc2replay::lobby_text& old) -> std::optional<std::string> {
          // Two users may have one name.
          if (old.list == "user_initial_data" && old.field == "name") {
            ++report_->names;
            return who_.name_of_user(old.index);
          }
          return replacement(rule_of_lobby_text(old.list, old.field), old.field, old.text);
        }));
  }

  outcome clean_messages(byte_vector bytes) {
    return wrap(sc2replay::rewrite_messages(
        bytes, from_->base_build(),
        [this](const sc2replay::message& said) { return replacement(text_rule::chat, "chat", said.text); }));
  }

  outcome clean_events(byte_vector bytes) {
    const auto replace = [this](const sc2replay::game_event& event, std::string_view field,
                                std::string_view text) {
      return replacement(rule_of_event_text(event.name(), field), field, text);
    };
    const auto erase = [](std::string_view event, std::string_view field) {
      return event == "bank_signature" && field == "signature";
    };
    return wrap(sc2replay::rewrite_game_events(bytes, from_->base_build(), replace, erase));
  }

  // Unknown members are dropped.
  outcome clean_metadata(byte_vector bytes) {
    auto facts = sc2replay::read_game_metadata(bytes);
    if (!facts) return fail(facts.error());
    apply(text_rule::map_text, "Title", facts->title);
    apply(text_rule::word, "GameVersion", facts->game_version);
    apply(text_rule::word, "DataBuild", facts->data_build);
    apply(text_rule::word, "DataVersion", facts->data_version);
    apply(text_rule::word, "BaseBuild", facts->base_build);
    for (sc2replay::metadata_player& each : facts->players) {
      for (std::string* race : {&each.selected_race, &each.assigned_race}) {
        if (*race != "Rand") apply(text_rule::race, "race", *race);
      }
      constexpr std::array<std::string_view, 4> results = {"Win", "Loss", "Tie", "Undecided"};
      if (std::ranges::find(results, each.result) == results.end()) {
        apply(text_rule::drop, "Result", each.result);
      }
    }
    return std::optional(sc2replay::write_game_metadata(*facts));
  }

  void apply(text_rule rule, std::string_view field, std::string& text) {
    if (text.empty()) return;
    if (auto other = replacement(rule, field, text)) text = std::move(*other);
  }

  // Empty if the text may stay. Not called for empty texts.
  std::optional<std::string> replacement(text_rule rule, std::string_view field, std::string_view text) {
    switch (rule) {
      case text_rule::name:
        ++report_->names;
        return who_.name(text).value_or("Player");
      case text_rule::chat:
        ++report_->chat_lines;
        return std::string(neutral_chat);
      case text_rule::handle:
      case text_rule::author_handle: {
        auto other = who_.handle(text);
        if (!other && rule == text_rule::handle) other = handle_of_nobody(text);
        if (!other) break;
        ++report_->handles;
        return other;
      }
      case text_rule::erased:
        return std::string(text.size(), '\0');
      case text_rule::hash:
        if (who_.held_by(as_bytes(text))) return std::string(text.size(), '\0');
        break;
      default:
        break;
    }
    if (may_stay(rule, text)) {
      kept_.insert(member_ + ": " + std::string(field));
      return std::nullopt;
    }
    ++(field == "clan_tag" ? report_->names : report_->texts);
    return std::string();
  }

  // For a person whom neither the details nor the lobby contain: "2-S2-1-278321" becomes "2-S2-1-0".
  std::optional<std::string> handle_of_nobody(std::string_view text) const {
    const std::string_view server = text.substr(0, text.rfind('-') + 1);
    if (!is_handle(text) || who_.shares(server)) return std::nullopt;
    return std::string(server) + '0';
  }

  bool may_stay(text_rule rule, std::string_view text) const {
    switch (rule) {
      case text_rule::hash:
        return true;
      case text_rule::race:
        return !english_race(text).empty();
      case text_rule::color:
        return is_color(text);
      case text_rule::cache_name:
        return text == "Dflt";
      case text_rule::hotkey_profile:
        return is_hotkey_profile(text);
      case text_rule::map_text:
        return !who_.shares(text);
      case text_rule::word:
        return is_word(text) && !who_.shares(text);
      case text_rule::cache:
        return is_cache_path(text) && !who_.held_by(as_bytes(text));
      case text_rule::author_handle:
        return is_handle(text) && !who_.shares(text);
      case text_rule::number:
        return is_number(text) && !who_.shares(text);
      default:
        return false;
    }
  }

  const replay* from_;
  identities who_;
  anonymised* report_;
  std::string member_;  // the current one
  std::set<std::string, std::less<>> kept_;
};

// Only the values that the game writes.
result<byte_vector> clean_header(sc2replay::header from) {
  const bool beta = from.encoding == header_encoding::beta;
  from.signature = sc2replay::header::default_signature();
  if (beta) {
    from.signature.pop_back();
    from.signature.back() = '2';
  }
  return sc2replay::write_header(from);
}

}  // namespace

result<anonymised> anonymise(byte_span file, const mpq::limits& limits) {
  auto from = open_archive(file, limits);
  if (!from) return fail(from.error());
  auto whole = replay::open(*from);
  if (!whole) return fail(whole.error());
  auto header = clean_header(whole->header);
  if (!header) return fail(header.error());
  anonymised out;
  cleaner cleaning(*whole, out);
  out.nameless = from->nameless();
  // Only for the modification time of each member.
  const auto kept = mpq::read_attributes(*from);
  std::vector<mpq::new_member> members;
  for (const mpq::member& each : from->members()) {
    // Its sentences may contain names; the caller adds them again.
    if (each.name == losses_member) continue;
    auto cleaned = cleaning.clean(*from, each.name);
    if (!cleaned) return fail(cleaned.error());
    if (!*cleaned) continue;
    members.push_back({each.name, std::move(**cleaned), from->storage_of(each)});
    if (kept && each.block < kept->rows.size()) {
      members.back().file_time = kept->rows[each.block].file_time.value_or(0);
    }
  }
  cleaning.finish();
  auto written = mpq::write_archive(*header, members, from->shape());
  if (!written) return fail(written.error());
  out.file = std::move(*written);
  return out;
}

}  // namespace tickreel::sc2replay

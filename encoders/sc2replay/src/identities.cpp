#include "identities.hpp"

#include <algorithm>
#include <charconv>

#include "tickreel/text/utf8.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::uint64_t first_spectator_id = 100;
// This many consecutive letters identify a name.
constexpr std::size_t part_letters = 4;
// Shorter names and smaller ids occur by chance.
constexpr std::size_t searchable_bytes = 3;
constexpr std::uint64_t searchable_id = 10'000;

// Lower case of a capital letter, in scripts that have case.
char32_t small(char32_t letter) noexcept {
  const bool latin =
      (letter >= U'A' && letter <= U'Z') || (letter >= 0xC0 && letter <= 0xDE && letter != 0xD7);
  const bool greek = letter >= 0x391 && letter <= 0x3A9;
  const bool cyrillic = letter >= 0x410 && letter <= 0x42F;
  if (latin || greek || cyrillic) return letter + 32;
  if (letter >= 0x400 && letter <= 0x40F) return letter + 80;
  return letter;
}

bool is_letter(char32_t letter) noexcept {
  return (letter >= U'a' && letter <= U'z') || (letter >= U'A' && letter <= U'Z') || letter >= 0xC0;
}

std::u32string characters(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const text::character next = text::first_character(text);
    out += next.code;
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::u32string small(std::u32string text) {
  std::ranges::transform(text, text.begin(), [](char32_t letter) { return small(letter); });
  return text;
}

std::string utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t each : text) text::append_utf8(each, out);
  return out;
}

// `high` and `low`: positions of a unit's bytes.
std::string utf16(std::u32string_view text, bool big_endian) {
  std::string out;
  const auto unit = [&](char32_t value) {
    const auto high = static_cast<char>(value >> 8 & 0xFF);
    const auto low = static_cast<char>(value & 0xFF);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  };
  for (const char32_t each : text) {
    if (each < 0x10000) {
      unit(each);
    } else {
      unit(0xD800 + ((each - 0x10000) >> 10));
      unit(0xDC00 + ((each - 0x10000) & 0x3FF));
    }
  }
  return out;
}

bool all_letters(std::u32string_view text) noexcept {
  return std::ranges::all_of(text, is_letter);
}

// The names in an anonymous replay.
bool is_neutral(std::string_view name) noexcept {
  for (const std::string_view word : {"Player ", "Spectator "}) {
    if (!name.starts_with(word)) continue;
    name.remove_prefix(word.size());
    return std::ranges::all_of(name, [](char each) { return each >= '0' && each <= '9'; });
  }
  return false;
}

// "2-S2-1-278321": 278321, and the part before it.
std::pair<std::string_view, std::uint64_t> split_handle(std::string_view handle) noexcept {
  const std::size_t last = handle.rfind('-');
  const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
  std::uint64_t id = 0;
  (void)std::from_chars(handle.data() + digits, handle.data() + handle.size(), id);
  return {handle.substr(0, digits), id};
}

}  // namespace

identities::identities(const replay& from) {
  for (const sc2replay::player& each : from.players) {
    if (each.type == player_type::computer) continue;
    const std::string neutral = "Player " + std::to_string(each.number);
    if (each.before) add(each.before->name, each.before->clan_tag, each.before->handle, neutral, each.number);
    add(each.name, each.clan_tag, each.handle, neutral, each.number);
  }
  // People who took over a slot and lost it to another one: treated as unknown.
  for (const resumption& each : from.resumptions) {
    for (const resumption::taken_user& user : each.users) {
      if (!names_.contains(user.by.name)) {
        add(user.by.name, user.by.clan_tag, user.by.handle, "Player", 0);
      }
    }
  }
  if (!from.lobby) return;
  for (std::size_t user = 0; user < from.lobby->users.size(); ++user) add_user(from, user);
  // Slots without a player's entry.
  for (const sc2replay::lobby_slot& slot : from.lobby->slots) {
    if (!slot.toon_handle.empty() && !handle(slot.toon_handle)) {
      add({}, {}, slot.toon_handle, {}, first_spectator_id + spectators_++);
    }
  }
}

std::optional<std::string> identities::look_up(const table& in, std::string_view key) {
  const auto found = in.find(key);
  if (found == in.end()) return std::nullopt;
  return found->second;
}

// Handles of the lobby's users and slots belong to the person with that entry.
void identities::add_user(const replay& from, std::size_t user) {
  const sc2replay::lobby_user& here = from.lobby->users[user];
  users_.resize(user + 1);
  if (here.name.empty()) return;
  const auto player =
      std::ranges::find_if(from.players, [user](const sc2replay::player& each) { return each.user == user; });
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

void identities::add(const std::string& name, const std::string& clan_tag, const std::string& handle,
                     const std::string& neutral, std::uint64_t id) {
  if (!name.empty()) names_.emplace(name, neutral);
  add_word(name);
  add_word(clan_tag);
  if (handle.empty()) return;
  const auto [server, number] = split_handle(handle);
  if (handles_.emplace(handle, std::string(server) + std::to_string(id)).second) add_id(number);
}

void identities::add_word(std::string_view text) {
  if (text.size() < searchable_bytes || is_neutral(text)) return;
  const std::u32string spelled = characters(text);
  const auto add_pattern = [this](std::u32string_view part) {
    patterns_.insert(utf8(part));
    patterns_.insert(utf16(part, false));
    patterns_.insert(utf16(part, true));
  };
  bool has_part = false;
  for (std::size_t at = 0; at + part_letters <= spelled.size(); ++at) {
    const std::u32string part = spelled.substr(at, part_letters);
    if (!all_letters(part)) continue;
    has_part = true;
    parts_.insert(small(part));
    add_pattern(part);
  }
  if (has_part) return;
  wholes_.insert(small(spelled));
  add_pattern(spelled);
}

void identities::add_id(std::uint64_t id) {
  if (id < searchable_id) return;
  const std::u32string digits = characters(std::to_string(id));
  wholes_.insert(digits);
  patterns_.insert(utf8(digits));
  patterns_.insert(utf16(digits, false));
  patterns_.insert(utf16(digits, true));
  // As a number of four bytes, in both byte orders, and as in versioned data.
  std::string little;
  for (unsigned i = 0; i < 4; ++i) little += static_cast<char>(id >> (8 * i) & 0xFF);
  patterns_.insert(little);
  patterns_.insert(std::string(little.rbegin(), little.rend()));
  std::string integer;
  for (std::uint64_t rest = id << 1; rest != 0; rest >>= 7) {
    integer += static_cast<char>((rest & 0x7F) | (rest > 0x7F ? 0x80 : 0));
  }
  patterns_.insert(integer);
}

bool identities::shares(std::string_view text) const {
  const std::u32string letters = small(characters(text));
  const std::u32string_view view = letters;
  for (std::size_t at = 0; at + part_letters <= view.size(); ++at) {
    if (parts_.contains(view.substr(at, part_letters))) return true;
  }
  return std::ranges::any_of(
      wholes_, [&](const std::u32string& each) { return view.find(each) != std::u32string_view::npos; });
}

bool identities::held_by(byte_span bytes) const {
  const std::string_view text = as_text(bytes);
  return std::ranges::any_of(
      patterns_, [&](const std::string& each) { return text.find(each) != std::string_view::npos; });
}

}  // namespace tickreel::sc2replay

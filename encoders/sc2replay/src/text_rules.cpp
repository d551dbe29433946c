#include "text_rules.hpp"

#include <algorithm>
#include <array>

#include "tickreel/text/ascii.hpp"

namespace tickreel::sc2replay {

namespace {

struct row {
  std::string_view where;
  std::string_view field;
  text_rule rule;
};

constexpr std::array lobby_rows = {
    row{"user_initial_data", "name", text_rule::name},
    row{"user_initial_data", "clan_logo", text_rule::erased},
    row{"user_initial_data", "toon_handle", text_rule::handle},
    row{"user_initial_data", "hero", text_rule::word},
    row{"slots", "toon_handle", text_rule::handle},
    row{"slots", "hero", text_rule::word},
    row{"slots", "commander", text_rule::word},
    row{"players", "name", text_rule::name},
    row{"players", "race", text_rule::race},
    row{"players", "color", text_rule::color},
    row{"", "game_cache_name", text_rule::cache_name},
    row{"", "map_file_name", text_rule::cache},
    row{"", "mod_file_name", text_rule::cache},
    row{"", "map_author_name", text_rule::author_handle},
    row{"", "cache_handles", text_rule::hash},
    row{"", "title", text_rule::map_text},
};

// Names in scripts of maps, and the game's data of people.
constexpr std::array event_rows = {
    row{"user_options", "hotkey_profile", text_rule::hotkey_profile},
    row{"bank_key", "data", text_rule::number},
    row{"bank_value", "data", text_rule::number},
    row{"bank_signature", "toon_handle", text_rule::handle},
    row{"trigger_chat_message", "chat_message", text_rule::chat},
    row{"hijack_replay_game", "name", text_rule::name},
    row{"hijack_replay_game", "toon_handle", text_rule::handle},
    row{"hijack_replay_game", "clan_logo", text_rule::erased},
    row{"game_user_join", "name", text_rule::name},
    row{"game_user_join", "toon_handle", text_rule::handle},
    row{"game_user_join", "clan_logo", text_rule::erased},
    row{"trigger_movie_function", "function_name", text_rule::word},
    row{"trigger_cutscene_bookmark_fired", "bookmark_name", text_rule::word},
    row{"trigger_cutscene_conversation_line", "conversation_line", text_rule::word},
    row{"trigger_cutscene_conversation_line", "alt_conversation_line", text_rule::word},
    row{"trigger_cutscene_conversation_line_missing", "conversation_line", text_rule::word},
    row{"catalog_modify", "field", text_rule::word},
    row{"catalog_modify", "value", text_rule::number},
};

text_rule find(const auto& rows, std::string_view where, std::string_view field) noexcept {
  const auto found =
      std::ranges::find_if(rows, [&](const row& each) { return each.where == where && each.field == field; });
  return found == rows.end() ? text_rule::drop : found->rule;
}

using text::is_digit;
bool is_hex(char letter) noexcept {
  return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}
bool is_latin(char letter) noexcept {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

}  // namespace

text_rule rule_of_lobby_text(std::string_view list, std::string_view field) noexcept {
  return find(lobby_rows, list, field);
}

text_rule rule_of_event_text(std::string_view event, std::string_view field) noexcept {
  return find(event_rows, event, field);
}

bool is_word(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char each) {
    return is_latin(each) || is_digit(each) ||
           std::string_view("_-./@:").find(each) != std::string_view::npos;
  });
}

bool is_number(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, [](char each) { return is_digit(each) || each == '.'; });
}

bool is_color(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char each) { return is_digit(each) || each == ','; });
}

// "2-S2-1-278321"
bool is_handle(std::string_view text) noexcept {
  constexpr std::size_t dashes = 3;
  return std::ranges::count(text, '-') == dashes && text.find("-S2-") != std::string_view::npos &&
         std::ranges::all_of(text, [](char each) { return is_digit(each) || each == '-' || each == 'S'; });
}

// "Cache/4d/5f/4d5f....s2ma", whose names are digits of a hash.
bool is_cache_path(std::string_view text) noexcept {
  if (text.starts_with("Cache")) text.remove_prefix(5);
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view kind = text.substr(dot + 1);
  if (kind != "s2ma" && kind != "s2mv" && kind != "s2ml") return false;
  return std::ranges::all_of(text.substr(0, dot),
                             [](char each) { return is_hex(each) || each == '/' || each == '\\'; });
}

bool is_hotkey_profile(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 8> shipped = {
      "",          "<custom>", "0_Default",          "1_GridLayout",
      "2_Classic", "Standard", "StandardForLefties", "GridLayout"};
  return std::ranges::find(shipped, text) != shipped.end();
}

}  // namespace tickreel::sc2replay

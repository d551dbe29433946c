#include "player_table.hpp"

#include "header.hpp"
#include "tables.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::butter {
namespace {

// Letters of U+00C0 to U+017F without their accents; '?' without a single base letter.
constexpr std::string_view base_letters =
    "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYPsaaaaaaaceeeeiiiidnooooo?ouuuuypy"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
    "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static_assert(base_letters.size() == 0x180 - 0xC0);

std::uint8_t clamped_u8(std::int32_t value, std::int32_t most, std::uint32_t& clamped) noexcept {
  if (value >= 0 && value <= most) return static_cast<std::uint8_t>(value);
  ++clamped;
  return static_cast<std::uint8_t>(value < 0 ? 0 : most);
}

std::uint8_t clamped_u8(std::int32_t value) noexcept {
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

}  // namespace

bool transliterate(std::string_view from, echo::text<64>& to) noexcept {
  char letters[64];
  std::size_t length = 0;
  bool same = true;
  for (std::size_t at = 0; at < from.size() && length < sizeof(letters);) {
    const auto next = tickreel::text::first_character(from.substr(at));
    const char32_t character = next.code;
    at += next.bytes;
    const bool plain = character > 0 && character < 0x80;
    same = same && plain;
    letters[length++] = plain                                    ? static_cast<char>(character)
                        : character >= 0xC0 && character < 0x180 ? base_letters[character - 0xC0]
                                                                 : '?';
  }
  to.assign({letters, length});
  return same;
}

player_table::player_table() {
  entries_.reserve(max_table_players);
}

void player_table::begin(const echo::session& first) noexcept {
  begun_ = true;
  ++revision_;
  if (!transliterate(first.client_name.view(), client_name_)) ++transliterated_;
  session_id_ = first.sessionid;
  session_id_bytes_ = session_id_bytes(first.sessionid.view());
  session_ip_ = session_ip_bytes(first.sessionip.view());
  round_count_ = clamped_u8(first.total_round_count, 255, clamped_);
  const std::uint8_t blue = clamped_u8(first.blue_round_score, 15, clamped_);
  const std::uint8_t orange = clamped_u8(first.orange_round_score, 15, clamped_);
  round_scores_ = static_cast<std::uint8_t>(blue | orange << 4);
  map_name_ = first.map_name;
  const std::uint8_t code = code_of(map_names, first.map_name.view(), 0);
  map_byte_ = static_cast<std::uint8_t>(code << 1 | (first.private_match ? 1 : 0));
  mode_ = echo::mode_of(first.map_name.view());
}

bool player_table::is_about(const echo::session& match) const noexcept {
  return match.sessionid == session_id_ && match.map_name == map_name_;
}

void player_table::update(entry& known, const echo::player& player) noexcept {
  // For about two frames after a player joined the game reports 0 for both.
  if (player.number == 0 && player.level == 0) return;
  // The format stores the low byte of "no number", -1, which reads back as 255: it counts as out of range.
  const std::uint8_t number = player.number == -1 ? 255 : clamped_u8(player.number);
  const std::uint8_t level = clamped_u8(player.level);
  if (known.number == number && known.level == level) return;
  clamped_ += (number != player.number ? 1u : 0u) + (level != player.level ? 1u : 0u);
  known.number = number;
  known.level = level;
  ++revision_;
}

std::uint8_t player_table::find(const echo::player& player) const noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].userid == player.userid && entries_[i].name == player.name) {
      return static_cast<std::uint8_t>(i + 1);
    }
  }
  return 0;
}

std::uint8_t player_table::index_of(const echo::player& player, std::uint8_t hint) noexcept {
  std::uint8_t index = hint;
  if (hint == 0 || entries_[hint - 1u].userid != player.userid ||
      !(entries_[hint - 1u].name == player.name)) {
    index = find(player);
  }
  if (index == 0) {
    if (entries_.size() == max_table_players) return 0;
    entry fresh;
    fresh.userid = player.userid;
    fresh.name = player.name;
    if (!transliterate(player.name.view(), fresh.written)) ++transliterated_;
    entries_.push_back(fresh);
    ++revision_;
    index = static_cast<std::uint8_t>(entries_.size());
  }
  update(entries_[index - 1u], player);
  return index;
}

std::uint8_t player_table::index_of_name(std::string_view name) const noexcept {
  if (name.empty() || name == invalid_player) return 0;
  for (std::size_t i = entries_.size(); i > 0; --i) {
    if (entries_[i - 1].name.view() == name) return static_cast<std::uint8_t>(i);
  }
  return 0;
}

std::size_t player_table::max_size() noexcept {
  constexpr std::size_t name_size = 65;
  return 4 + name_size + 16 + 4 + 1 + max_table_players * (name_size + 8 + 1 + 1) + 3;
}

void player_table::write(byte_writer& out) const noexcept {
  out.u8(3);
  out.u16(300);
  out.u8(static_cast<std::uint8_t>(compression::gzip));
  out.zero_terminated(client_name_.view());
  out.bytes(session_id_bytes_);
  out.bytes(session_ip_);
  out.u8(static_cast<std::uint8_t>(entries_.size()));
  for (const entry& known : entries_) out.zero_terminated(known.written.view());
  for (const entry& known : entries_) out.u64(known.userid);
  for (const entry& known : entries_) out.u8(known.number);
  for (const entry& known : entries_) out.u8(known.level);
  out.u8(round_count_);
  out.u8(round_scores_);
  out.u8(map_byte_);
}

}  // namespace tickreel::butter

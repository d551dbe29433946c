#include "header.hpp"

#include <charconv>

#include "tables.hpp"

namespace tickreel::butter {
namespace {

std::string session_id_text(byte_span bytes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto value = std::to_integer<unsigned>(bytes[i]);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

std::string session_ip_text(byte_span bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i != 0) text += '.';
    text += std::to_string(std::to_integer<unsigned>(bytes[i]));
  }
  return text;
}

int hexadecimal_digit(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

result<parsed_header> read_header(byte_reader& in) {
  parsed_header head;
  file_header& values = head.values;
  values.version = in.u8();
  if (!in.ok()) return in.failure("version");
  if (values.version < 1 || values.version > 3) {
    return fail(error_code::unsupported_version, 0, "version {}", values.version);
  }
  values.keyframe_interval_ticks = in.u16();
  const std::uint64_t compression_at = in.offset();
  const std::uint8_t codec = in.u8();
  if (in.ok() && codec > static_cast<std::uint8_t>(compression::zstd_7_dict)) {
    return fail(error_code::unsupported_codec, compression_at, "compression byte {}", codec);
  }
  values.codec = static_cast<compression>(codec);
  values.client_name = in.zero_terminated(name_limit);
  values.session_id = session_id_text(in.bytes(16));
  values.session_ip = session_ip_text(in.bytes(4));
  if (!in.ok()) return in.failure("header");

  values.players.resize(in.u8());
  for (player_entry& player : values.players) player.name = in.zero_terminated(name_limit);
  for (player_entry& player : values.players) player.userid = in.i64();
  for (player_entry& player : values.players) player.number = in.u8();
  for (player_entry& player : values.players) player.level = in.u8();
  values.total_round_count = in.u8();
  const std::uint8_t scores = in.u8();
  values.blue_round_score = scores & 15;
  values.orange_round_score = scores >> 4;
  const std::uint8_t map = in.u8();
  if (!in.ok()) return in.failure("player table");
  values.private_match = (map & 1) != 0;
  head.map_code = map >> 1;
  values.map_name = head.map_code < map_names.size() ? std::string(map_names[head.map_code])
                                                     : std::to_string(head.map_code);
  return head;
}

std::array<std::byte, 16> session_id_bytes(std::string_view text) noexcept {
  std::array<std::byte, 16> bytes{};
  std::size_t digits = 0;
  for (const char letter : text) {
    if (letter == '-') continue;
    const int value = hexadecimal_digit(letter);
    if (value < 0 || digits == 32) return {};
    bytes[digits / 2] |= static_cast<std::byte>(digits % 2 == 0 ? value << 4 : value);
    ++digits;
  }
  return digits == 32 ? bytes : std::array<std::byte, 16>{};
}

std::array<std::byte, 4> session_ip_bytes(std::string_view text) noexcept {
  std::array<std::byte, 4> bytes{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint8_t part = 0;
    const auto [next, problem] = std::from_chars(at, end, part);
    const bool last = i == 3;
    if (problem != std::errc{} || (last ? next != end : next == end || *next != '.')) return {};
    bytes[i] = static_cast<std::byte>(part);
    at = last ? next : next + 1;
  }
  return bytes;
}

}  // namespace tickreel::butter

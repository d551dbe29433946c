#include "tickreel/fleet/message.hpp"

#include <algorithm>
#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tickreel/text/ascii.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::fleet {

namespace {

constexpr std::string_view record_prefix = "tickreel.";
constexpr std::string_view status_prefix = "tickreel-status.";
constexpr std::string_view archived_prefix = "tickreel-archived.";
constexpr std::string_view work_prefix = "tickreel-work.";
constexpr std::string_view hex_digits = "0123456789ABCDEF";
constexpr std::uint32_t max_parts = 1024;

// In the order of reel::record_kind; "header" is the reel's own header.
constexpr std::array<std::string_view, 7> kind_names = {"header", "chunk", "event", "header-update",
                                                        "gap",    "index", "end"};

bool is_unescaped(char one) noexcept {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') ||
         one == '-' || one == '_';
}

// "3/7" and the like.
template <class Number>
bool read_pair(std::string_view text, char between, Number& first, Number& second) noexcept {
  const auto at = text.find(between);
  return at != std::string_view::npos && text::parse_number(text.substr(0, at), first) &&
         text::parse_number(text.substr(at + 1), second);
}

}  // namespace

result<std::string> to_token(std::string_view name) {
  if (name.empty()) {
    return fail(error_code::invalid_argument, error::no_offset,
                "the names of a league and a match must not be empty");
  }
  std::string out;
  for (const char one : name) {
    if (is_unescaped(one)) {
      out += one;
      continue;
    }
    const auto byte = static_cast<unsigned char>(one);
    out += {'=', hex_digits[byte >> 4u], hex_digits[byte & 15u]};
  }
  if (out.size() > max_token_bytes) {
    return fail(error_code::over_limit, error::no_offset,
                "the name of a league or a match takes {} bytes on the wire; {} are allowed",
                static_cast<std::int64_t>(out.size()), static_cast<std::int64_t>(max_token_bytes));
  }
  return out;
}

std::optional<std::string> from_token(std::string_view token) {
  if (token.empty() || token.size() > max_token_bytes) return std::nullopt;
  std::string out;
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (is_unescaped(token[at])) {
      out += token[at];
      continue;
    }
    if (token[at] != '=' || at + 2 >= token.size()) return std::nullopt;
    const auto high = hex_digits.find(token[at + 1]);
    const auto low = hex_digits.find(token[at + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    const char byte = static_cast<char>(high * 16 + low);
    if (is_unescaped(byte)) return std::nullopt;
    out += byte;
    at += 2;
  }
  return out;
}

result<match_subjects> subjects_of(const match_name& name) {
  const auto league = to_token(name.league);
  if (!league) return fail(league.error());
  const auto match = to_token(name.match);
  if (!match) return fail(match.error());
  const std::string both = *league + "." + *match;
  match_subjects out;
  out.stream = std::string(record_stream_prefix) + *league;
  out.league_subjects = std::string(record_prefix) + *league + ".>";
  out.records = std::string(record_prefix) + both;
  out.status = std::string(status_prefix) + both;
  out.archived = std::string(archived_prefix) + both;
  out.work = std::string(work_prefix) + both;
  return out;
}

std::optional<match_name> match_of_subject(std::string_view subject) {
  for (const std::string_view prefix : {record_prefix, status_prefix, archived_prefix, work_prefix}) {
    if (!subject.starts_with(prefix)) continue;
    const std::string_view rest = subject.substr(prefix.size());
    const auto dot = rest.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    auto league = from_token(rest.substr(0, dot));
    auto match = from_token(rest.substr(dot + 1));
    if (!league || !match) return std::nullopt;
    return match_name{std::move(*league), std::move(*match)};
  }
  return std::nullopt;
}

std::string reel_id(byte_span header_bytes, const match_subjects& subjects) {
  byte_vector hashed(header_bytes.begin(), header_bytes.end());
  const byte_span subject = as_bytes(subjects.records);
  hashed.insert(hashed.end(), subject.begin(), subject.end());
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(hashed.data(), hashed.size()));
  return text::to_hex(std::as_bytes(std::span(canonical.digest)));
}

bool is_reel_id(std::string_view text) noexcept {
  return text.size() == 32 && std::ranges::all_of(text, [](char one) {
           return (one >= '0' && one <= '9') || (one >= 'a' && one <= 'f');
         });
}

header_fields to_fields(const message_head& head) {
  header_fields out;
  out.emplace_back("Tickreel-Reel", head.reel);
  if (head.sequence) out.emplace_back("Tickreel-Sequence", std::to_string(*head.sequence));
  const auto kind = head.sequence ? static_cast<std::size_t>(head.kind) : 0;
  // An unknown kind is written as its number.
  out.emplace_back("Tickreel-Kind",
                   kind < kind_names.size() ? std::string(kind_names[kind]) : std::to_string(kind));
  if (head.sequence) {
    out.emplace_back("Tickreel-Ticks",
                     std::to_string(head.first_tick) + "-" + std::to_string(head.last_tick));
    if (head.flags != 0) out.emplace_back("Tickreel-Flags", std::to_string(head.flags));
    if (head.is_entry()) out.emplace_back("Tickreel-Keyframe", "1");
  }
  if (head.parts > 1) {
    out.emplace_back("Tickreel-Part", std::to_string(head.part) + "/" + std::to_string(head.parts));
  }
  if (!head.sequence && head.confirmed != 0) {
    out.emplace_back("Tickreel-Confirmed", std::to_string(head.confirmed));
  }
  if (head.sent_at_us != 0) out.emplace_back("Tickreel-Sent", std::to_string(head.sent_at_us));
  return out;
}

message_head head_of_record(std::string_view reel, const reel::record_info& info) {
  message_head out;
  out.reel = reel;
  out.sequence = info.sequence;
  out.kind = info.kind;
  out.flags = info.flags;
  out.first_tick = info.first_tick;
  out.last_tick = info.last_tick;
  return out;
}

result<message_head> read_fields(const std::function<std::string_view(const char* name)>& value_of) {
  const auto wrong = [](const char* detail) { return fail(error_code::malformed, error::no_offset, detail); };
  message_head out;
  out.reel = value_of("Tickreel-Reel");
  if (!is_reel_id(out.reel)) return wrong("the message belongs to no reel");
  const std::string_view kind = value_of("Tickreel-Kind");
  const auto known = std::ranges::find(kind_names, kind);
  if (const std::string_view sequence = value_of("Tickreel-Sequence"); !sequence.empty()) {
    std::uint32_t number = 0;
    if (!text::parse_number(sequence, number)) return wrong("Tickreel-Sequence is not a number");
    out.sequence = number;
  }
  if ((known == kind_names.begin()) == out.sequence.has_value()) {
    return wrong("the message is not a header and has no sequence");
  }
  if (out.sequence) {
    auto number = static_cast<std::uint8_t>(known - kind_names.begin());
    if (known == kind_names.end() && !text::parse_number(kind, number)) {
      return wrong("Tickreel-Kind is invalid");
    }
    out.kind = static_cast<reel::record_kind>(number);
    if (!read_pair(value_of("Tickreel-Ticks"), '-', out.first_tick, out.last_tick)) {
      return wrong("Tickreel-Ticks is invalid");
    }
    if (const auto flags = value_of("Tickreel-Flags");
        !flags.empty() && !text::parse_number(flags, out.flags)) {
      return wrong("Tickreel-Flags is invalid");
    }
  }
  if (const auto part = value_of("Tickreel-Part"); !part.empty()) {
    if (!read_pair(part, '/', out.part, out.parts) || out.parts < 2 || out.parts > max_parts ||
        out.part >= out.parts) {
      return wrong("Tickreel-Part is invalid");
    }
  }
  if (const auto count = value_of("Tickreel-Confirmed");
      !count.empty() && !text::parse_number(count, out.confirmed)) {
    return wrong("Tickreel-Confirmed is not a number");
  }
  if (const auto sent = value_of("Tickreel-Sent");
      !sent.empty() && !text::parse_number(sent, out.sent_at_us)) {
    return wrong("Tickreel-Sent is not a time");
  }
  return out;
}

}  // namespace tickreel::fleet

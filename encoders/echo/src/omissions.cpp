#include "tickreel/echo/omissions.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/counted.hpp"

namespace tickreel::echo {

namespace {

constexpr std::size_t longest_text = 255;

std::string_view reason_of(omission_kind kind) noexcept {
  switch (kind) {
    case omission_kind::unknown_field:
      return "is known in no version of the game";
    case omission_kind::wrong_type:
      return "is not of the type or range that is known, and counts as absent";
    case omission_kind::cut_text:
      return "is longer than there is room for, and was cut";
    case omission_kind::dropped_player:
      return "is beyond the players or teams that a tick holds";
    case omission_kind::repeated_field:
      return "stands more than once; the last one counts";
    case omission_kind::missing_part:
      return "is missing, and became its default";
    case omission_kind::unreadable_bones:
      return "could not be read or kept, so the skeletons of its tick are missing";
    case omission_kind::replaced_text:
      return "has bytes or escapes that are no Unicode, and got U+FFFD in their place";
  }
  return "was left out";
}

std::uint64_t hash_of(omission_kind kind, std::string_view path, std::string_view value) noexcept {
  const std::uint64_t parts[] = {static_cast<std::uint64_t>(kind), xxh3_64(as_bytes(path)),
                                 xxh3_64(as_bytes(value))};
  return xxh3_64(std::as_bytes(std::span(parts)));
}

std::string_view limited(std::string_view text) noexcept {
  return text.substr(0, longest_text);
}

std::string place_text(const omission_place& at) {
  std::string text = "first in tick " + std::to_string(at.tick);
  if (at.line != 0) {
    text += " (line " + std::to_string(at.line) + " at offset " + std::to_string(at.offset) + ")";
  }
  return text;
}

}  // namespace

omission_tally::entry* omission_tally::find(omission_kind kind, std::string_view path, std::string_view value,
                                            std::uint64_t hash) noexcept {
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    entry& each = entries_[i];
    if (hashes_[i] == hash && each.kind == kind && each.path == path && each.value == value) return &each;
  }
  return nullptr;
}

void omission_tally::left_out(const omission& what) noexcept {
  counts_[static_cast<std::size_t>(what.kind)] += what.count;
  const std::string_view path = limited(what.path);
  const std::string_view value = limited(what.value);
  const std::uint64_t hash = hash_of(what.kind, path, value);
  if (entry* const known = find(what.kind, path, value, hash)) {
    known->count += what.count;
  } else if (entries_.size() < max_kept) {
    entries_.push_back({what.kind, std::string(path), std::string(value), what.count, place_});
    hashes_.push_back(hash);
  }
}

void omission_tally::add(const omission_tally& other) noexcept {
  std::array<std::uint64_t, omission_kinds> unnamed = other.counts_;
  for (const entry& each : other.entries_) {
    left_out({each.kind, each.path, each.value, each.count});
    unnamed[static_cast<std::size_t>(each.kind)] -= each.count;
  }
  for (std::size_t i = 0; i < unnamed.size(); ++i) counts_[i] += unnamed[i];
}

std::uint64_t omission_tally::total() const noexcept {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

std::vector<omission_tally::account> omission_tally::accounts() const {
  // Each player is named; of other values the first few serve as examples.
  constexpr std::size_t max_shown_values = 4;
  constexpr std::size_t max_shown_sentences = 24;
  std::vector<account> all;
  std::vector<bool> reported(entries_.size());
  std::uint64_t named = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (reported[i]) continue;
    if (all.size() == max_shown_sentences) break;
    const entry& first = entries_[i];
    std::uint64_t count = 0;
    std::size_t shown = 0;
    std::size_t different = 0;
    std::string values;
    for (std::size_t j = i; j < entries_.size(); ++j) {
      const entry& each = entries_[j];
      if (each.kind != first.kind || each.path != first.path) continue;
      reported[j] = true;
      count += each.count;
      ++different;
      if (each.value.empty() || (shown == max_shown_values && first.kind != omission_kind::dropped_player))
        continue;
      values += (shown++ == 0 ? ": " : ", ") + each.value;
    }
    if (shown != 0 && shown < different) values += " and others";
    named += count;
    all.push_back({first.kind,
                   (at_least_ ? "at least " : "") + counted(count, "time ", "times ") + first.path + " " +
                       std::string(reason_of(first.kind)) + values + "; " + place_text(first.first),
                   first.first});
  }
  if (const std::uint64_t more = total() - named; more != 0) {
    all.push_back({omission_kind::unknown_field,
                   counted(more, "more value was", "more values were") + " left out than are named here",
                   std::nullopt});
  }
  return all;
}

std::vector<std::string> omission_tally::sentences() const {
  std::vector<std::string> all;
  for (account& each : accounts()) all.push_back(std::move(each.sentence));
  return all;
}

byte_vector omission_tally::record_of(const entry& from) {
  const std::string_view path = limited(from.path);
  const std::string_view value = limited(from.value);
  byte_vector bytes(1 + 8 + 8 + 1 + path.size() + 1 + value.size());
  byte_writer out(bytes);
  out.u8(static_cast<std::uint8_t>(from.kind));
  out.u64(from.count);
  out.u64(from.first.tick);
  out.u8(static_cast<std::uint8_t>(path.size()));
  out.bytes(as_bytes(path));
  out.u8(static_cast<std::uint8_t>(value.size()));
  out.bytes(as_bytes(value));
  return bytes;
}

bool omission_tally::take_record(byte_span record) {
  byte_reader in(record);
  const std::uint8_t number = in.u8();
  const std::uint64_t count = in.u64();
  const std::uint64_t tick = in.u64();
  const std::string_view path = as_text(in.bytes(in.u8()));
  const std::string_view value = as_text(in.bytes(in.u8()));
  if (!in.ok() || !in.at_end() || number >= omission_kinds || count == 0) return false;
  const auto kind = static_cast<omission_kind>(number);
  std::uint64_t& counted = counts_[number];
  const std::uint64_t hash = hash_of(kind, path, value);
  if (entry* const known = find(kind, path, value, hash)) {
    if (count > known->count) {
      counted += count - known->count;
      known->count = count;
    }
    return true;
  }
  counted += count;
  if (entries_.size() < max_kept) {
    entries_.push_back({kind, std::string(path), std::string(value), count, {tick, 0, 0}});
    hashes_.push_back(hash);
  }
  return true;
}

void omission_tally::keep_only(std::initializer_list<omission_kind> kinds) {
  const auto stays = [&](omission_kind kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (stays(entries_[i].kind)) continue;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    hashes_.erase(hashes_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (!stays(static_cast<omission_kind>(i))) counts_[i] = 0;
  }
}

void omission_tally::clear() noexcept {
  at_least_ = false;
  place_ = {};
  counts_ = {};
  entries_.clear();
  hashes_.clear();
}

}  // namespace tickreel::echo

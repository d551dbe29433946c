// Values of the game's responses that a state cannot store: reported one by one, and counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"

namespace tickreel::echo {

// The values are stored in reels: never change them, append new ones.
enum class omission_kind : std::uint8_t {
  unknown_field = 0,     // an unknown key
  wrong_type = 1,        // a value of another type, or out of its range; read as absent
  cut_text = 2,          // longer than the state's capacity; truncated
  dropped_player = 3,    // beyond max_players, or in a fourth team
  repeated_field = 4,    // a duplicate key in one object; the last counts
  missing_part = 5,      // a field of stats, pause, last_score, last_throw or a skeleton; read as its default
  unreadable_bones = 6,  // a /player_bones response that is not JSON, came late, or was too long to be stored
  replaced_text = 7,     // not UTF-8, or with half a surrogate pair; U+FFFD replaces invalid bytes
};
inline constexpr std::size_t omission_kinds = 8;

// One omitted value. The texts are valid during the call.
struct omission {
  omission_kind kind = omission_kind::unknown_field;
  std::string_view path;   // as in "teams.players.stats.points"
  std::string_view value;  // as in the response, possibly truncated; of a player the name, or the slot
  std::uint64_t count = 1;
};

// The first characters of an unreadable response, for messages.
[[nodiscard]] inline std::string_view beginning_of(std::string_view answer) noexcept {
  return answer.substr(0, 40);
}

class omission_listener {
 public:
  // Called while the response is parsed.
  virtual void left_out(const omission& what) noexcept = 0;

 protected:
  ~omission_listener() = default;
};

// The position of the response in a recording.
struct omission_place {
  std::uint64_t tick = 0;
  std::uint64_t line = 0;    // of an .echoreplay, from 1; 0: none
  std::uint64_t offset = 0;  // of that line in the text
};

// Counts the omissions of a whole recording. Of each kind, path and value it keeps the first position and the
// count, for up to `max_kept` of them; beyond that only the kinds are counted. Bounded for any input. One
// thread at a time.
class omission_tally final : public omission_listener {
 public:
  // More than the players that one .butter distinguishes, and their skeletons, so that each one is named.
  static constexpr std::size_t max_kept = 640;

  struct entry {
    omission_kind kind = omission_kind::unknown_field;
    std::string path;
    std::string value;
    std::uint64_t count = 0;
    omission_place first;
  };

  // Of the following calls.
  void set_place(const omission_place& place) noexcept { place_ = place; }
  void left_out(const omission& what) noexcept override;
  // Adds the counts of another tally at the current position.
  void add(const omission_tally& other) noexcept;

  // The counts may be too low, like those of a reel until its end is read: sentences then say "at least".
  void set_at_least(bool at_least) noexcept { at_least_ = at_least; }

  // In all, of every kind.
  [[nodiscard]] std::uint64_t total() const noexcept;
  [[nodiscard]] std::uint64_t count(omission_kind kind) const noexcept {
    return counts_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] bool empty() const noexcept { return total() == 0; }
  [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }

  // For users, one for each kind and path, with the first values and the first position. Texts of the
  // recording are unchanged.
  struct account {
    omission_kind kind = omission_kind::unknown_field;
    std::string sentence;
    std::optional<omission_place> first;
  };
  [[nodiscard]] std::vector<account> accounts() const;
  [[nodiscard]] std::vector<std::string> sentences() const;

  // Converts one entry to a record and back, the form in reels. The tally keeps the higher of two counts, so that an
  // entry may be written when it is new and again at the end. False, without a change, if it is not such a record.
  //
  //   u8 kind | u64 count | u64 first tick | u8 length, path | u8 length, value
  [[nodiscard]] static byte_vector record_of(const entry& from);
  bool take_record(byte_span record);

  // Removes the others.
  void keep_only(std::initializer_list<omission_kind> kinds);
  void clear() noexcept;

 private:
  entry* find(omission_kind kind, std::string_view path, std::string_view value, std::uint64_t hash) noexcept;

  bool at_least_ = false;
  omission_place place_;
  std::array<std::uint64_t, omission_kinds> counts_{};
  std::vector<entry> entries_;
  std::vector<std::uint64_t> hashes_;  // of entries_
};

// The type of a reel's event that holds a record.
inline constexpr std::uint32_t omission_event = 0x4C4F4D4F;  // "OMOL"

}  // namespace tickreel::echo

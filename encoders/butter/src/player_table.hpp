// The encoder's part of a .butter header: the first frame's facts and the players seen to date.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

inline constexpr std::size_t max_table_players = 255;

// The text in ASCII, as the format's readers expect it: accents are removed, characters without a base letter
// become '?'. True if nothing changed.
bool transliterate(std::string_view from, echo::text<64>& to) noexcept;

class player_table {
 public:
  player_table();

  // The file's facts, from its first frame. Later frames change only the players.
  void begin(const echo::session& first) noexcept;
  [[nodiscard]] bool begun() const noexcept { return begun_; }
  [[nodiscard]] echo::mode mode() const noexcept { return mode_; }
  [[nodiscard]] bool is_about(const echo::session& match) const noexcept;

  // The index of the player, from 1; adds an entry for a new player and for a new name. 0 if the table is
  // full. `hint` is the index of the same player in the last frame, or 0. Updates number and level.
  std::uint8_t index_of(const echo::player& player, std::uint8_t hint) noexcept;
  // 0 if there is no player of that name.
  [[nodiscard]] std::uint8_t index_of_name(std::string_view name) const noexcept;
  [[nodiscard]] std::uint8_t find(const echo::player& player) const noexcept;
  [[nodiscard]] std::uint64_t userid(std::uint8_t index) const noexcept {
    return index == 0 ? 0 : entries_[index - 1u].userid;
  }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

  [[nodiscard]] std::uint32_t revision() const noexcept { return revision_; }
  [[nodiscard]] std::uint32_t transliterated() const noexcept { return transliterated_; }
  [[nodiscard]] std::uint32_t clamped() const noexcept { return clamped_; }
  [[nodiscard]] static std::size_t max_size() noexcept;
  void write(byte_writer& out) const noexcept;

 private:
  struct entry {
    std::uint64_t userid = 0;
    echo::text<64> name;     // as supplied by the API
    echo::text<64> written;  // as written to the file
    std::uint8_t number = 0;
    std::uint8_t level = 0;
  };

  void update(entry& known, const echo::player& player) noexcept;

  std::vector<entry> entries_;  // room for all is reserved at construction
  echo::text<64> client_name_;
  echo::text<40> session_id_;
  echo::text<40> map_name_;
  std::array<std::byte, 16> session_id_bytes_{};
  std::array<std::byte, 4> session_ip_{};
  std::uint8_t round_count_ = 0;
  std::uint8_t round_scores_ = 0;
  std::uint8_t map_byte_ = 0;
  echo::mode mode_ = echo::mode::other;
  bool begun_ = false;
  std::uint32_t revision_ = 0;
  std::uint32_t transliterated_ = 0;
  std::uint32_t clamped_ = 0;
};

}  // namespace tickreel::butter

// Finds people's names in texts.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/metadata.hpp"

namespace tickreel::icrep {

class name_replacer {
 public:
  // Each player's name becomes "Player N".
  explicit name_replacer(const std::vector<player_entry>& players);

  // Replaces whole words, without regard to the case of A to Z; '_' ends a word except beside names of one or
  // two bytes. A text that exceeds `limit_bytes` is truncated between two characters. Returns whether
  // anything changed, and counts it.
  bool replace(std::string& text, std::size_t limit_bytes);
  // In every text of valid JSON, with any escapes, also in keys; a duplicate key in an object becomes "Player
  // 1 (2)".
  bool replace_in_json(std::string& json, std::size_t limit_bytes);
  // Whether bytes that are not text contain a name.
  [[nodiscard]] bool is_in(byte_span bytes) const;

  // A key that is not in `used`, to which it is added.
  static std::string unused_key(const std::string& key, std::set<std::string>& used);

  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

 private:
  struct known_name {
    std::string folded;  // letters A to Z in lower case
    std::string instead;
  };
  std::vector<known_name> names_;  // the longest first
  std::uint64_t changes_ = 0;
};

}  // namespace tickreel::icrep

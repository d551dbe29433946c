// The people in a replay, their new identities, and the texts that identify them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::sc2replay {

class identities {
 public:
  // All people in the details or the lobby, without computers.
  explicit identities(const replay& from);

  // The replacement of a name or handle; empty for other texts.
  [[nodiscard]] std::optional<std::string> name(std::string_view old) const { return look_up(names_, old); }
  [[nodiscard]] std::optional<std::string> handle(std::string_view old) const {
    return look_up(handles_, old);
  }
  // Two players may have one name; their indices in the lobby distinguish them.
  [[nodiscard]] std::string name_of_user(std::size_t user) const {
    return user < users_.size() ? users_[user] : "";
  }

  // Whether a text shares four consecutive letters with a name or clan tag, regardless of case, or contains a
  // shorter one, a handle or an id.
  [[nodiscard]] bool shares(std::string_view text) const;
  // Whether bytes contain any of that, unchanged: in UTF-8 or UTF-16, ids also as numbers of all forms.
  [[nodiscard]] bool held_by(byte_span bytes) const;

 private:
  using table = std::map<std::string, std::string, std::less<>>;

  static std::optional<std::string> look_up(const table& in, std::string_view key);
  void add_user(const replay& from, std::size_t user);
  void add(const std::string& name, const std::string& clan_tag, const std::string& handle,
           const std::string& neutral, std::uint64_t id);
  void add_word(std::string_view text);
  void add_id(std::uint64_t id);

  table names_;
  table handles_;
  std::vector<std::string> users_;  // by their index in the lobby
  std::uint64_t spectators_ = 0;
  std::set<std::u32string, std::less<>> parts_;   // four letters each, lower case
  std::set<std::u32string, std::less<>> wholes_;  // names too short for that, lower case; handles, digits of
                                                  // ids
  std::set<std::string, std::less<>> patterns_;   // bytes
};

}  // namespace tickreel::sc2replay

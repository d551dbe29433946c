// Message ids that no subscriber can guess. A broker discards a message whose id was used within two minutes:
// with ids that follow from the reel, any publisher could use up the next ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/fleet/message.hpp"

namespace tickreel::fleet {

// Ids of one process, under a random key that never leaves it.
class message_ids {
 public:
  message_ids();

  // Of a part of a record with that hash. The same again until renew(), so that a broker stores once what was
  // sent again because its answer was lost.
  [[nodiscard]] std::string of(const message_head& head, std::uint64_t record_hash) const;
  [[nodiscard]] std::string of(std::string_view purpose) const;
  // Whether of() made it, in this or an earlier generation.
  [[nodiscard]] bool are_ours(std::string_view id, const message_head& head, std::uint64_t record_hash) const;
  // Ids from now on differ from all before.
  void renew() noexcept { ++generation_; }

 private:
  [[nodiscard]] std::string make(std::string_view text, std::uint64_t generation) const;
  std::array<unsigned char, 32> key_{};
  std::uint64_t generation_ = 0;
};

}  // namespace tickreel::fleet

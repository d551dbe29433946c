// Message ids that other clients cannot guess. A broker discards a message whose id was used within two
// minutes: if ids depended only on the reel, any publisher could use them up in advance.
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

  // The id of a part of a record with that hash. Stable until renew(), so that a broker stores a record once
  // if it is resent because its acknowledgement was lost.
  [[nodiscard]] std::string of(const message_head& head, std::uint64_t record_hash) const;
  [[nodiscard]] std::string of(std::string_view purpose) const;
  // Whether of() made it, in this or an earlier generation.
  [[nodiscard]] bool are_ours(std::string_view id, const message_head& head, std::uint64_t record_hash) const;
  // Later ids differ from all earlier ones.
  void renew() noexcept { ++generation_; }

 private:
  [[nodiscard]] std::string make(std::string_view text, std::uint64_t generation) const;
  std::array<unsigned char, 32> key_{};
  std::uint64_t generation_ = 0;
};

}  // namespace tickreel::fleet

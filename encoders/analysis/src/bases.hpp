// Groups buildings into bases, and detects the loss of their last building.
#pragma once

#include "engagements.hpp"

namespace tickreel::analysis {

class bases {
 public:
  explicit bases(const detector_rules& rules) : rules_(rules) {}

  void built(const observed_unit& building);
  void lost(const observed_unit& building, std::uint64_t tick, std::vector<event>& out);

 private:
  struct base {
    std::uint32_t owner = 0;
    std::map<unit_tag, world_position> standing;
    std::map<unit_tag, world_position> all;  // including destroyed ones
    std::size_t largest = 0;
  };

  const detector_rules& rules_;
  std::uint32_t next_number_ = 0;
  std::map<std::uint32_t, base> bases_;
  std::map<unit_tag, std::uint32_t> number_of_;
};

}  // namespace tickreel::analysis

// Runs a script and checks the invariants.
#pragma once

#include <cstdint>
#include <string>

#include "script.hpp"

namespace tickreel::sim {

struct outcome {
  std::string violation;     // empty: every invariant held
  std::size_t at_step = 0;   // the step after which it did not hold; the number of steps: at the end
  std::uint64_t states = 0;  // checked states of the disk
  std::uint64_t calls = 0;   // system calls
  std::uint64_t cuts = 0;
  std::uint64_t messages = 0;     // that a broker stored
  std::uint64_t fingerprint = 0;  // the same in every run of the same script
};

[[nodiscard]] outcome run(const script& what, bool prints_steps = false);
// A script of a fleet.
[[nodiscard]] outcome run_fleet(const script& what, bool prints_steps);

// Removes steps, shortens the others, and simplifies options, as long as the script still fails.
[[nodiscard]] script shrink(const script& failing);

}  // namespace tickreel::sim

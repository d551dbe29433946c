// Prints how two recordings differ, as text and as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tickreel/files/compare.hpp"
#include "tickreel/game/replay.hpp"

namespace tickreel::cli {

struct diff_arguments {
  std::string first;
  std::string second;
  bool json = false;
};

// `lengths`: in ticks.
void print_json(const diff_arguments& arguments, const game::comparison& found,
                const std::array<std::uint64_t, 2>& lengths);
void print_json(const diff_arguments& arguments, const files::described_comparison& found);
void print_json(const diff_arguments& arguments, const files::state_comparison& found);
void print_json(const diff_arguments& arguments, const files::echo_comparison& found);
void print_json(const diff_arguments& arguments, const files::replay_comparison& found);

void print_text(const game::comparison& found);
void print_text(const files::described_comparison& found);
void print_text(const files::state_comparison& found);
void print_text(const files::echo_comparison& found);
void print_text(const files::replay_comparison& found);

}  // namespace tickreel::cli

// Prints how two recordings differ, as text and as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/files/compare.hpp"
#include "tickreel/game/replay.hpp"

namespace tickreel::cli {

struct diff_arguments {
  std::string first;
  std::string second;
  bool json = false;
};

// What of each recording could not be compared, as sentences.
struct diff_losses {
  std::array<std::vector<std::string>, 2> of;
  [[nodiscard]] bool any() const noexcept { return !of[0].empty() || !of[1].empty(); }
};

// `lengths`: in ticks.
void print_json(const diff_arguments& arguments, const game::comparison& found, const diff_losses& losses,
                const std::array<std::uint64_t, 2>& lengths);
void print_json(const diff_arguments& arguments, const files::described_comparison& found,
                const diff_losses& losses);
void print_json(const diff_arguments& arguments, const files::state_comparison& found,
                const diff_losses& losses);
void print_json(const diff_arguments& arguments, const files::echo_comparison& found,
                const diff_losses& losses);
void print_json(const diff_arguments& arguments, const files::replay_comparison& found,
                const diff_losses& losses);

void print_text(const game::comparison& found);
void print_text(const files::described_comparison& found);
void print_text(const files::state_comparison& found);
void print_text(const files::echo_comparison& found);
void print_text(const files::replay_comparison& found);

}  // namespace tickreel::cli

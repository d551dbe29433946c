// Compares two recordings of one format by the states that every recording offers.
#include <memory>

#include "aligned_ticks.hpp"
#include "tickreel/files/compare.hpp"

namespace tickreel::files {

namespace {

struct state_side {
  std::unique_ptr<recording> from;
  std::string state;

  result<bool> next() {
    auto more = from->next();
    state.clear();
    if (more && *more) from->append_state(state);
    return more;
  }
  [[nodiscard]] std::int64_t key() const noexcept { return static_cast<std::int64_t>(tick()); }
  [[nodiscard]] std::uint64_t tick() const noexcept { return from->position().tick; }
};

}  // namespace

result<state_comparison> compare_states(const file_path& first, const file_path& second, const monitor& watch,
                                        std::size_t* failed) {
  auto one = open(first);
  if (!one) return fail_of(0, one.error(), failed);
  auto other = open(second);
  if (!other) return fail_of(1, other.error(), failed);
  std::array<state_side, 2> sides{state_side{std::move(*one), {}}, state_side{std::move(*other), {}}};
  state_comparison out;
  const auto read = align_ticks(sides, watch, out, failed, [&] {
    if (sides[0].state == sides[1].state) return true;
    out.state = value_difference{sides[0].tick(), "state", sides[0].state, sides[1].state};
    return false;
  });
  if (!read) return fail(read.error());
  for (std::size_t i = 0; i < 2; ++i) out.lost[i] = sides[i].from->losses();
  return out;
}

}  // namespace tickreel::files

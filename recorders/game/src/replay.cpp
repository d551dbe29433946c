#include "tickreel/game/replay.hpp"

#include "opened_match.hpp"

namespace tickreel::game {

struct replay::state {
  std::unique_ptr<opened_match> match;
  icrep::slot_table slots;
  std::unique_ptr<recorded_types> types;
};

replay::replay(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
replay::replay(replay&&) noexcept = default;
replay& replay::operator=(replay&&) noexcept = default;
replay::~replay() = default;

result<replay> replay::open(const file_path& path, system_calls& calls) {
  return open(opened_match::open(path, calls));
}

result<replay> replay::open(byte_span match) {
  return open(opened_match::open(match));
}

result<replay> replay::open(result<std::unique_ptr<opened_match>>&& match) {
  if (!match) return fail(match.error());
  auto made = std::make_unique<state>();
  made->match = std::move(*match);
  if (const auto& schema = made->match->reader().facts().schema) {
    const auto slots = icrep::slot_table::create(*schema);
    if (!slots) return fail(slots.error());
    made->slots = *slots;
  }
  made->types = std::make_unique<recorded_types>(recorded_layout(made->match->reader().facts()));
  return replay(std::move(made));
}

const recorded_types& replay::types() const noexcept {
  return *state_->types;
}

const icrep::metadata& replay::facts() const noexcept {
  return state_->match->reader().facts();
}
std::span<const icrep::player_entry> replay::players() const noexcept {
  return facts().players;
}
std::uint64_t replay::total_ticks() const noexcept {
  return state_->match->reader().total_ticks();
}
std::span<const std::uint32_t> replay::missing_parts() const noexcept {
  return state_->match->missing_parts();
}
std::span<const icrep::stored_keyframe> replay::keyframes() const noexcept {
  return state_->match->reader().keyframes();
}
icrep::order_cursor replay::orders(std::uint64_t first_tick, std::uint64_t end_tick) const {
  return state_->match->reader().orders(first_tick, end_tick);
}
icrep::event_cursor replay::events(const icrep::event_filter& filter) const {
  return state_->match->reader().events(filter);
}
result<icrep::restored_state> replay::restore(std::uint64_t tick) const {
  return state_->match->reader().restore(tick);
}
const icrep::reader& replay::file() const noexcept {
  return state_->match->reader();
}

world_view replay::view(const icrep::sim_snapshot& snapshot) const noexcept {
  return {snapshot, state_->slots, state_->types.get()};
}
world_view replay::nowhere() const noexcept {
  static const icrep::sim_snapshot nothing;
  return {nothing, state_->slots, state_->types.get()};
}

byte_span replay::component(const icrep::entity_snapshot& entity, std::uint32_t slot) const {
  return nowhere().component(entity, slot);
}
byte_span replay::player_field(const icrep::player_state& player, std::uint32_t slot) const {
  return nowhere().player_field(player, slot);
}
byte_span replay::singleton(const icrep::sim_snapshot& snapshot, std::uint32_t slot) const {
  return view(snapshot).singleton(slot);
}

}  // namespace tickreel::game

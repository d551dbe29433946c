#include "tickreel/game/recorded_types.hpp"

#include <algorithm>
#include <memory>

namespace tickreel::game {

// A list that only grows, so readers need no lock.
struct recorded_types::known_type {
  type_list list;
  const void* key;
  std::uint32_t slot_today;
  recorded_type found;
  known_type* next;
};

std::string_view name(type_list list) noexcept {
  constexpr std::string_view names[] = {"components", "player_fields", "world", "orders", "events"};
  return names[static_cast<std::size_t>(list)];
}

std::string describe(const type_difference& one) {
  if (!one.is_recorded) return one.type + " was not recorded";
  std::string text = one.type + ": ";
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    if (i != 0) text += "; ";
    text += tickreel::describe(one.values[i]);
  }
  return text;
}

recorded_types::recorded_types(world_layout recorded) noexcept : layout_(std::move(recorded)) {}

recorded_types::~recorded_types() {
  for (known_type* one = known_.load(); one != nullptr;) delete std::exchange(one, one->next);
}

const std::vector<slot_layout>& recorded_types::slots_of(type_list list) const noexcept {
  switch (list) {
    case type_list::components:
      return layout_.components;
    case type_list::player_fields:
      return layout_.player_fields;
    case type_list::world:
      return layout_.world;
    case type_list::orders:
      return layout_.orders;
    case type_list::events:
      break;
  }
  return layout_.events;
}

const recorded_type& recorded_types::find(type_list list, const void* key, std::string_view type,
                                          std::uint32_t slot, layout_function values,
                                          std::uint32_t size_bytes) const {
  known_type* first = known_.load(std::memory_order_acquire);
  for (const known_type* one = first; one != nullptr; one = one->next) {
    if (one->key == key && one->list == list && one->slot_today == slot) return one->found;
  }
  auto made = std::make_unique<known_type>(known_type{list, key, slot, {}, nullptr});
  const slot_layout* there = nullptr;
  for (const slot_layout& one : slots_of(list)) {
    if (one.slot.name == type && (there == nullptr || one.slot.slot == slot)) there = &one;
  }
  if (there != nullptr) {
    made->found.slot = there->slot.slot;
    made->found.is_recorded = !there->values.empty() || there->slot.size_bytes == size_bytes;
    if (!there->values.empty()) {
      made->found.match = layout_match::between(values(), there->values, there->slot.size_bytes);
    }
  }
  made->next = first;
  // Two threads may add the same entry: it then exists twice, which is harmless.
  while (!known_.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {}
  return made.release()->found;
}

void recorded_types::add_difference(type_list list, std::string_view type, const recorded_type& found,
                                    std::vector<type_difference>& out) {
  const auto values = found.match.differences();
  if (found.is_recorded && values.empty()) return;
  out.push_back({list, std::string(type), found.is_recorded, {values.begin(), values.end()}});
}

}  // namespace tickreel::game

// Objects that are added and removed, as a member of a described struct:
//
//   struct world { tickreel::entities<unit, 512> units; };
//   const auto id = now.units.add({.health = 100});  ...  now.units.find(*id)->health -= 5;  ...
//   now.units.remove(*id);
//
// An entity keeps its place as long as it lives. A reused place gets another generation, so an id never refers to
// another entity. An unchanged entity costs little to record.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace tickreel {

// Generations start at 1. An id that add() did not return refers to no entity.
struct entity_id {
  std::uint32_t place = 0;
  std::uint32_t generation = 0;
  friend constexpr auto operator<=>(const entity_id&, const entity_id&) = default;
};

// At most `Capacity` entities, stored in the struct itself: nothing is allocated. Trivially copyable. Not
// thread-safe.
template <class T, std::size_t Capacity>
class entities {
  static_assert(Capacity >= 1 && Capacity <= 1u << 20, "tickreel: entities has room for 1 to 1048576");
  static_assert(std::is_trivially_copyable_v<T>,
                "tickreel: entities are copied as bytes, so they must be trivially copyable");

 public:
  using value_type = T;
  static constexpr std::size_t capacity = Capacity;

  // Uses the lowest free place. Empty if all are in use.
  std::optional<entity_id> add(const T& value) noexcept {
    while (first_free_ < Capacity && lives(first_free_)) ++first_free_;
    if (first_free_ == Capacity) return std::nullopt;
    const std::size_t place = first_free_++;
    ++generations_[place];
    values_[place] = value;
    ++size_;
    return entity_id{static_cast<std::uint32_t>(place), generations_[place]};
  }
  // False for an entity that does not live.
  bool remove(entity_id id) noexcept {
    if (find(id) == nullptr) return false;
    ++generations_[id.place];
    values_[id.place] = T{};
    if (id.place < first_free_) first_free_ = id.place;
    --size_;
    return true;
  }
  void clear() noexcept {
    for (std::size_t place = 0; place < Capacity; ++place) {
      if (lives(place)) remove({static_cast<std::uint32_t>(place), generations_[place]});
    }
  }

  // Null for an entity that does not live. Valid until it is removed.
  [[nodiscard]] T* find(entity_id id) noexcept { return lives_as(id) ? &values_[id.place] : nullptr; }
  [[nodiscard]] const T* find(entity_id id) const noexcept {
    return lives_as(id) ? &values_[id.place] : nullptr;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // Calls visit(id, value) for each living entity, in the order of their places.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (std::size_t place = 0; place < Capacity; ++place) {
      if (lives(place))
        visit(entity_id{static_cast<std::uint32_t>(place), generations_[place]}, values_[place]);
    }
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t place = 0; place < Capacity; ++place) {
      if (lives(place))
        visit(entity_id{static_cast<std::uint32_t>(place), generations_[place]}, values_[place]);
    }
  }

  // The recorded content of a place: its generation, odd while it is in use, and the value.
  [[nodiscard]] std::uint32_t generation_at(std::size_t place) const noexcept { return generations_[place]; }
  [[nodiscard]] const T& value_at(std::size_t place) const noexcept { return values_[place]; }
  void restore(std::size_t place, std::uint32_t generation, const T& value) noexcept {
    if (lives(place)) --size_;
    generations_[place] = generation;
    values_[place] = value;
    if (lives(place)) ++size_;
    if (place < first_free_) first_free_ = static_cast<std::uint32_t>(place);
  }

 private:
  [[nodiscard]] bool lives(std::size_t place) const noexcept { return (generations_[place] & 1) != 0; }
  [[nodiscard]] bool lives_as(entity_id id) const noexcept {
    return id.place < Capacity && generations_[id.place] == id.generation && lives(id.place);
  }

  std::array<std::uint32_t, Capacity> generations_{};
  std::array<T, Capacity> values_{};
  std::uint32_t size_ = 0;
  std::uint32_t first_free_ = 0;  // no lower place is free
};

namespace detail {
template <class T>
inline constexpr bool is_entities = false;
template <class T, std::size_t Capacity>
inline constexpr bool is_entities<entities<T, Capacity>> = true;
}  // namespace detail

}  // namespace tickreel

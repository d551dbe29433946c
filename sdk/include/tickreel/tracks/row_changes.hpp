// The changes from one row to the next, as bytes: what a push of changes copies into the ring instead of a state.
//
//   u32   offset in the row    \ as numbers of this machine: these bytes stay in this process
//   u32   size                 /
//   ...   the new bytes
//   and so on; the order is arbitrary, and parts may overlap if they agree
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/changes.hpp"
#include "tickreel/describe/component.hpp"
#include "tickreel/record/encoder.hpp"

namespace tickreel {

namespace detail {

// The number of `member` in the described order; field_count<T> if it is none of them.
template <described T, class Owner, class Type>
consteval unsigned number_of_member(Type Owner::* from) {
  Type T::* const member = from;  // an inherited one as well
  unsigned number = 0;
  bool is_found = false;
  const auto look = [&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field.member), Type T::*>)
      is_found = is_found || field.member == member;
    if (!is_found) ++number;
  };
  std::apply([&](const auto&... field) { (look(field), ...); }, fields_of<T>());
  return number;
}

}  // namespace detail

// The number of a described member of T in a change_list for push_changes(): member_number<world, &world::units>.
template <described T, auto Member>
requires std::is_member_object_pointer_v<decltype(Member)>
inline constexpr unsigned member_number = [] {
  constexpr unsigned number = detail::number_of_member<T>(Member);
  static_assert(number < field_count<T>, "tickreel: this member is not named in TICKREEL_DESCRIBE");
  return number;
}();

namespace tracks {

struct row_change {
  std::uint32_t offset = 0;
  byte_span bytes;
};

// Takes the next change out of `packed`. False at the end, and for a change that is not inside of a row of that size.
[[nodiscard]] inline bool next_change(byte_span& packed, std::size_t row_bytes, row_change& out) noexcept {
  std::array<std::uint32_t, 2> head{};
  if (packed.size() < sizeof head) return false;
  std::memcpy(head.data(), packed.data(), sizeof head);
  const byte_span rest = packed.subspan(sizeof head);
  if (head[0] > row_bytes || head[1] > row_bytes - head[0] || head[1] > rest.size()) return false;
  out = {head[0], rest.first(head[1])};
  packed = rest.subspan(head[1]);
  return true;
}

class change_packer {
 public:
  explicit change_packer(mutable_byte_span room) noexcept : room_(room) {}

  // Where to write `size` new bytes at `offset`; null if there is no room. Continues the last change if it ends there.
  [[nodiscard]] std::byte* add(std::uint32_t offset, std::uint32_t size) noexcept {
    const bool continues = used_ != 0 && offset == head_[0] + head_[1];
    const std::size_t needed = std::size_t{size} + (continues ? 0 : sizeof head_);
    if (needed > room_.size() - used_) return nullptr;
    if (continues) {
      head_[1] += size;
    } else {
      head_ = {offset, size};
      head_at_ = used_;
    }
    std::memcpy(room_.data() + head_at_, head_.data(), sizeof head_);
    std::byte* const to = room_.data() + used_ + (continues ? 0 : sizeof head_);
    used_ += needed;
    return to;
  }
  [[nodiscard]] std::size_t size() const noexcept { return used_; }

 private:
  mutable_byte_span room_;
  std::size_t used_ = 0;
  std::array<std::uint32_t, 2> head_{};  // of the last change, at head_at_
  std::size_t head_at_ = 0;
};

}  // namespace tracks

namespace detail {

// A described member of T: its elements, if it is an array or entities; otherwise itself.
template <class T>
struct marked_member {
  std::uint32_t offset = 0;  // of the first in the row
  std::uint32_t bytes = 0;   // of each in the row
  std::size_t count = 1;
  void (*put)(const T& from, std::size_t element, std::byte* to) noexcept = nullptr;
};

template <class T, std::size_t Number>
const auto& described_member(const T& of) noexcept {
  return of.*(std::get<Number>(fields_of<T>()).member);
}

template <class T, std::size_t Number>
void put_element(const T& from, [[maybe_unused]] std::size_t element, std::byte* to) noexcept {
  const auto& member = described_member<T, Number>(from);
  using type = std::remove_cvref_t<decltype(member)>;
  if constexpr (array_count<type> != 0) {
    put_component(to, member[element]);
  } else if constexpr (is_entities<type>) {
    put_entity(to, member, element);
  } else {
    put_component(to, member);
  }
}

template <class T, std::size_t Number>
consteval marked_member<T> marked_member_of(std::uint32_t offset) {
  using type = std::remove_cvref_t<decltype(described_member<T, Number>(std::declval<const T&>()))>;
  std::size_t count = 1;
  if constexpr (array_count<type> != 0) {
    count = array_count<type>;
  } else if constexpr (is_entities<type>) {
    count = type::capacity;
  }
  return {offset, static_cast<std::uint32_t>(size_of_component<type>() / count), count,
          &put_element<T, Number>};
}

template <class T, std::size_t... Number>
consteval std::array<marked_member<T>, sizeof...(Number)> marked_members_of(std::index_sequence<Number...>) {
  std::array<marked_member<T>, sizeof...(Number)> out;
  std::uint32_t offset = 0;
  const auto add = [&](std::size_t number, marked_member<T> made) {
    offset += made.bytes * static_cast<std::uint32_t>(made.count);
    out[number] = made;
  };
  (add(Number, marked_member_of<T, Number>(offset)), ...);
  return out;
}

template <described T>
inline constexpr auto marked_members = marked_members_of<T>(std::make_index_sequence<field_count<T>>());

// Packs the marked values. whole_state if there is not enough room, or if a marked member or element does not exist.
// A mark of all components skips members without that element.
template <described T>
[[nodiscard]] std::uint32_t pack_changes(const T& now, const change_list& changed,
                                         mutable_byte_span room) noexcept {
  if (!changed.is_complete()) return whole_state;
  tracks::change_packer packer(room);
  for (const std::uint32_t element : changed.entities()) {
    const std::uint64_t mask = changed.mask(element);
    const bool is_all = mask == ~std::uint64_t{0};
    if (!is_all && std::bit_width(mask) > static_cast<int>(field_count<T>)) return whole_state;
    bool is_found = false;
    for (std::uint64_t bits = is_all ? mask >> (64 - field_count<T>) : mask; bits != 0; bits &= bits - 1) {
      const marked_member<T>& member = marked_members<T>[static_cast<std::size_t>(std::countr_zero(bits))];
      if (element >= member.count) {
        if (!is_all) return whole_state;
        continue;
      }
      is_found = true;
      std::byte* const to = packer.add(member.offset + element * member.bytes, member.bytes);
      if (to == nullptr) return whole_state;
      member.put(now, element, to);
    }
    if (!is_found) return whole_state;
  }
  return static_cast<std::uint32_t>(packer.size());
}

}  // namespace detail

}  // namespace tickreel

#include <algorithm>
#include <bit>

#include "tickreel/game/replay.hpp"
#include "tickreel/icrep/sound_keyframes.hpp"

namespace tickreel::game {

namespace {

// The 1, 2, 4 or 8 bytes as a number's text.
std::string number_text(byte_span bytes, value_kind kind) {
  if (bytes.empty() || bytes.size() > 8) return {};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  if (kind == value_kind::floating && bytes.size() == 4) {
    return std::to_string(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (kind == value_kind::floating && bytes.size() == 8) return std::to_string(std::bit_cast<double>(bits));
  if (kind == value_kind::signed_integer) {
    const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes.size());
    return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
  }
  return std::to_string(bits);
}

std::string value_text(byte_span component, const value_layout& value) {
  if (std::uint64_t{value.offset} + value.size_bytes > component.size()) return {};
  const byte_span bytes = component.subspan(value.offset, value.size_bytes);
  if (value.kind != value_kind::text) return number_text(bytes, value.kind);
  byte_reader in(bytes);
  const std::uint16_t size = in.u16();
  return std::string(as_text(in.bytes(size)));
}

class state_comparison {
 public:
  state_comparison(const replay& first, const replay& second) : first_(first), second_(second) {}

  std::optional<state_difference> find(const icrep::sim_snapshot& a, const icrep::sim_snapshot& b) {
    out_.tick = a.core.tick;
    if (a.core.game_seed != b.core.game_seed) return only("seed");
    if (a.core.map_hash != b.core.map_hash) return only("map");
    if (a.core.rng_state != b.core.rng_state) return only("random generator");
    if (auto found = entities(a, b)) return found;
    if (auto found = players(a.core.player_states, b.core.player_states)) return found;
    if (a.core.map_state != b.core.map_state) return cells(a.core.map_state, b.core.map_state);
    if (a.core.intern_table != b.core.intern_table) return only("interned texts");
    if (a.campaign_state != b.campaign_state) return only("campaign");
    if (a.script_state != b.script_state) return only("script");
    return std::nullopt;
  }

 private:
  std::optional<state_difference> only(std::string where) {
    out_.where = std::move(where);
    return out_;
  }

  std::optional<state_difference> slots(const std::vector<slot_layout>& known, auto&& bytes_of) {
    for (const slot_layout& one_slot : known) {
      const auto [a, b] = bytes_of(one_slot.slot.slot);
      if (std::ranges::equal(a, b)) continue;
      out_.component = one_slot.slot.name;
      for (const value_layout& value : one_slot.values) {
        std::string one = value_text(a, value);
        std::string other = value_text(b, value);
        if (one == other) continue;
        out_.field = value.name;
        out_.first = std::move(one);
        out_.second = std::move(other);
        break;
      }
      return out_;
    }
    return out_;
  }

  std::optional<state_difference> entities(const icrep::sim_snapshot& one, const icrep::sim_snapshot& other) {
    auto a = one.core.entities.begin();
    auto b = other.core.entities.begin();
    while (a != one.core.entities.end() || b != other.core.entities.end()) {
      const bool in_a =
          a != one.core.entities.end() && (b == other.core.entities.end() || a->entity <= b->entity);
      const bool in_b =
          b != other.core.entities.end() && (a == one.core.entities.end() || b->entity <= a->entity);
      if (in_a && in_b && *a == *b) {
        ++a;
        ++b;
        continue;
      }
      const analysis::unit_tag tag = in_a ? a->entity : b->entity;
      out_.entity = tag;
      out_.where = tag == icrep::world_tag
                       ? "world"
                       : "entity " + std::to_string(tag.index) + ":" + std::to_string(tag.generation);
      if (!in_a || !in_b) {
        out_.first = in_a ? "present" : "absent";
        out_.second = in_b ? "present" : "absent";
        return out_;
      }
      const world_layout& known = first_.types().layout();
      if (tag == icrep::world_tag) {
        return slots(known.world, [&](std::uint32_t slot) {
          return std::pair(first_.singleton(one, slot), second_.singleton(other, slot));
        });
      }
      return slots(known.components, [&](std::uint32_t slot) {
        return std::pair(first_.component(*a, slot), second_.component(*b, slot));
      });
    }
    return std::nullopt;
  }

  std::optional<state_difference> players(const std::vector<icrep::player_state>& one,
                                          const std::vector<icrep::player_state>& other) {
    for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
      if (i < one.size() && i < other.size() && one[i] == other[i]) continue;
      out_.where = "player " + std::to_string(i < one.size() ? one[i].player : other[i].player);
      if (i >= one.size() || i >= other.size() || one[i].player != other[i].player) return out_;
      const world_layout& known = first_.types().layout();
      return slots(known.player_fields, [&](std::uint32_t slot) {
        return std::pair(first_.player_field(one[i], slot), second_.player_field(other[i], slot));
      });
    }
    return std::nullopt;
  }

  std::optional<state_difference> cells(const std::vector<icrep::map_cell>& one,
                                        const std::vector<icrep::map_cell>& other) {
    std::size_t i = 0;
    while (i < one.size() && i < other.size() && one[i] == other[i]) ++i;
    const icrep::cell_position at = i < one.size() ? one[i].cell : other[i].cell;
    out_.where = "cell " + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z);
    return out_;
  }

  const replay& first_;
  const replay& second_;
  state_difference out_;
};

void note_lack(comparison& out, std::uint64_t first_tick, std::uint64_t end_tick, bool first, bool second) {
  if (first_tick == end_tick) return;
  if (!out.not_compared.empty()) {
    lacking_ticks& last = out.not_compared.back();
    if (last.end_tick == first_tick && last.in_first == first && last.in_second == second) {
      last.end_tick = end_tick;
      return;
    }
  }
  out.not_compared.push_back({first_tick, end_tick, first, second});
}

// From the beginning of the earlier one up to the end of the shorter one.
void compare_frames(const replay& first, const replay& second, std::uint64_t end_tick, comparison& out) {
  const std::uint64_t begin = std::min({first.file().first_tick(), second.file().first_tick(), end_tick});
  auto one = first.orders(begin, end_tick);
  auto other = second.orders(begin, end_tick);
  icrep::tick_frame a;
  icrep::tick_frame b;
  bool more_a = one.next(a);
  bool more_b = other.next(b);
  for (std::uint64_t expected = begin;; ++expected) {
    const std::uint64_t tick_a = more_a ? a.tick : end_tick;
    const std::uint64_t tick_b = more_b ? b.tick : end_tick;
    const std::uint64_t tick = std::min(tick_a, tick_b);
    note_lack(out, expected, tick, true, true);
    if (tick == end_tick) return;
    expected = tick;
    if (tick_a == tick_b) {
      ++out.ticks;
      // Hashes of 0 are unknown.
      if (!out.first_tick && a.state_hash != 0 && b.state_hash != 0 && a.state_hash != b.state_hash) {
        out.first_tick = tick;
      }
      if (!out.first_orders && a.orders != b.orders) out.first_orders = tick;
    } else {
      note_lack(out, tick, tick + 1, tick_a != tick, tick_b != tick);
    }
    if (tick_a == tick) more_a = one.next(a);
    if (tick_b == tick) more_b = other.next(b);
  }
}

result<void> all_sound(const replay& match) {
  icrep::sound_keyframes sound;
  for (const icrep::stored_keyframe& keyframe : match.keyframes()) {
    if (auto taken = sound.take(keyframe); !taken) return taken;
  }
  return {};
}

}  // namespace

result<comparison> compare(const replay& first, const replay& second, std::size_t* failed) {
  const auto fail_of = [&](std::size_t which, const error& what) {
    if (failed != nullptr) *failed = which;
    return fail(what);
  };
  comparison out;
  compare_frames(first, second, std::min(first.total_ticks(), second.total_ticks()), out);
  // Also those that only one of them has: an invalid index looks like another keyframe interval.
  for (const replay* each : {&first, &second}) {
    if (auto sound = all_sound(*each); !sound) return fail_of(each == &first ? 0 : 1, sound.error());
  }
  std::size_t b = 0;
  for (std::size_t a = 0; a < first.keyframes().size(); ++a) {
    const std::uint64_t tick = first.keyframes()[a].tick;
    while (b < second.keyframes().size() && second.keyframes()[b].tick < tick) ++b;
    if (b == second.keyframes().size()) break;
    if (second.keyframes()[b].tick != tick) continue;
    const auto one = first.file().snapshot(a);
    if (!one) return fail_of(0, one.error());
    const auto other = second.file().snapshot(b);
    if (!other) return fail_of(1, other.error());
    if (*one == *other) continue;
    out.state = state_comparison(first, second).find(*one, *other);
    if (!out.first_tick || *out.first_tick > tick) out.first_tick = tick;
    break;
  }
  return out;
}

}  // namespace tickreel::game

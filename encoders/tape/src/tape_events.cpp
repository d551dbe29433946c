// Events of version 2: what slots of players are until the next event.
#include "messages.hpp"
#include "tape_tables.hpp"

namespace tickreel::tape {

namespace {

slot_memory& slot_of(std::int32_t slot, std::vector<slot_memory>& slots, reading& with) {
  for (slot_memory& each : slots) {
    if (each.slot == slot) return each;
  }
  if (slots.size() >= max_slots) {
    with.reject("too many slots of players", error_code::over_limit);
    return slots.front();
  }
  slots.emplace_back();
  slots.back().slot = slot;
  return slots.back();
}

void read_goal(byte_span message, echo::session& to, reading& with) {
  echo::last_score& score = to.last_score;
  score = {};
  read_fields(message, with, [&](const wire_field& each) {
    if (goal_fields::read(each, score, with)) return;
    if (each.number == 2) (void)score.team.assign(role_text(each.whole(), "", with));
    if (each.number == 3) (void)score.goal_type.assign(text_of(goal_texts, each.whole(), with));
  });
  to.fields |= echo::session::has_last_score;
}

// The slot in field 1, which is slot 0 if the message has no such field.
slot_memory& slot_of(byte_span message, std::vector<slot_memory>& slots, reading& with) {
  std::int32_t slot = 0;
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 1) slot = each.signed_whole();
  });
  return slot_of(slot, slots, with);
}

}  // namespace

// PlayerInfo and player_joined.
void read_joined(byte_span message, std::vector<slot_memory>& slots, reading& with) {
  slot_memory read;
  read_fields(message, with, [&](const wire_field& each) { (void)joined_fields::read(each, read, with); });
  slot_memory& to = slot_of(read.slot, slots, with);
  to.is_present = true;
  to.userid = read.userid;
  to.name = read.name;
  to.role = read.role;
  to.number = read.number;
  to.level = read.level;
}

std::string_view role_text(std::uint64_t role, std::string_view none, reading& with) noexcept {
  if (role == 0) return none;
  if (role == 1) return "blue";
  if (role == 2) return "orange";
  ++with.oddities.unknown_numbers;
  return none;
}

void read_event_content(const wire_field& event, echo::session& base, std::vector<slot_memory>& slots,
                        reading& with) {
  switch (event.number) {
    case 15:
      read_fields(event.bytes, with, [&](const wire_field& each) {
        if (each.number == 3) base.blue_round_score = each.signed_whole();
        if (each.number == 4) base.orange_round_score = each.signed_whole();
      });
      break;
    case 20:
      read_joined(event.bytes, slots, with);
      break;
    case 21:
      slot_of(event.bytes, slots, with).is_present = false;
      break;
    case 22: {
      slot_memory& of = slot_of(event.bytes, slots, with);
      read_fields(event.bytes, with, [&](const wire_field& each) {
        if (each.number == 2) of.role = each.signed_whole();
      });
      break;
    }
    case 24: {
      slot_memory& of = slot_of(event.bytes, slots, with);
      of.weapon = of.ordnance = of.tac_mod = {};
      loadout_fields::read_message(event.bytes, of, with);
      break;
    }
    case 25: {
      slot_memory& of = slot_of(event.bytes, slots, with);
      of.holding_left = of.holding_right = {};
      read_fields(event.bytes, with, [&](const wire_field& each) {
        if (each.number != 2 && each.number != 3) return;
        echo::text<40> word;
        read_text(each, word, with);
        (each.number == 2 ? of.holding_left : of.holding_right) = holding_of(word.view());
      });
      break;
    }
    case 26: {
      slot_memory read;
      read_fields(event.bytes, with,
                  [&](const wire_field& each) { (void)info_fields::read(each, read, with); });
      slot_memory& of = slot_of(read.slot, slots, with);
      if (of.is_present) {
        of.number = read.number;
        of.level = read.level;
      }
      break;
    }
    case 31:
      base.last_throw = {};
      read_fields(event.bytes, with, [&](const wire_field& each) {
        if (each.number != 2) return;
        throw_fields::read_message(each.bytes, base.last_throw, with);
        base.fields |= echo::session::has_last_throw;
      });
      break;
    case 40:
      read_goal(event.bytes, base, with);
      break;
    case 58: {
      slot_memory& of = slot_of(event.bytes, slots, with);
      of.stats = {};
      counter_fields<2>::read_message(event.bytes, of.stats, with);
      of.has_stats = true;
      break;
    }
    case 60:
      ++with.oddities.generic_events;
      break;
    default:
      break;
  }
}

}  // namespace tickreel::tape

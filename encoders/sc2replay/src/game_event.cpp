#include "tickreel/sc2replay/game_event.hpp"

#include <iterator>

#include "packed_event.hpp"
#include "tickreel/sc2replay/interpret.hpp"

namespace tickreel::sc2replay {

namespace {

struct named_kind {
  std::string_view name;
  game_event_kind kind;
};
constexpr named_kind named_kinds[] = {
    {"command", game_event_kind::command},
    {"selection_delta", game_event_kind::selection_delta},
    {"control_group_update", game_event_kind::control_group_update},
    {"camera_update", game_event_kind::camera_update},
    {"resource_trade", game_event_kind::resource_trade},
    {"resource_request", game_event_kind::resource_request},
    {"resource_request_fulfill", game_event_kind::resource_request_fulfill},
    {"resource_request_cancel", game_event_kind::resource_request_cancel},
    {"trigger_ping", game_event_kind::trigger_ping},
    {"player_leave", game_event_kind::player_leave},
    {"game_user_leave", game_event_kind::game_user_leave},
    {"game_user_join", game_event_kind::game_user_join},
    {"command_update_target_point", game_event_kind::command_update_target_point},
    {"command_update_target_unit", game_event_kind::command_update_target_unit},
};

// Finds the first single number of a name.
struct number_finder : packed_sink {
  std::string_view wanted;
  std::string_view outer;  // an optional's name is that of its number
  unsigned arrays = 0;
  bool found = false;
  std::int64_t value = 0;

  void number(const layout_op& op, std::int64_t read) noexcept {
    const std::string_view name = op.name == layout_op::no_name ? outer : field_name(op);
    if (found || arrays != 0 || name != wanted) return;
    found = true;
    value = read;
  }
  void begin_optional(const layout_op& op, bool) noexcept { outer = field_name(op); }
  void end_optional(const layout_op&) noexcept { outer = {}; }
  void begin_structure(const layout_op&) noexcept { outer = {}; }
  void begin_array(const layout_op&, unsigned) noexcept { ++arrays; }
  void end_array(const layout_op&) noexcept { --arrays; }
  void begin_choice(const layout_op&, const layout_op& alternative) noexcept {
    outer = field_name(alternative);
  }
  void end_choice(const layout_op&) noexcept { outer = {}; }
};

// Stores the values of an event in its slots.
class slot_sink : public packed_sink {
 public:
  slot_sink(game_event& out, const std::byte* stream) noexcept : out_(&out), stream_(stream) {}

  void number(const layout_op& op, std::int64_t value) noexcept {
    if (op.slot != layout_op::no_slot) {
      fill(op, value);
    } else if (listing_) {
      out_->list[listed_++] = static_cast<std::uint32_t>(value);
    }
  }
  void blob(const layout_op& op, byte_span bytes) noexcept {
    if (op.slot != layout_op::no_slot) fill(op, (bytes.data() - stream_) << 16 | std::ssize(bytes));
  }
  void bit_array(const layout_op& op, const packed_reader& bits, unsigned count) noexcept {
    // The reader began at a byte boundary; its offset is the byte of the stream.
    if (op.slot == layout_op::no_slot) return;
    fill(op, static_cast<std::int64_t>((bits.offset() * 8 + (bits.bit_position() & 7)) << 16 | count));
  }
  void begin_array(const layout_op& op, unsigned) noexcept {
    listing_ = op.slot != layout_op::no_slot;
    list_start_ = listed_;
  }
  void end_array(const layout_op& op) noexcept {
    if (listing_)
      fill(op,
           static_cast<std::int64_t>(list_start_) << 16 | static_cast<std::int64_t>(listed_ - list_start_));
    listing_ = false;
  }
  void begin_choice(const layout_op& op, const layout_op& alternative) noexcept {
    if (op.slot != layout_op::no_slot) fill(op, alternative.extra);
  }

 private:
  void fill(const layout_op& op, std::int64_t value) noexcept {
    out_->slots[op.slot] = value;
    out_->filled |= std::uint64_t{1} << op.slot;
  }

  game_event* out_;
  const std::byte* stream_;
  std::size_t listed_ = 0;
  std::size_t list_start_ = 0;
  bool listing_ = false;
};

// Between the beta and the first retail builds the layouts are unknown: no replay of them was found.
constexpr std::uint32_t first_unseen_base_build = 15133;
constexpr std::uint32_t retail_base_build = 15405;
constexpr std::uint32_t last_unseen_base_build = 15623;

bool reads_through(byte_span stream, std::uint32_t base_build) noexcept {
  game_event event;
  game_event_reader reader(stream, base_build);
  for (;;) {
    const auto more = reader.next(event);
    if (!more || !*more) return more.has_value();
  }
}

// The build whose layouts the stream uses: its own, or if that is unknown, one that fits to the end.
std::uint32_t layout_build(byte_span stream, std::uint32_t base_build) noexcept {
  const bool unseen = base_build >= first_unseen_base_build && base_build <= last_unseen_base_build;
  if (!unseen || base_build == retail_base_build || reads_through(stream, retail_base_build)) {
    return unseen ? retail_base_build : base_build;
  }
  return reads_through(stream, oldest_known_base_build) ? oldest_known_base_build : retail_base_build;
}

}  // namespace

bool game_event::number(std::string_view field, std::int64_t& out) const noexcept {
  number_finder finder;
  finder.wanted = field;
  visit(finder);
  if (finder.found) out = finder.value;
  return finder.found;
}

game_event_reader::game_event_reader(byte_span stream, std::uint32_t base_build) noexcept
    : event_stream(stream, layout_build(stream, base_build)) {
  for (const layout& each : layouts(layout_stream::game)) {
    if (each.first_base_build > base_build_ || base_build_ >= each.end_base_build) continue;
    layouts_[each.id] = &each;
    for (const named_kind& named : named_kinds) {
      if (named.name == each.name) kinds_[each.id] = named.kind;
    }
  }
}

result<bool> game_event_reader::next(game_event& out) noexcept {
  if (failed_) return fail(error_code::wrong_state, position_, "replay.game.events: cannot be read further");
  if (at_end()) return false;
  packed_reader from(rest(), position_);
  const packed_head head = read_head<7>(from, tick_);
  failed_ = true;
  if (!from.ok()) return from.failure("replay.game.events: ends inside an event");
  const layout* const what = layouts_[head.id];
  if (what == nullptr) {
    return fail(error_code::malformed, position_, "replay.game.events: base build {} has no event {}",
                base_build_, head.id);
  }
  out.body_bit = from.bit_position();
  out.filled = 0;
  slot_sink sink(out, stream_.data());
  read_layout(what->ops, from, sink);
  from.align();
  if (!from.ok()) {
    return fields_failure(from, "replay.game.events: inside event {} at {}", head.id, position_);
  }
  const auto size = static_cast<std::size_t>(from.bit_position() / 8);
  out.tick = head.tick;
  out.user = head.user;
  out.kind = kinds_[head.id];
  out.what = what;
  out.base_build = base_build_;
  out.offset = position_;
  out.bytes = rest().first(size);
  pass(size, head.tick);
  return true;
}

}  // namespace tickreel::sc2replay

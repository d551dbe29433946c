#include "messages.hpp"

namespace tickreel::tape {

namespace {

// The content of a lone field 1, with the shape of a header of version 2.
bool is_tape_header(byte_span message) noexcept {
  bool has_version = false;
  wire_field field;
  field_reader fields(message);
  while (fields.next(field)) {
    if (field.number == 3) has_version = field.type == wire_type::varint;
    if (field.number == 10 && field.type == wire_type::bytes) has_version = true;
  }
  return fields.ok() && has_version;
}

bool is_nevrcap_header(byte_span message) noexcept {
  bool has_only_texts = !message.empty();
  wire_field field;
  field_reader fields(message);
  while (fields.next(field)) {
    has_only_texts = has_only_texts && field.type == wire_type::bytes && field.number <= 3;
  }
  return fields.ok() && has_only_texts;
}

}  // namespace

capture_kind kind_of(byte_span first_record) noexcept {
  field_reader fields(first_record);
  wire_field field;
  wire_field first;
  std::size_t count = 0;
  bool has_only_texts = true;
  while (fields.next(field)) {
    if (count++ == 0) first = field;
    has_only_texts = has_only_texts && field.type == wire_type::bytes && field.number <= 3;
  }
  if (!fields.ok() || count == 0 || !has_only_texts) return capture_kind::none;
  if (count == 1 && first.number == 1) {
    if (is_tape_header(first.bytes)) return capture_kind::tape;
    // A session's name is text; as a message it would begin with an invalid field.
    if (is_nevrcap_header(first.bytes)) return capture_kind::enveloped_nevrcap;
    return text::is_utf8(first.text()) ? capture_kind::nevrcap : capture_kind::none;
  }
  return capture_kind::nevrcap;
}

bool begins_capture(byte_span record) noexcept {
  field_reader fields(record);
  wire_field first;
  // A frame has a number there, or no such field.
  return fields.next(first) && first.number == 1 && first.type == wire_type::bytes &&
         kind_of(record) != capture_kind::none;
}

bool is_keyframe(byte_span record) noexcept {
  wire_field part;
  for (field_reader envelope(record); envelope.next(part);) {
    if (part.number != 2) continue;
    wire_field field;
    for (field_reader frame(part.bytes); frame.next(field);) {
      if (field.number == 3) return field.whole() != 0;
    }
  }
  return false;
}

void sort_by_team(echo::state& in, std::array<std::uint8_t, echo::max_players>& teams, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t at = i; at > 0 && teams[at - 1] > teams[at]; --at) {
      std::swap(teams[at - 1], teams[at]);
      std::swap(in.players[at - 1], in.players[at]);
    }
  }
}

result<void> capture_decoder::begin(byte_span record) {
  facts_ = {};
  facts_.kind = kind_of(record);
  oddities_ = {};
  footer_.reset();
  events_.clear();
  slots_.clear();
  base_ = {};
  ticks_ = 0;
  has_bones_ = has_team_names_ = may_continue_ = false;
  reading with{oddities_, listener_};
  switch (facts_.kind) {
    case capture_kind::none:
      return fail(error_code::not_recognised, error::no_offset, "the first record is no header of a capture");
    case capture_kind::nevrcap:
      nevrcap_messages::read_header(record, *this, with);
      break;
    case capture_kind::enveloped_nevrcap:
      read_fields(record, with,
                  [&](const wire_field& field) { nevrcap_messages::read_header(field.bytes, *this, with); });
      break;
    case capture_kind::tape:
      read_fields(record, with,
                  [&](const wire_field& field) { tape_messages::read_header(field.bytes, *this, with); });
      break;
  }
  if (with.problem != nullptr) return fail(with.code, error::no_offset, with.problem);
  return {};
}

result<capture_decoder::part> capture_decoder::read(byte_span record, echo::state& out) {
  may_continue_ = false;
  if (footer_) return fail(error_code::malformed, error::no_offset, "there are records after the last one");
  reading with{oddities_, listener_};
  events_.clear();
  part what = part::nothing;
  const auto too_many = fail(error_code::over_limit, error::no_offset, "too many ticks");
  if (facts_.kind == capture_kind::nevrcap) {
    if (ticks_ == max_ticks) return too_many;
    nevrcap_messages::read_frame(record, *this, out, with);
    what = part::tick;
  } else {
    std::size_t count = 0;
    wire_field field;
    wire_field known;
    field_reader fields(record);
    while (fields.next(field)) {
      ++count;
      if (field.number <= 3) known = field;
    }
    if (!fields.ok()) {
      may_continue_ = facts_.kind != capture_kind::tape;
      return fail(error_code::malformed, error::no_offset, fields.problem());
    }
    if (count == 0) return fail(error_code::malformed, error::no_offset, "a record is empty");
    const bool is_tape = facts_.kind == capture_kind::tape;
    if (known.number == 0) {
      ++oddities_.unknown_records;
      return part::nothing;
    }
    if (count != 1 || known.type != wire_type::bytes) {
      return fail(error_code::malformed, error::no_offset, "a record has more than one content");
    }
    if (known.number == 1) return fail(error_code::malformed, error::no_offset, "there is a second header");
    if (known.number == 2) {
      if (ticks_ == max_ticks) return too_many;
      what = part::tick;
      if (is_tape) {
        tape_messages::read_frame(known.bytes, *this, out, with);
      } else {
        nevrcap_messages::read_frame(known.bytes, *this, out, with);
      }
    } else if (is_tape) {
      what = part::end;
      tape_messages::read_footer(known.bytes, *this, with);
    } else {
      ++oddities_.unknown_records;
      return part::nothing;
    }
  }
  if (with.problem != nullptr) {
    // read_frame() of a .tape sets it when all events are read.
    may_continue_ = may_continue_ || (what == part::tick && facts_.kind != capture_kind::tape);
    return fail(with.code, error::no_offset, with.problem);
  }
  if (what == part::tick) ++ticks_;
  return what;
}

}  // namespace tickreel::tape

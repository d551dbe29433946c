#include "tickreel/sc2replay/rewrite.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "tickreel/sc2replay/packed_fields.hpp"
#include "tickreel/sc2replay/versioned.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

namespace tickreel::sc2replay {

namespace {

void append(byte_vector& to, byte_span bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// Versioned data

constexpr std::int64_t players_field = 0;
constexpr std::int64_t name_field = 0;
constexpr std::int64_t toon_field = 1;
constexpr std::int64_t toon_id_field = 4;

// A struct whose fields `visit(number, value, to)` writes; write value.raw() to keep a field.
template <class Visit>
void copy_struct(versioned_reader& from, versioned_writer& to, Visit&& visit) {
  const std::size_t count = from.structure();
  if (!from.ok()) return;
  to.structure(count);
  for (std::size_t i = 0; i < count && from.ok(); ++i) {
    const std::int64_t number = from.field_number();
    if (!from.ok()) return;
    to.field(number);
    visit(number, from, to);
  }
}

void copy_player(versioned_reader& from, versioned_writer& to, const player_identity& identity) {
  copy_struct(from, to, [&](std::int64_t field, versioned_reader& value, versioned_writer& out) {
    if (field == name_field) {
      (void)value.text();
      out.text(identity.name);
    } else if (field == toon_field) {
      copy_struct(value, out, [&](std::int64_t part, versioned_reader& inner, versioned_writer& written) {
        if (part != toon_id_field) return written.raw(inner.raw());
        inner.skip();
        written.integer(static_cast<std::int64_t>(identity.toon_id));
      });
    } else {
      out.raw(value.raw());
    }
  });
}

// Bit-packed data

bool has_texts(const layout& of) noexcept {
  return std::any_of(of.ops.begin(), of.ops.end(), [](const layout_op& op) {
    return op.kind == layout_kind::blob || op.kind == layout_kind::bytes;
  });
}

bool loses_numbers(const layout& of, const erase_event_numbers& erase) {
  if (!erase) return false;
  return std::any_of(of.ops.begin(), of.ops.end(), [&](const layout_op& op) {
    const std::string_view field = field_name(op);
    return !field.empty() && erase(of.name, field);
  });
}

void copy_bits(packed_reader& from, std::uint64_t count, packed_writer& to) noexcept {
  while (count > 0) {
    const auto part = static_cast<unsigned>(std::min<std::uint64_t>(count, 64));
    to.bits(from.bits(part), part);
    count -= part;
  }
}

// One event, whose fields begin at `body_bit` of its bytes. Appends it with the texts of `replace`, and 0 for
// numbers that `erase` selects.
template <class Replace, class Erase>
result<void> rewrite_event(byte_span bytes, std::uint64_t offset, std::uint64_t body_bit, const layout& what,
                           Replace&& replace, Erase&& erase, byte_vector& out) {
  packed_reader body(bytes, offset);
  body.skip_bits(body_bit);
  auto document = packed_fields::read(what.ops, body);
  if (!document) return fail(document.error());
  const std::vector<layout_place> at = places(what.ops);
  // Their addresses do not change while fields point to them.
  std::vector<std::unique_ptr<std::string>> replaced;
  bool erased = false;
  for (packed_field& field : document->fields()) {
    const auto op = static_cast<std::size_t>(field.op - what.ops.data());
    const bool is_number =
        field.op->kind == layout_kind::number || field.op->kind == layout_kind::signed_number;
    if (is_number && erase(at[op].name)) {
      // The stored bits, not the number that they represent.
      field.number = field.op->kind == layout_kind::number ? field.op->extra : 0;
      erased = true;
    }
    const bool is_text = field.op->kind == layout_kind::blob || field.op->kind == layout_kind::bytes;
    if (!is_text || field.bytes.empty()) continue;
    auto text = replace(at[op].name, as_text(field.bytes));
    if (!text) continue;
    replaced.push_back(std::make_unique<std::string>(std::move(*text)));
    field.bytes = as_bytes(*replaced.back());
  }
  if (replaced.empty() && !erased) {
    append(out, bytes);
    return {};
  }
  byte_vector room(document->room() + static_cast<std::size_t>(body_bit / 8) + 1);
  packed_writer to(room);
  packed_reader head(bytes, offset);
  copy_bits(head, body_bit, to);
  if (!document->write(to)) return fail(error_code::invalid_argument, offset, "the new text does not fit");
  append(out, to.written());
  return {};
}

// The start of a message's fields: after its delta, user and id.
std::uint64_t message_body_bit(byte_span bytes) noexcept {
  constexpr unsigned delta_bits[] = {6, 14, 22, 32};
  packed_reader from(bytes);
  return 2 + delta_bits[from.bits(2) & 3] + 5 + 4;
}

}  // namespace

result<byte_vector> rewrite_details(
    byte_span bytes,
    const std::function<std::optional<player_identity>(std::size_t index, const details_player&)>& identify) {
  auto parsed = read_details(bytes);
  if (!parsed) return fail(parsed.error());
  versioned_reader from(bytes);
  versioned_writer to;
  copy_struct(from, to, [&](std::int64_t field, versioned_reader& value, versioned_writer& out) {
    if (field != players_field || !parsed->players) return out.raw(value.raw());
    (void)value.optional();
    out.optional(true);
    const std::size_t count = value.array();
    out.array(count);
    for (std::size_t index = 0; index < count && value.ok(); ++index) {
      const auto identity = identify(index, (*parsed->players)[index]);
      if (identity) {
        copy_player(value, out, *identity);
      } else {
        out.raw(value.raw());
      }
    }
  });
  if (!from.ok()) return from.failure("replay.details");
  return to.take();
}

result<byte_vector> rewrite_game_events(byte_span stream, std::uint32_t base_build,
                                        const replace_event_text& replace, const erase_event_numbers& erase) {
  byte_vector out;
  out.reserve(stream.size());
  game_event_reader events(stream, base_build);
  const auto event = std::make_unique<game_event>();
  auto more = events.next(*event);
  for (; more && *more; more = events.next(*event)) {
    const layout& what = *event->what;
    if (!has_texts(what) && !loses_numbers(what, erase)) {
      append(out, event->bytes);
      continue;
    }
    const auto ask = [&](std::string_view field, std::string_view text) {
      return replace(*event, field, text);
    };
    const auto ask_number = [&](std::string_view field) { return erase && erase(what.name, field); };
    auto done = rewrite_event(event->bytes, event->offset, event->body_bit, what, ask, ask_number, out);
    if (!done) return fail(done.error());
  }
  if (!more) return fail(more.error());
  return out;
}

result<byte_vector> rewrite_messages(byte_span stream, std::uint32_t base_build,
                                     const replace_chat& replace) {
  byte_vector out;
  out.reserve(stream.size());
  message_reader messages(stream, base_build);
  message each;
  const layout* chat = find_layout(layout_stream::message, 0, base_build);
  auto more = messages.next(each);
  for (; more && *more; more = messages.next(each)) {
    if (each.kind != message_kind::chat) {
      append(out, each.bytes);
      continue;
    }
    const auto ask = [&](std::string_view, std::string_view) { return replace(each); };
    const auto keep = [](std::string_view) { return false; };
    auto done = rewrite_event(each.bytes, each.offset, message_body_bit(each.bytes), *chat, ask, keep, out);
    if (!done) return fail(done.error());
  }
  if (!more) return fail(more.error());
  return out;
}

}  // namespace tickreel::sc2replay

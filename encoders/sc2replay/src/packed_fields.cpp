#include "tickreel/sc2replay/packed_fields.hpp"

namespace tickreel::sc2replay {

namespace {

// Fields take at least a bit, except empty ones; this limits a list for any bytes.
constexpr std::size_t field_limit = 1u << 20;

void place_all(std::span<const layout_op> ops, std::size_t first, std::size_t end, const layout_place& around,
               std::string_view inherited, std::vector<layout_place>& out) {
  bool starts = around.starts_element;
  for (std::size_t i = first; i < end; i += 1u + ops[i].size) {
    const layout_op& op = ops[i];
    layout_place here = around;
    here.starts_element = starts;
    here.name = field_name(op).empty() ? inherited : field_name(op);
    out[i] = here;
    const std::size_t inner = i + 1;
    const std::size_t inner_end = inner + op.size;
    layout_place inside = here;
    switch (op.kind) {
      case layout_kind::structure:
        if (!field_name(op).empty()) inside.parent = field_name(op);
        place_all(ops, inner, inner_end, inside, {}, out);
        break;
      case layout_kind::array: {
        const bool of_structures = inner < inner_end && ops[inner].kind == layout_kind::structure;
        if (of_structures) {
          inside.list = here.name;
          inside.parent = here.name;
        }
        inside.starts_element = of_structures;
        place_all(ops, inner, inner_end, inside, here.name, out);
        break;
      }
      default:
        place_all(ops, inner, inner_end, inside, here.name, out);
    }
    starts = false;
  }
}

struct recorder : packed_sink {
  std::vector<packed_field>* out = nullptr;
  bool full = false;

  void add(const packed_field& field) {
    full = full || out->size() >= field_limit;
    if (!full) out->push_back(field);
  }
  void number(const layout_op& op, std::int64_t value) { add({&op, value}); }
  void blob(const layout_op& op, byte_span bytes) { add({&op, 0, bytes}); }
  void bit_array(const layout_op& op, packed_reader bits, unsigned count) { add({&op, count, {}, bits}); }
  void begin_optional(const layout_op& op, bool present) { add({&op, present ? 1 : 0}); }
  void begin_array(const layout_op& op, unsigned count) { add({&op, count}); }
  void begin_choice(const layout_op& op, const layout_op& alternative) { add({&op, alternative.extra}); }
};

struct layout_interpreter {
  const packed_field* next = nullptr;
  packed_reader bits = {};

  std::int64_t number(const layout_op&) noexcept { return next++->number; }
  byte_span blob(const layout_op&) noexcept { return next++->bytes; }
  unsigned bit_array(const layout_op&) noexcept {
    bits = next->bits;
    return static_cast<unsigned>(next++->number);
  }
  bool bit(const layout_op&) noexcept { return bits.flag(); }
  bool optional(const layout_op&) noexcept { return next++->number != 0; }
  unsigned array(const layout_op&) noexcept { return static_cast<unsigned>(next++->number); }
  unsigned choice(const layout_op&) noexcept { return static_cast<unsigned>(next++->number); }
};

}  // namespace

std::vector<layout_place> places(std::span<const layout_op> ops) {
  std::vector<layout_place> out(ops.size());
  place_all(ops, 0, ops.size(), {}, {}, out);
  return out;
}

result<packed_fields> packed_fields::read(std::span<const layout_op> ops, packed_reader& from) {
  packed_fields out;
  out.ops_ = ops;
  recorder sink;
  sink.out = &out.fields_;
  read_layout(ops, from, sink);
  if (!from.ok()) return from.failure();
  if (sink.full) return fail(error_code::over_limit, from.offset(), "too many fields");
  return out;
}

std::size_t packed_fields::room() const noexcept {
  std::size_t bytes = 0;
  // A number takes 8 bytes at most, a count as well, and each blob begins at a byte boundary.
  for (const packed_field& field : fields_) {
    bytes += 9 + field.bytes.size();
    if (field.op->kind == layout_kind::bit_array) bytes += static_cast<std::size_t>(field.number) / 8;
  }
  return bytes;
}

bool packed_fields::write(packed_writer& to) const noexcept {
  layout_interpreter source;
  source.next = fields_.data();
  write_layout(ops_, to, source);
  return to.ok();
}

}  // namespace tickreel::sc2replay

// Streams of made-up events, written through the layouts by the inverse of the interpreter.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tickreel/sc2replay/interpret.hpp"

namespace tickreel::test {

namespace sc2r = tickreel::sc2replay;

// Every value of an event in order, as one line of text.
struct value_log : sc2r::packed_sink {
  std::string text;
  void number(const sc2r::layout_op&, std::int64_t value) { text += std::to_string(value) + ' '; }
  void blob(const sc2r::layout_op&, byte_span bytes) { text += '"' + std::string(as_text(bytes)) + "\" "; }
  void bit_array(const sc2r::layout_op&, sc2r::packed_reader bits, unsigned count) {
    text += std::to_string(count) + ':';
    for (unsigned i = 0; i < count; ++i) text += bits.flag() ? '1' : '0';
    text += ' ';
  }
  void begin_optional(const sc2r::layout_op&, bool present) { text += present ? "+ " : "- "; }
  void begin_array(const sc2r::layout_op&, unsigned count) { text += '[' + std::to_string(count) + ' '; }
  void begin_choice(const sc2r::layout_op&, const sc2r::layout_op& which) {
    text += '<' + std::to_string(which.extra) + ' ';
  }
};

// Chooses any valid value, and logs it as value_log would.
class random_source {
 public:
  explicit random_source(std::mt19937_64& random) : random_(&random) {}

  std::int64_t number(const sc2r::layout_op& op) {
    const std::uint64_t raw = below(op.bits);
    std::int64_t value = static_cast<std::int64_t>(raw + op.extra);
    if (op.kind == sc2r::layout_kind::signed_number)
      value = static_cast<std::int64_t>(raw) - (std::int64_t{1} << (op.bits - 1));
    log_.number(op, value);
    return value;
  }
  byte_span blob(const sc2r::layout_op& op) {
    const std::size_t size = op.kind == sc2r::layout_kind::bytes ? op.bits : count(op.bits, 20);
    bytes_.resize(size);
    for (std::byte& each : bytes_) each = static_cast<std::byte>((*random_)());
    log_.blob(op, bytes_);
    return bytes_;
  }
  unsigned bit_array(const sc2r::layout_op& op) {
    bits_left_ = count(op.bits, 40);
    log_.text += std::to_string(bits_left_) + (bits_left_ == 0 ? ": " : ":");
    return bits_left_;
  }
  bool bit(const sc2r::layout_op&) {
    const bool value = ((*random_)() & 1) != 0;
    log_.text += value ? '1' : '0';
    if (--bits_left_ == 0) log_.text += ' ';
    return value;
  }
  bool optional(const sc2r::layout_op& op) {
    const bool present = ((*random_)() & 1) != 0;
    log_.begin_optional(op, present);
    return present;
  }
  unsigned array(const sc2r::layout_op& op) {
    const unsigned many = count(op.bits, 12);
    log_.begin_array(op, many);
    return many;
  }
  unsigned choice(const sc2r::layout_op& op) {
    std::vector<const sc2r::layout_op*> all;
    for (const sc2r::layout_op* each = &op + 1; each != &op + 1 + op.size; each += 1 + each->size)
      all.push_back(each);
    const sc2r::layout_op& chosen = *all[(*random_)() % all.size()];
    log_.begin_choice(op, chosen);
    return chosen.extra;
  }

  [[nodiscard]] std::string take_log() { return std::exchange(log_.text, {}); }

 private:
  // All bits equally likely; small numbers and limits often.
  std::uint64_t below(unsigned bits) {
    const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    switch ((*random_)() % 8) {
      case 0:
        return 0;
      case 1:
        return all;
      default:
        return (*random_)() & all;
    }
  }
  // Rarely as many as fit.
  unsigned count(unsigned bits, unsigned usual) {
    const auto all = static_cast<unsigned>((1u << bits) - 1);
    return (*random_)() % 64 == 0 ? all : static_cast<unsigned>((*random_)() % (std::min(all, usual) + 1));
  }

  std::mt19937_64* random_;
  value_log log_;
  byte_vector bytes_;
  unsigned bits_left_ = 0;
};

// Returns the values of a list one after the other, and 0 after its end. Texts are always "gl hf".
class listed_source {
 public:
  explicit listed_source(std::deque<std::int64_t> answers) : answers_(std::move(answers)) {}
  std::int64_t number(const sc2r::layout_op&) { return take(); }
  byte_span blob(const sc2r::layout_op&) { return as_bytes("gl hf"); }
  unsigned bit_array(const sc2r::layout_op&) { return static_cast<unsigned>(take()); }
  bool bit(const sc2r::layout_op&) { return take() != 0; }
  bool optional(const sc2r::layout_op&) { return take() != 0; }
  unsigned array(const sc2r::layout_op&) { return static_cast<unsigned>(take()); }
  unsigned choice(const sc2r::layout_op&) { return static_cast<unsigned>(take()); }

 private:
  std::int64_t take() {
    if (answers_.empty()) return 0;
    const std::int64_t next = answers_.front();
    answers_.pop_front();
    return next;
  }
  std::deque<std::int64_t> answers_;
};

inline void write_tick_delta(sc2r::packed_writer& to, std::uint32_t delta) {
  const unsigned form = delta < 1u << 6 ? 0 : delta < 1u << 14 ? 1 : delta < 1u << 22 ? 2 : 3;
  constexpr unsigned widths[] = {6, 14, 22, 32};
  to.bits(form, 2);
  to.bits(delta, widths[form]);
}

struct made_event {
  std::uint64_t offset = 0;
  std::uint64_t tick = 0;
  std::uint8_t user = 0;
  const sc2r::layout* what = nullptr;
  std::string values;
};

struct made_stream {
  byte_vector bytes;
  std::vector<made_event> events;
};

// Appends one event with field values from `source`. `id_bits`: 7 for game events, 4 for messages.
template <class Source>
void append_event(byte_vector& to, std::uint32_t delta, std::uint8_t user, const sc2r::layout& what,
                  unsigned id_bits, Source& source) {
  byte_vector room(16u << 10);
  sc2r::packed_writer out(room);
  write_tick_delta(out, delta);
  out.bits(user, 5);
  out.bits(what.id, id_bits);
  write_layout(what.ops, out, source);
  out.align();
  if (!out.ok()) std::abort();
  to.insert(to.end(), out.written().begin(), out.written().end());
}

inline made_stream make_stream(std::mt19937_64& random, sc2r::layout_stream stream, std::uint32_t base_build,
                               std::size_t count) {
  std::vector<const sc2r::layout*> known;
  for (const sc2r::layout& each : sc2r::layouts(stream)) {
    if (each.first_base_build <= base_build && base_build < each.end_base_build) known.push_back(&each);
  }
  made_stream out;
  random_source source(random);
  std::uint32_t tick = 0;
  for (std::size_t i = 0; i < count; ++i) {
    made_event& next = out.events.emplace_back();
    const auto delta = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
    tick += delta;
    next.offset = out.bytes.size();
    next.tick = tick;
    next.user = static_cast<std::uint8_t>(random() % 17);
    next.what = known[random() % known.size()];
    append_event(out.bytes, delta, next.user, *next.what, stream == sc2r::layout_stream::game ? 7 : 4,
                 source);
    next.values = source.take_log();
  }
  return out;
}

}  // namespace tickreel::test

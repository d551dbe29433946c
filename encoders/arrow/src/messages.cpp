#include "messages.hpp"

#include "flat_writer.hpp"

namespace tickreel::arrow {

namespace {

using columns::column_type;
using place = flat_writer::place;

constexpr std::int16_t version_5 = 4;
enum class header : std::uint8_t { schema = 1, record_batch = 3 };
enum class type : std::uint8_t { integer = 2, floating = 3, utf8 = 5 };
constexpr std::int16_t double_precision = 2;
constexpr std::int8_t codec_zstd = 1;
constexpr std::int8_t by_buffer = 0;

place add_facts(std::span<const columns::key_value> facts, flat_writer& to) {
  std::vector<place> all;
  for (const columns::key_value& each : facts) {
    const place key = to.text(each.key);
    const place value = to.text(each.value);
    to.begin_table();
    to.member_at(0, key);
    to.member_at(1, value);
    all.push_back(to.end_table());
  }
  return to.list(all);
}

type add_type(column_type of, flat_writer& to, place& at) {
  to.begin_table();
  type kind = type::utf8;
  if (of == column_type::integer) {
    kind = type::integer;
    to.member(0, std::int32_t{64});
    to.member(1, std::uint8_t{1});
  } else if (of == column_type::real) {
    kind = type::floating;
    to.member(0, double_precision);
  }
  at = to.end_table();
  return kind;
}

place add_field(const columns::column& of, flat_writer& to) {
  std::vector<columns::key_value> facts;
  if (!of.unit.empty()) facts.push_back({"tickreel.unit", of.unit});
  if (!of.meaning.empty()) facts.push_back({"tickreel.meaning", of.meaning});
  const place known = facts.empty() ? place{0} : add_facts(facts, to);
  const place children = to.list({});
  place type_at = 0;
  const type kind = add_type(of.type, to, type_at);
  const place name = to.text(of.name);
  to.begin_table();
  to.member_at(0, name);
  to.member(1, std::uint8_t{1});
  to.member(2, static_cast<std::uint8_t>(kind));
  to.member_at(3, type_at);
  to.member_at(5, children);
  if (!facts.empty()) to.member_at(6, known);
  return to.end_table();
}

place add_schema(std::span<const columns::column> all, std::span<const columns::key_value> facts,
                 flat_writer& to) {
  std::vector<place> fields;
  for (const columns::column& each : all) fields.push_back(add_field(each, to));
  const place list = to.list(fields);
  const place known = add_facts(facts, to);
  to.begin_table();
  to.member_at(1, list);
  to.member_at(2, known);
  return to.end_table();
}

void finish_message(header kind, place at, std::uint64_t body_bytes, flat_writer& to, byte_vector& out) {
  to.begin_table();
  to.member(3, static_cast<std::int64_t>(body_bytes));
  to.member_at(2, at);
  to.member(0, version_5);
  to.member(1, static_cast<std::uint8_t>(kind));
  to.finish(to.end_table(), out);
}

}  // namespace

void append_schema(std::span<const columns::column> all, std::span<const columns::key_value> facts,
                   byte_vector& out) {
  flat_writer to;
  finish_message(header::schema, add_schema(all, facts, to), 0, to, out);
}

void append_batch(const batch_layout& of, byte_vector& out) {
  flat_writer to;
  constexpr std::size_t words = 2;
  const place nodes = to.structs(of.nodes, words);
  const place buffers = to.structs(of.buffers, words);
  place compression = 0;
  if (of.has_zstd) {
    to.begin_table();
    to.member(0, codec_zstd);
    to.member(1, by_buffer);
    compression = to.end_table();
  }
  to.begin_table();
  to.member(0, static_cast<std::int64_t>(of.rows));
  to.member_at(1, nodes);
  to.member_at(2, buffers);
  if (of.has_zstd) to.member_at(3, compression);
  finish_message(header::record_batch, to.end_table(), of.body_bytes, to, out);
}

void append_footer(std::span<const columns::column> all, std::span<const columns::key_value> facts,
                   std::span<const block> batches, byte_vector& out) {
  flat_writer to;
  const place schema = add_schema(all, facts, to);
  std::vector<std::int64_t> words;
  for (const block& each : batches) {
    words.push_back(static_cast<std::int64_t>(each.offset));
    words.push_back(static_cast<std::int64_t>(each.metadata_bytes));
    words.push_back(static_cast<std::int64_t>(each.body_bytes));
  }
  const place blocks = to.structs(words, 3);
  const place dictionaries = to.structs({}, 3);
  to.begin_table();
  to.member_at(1, schema);
  to.member_at(2, dictionaries);
  to.member_at(3, blocks);
  to.member(0, version_5);
  to.finish(to.end_table(), out);
}

}  // namespace tickreel::arrow

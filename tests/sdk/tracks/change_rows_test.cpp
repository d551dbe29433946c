// Blocks of rows as changes of records.
#include <boost/test/unit_test.hpp>

#include "declarations.hpp"
#include "random.hpp"
#include "random_rows.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/block_writer.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_tests)
BOOST_AUTO_TEST_SUITE(change_rows_test)

using namespace tickreel;
using namespace tickreel::tracks;
using namespace tickreel::test;

namespace {

constexpr std::uint8_t by_column = 1;
constexpr std::uint8_t by_change = 2;

// Arrays of records of random columns, one of them possibly a single record.
shape random_world(generator& random) {
  shape out;
  const std::uint64_t arrays = 1 + below(random, 4);
  for (std::uint64_t a = 0; a < arrays; ++a) {
    record_array each;
    each.offset = out.row_bytes;
    each.count = below(random, 3) == 0 ? 1 : static_cast<std::uint32_t>(1 + below(random, 60));
    each.first_column = static_cast<std::uint32_t>(out.columns.size());
    each.columns = static_cast<std::uint32_t>(1 + below(random, 6));
    std::vector<column> columns;
    for (std::uint32_t c = 0; c < each.columns; ++c) columns.push_back(random_column(random));
    for (std::uint32_t i = 0; i < each.count; ++i) {
      for (column one : columns) {
        one.offset = out.row_bytes;
        out.row_bytes += one.size_bytes;
        out.columns.push_back(one);
      }
    }
    each.record_bytes = (out.row_bytes - each.offset) / each.count;
    out.records.push_back(each);
  }
  return out;
}

// `source`: rows whose records the result takes over, each with this probability in thousandths.
std::vector<byte_vector> sparse(generator& random, const shape& of, const std::vector<byte_vector>& source,
                                std::uint64_t thousandths) {
  std::vector<byte_vector> out{source[0]};
  for (std::size_t i = 1; i < source.size(); ++i) {
    out.push_back(out.back());
    for (const record_array& each : of.records) {
      for (std::uint32_t r = 0; r < each.count; ++r) {
        if (below(random, 1000) >= thousandths) continue;
        const auto at = static_cast<std::ptrdiff_t>(each.offset + r * each.record_bytes);
        std::copy_n(source[i].begin() + at, each.record_bytes, out[i].begin() + at);
      }
    }
  }
  return out;
}

byte_vector block_of(block_writer& writer) {
  byte_vector room(writer.max_size());
  BOOST_REQUIRE(room.size() <= writer.largest_size());
  byte_writer out(room);
  writer.write(out);
  BOOST_REQUIRE(out.ok());
  room.resize(out.size());
  return room;
}

std::vector<byte_vector> blocks_of(block_writer& writer, const std::vector<byte_vector>& rows) {
  std::vector<byte_vector> out;
  for (std::size_t i = 0; i < rows.size();) {
    writer.clear();
    while (i < rows.size() && writer.add(rows[i])) ++i;
    BOOST_REQUIRE(writer.rows() != 0u);
    out.push_back(block_of(writer));
  }
  return out;
}

std::vector<byte_vector> rows_of(const shape& of, const std::vector<byte_vector>& blocks) {
  block_reader reader(of);
  std::vector<byte_vector> rows;
  for (const byte_vector& block : blocks) {
    BOOST_REQUIRE(reader.open(block).has_value());
    for (std::size_t i = 0; i < reader.rows(); ++i) {
      rows.emplace_back(i == 0 ? byte_vector(of.row_bytes) : byte_vector(rows.back()));
      BOOST_REQUIRE((i == 0 ? reader.row(i, rows.back()) : reader.replace_row(i, rows.back())).has_value());
    }
  }
  return rows;
}

// 400 records of which few change.
shape units(std::uint32_t count) {
  shape of;
  for (std::uint32_t i = 0; i < count; ++i) {
    of.columns.push_back({value_kind::floating, 12 * i, 4, {}});
    of.columns.push_back({value_kind::signed_integer, 12 * i + 4, 4, {}});
    of.columns.push_back({value_kind::unsigned_integer, 12 * i + 8, 4, {}});
  }
  of.row_bytes = 12 * count;
  of.records.push_back({0, 12, count, 0, 3});
  return of;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_worlds_are_read_back_from_one_block_or_many) {
  auto random = seeded_random("random worlds as changes");
  for (int round = 0; round < 60; ++round) {
    const shape of = random_world(random);
    BOOST_REQUIRE(of.validate().has_value());
    const auto source = random_rows(random, of, 1 + below(random, 40));
    constexpr std::uint64_t parts[] = {0, 5, 30, 200, 1000};
    const auto rows = sparse(random, of, source, parts[below(random, 5)]);
    const auto max_rows = static_cast<std::uint32_t>(1 + below(random, 30));
    const auto max_change_rows = static_cast<std::uint32_t>(below(random, 30));
    block_writer writer(
        of, {.max_rows = max_rows, .min_change_row_bytes = 0, .max_change_rows = max_change_rows});
    const auto blocks = blocks_of(writer, rows);
    BOOST_TEST(std::to_integer<int>(blocks[0][0]) == by_change);
    BOOST_REQUIRE((rows_of(of, blocks) == rows));
  }
}

BOOST_AUTO_TEST_CASE(rows_are_read_in_any_order_and_by_column) {
  auto random = seeded_random("changed rows in any order");
  const shape of = random_world(random);
  const auto rows = sparse(random, of, random_rows(random, of, 50), 40);
  block_writer writer(of, {.max_rows = 50, .min_change_row_bytes = 0});
  for (std::size_t n = 0; n < rows.size() && writer.add(rows[n]); ++n) {}
  const std::size_t count = writer.rows();
  const byte_vector block = block_of(writer);
  block_reader reader(of);
  BOOST_REQUIRE(reader.open(block).has_value());
  BOOST_REQUIRE(reader.rows() == count);
  byte_vector got(of.row_bytes);
  for (int i = 0; i < 200; ++i) {
    const std::size_t number = below(random, count);
    BOOST_REQUIRE(reader.row(number, got).has_value());
    BOOST_REQUIRE((got == rows[number]));
  }
  for (std::size_t c = 0; c < of.columns.size(); ++c) {
    const column& one = of.columns[c];
    byte_vector values(one.size_bytes * count), wanted;
    BOOST_REQUIRE(reader.column(c, values).has_value());
    for (std::size_t n = 0; n < count; ++n)
      wanted.insert(wanted.end(), rows[n].begin() + one.offset,
                    rows[n].begin() + one.offset + one.size_bytes);
    BOOST_REQUIRE((values == wanted));
  }
  const auto kept = static_cast<std::uint32_t>(below(random, of.columns.size()));
  reader.keep_only({kept});
  BOOST_REQUIRE(reader.open(block).has_value());
  byte_vector wanted(of.row_bytes);
  const column& one = of.columns[kept];
  std::copy_n(rows[count - 1].begin() + one.offset, one.size_bytes, wanted.begin() + one.offset);
  BOOST_REQUIRE(reader.row(count - 1, got).has_value());
  BOOST_TEST((got == wanted));
}

// Blocks that continue the one before, wherever the writer permits it, and some that do not. Rows are then read in order,
// and in any order within the last block that was opened.
BOOST_AUTO_TEST_CASE(blocks_that_continue_are_read_back) {
  auto random = seeded_random("blocks that continue");
  std::size_t continued = 0;
  for (int round = 0; round < 60; ++round) {
    const shape of = random_world(random);
    constexpr std::uint64_t parts[] = {0, 5, 30, 60};
    const auto rows =
        sparse(random, of, random_rows(random, of, 2 + below(random, 60)), parts[below(random, 4)]);
    block_writer writer(
        of, {.max_rows = static_cast<std::uint32_t>(1 + below(random, 12)), .min_change_row_bytes = 0});
    block_reader reader(of);
    byte_vector block;
    for (std::size_t i = 0; i < rows.size();) {
      writer.clear();
      const bool continues = below(random, 4) != 0 && writer.can_continue() && writer.continue_block();
      const std::size_t first = i;
      while (i < rows.size() && writer.add(rows[i])) ++i;
      block = block_of(writer);
      continued += continues ? 1 : 0;
      BOOST_REQUIRE((continues ? reader.open_next(block) : reader.open(block)).has_value());
      BOOST_REQUIRE(reader.rows() == i - first);
      byte_vector got(of.row_bytes);
      // Sometimes none.
      for (std::uint64_t reads = below(random, 6); reads-- > 0;) {
        const std::size_t number = below(random, reader.rows());
        BOOST_REQUIRE(reader.row(number, got).has_value());
        BOOST_REQUIRE((got == rows[first + number]));
      }
    }
  }
  BOOST_TEST(continued > 100u);
}

BOOST_AUTO_TEST_CASE(a_block_that_continues_needs_the_one_before) {
  auto random = seeded_random("a block alone");
  const shape of = units(400);
  const auto rows = sparse(random, of, random_rows(random, of, 9), 20);
  block_writer writer(of, {.max_rows = 3, .min_change_row_bytes = 0});
  BOOST_TEST(!writer.can_continue());
  BOOST_TEST(!writer.continue_block());
  std::vector<byte_vector> blocks;
  for (std::size_t i = 0; i < 9; i += 3) {
    writer.clear();
    BOOST_TEST(writer.continue_block() == (i != 0));
    for (std::size_t k = i; k < i + 3; ++k) BOOST_REQUIRE(writer.add(rows[k]));
    BOOST_TEST(!writer.continue_block());
    blocks.push_back(block_of(writer));
  }
  BOOST_TEST(blocks[1].size() * 10 < blocks[0].size());
  const auto code = [](const result<void>& done) {
    BOOST_REQUIRE(!done);
    return done.error().code;
  };
  byte_vector got(of.row_bytes);
  block_reader reader(of);
  BOOST_TEST((code(reader.open_next(blocks[1])) == error_code::malformed));
  BOOST_TEST((code(reader.open(blocks[1])) == error_code::malformed));
  BOOST_REQUIRE(reader.open(blocks[0]).has_value());
  BOOST_TEST((code(reader.open_next(blocks[0])) == error_code::malformed));
  // After a failure nothing is open that could be continued.
  BOOST_TEST((code(reader.open_next(blocks[1])) == error_code::malformed));
  BOOST_TEST(reader.rows() == 0u);
  // Nor after a block by column.
  block_writer by_columns(of, {.max_rows = 3});
  BOOST_REQUIRE(by_columns.add(rows[0]));
  BOOST_TEST(!by_columns.can_continue());
  BOOST_REQUIRE(reader.open(blocks[0]).has_value());
  BOOST_REQUIRE(reader.open(block_of(by_columns)).has_value());
  BOOST_TEST((code(reader.open_next(blocks[1])) == error_code::malformed));
  // A selection of columns does not end the chain.
  BOOST_REQUIRE(reader.open(blocks[0]).has_value());
  reader.keep_only({1});
  BOOST_REQUIRE(reader.open_next(blocks[1]).has_value());
  BOOST_REQUIRE(reader.open_next(blocks[2]).has_value());
  byte_vector wanted(of.row_bytes);
  std::copy_n(rows[8].begin() + 4, 4, wanted.begin() + 4);
  BOOST_REQUIRE(reader.row(2, got).has_value());
  BOOST_TEST((got == wanted));
}

// A constant world costs its first row once, and each further row next to nothing.
BOOST_AUTO_TEST_CASE(unchanged_rows_cost_few_bytes) {
  auto random = seeded_random("unchanged rows");
  const shape of = units(400);
  const byte_vector row = random_rows(random, of, 1)[0];
  block_writer writer(of, {.max_rows = 1000, .min_change_row_bytes = 0});
  BOOST_REQUIRE(writer.add(row));
  const std::size_t first = block_of(writer).size();
  while (writer.add(row)) {}
  BOOST_TEST(writer.rows() == 1000u);
  BOOST_TEST(block_of(writer).size() <= first + 3 * 999);
}

BOOST_AUTO_TEST_CASE(worlds_that_change_everywhere_are_coded_by_column_until_they_rest) {
  auto random = seeded_random("worlds that change everywhere");
  const shape of = units(400);
  auto rows = random_rows(random, of, 30);
  // A change in each record, then none.
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::uint32_t r = 0; r < 400; ++r) rows[i][12 * r + 4] = rows[i - 1][12 * r + 4] ^ std::byte{1};
  rows.resize(60, rows.back());
  block_writer writer(of, {.max_rows = 10, .min_change_row_bytes = 0});
  const auto blocks = blocks_of(writer, rows);
  // The second row ends the first block. The fourth block by column has changes in half of its sampled rows.
  std::string versions;
  for (const byte_vector& block : blocks) versions += std::to_string(std::to_integer<int>(block[0]));
  BOOST_TEST(versions == "2111122");
  BOOST_TEST((rows_of(of, blocks) == rows));
}

BOOST_AUTO_TEST_CASE(small_rows_and_unknown_records_are_coded_by_column) {
  auto random = seeded_random("rows by column");
  const auto version_of = [&](const shape& of, const block_options& options) {
    block_writer writer(of, options);
    BOOST_REQUIRE(writer.add(random_rows(random, of, 1)[0]));
    return std::to_integer<int>(block_of(writer)[0]);
  };
  shape of = units(400);
  BOOST_TEST(version_of(of, {}) == by_column);
  BOOST_TEST(version_of(of, {.min_change_row_bytes = of.row_bytes + 1}) == by_column);
  BOOST_TEST(version_of(of, {.min_change_row_bytes = of.row_bytes}) == by_change);
  BOOST_TEST(version_of(of, {.stage = stage::archive, .min_change_row_bytes = 0}) == by_column);
  shape other = of;
  other.columns[0].declared = tolerance(0.01);
  BOOST_TEST(version_of(other, {.min_change_row_bytes = 0}) == by_column);
  other = of;
  other.records.clear();
  BOOST_TEST(version_of(other, {.min_change_row_bytes = 0}) == by_column);
  other = of;
  other.records[0].count = 399;
  BOOST_TEST(version_of(other, {.min_change_row_bytes = 0}) == by_column);
  // Without records a reader rejects such a block.
  block_writer writer(of, {.min_change_row_bytes = 0});
  BOOST_REQUIRE(writer.add(byte_vector(of.row_bytes)));
  const byte_vector block = block_of(writer);
  other = of;
  other.records.clear();
  BOOST_TEST((block_reader(other).open(block).error().code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(floats_of_few_decimals_cost_less_than_their_bits) {
  const shape of = units(400);
  auto random = seeded_random("floats of few decimals");
  const auto size_of = [&](bool decimals) {
    std::vector<byte_vector> rows{byte_vector(of.row_bytes)};
    for (int i = 0; i < 40; ++i) {
      rows.push_back(rows.back());
      for (int k = 0; k < 20; ++k) {
        const double noise = std::uniform_real_distribution<>(0, 0.01)(random);
        put_float(rows.back().data() + 12 * below(random, 400), 4,
                  static_cast<double>(below(random, 40000)) / 100 + (decimals ? 0 : noise));
      }
    }
    block_writer writer(of, {.max_rows = 100, .min_change_row_bytes = 0});
    const auto blocks = blocks_of(writer, rows);
    BOOST_REQUIRE(blocks.size() == 1u);
    BOOST_REQUIRE((rows_of(of, blocks) == rows));
    return blocks[0].size();
  };
  const std::size_t with_decimals = size_of(true);
  BOOST_TEST(with_decimals * 4 < size_of(false) * 3);
}

// Each truncation is rejected; a flip is rejected or gives other rows, within the limits. The same for a block that
// continues another.
BOOST_AUTO_TEST_CASE(damaged_blocks_are_harmless) {
  auto random = seeded_random("damaged blocks of changes");
  for (int round = 0; round < 4; ++round) {
    const shape of = random_world(random);
    const auto rows = sparse(random, of, random_rows(random, of, 6), 100);
    block_writer writer(of, {.max_rows = 6, .min_change_row_bytes = 0});
    const byte_vector block = blocks_of(writer, rows)[0];
    block_reader reader(of, {.rows = 100, .memory_bytes = 1 << 20});
    for (std::size_t size = 0; size < block.size(); ++size) {
      BOOST_REQUIRE(!reader.open(byte_span(block).first(size)).has_value());
      BOOST_REQUIRE(reader.rows() == 0u);
    }
    byte_vector row(of.row_bytes);
    for (std::size_t at = 0; at < block.size(); ++at) {
      byte_vector damaged = block;
      damaged[at] ^= static_cast<std::byte>(1u << below(random, 8));
      if (!reader.open(damaged)) continue;
      BOOST_REQUIRE(reader.rows() <= 100u);
      for (std::size_t i = 0; i < reader.rows(); ++i)
        if (!reader.row(i, row)) break;
    }
    BOOST_REQUIRE(reader.open(block).has_value());
    BOOST_REQUIRE(reader.row(0, row).has_value());
    BOOST_TEST((row == rows[0]));
    if (!writer.can_continue()) continue;
    writer.clear();
    BOOST_REQUIRE(writer.continue_block());
    BOOST_REQUIRE(writer.add(rows[1]));
    const byte_vector next = block_of(writer);
    for (std::size_t at = 0; at < 2 * next.size(); ++at) {
      byte_vector damaged = next;
      if (at < next.size()) {
        damaged.resize(at);
      } else {
        damaged[at - next.size()] ^= static_cast<std::byte>(1u << below(random, 8));
      }
      BOOST_REQUIRE(reader.open(block).has_value());
      const auto opened = reader.open_next(damaged);
      if (at < next.size()) BOOST_REQUIRE(!opened);
      for (std::size_t i = 0; opened && i < reader.rows(); ++i)
        if (!reader.row(i, row)) break;
    }
  }
}

BOOST_AUTO_TEST_CASE(readers_limit_rows_memory_and_changes) {
  const shape of = units(400);
  block_writer writer(of, {.max_rows = 200, .min_change_row_bytes = 0});
  byte_vector row(of.row_bytes);
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t r = 0; r < 40; ++r) row[12 * r + 4] = static_cast<std::byte>(i + 1);
    BOOST_REQUIRE(writer.add(row));
  }
  const byte_vector block = block_of(writer);
  BOOST_TEST((block_reader(of, {.rows = 199}).open(block).error().code == error_code::over_limit));
  BOOST_TEST((block_reader(of, {.memory_bytes = 10'000}).open(block).error().code == error_code::over_limit));
  block_reader reader(of, {.memory_bytes = 40'000});
  BOOST_REQUIRE(reader.open(block).has_value());
  BOOST_TEST(reader.row(20, row).has_value());
  const auto last = reader.row(199, row);
  BOOST_REQUIRE(!last.has_value());
  BOOST_TEST((last.error().code == error_code::over_limit));
  BOOST_REQUIRE(block_reader(of).open(block).has_value());
  byte_vector reserved = block;
  reserved[2] = std::byte{2};
  BOOST_TEST((reader.open(reserved).error().code == error_code::malformed));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

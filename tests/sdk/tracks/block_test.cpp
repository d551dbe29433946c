#include <boost/test/unit_test.hpp>

#include "declarations.hpp"
#include "random.hpp"
#include "random_rows.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/block_writer.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_tests)
BOOST_AUTO_TEST_SUITE(block_test)

using namespace tickreel;
using namespace tickreel::tracks;
using namespace tickreel::test;

namespace {

byte_vector write(block_writer& writer, const std::vector<byte_vector>& rows) {
  writer.clear();
  for (const auto& row : rows) BOOST_REQUIRE(writer.add(row));
  byte_vector room(writer.max_size());
  byte_writer out(room);
  writer.write(out);
  BOOST_REQUIRE(out.ok());
  room.resize(out.size());
  return room;
}

byte_vector write(const shape& of, const std::vector<byte_vector>& rows, block_options options = {}) {
  options.max_rows = std::max(1u, static_cast<std::uint32_t>(rows.size()));
  block_writer writer(of, options);
  return write(writer, rows);
}

std::vector<byte_vector> read(const shape& of, byte_span block) {
  block_reader reader(of);
  BOOST_REQUIRE(reader.open(block).has_value());
  std::vector<byte_vector> rows(reader.rows(), byte_vector(of.row_bytes));
  for (std::size_t i = 0; i < rows.size(); ++i) BOOST_REQUIRE(reader.row(i, rows[i]).has_value());
  return rows;
}

byte_vector column_of(const std::vector<byte_vector>& rows, const column& of) {
  byte_vector out;
  for (const auto& row : rows)
    out.insert(out.end(), row.begin() + of.offset, row.begin() + of.offset + of.size_bytes);
  return out;
}

// Three axes that rotate irregularly, a position, and its velocity.
shape turning_shape(bool with_relations) {
  shape of;
  for (std::uint32_t i = 0; i < 15; ++i) of.columns.push_back({value_kind::floating, 4 * i, 4, {}});
  of.row_bytes = 60;
  if (!with_relations) return of;
  declare_rotation(of, {0, 1, 2}, {3, 4, 5}, {6, 7, 8});
  for (std::uint32_t i = 0; i < 3; ++i) of.columns[9 + i].declared = integral_of(12 + i, 50);
  return of;
}
std::vector<byte_vector> turning_rows(generator& random, std::size_t count, double places) {
  std::vector<byte_vector> rows;
  std::uniform_real_distribution<> wobble(-0.05, 0.05);
  double at[3] = {3, 4, 5};
  double a = 0.5, b = 0.3;
  for (std::size_t n = 0; n < count; ++n) {
    a += wobble(random);
    b += wobble(random);
    const double f[3] = {std::cos(a) * std::cos(b), std::sin(b), std::sin(a) * std::cos(b)};
    const double u[3] = {-std::cos(a) * std::sin(b), std::cos(b), -std::sin(a) * std::sin(b)};
    double values[15];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const double speed = std::sin(static_cast<double>(n) * 0.05) * 3 + wobble(random);
      at[i] += speed / 50;
      values[i] = f[i];
      values[3 + i] = u[i];
      values[6 + i] = u[j] * f[k] - u[k] * f[j];
      values[9 + i] = at[i];
      values[12 + i] = speed;
    }
    byte_vector row(60);
    for (std::uint32_t i = 0; i < 15; ++i)
      put_float(row.data() + 4 * i, 4, std::round(values[i] * places) / places);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_rows_round_trip) {
  auto random = seeded_random("any_rows_round_trip");
  for (int round = 0; round < 300; ++round) {
    const shape of = random_shape(random, below(random, 60), round % 3 == 0);
    BOOST_REQUIRE(of.validate().has_value());
    block_options options;
    options.stage = round % 2 == 0 ? stage::live : stage::archive;
    options.group_columns = static_cast<std::uint32_t>(below(random, 20));
    options.max_rows = 200;
    block_writer writer(of, options);
    block_reader reader(of);
    for (const std::size_t count :
         {std::size_t{1}, std::size_t{2}, std::size_t{0}, std::size_t{1 + below(random, 200)}}) {
      const auto rows = random_rows(random, of, count);
      const byte_vector block = write(writer, rows);
      BOOST_REQUIRE(block.size() <= writer.max_size());
      BOOST_TEST((write(of, rows, options) == block));
      BOOST_REQUIRE(reader.open(block).has_value());
      BOOST_REQUIRE(reader.rows() == count);
      // Columns listed before and after their rows: groups are decoded in another order.
      for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < 5 && !of.columns.empty(); ++k) {
          const std::size_t c = below(random, of.columns.size());
          byte_vector got(of.columns[c].size_bytes * count);
          BOOST_REQUIRE(reader.column(c, got).has_value());
          BOOST_TEST((got == column_of(rows, of.columns[c])), "column " << c << " of round " << round);
        }
        byte_vector row(of.row_bytes);
        for (std::size_t i = 0; i < count; ++i) {
          BOOST_REQUIRE(reader.row(i, row).has_value());
          BOOST_REQUIRE_MESSAGE(row == rows[i], "row " << i << " of " << count << ", round " << round);
        }
        // In any order over another row of the block.
        for (std::size_t n = 0; n < count; ++n) {
          const std::size_t i = below(random, count);
          BOOST_REQUIRE(reader.replace_row(i, row).has_value());
          BOOST_REQUIRE_MESSAGE(row == rows[i], "row " << i << " of " << count << ", round " << round);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_of_selected_columns_contain_only_those) {
  auto random = seeded_random("rows_of_selected_columns_contain_only_those");
  for (int round = 0; round < 200; ++round) {
    const shape of = random_shape(random, 1 + below(random, 60), round % 3 == 0);
    block_options options;
    options.stage = round % 2 == 0 ? stage::live : stage::archive;
    options.group_columns = static_cast<std::uint32_t>(below(random, 20));
    const auto rows = random_rows(random, of, 1 + below(random, 100));
    const byte_vector block = write(of, rows, options);
    block_reader reader(of);
    // The last round repeats all of them.
    for (int pass = 0; pass < 3; ++pass) {
      std::vector<std::uint32_t> kept;
      for (std::uint32_t c = 0; c < of.columns.size() && pass < 2; ++c) {
        if (below(random, 3) == 0) kept.push_back(c);
      }
      reader.keep_only(kept);
      BOOST_REQUIRE(reader.open(block).has_value());
      const std::size_t asked = below(random, of.columns.size());
      byte_vector alone(of.columns[asked].size_bytes * rows.size());
      if (pass == 1) BOOST_REQUIRE(reader.column(asked, alone).has_value());
      byte_vector row(of.row_bytes);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        byte_vector expected = kept.empty() ? rows[i] : byte_vector(of.row_bytes);
        for (const std::uint32_t c : kept) {
          std::copy_n(rows[i].begin() + of.columns[c].offset, of.columns[c].size_bytes,
                      expected.begin() + of.columns[c].offset);
        }
        BOOST_REQUIRE((i == 0 ? reader.row(i, row) : reader.replace_row(i, row)).has_value());
        BOOST_REQUIRE_MESSAGE(row == expected, "row " << i << ", pass " << pass << " of round " << round);
      }
      BOOST_REQUIRE(reader.column(asked, alone).has_value());
      BOOST_TEST((alone == column_of(rows, of.columns[asked])));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_kind_of_float_round_trips_bit_by_bit) {
  auto random = seeded_random("every_kind_of_float_round_trips_bit_by_bit");
  for (const std::uint32_t size : {4u, 8u}) {
    shape of;
    of.row_bytes = size;
    of.columns.push_back({value_kind::floating, 0, size, {}});
    for (int share = 0; share < 12; ++share) {
      // From decimals with occasional special values to special values only.
      std::vector<byte_vector> rows;
      for (int i = 0; i < 400; ++i) {
        byte_vector row(size);
        put_float(row.data(), size, i * 0.25);
        const std::uint64_t bits = special_float(random, size);
        if (below(random, 11) < static_cast<std::uint64_t>(share)) std::memcpy(row.data(), &bits, size);
        rows.push_back(row);
      }
      for (const stage how : {stage::live, stage::archive})
        BOOST_TEST((read(of, write(of, rows, {.stage = how})) == rows));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tolerance_holds_in_every_row) {
  auto random = seeded_random("a_tolerance_holds_in_every_row");
  for (const double allowed : {0.0005, 0.004, 1.0, 3e-9, 25.0}) {
    for (const std::uint32_t size : {4u, 8u}) {
      shape of;
      of.row_bytes = 2 * size;
      of.columns.push_back({value_kind::floating, 0, size, tolerance(allowed)});
      of.columns.push_back({value_kind::floating, size, size, tolerance(allowed)});
      of.columns[1].declared.kind = tracks::relation::relative_to;
      BOOST_REQUIRE(of.validate().has_value());
      std::vector<byte_vector> rows;
      double at = 0;
      for (int i = 0; i < 500; ++i) {
        at += std::uniform_real_distribution<>(-20, 20)(random) * allowed;
        byte_vector row(2 * size);
        put_float(row.data(), size, at);
        put_float(row.data() + size, size, i % 50 == 7 ? std::nan("") : at + allowed * i);
        rows.push_back(row);
      }
      const byte_vector block = write(of, rows);
      BOOST_TEST(block.size() < rows.size() * size);
      const auto back = read(of, block);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::uint32_t c = 0; c < 2; ++c) {
          const auto value = [&](const byte_vector& row) {
            return size == 4 ? double{detail::load<std::endian::little, float>(row.data() + c * size)}
                             : detail::load<std::endian::little, double>(row.data() + c * size);
          };
          const double was = value(rows[i]), is = value(back[i]);
          BOOST_TEST((std::isnan(was) ? std::isnan(is) : std::abs(is - was) <= allowed),
                     was << " became " << is);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(relations_are_lossless_and_save_bytes) {
  auto random = seeded_random("relations_are_lossless_and_save_bytes");
  // Decimals, and floats of full precision.
  for (const double places : {1e3, 1e12}) {
    const auto rows = turning_rows(random, 300, places);
    for (const stage how : {stage::live, stage::archive}) {
      const byte_vector with = write(turning_shape(true), rows, {.stage = how});
      const byte_vector without = write(turning_shape(false), rows, {.stage = how});
      BOOST_TEST((read(turning_shape(true), with) == rows));
      BOOST_TEST(with.size() * 10 < without.size() * 8);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_column_needs_only_its_own_group_and_those_it_refers_to) {
  auto random = seeded_random("a_column_needs_only_its_own_group_and_those_it_refers_to");
  const shape of = turning_shape(true);
  const auto rows = turning_rows(random, 100, 1e3);
  block_options options;
  options.group_columns = 1;
  const byte_vector block = write(of, rows, options);
  block_reader reader(of);
  for (std::size_t c = 0; c < of.columns.size(); ++c) {
    byte_vector alone(400);
    BOOST_REQUIRE(reader.open(block).has_value());
    BOOST_REQUIRE(reader.column(c, alone).has_value());
    BOOST_TEST((alone == column_of(rows, of.columns[c])));
  }
  // Column 0 refers to no other and is the first of all.
  byte_vector damaged = block;
  std::fill(damaged.end() - static_cast<std::ptrdiff_t>(block.size() / 2), damaged.end(), std::byte{0x5A});
  byte_vector first(400);
  BOOST_REQUIRE(reader.open(damaged).has_value());
  BOOST_REQUIRE(reader.column(0, first).has_value());
  BOOST_TEST((first == column_of(rows, of.columns[0])));
}

BOOST_AUTO_TEST_CASE(a_block_truncated_anywhere_is_rejected) {
  auto random = seeded_random("a_block_truncated_anywhere_is_rejected");
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{40}}) {
    const shape of = random_shape(random, 20, false);
    const byte_vector block = write(of, random_rows(random, of, count));
    block_reader reader(of);
    for (std::size_t size = 0; size < block.size(); ++size) {
      const byte_vector part(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
      BOOST_REQUIRE_MESSAGE(!reader.open(part).has_value(), size << " of " << block.size());
      BOOST_REQUIRE(reader.rows() == 0);
    }
    byte_vector longer = block;
    longer.push_back(std::byte{0});
    BOOST_TEST(!reader.open(longer).has_value());
  }
}

BOOST_AUTO_TEST_CASE(flipped_bits_give_other_rows_or_errors) {
  auto random = seeded_random("flipped_bits_give_other_rows_or_errors");
  for (int round = 0; round < 3; ++round) {
    const shape of = random_shape(random, 25, false);
    block_options options;
    options.group_columns = 7;
    const byte_vector block = write(of, random_rows(random, of, 30), options);
    block_reader reader(of, {.rows = 100, .memory_bytes = 1 << 20});
    for (std::size_t bit = 0; bit < 8 * block.size(); ++bit) {
      byte_vector damaged = block;
      damaged[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      if (!reader.open(damaged)) continue;
      BOOST_REQUIRE(reader.rows() <= 100);
      byte_vector row(of.row_bytes);
      for (std::size_t i = 0; i < reader.rows(); ++i)
        if (!reader.row(i, row)) break;
    }
  }
}

BOOST_AUTO_TEST_CASE(a_reader_keeps_its_memory_limit) {
  shape of;
  of.row_bytes = 4;
  of.columns.push_back({value_kind::signed_integer, 0, 4, {}});
  const byte_vector block = write(of, std::vector<byte_vector>(1000, byte_vector(4)));
  block_reader few_rows(of, {.rows = 999});
  BOOST_TEST((few_rows.open(block).error().code == error_code::over_limit));
  block_reader little_memory(of, {.memory_bytes = 20'000});
  BOOST_TEST((little_memory.open(block).error().code == error_code::over_limit));
  block_reader enough(of, {.rows = 1000, .memory_bytes = 100'000});
  BOOST_TEST(enough.open(block).has_value());
  byte_vector other = block;
  other[0] = std::byte{3};
  BOOST_TEST((enough.open(other).error().code == error_code::unsupported_version));
  BOOST_TEST(enough.rows() == 0u);
}

BOOST_AUTO_TEST_CASE(calls_that_do_not_match_are_rejected) {
  shape of;
  of.row_bytes = 4;
  of.columns.push_back({value_kind::signed_integer, 0, 4, {}});
  block_writer writer(of, {.max_rows = 2});
  const byte_vector row(4), longer(5);
  BOOST_TEST(!writer.add(longer));
  BOOST_TEST(writer.add(row));
  BOOST_TEST(writer.add(row));
  BOOST_TEST(writer.full());
  BOOST_TEST(!writer.add(row));
  byte_vector room(writer.max_size());
  byte_writer tight(mutable_byte_span(room).first(3));
  writer.write(tight);
  BOOST_TEST(!tight.ok());
  byte_writer out(room);
  writer.write(out);
  block_reader reader(of);
  BOOST_REQUIRE(reader.open(out.written()).has_value());
  byte_vector got(8);
  BOOST_TEST((reader.row(2, got).error().code == error_code::out_of_range));
  BOOST_TEST((reader.column(1, got).error().code == error_code::out_of_range));
  BOOST_TEST((reader.row(0, mutable_byte_span(got).first(3)).error().code == error_code::buffer_too_small));
  BOOST_TEST(
      (reader.column(0, mutable_byte_span(got).first(7)).error().code == error_code::buffer_too_small));
  shape circle = of;
  circle.columns[0].declared = same_as(0);
  BOOST_TEST(!block_writer(circle).add(row));
  BOOST_TEST((block_reader(circle).open(out.written()).error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

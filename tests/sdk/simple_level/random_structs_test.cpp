// Random structs through the recorder and back: every bit, or within the tolerance; and their reels truncated at every byte and
// with flipped bits.
#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/tracks/block_writer.hpp"
#include "tickreel/tracks/row_reader.hpp"
#include "tickreel/tracks/row_rewriter.hpp"
#include "tickreel/tracks/rows.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(random_structs_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::size_t max_row_bytes = 2048;

// A row_encoder for structs that are generated at run time.
class any_encoder {
 public:
  using state_type = std::array<std::byte, max_row_bytes>;
  static constexpr std::string_view encoder_name = tracks::rows_name;
  static constexpr std::uint32_t encoder_version = tracks::rows_version;

  any_encoder(const tracks::shape& of, std::uint32_t max_rows)
      : row_bytes_(of.row_bytes), rows_(of, {.max_rows = max_rows}) {}
  [[nodiscard]] bool add_row(const state_type& now) noexcept {
    return rows_.add(byte_span(now).first(row_bytes_));
  }
  [[nodiscard]] bool is_full() const noexcept { return rows_.full(); }
  [[nodiscard]] std::size_t max_rows() const noexcept { return rows_.max_rows(); }
  [[nodiscard]] std::size_t max_block_size() const noexcept { return rows_.largest_size(); }
  void write_block(byte_writer& out) noexcept { rows_.write(out); }
  void clear_rows() noexcept { rows_.clear(); }

 private:
  std::size_t row_bytes_;
  tracks::block_writer rows_;
};

class struct_maker {
 public:
  explicit struct_maker(std::mt19937_64& random) : random_(random) {}

  schema make() {
    // Until one fits into a state.
    for (;;) {
      made_ = {};
      const std::uint32_t root = structure(0);
      if (made_.types[root].bytes > max_row_bytes) continue;
      if (root + 1 != made_.types.size()) made_.types.push_back(made_.types[root]);
      return made_;
    }
  }

 private:
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  std::uint32_t add(schema_type type) { return detail::add_type(made_, std::move(type)); }

  std::uint32_t structure(int depth) {
    schema_type type;
    type.kind = type_kind::structure;
    type.name = "s" + std::to_string(depth);
    const std::uint32_t count = 1 + below(depth == 0 ? 12 : 4);
    for (std::uint32_t i = 0; i < count; ++i) {
      schema_field field;
      field.name = "m" + std::to_string(i);
      field.type = any(depth + 1);
      declare(type, field);
      type.bytes += made_.types[field.type].bytes;
      type.fields.push_back(std::move(field));
    }
    return add(std::move(type));
  }

  void declare(const schema_type& owner, schema_field& field) {
    const schema_type& type = made_.types[field.type];
    const bool is_float = type.kind == type_kind::floating;
    const bool are_floats =
        type.kind == type_kind::array && made_.types[type.element].kind == type_kind::floating;
    if ((is_float || are_floats) && below(3) == 0) {
      field.declared.kept = precision::decimals;
      field.declared.places = static_cast<std::uint8_t>(below(6));
    } else if ((is_float || are_floats) && below(4) == 0) {
      field.declared.kept = precision::tolerance;
      field.declared.most = std::pow(10.0, -static_cast<int>(below(6)));
    }
    if (are_floats && type.count == 3 && below(2) == 0) field.declared.how = relation::unit_vector;
    if (are_floats && (type.count == 4 || type.count == 9)) field.declared.how = relation::rotation;
    for (const schema_field& other : owner.fields) {
      const bool alike = other.type == field.type && type.kind != type_kind::text;
      if (!alike || !(is_float || type.kind == type_kind::signed_integer) || below(2) == 0) continue;
      field.declared.how = below(2) == 0 ? relation::same_as : relation::relative_to;
      field.declared.first = other.name;
      return;
    }
  }

  std::uint32_t any(int depth) {
    schema_type type;
    switch (below(depth < 3 ? 11 : 7)) {
      case 0:
        type.kind = type_kind::unsigned_integer;
        type.bytes = 1u << below(4);
        break;
      case 1:
        type.kind = type_kind::signed_integer;
        type.bytes = 1u << below(4);
        break;
      case 2:
      case 3:
        type.kind = type_kind::floating;
        type.bytes = 4u << below(2);
        break;
      case 4:
        type.kind = type_kind::boolean;
        type.bytes = 1;
        break;
      case 5:
        type.kind = type_kind::text;
        type.count = below(12);
        type.bytes = 2 + type.count;
        break;
      case 6:
        type.kind = type_kind::fixed_point;
        type.bytes = 4;
        type.count = below(31);
        break;
      case 7:
        type.kind = type_kind::optional;
        type.element = any(depth + 1);
        type.bytes = 1 + made_.types[type.element].bytes;
        break;
      case 8:
      case 9:
        type.kind = type_kind::array;
        type.element = any(depth + 1);
        type.count = 1 + below(9);
        type.bytes = type.count * made_.types[type.element].bytes;
        break;
      default:
        return structure(depth);
    }
    return add(std::move(type));
  }

  std::mt19937_64& random_;
  schema made_;
};

template <class Number>
Number odd_number(std::mt19937_64& random) {
  using bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  using limits = std::numeric_limits<Number>;
  switch (random() % 10) {
    case 0:  // any payload, quiet or signalling, of either sign
      return std::bit_cast<Number>(
          static_cast<bits>(std::bit_cast<bits>(limits::infinity()) | random() >> 1));
    case 1:
      return -Number{0};
    case 2:
      return limits::infinity();
    case 3:
      return -limits::infinity();
    case 4:
      return limits::denorm_min() * static_cast<Number>(random() % 1000);
    case 5:
      return limits::lowest();
    case 6:
      return limits::max();
    case 7:
      return std::bit_cast<Number>(static_cast<bits>(random()));
    default:
      return 0;
  }
}

// Continues from the previous value: a small step, no step, or any value.
void advance(const std::vector<value_layout>& values, std::mt19937_64& random, any_encoder::state_type& row) {
  for (const value_layout& each : values) {
    std::byte* const at = row.data() + each.offset;
    if (random() % 3 == 0) continue;
    if (each.kind == value_kind::floating) {
      const auto step = [&]<class Number>(Number) {
        auto value = detail::load<std::endian::little, Number>(at);
        value = random() % 12 == 0 ? odd_number<Number>(random)
                                   : static_cast<Number>(std::round((value + Number(0.37)) * 100) / 100);
        detail::store<std::endian::little>(at, value);
      };
      if (each.size_bytes == 4) {
        step(0.0f);
      } else {
        step(0.0);
      }
    } else if (each.kind == value_kind::boolean) {
      *at = static_cast<std::byte>(random() % 2);
    } else if (each.kind == value_kind::text) {
      const std::size_t size = random() % (each.size_bytes - 1);
      std::fill_n(at, each.size_bytes, std::byte{0});
      *at = static_cast<std::byte>(size);
      std::fill_n(at + 2, size, static_cast<std::byte>('a' + random() % 3));
    } else if (random() % 20 == 0) {
      for (std::uint32_t i = 0; i < each.size_bytes; ++i) at[i] = static_cast<std::byte>(random());
    } else {
      *at = static_cast<std::byte>(std::to_integer<unsigned>(*at) + random() % 3);
    }
  }
}

bool near_enough(const tracks::column& of, const std::byte* was, const std::byte* is) {
  if (std::equal(was, was + of.size_bytes, is)) return true;
  if (of.declared.tolerance == 0) return false;
  const auto off = [&]<class Number>(Number) {
    return std::abs(static_cast<double>(detail::load<std::endian::little, Number>(was)) -
                    static_cast<double>(detail::load<std::endian::little, Number>(is)));
  };
  return (of.size_bytes == 4 ? off(0.0f) : off(0.0)) <= of.declared.tolerance * (1 + 1e-9);
}

struct recorded {
  tracks::shape shape;
  std::vector<any_encoder::state_type> rows;

  [[nodiscard]] bool has(const tracks::row_view& row) const {
    if (row.stamp.tick >= rows.size() || row.bytes.size() != shape.row_bytes) return false;
    return std::all_of(shape.columns.begin(), shape.columns.end(), [&](const tracks::column& each) {
      return near_enough(each, rows[static_cast<std::size_t>(row.stamp.tick)].data() + each.offset,
                         row.bytes.data() + each.offset);
    });
  }
};

recorded record_any(const std::string& path, const schema& described, std::mt19937_64& random, int ticks) {
  const auto shape = tracks::shape_of(described);
  BOOST_REQUIRE(shape);
  recorded out{*shape, {}};
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  // Of one tick, too.
  options.seal_frames = 1 + static_cast<std::uint32_t>(random() % 30);
  options.schema = to_bytes(described);
  auto to = recorder<any_encoder>::open(path, any_encoder(*shape, 64), options);
  BOOST_REQUIRE(to);
  const auto values = values_of(described);
  any_encoder::state_type now{};
  for (int tick = 0; tick < ticks; ++tick) {
    advance(values, random, now);
    BOOST_REQUIRE(to->push(now));
    out.rows.push_back(now);
    to->pump();
  }
  BOOST_REQUIRE(to->close());
  return out;
}

// The number of returned ticks; each equals the recorded one.
std::uint64_t check(byte_span reel, const recorded& as, bool whole) {
  auto in = tracks::row_reader::open(byte_source(reel));
  if (!in) {
    BOOST_REQUIRE(!whole);
    return 0;
  }
  std::uint64_t ticks = 0;
  tracks::row_view row;
  for (;;) {
    const auto more = in->next(row);
    BOOST_REQUIRE(more);
    if (!*more) break;
    BOOST_REQUIRE(as.has(row));
    ++ticks;
  }
  if (whole) BOOST_REQUIRE(ticks == as.rows.size());
  return ticks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(round_trip_live_and_compact) {
  scratch_folder folder;
  auto random = seeded_random("random structs");
  for (int round = 0; round < 120; ++round) {
    const std::string path = folder / (std::to_string(round) + ".reel");
    const schema described = struct_maker(random).make();
    BOOST_REQUIRE(read_schema(to_bytes(described)));
    const recorded as = record_any(path, described, random, static_cast<int>(random() % 150));
    check(read_file(path), as, true);
    BOOST_REQUIRE(tracks::compact_in_place(path));
    check(read_file(path), as, true);
  }
}

BOOST_AUTO_TEST_CASE(are_never_wrong_wherever_their_reel_is_truncated) {
  scratch_folder folder;
  auto random = seeded_random("random structs, cut");
  const std::string path = folder / "match.reel";
  const recorded as = record_any(path, struct_maker(random).make(), random, 40);
  const byte_vector whole = read_file(path);
  std::uint64_t most = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::uint64_t ticks = check(byte_span(whole).first(size), as, false);
    // The existing file stays.
    BOOST_REQUIRE(ticks >= most);
    most = ticks;
  }
  BOOST_TEST(most == 40u);
}

BOOST_AUTO_TEST_CASE(are_never_wrong_whatever_bit_is_flipped) {
  scratch_folder folder;
  auto random = seeded_random("random structs, flipped");
  const std::string path = folder / "match.reel";
  const recorded as = record_any(path, struct_maker(random).make(), random, 40);
  byte_vector bytes = read_file(path);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto bit = static_cast<std::byte>(1u << random() % 8);
    bytes[at] ^= bit;
    check(bytes, as, false);
    bytes[at] ^= bit;
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

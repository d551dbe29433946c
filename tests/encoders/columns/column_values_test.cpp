// Values of columns, and what every format of tables rejects.
#include "tickreel/columns/column_values.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "hex.hpp"

BOOST_AUTO_TEST_SUITE(encoders_columns_tests)
BOOST_AUTO_TEST_SUITE(column_values_test)

using namespace tickreel;
using columns::column_type;
using columns::column_values;

BOOST_AUTO_TEST_CASE(the_range_of_integers_is_that_of_its_group) {
  column_values values(column_type::integer);
  values.add_null();
  values.add((std::numeric_limits<std::int64_t>::max)());
  values.add((std::numeric_limits<std::int64_t>::min)());
  BOOST_TEST(values.least() == (std::numeric_limits<std::int64_t>::min)());
  BOOST_TEST(values.greatest() == (std::numeric_limits<std::int64_t>::max)());
  values.clear();
  values.add(std::int64_t{5});
  BOOST_TEST(values.least() == 5);
  BOOST_TEST(values.greatest() == 5);
  BOOST_TEST(values.nulls() == 0u);
}

BOOST_AUTO_TEST_CASE(nulls_have_bits_and_no_bytes) {
  column_values values(column_type::text);
  for (int row = 0; row < 9; ++row) {
    if (row == 1 || row == 8) {
      BOOST_REQUIRE(values.add(std::string_view(row == 1 ? "ab" : "")));
    } else {
      values.add_null();
    }
  }
  byte_vector validity;
  values.append_validity(validity);
  BOOST_TEST(test::to_hex(validity) == "0201");
  BOOST_TEST(as_text(values.values()) == "ab");
  BOOST_TEST_REQUIRE(values.ends().size() == 2u);
  BOOST_TEST(values.ends()[0] == 2u);
  BOOST_TEST(values.ends()[1] == 2u);
  // A value of another type is none.
  values.add(std::int64_t{1});
  values.add(0.5);
  BOOST_TEST(values.rows() == 11u);
  BOOST_TEST(values.nulls() == 9u);
}

BOOST_AUTO_TEST_CASE(texts_are_utf8) {
  column_values texts(column_type::text);
  const auto added = texts.add(std::string_view("\xC3("));
  BOOST_REQUIRE(!added);
  BOOST_TEST((added.error().code == error_code::invalid_argument));
  BOOST_TEST(texts.rows() == 0u);
}

BOOST_AUTO_TEST_CASE(columns_and_facts_that_readers_reject_are_rejected) {
  const auto is_rejected = [](const std::vector<columns::column>& all,
                              const std::vector<columns::key_value>& facts = {}) {
    const auto valid = columns::check_columns(all, facts);
    return !valid && valid.error().code == error_code::invalid_argument;
  };
  BOOST_TEST(is_rejected({}));
  BOOST_TEST(is_rejected({{""}}));
  BOOST_TEST(is_rejected({{"\xFF"}}));
  BOOST_TEST(is_rejected({{"a"}, {"a", column_type::real}}));
  BOOST_TEST(is_rejected({{"a", column_type::real, "\xFF"}}));
  BOOST_TEST(is_rejected({{"a"}}, {{"k", "\xFF"}}));
  BOOST_TEST(!is_rejected({{"a"}, {"A"}, {" "}, {"\""}}, {{"", ""}}));
}

BOOST_AUTO_TEST_CASE(a_group_has_the_columns_of_its_table) {
  const std::vector<columns::column> all = {{"a", column_type::text}, {"b", column_type::real}};
  std::vector<column_values> values = {column_values(column_type::text), column_values(column_type::real)};
  BOOST_TEST(columns::check_group(all, values).has_value());
  values[0].add_null();
  BOOST_TEST(!columns::check_group(all, values));
  values[1].add_null();
  BOOST_TEST(columns::check_group(all, values).has_value());
  std::swap(values[0], values[1]);
  BOOST_TEST(!columns::check_group(all, values));
  values.pop_back();
  BOOST_TEST(!columns::check_group(all, values));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

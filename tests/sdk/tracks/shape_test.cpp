#include <boost/test/unit_test.hpp>

#include "declarations.hpp"
#include "tickreel/tracks/shape.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_tests)
BOOST_AUTO_TEST_SUITE(shape_test)

using namespace tickreel;
using namespace tickreel::tracks;

namespace {

shape floats(std::uint32_t count) {
  shape of;
  for (std::uint32_t i = 0; i < count; ++i) of.columns.push_back({value_kind::floating, 4 * i, 4, {}});
  of.row_bytes = 4 * count;
  return of;
}

void refused(const shape& of, std::int64_t column) {
  const auto checked = of.validate();
  BOOST_REQUIRE(!checked.has_value());
  BOOST_TEST((checked.error().code == error_code::invalid_argument));
  BOOST_TEST(checked.error().values[0] == column);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_shape_is_checked) {
  BOOST_TEST(shape{}.validate().has_value());
  BOOST_TEST(floats(3).validate().has_value());
  const auto with = [](auto change) {
    shape of = floats(4);
    change(of.columns[2]);
    return of;
  };
  refused(with([](column& c) { c.offset = 5; }), 2);
  refused(with([](column& c) { c.offset = 14; }), 2);
  refused(with([](column& c) { c.offset = ~0u; }), 2);
  refused(with([](column& c) { c.size_bytes = 2; }), 2);
  refused(with([](column& c) { c.kind = static_cast<value_kind>(77); }), 2);
  refused(with([](column& c) { c.declared = decimals(10); }), 2);
  refused(with([](column& c) { c.declared = decimals(-2); }), 2);
  refused(with([](column& c) { c.declared = tolerance(-1); }), 2);
  refused(with([](column& c) { c.declared = tolerance(1e-12); }), 2);
  refused(with([](column& c) { c.declared = same_as(2); }), 2);
  refused(with([](column& c) { c.declared = same_as(4); }), 2);
  refused(with([](column& c) { c.declared = integral_of(0, 0); }), 2);
  refused(with([](column& c) { c.declared.kind = static_cast<tracks::relation>(99); }), 2);
  refused(with([](column& c) {
            c.kind = value_kind::signed_integer;
            c.declared = same_as(0);
          }),
          2);
  refused(with([](column& c) {
            c.kind = value_kind::unsigned_integer;
            c.declared = unit_vector(0, 1);
          }),
          2);
  BOOST_TEST(with([](column& c) { c.declared = relative_to(3); }).validate().has_value());
}

BOOST_AUTO_TEST_CASE(cyclic_relations_are_rejected) {
  shape of = floats(6);
  of.columns[0].declared = relative_to(1);
  of.columns[1].declared = relative_to(2);
  of.columns[2].declared = unit_vector(3, 4);
  BOOST_TEST(of.validate().has_value());
  of.columns[4].declared = same_as(0);
  BOOST_TEST(!of.validate().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// Whether two matches have the same content.
#pragma once

#include <boost/test/unit_test.hpp>

#include "tickreel/icrep/reader.hpp"

namespace tickreel::test {

template <class Item, class Cursor>
void check_same_items(Cursor one, Cursor other) {
  Item item;
  Item other_item;
  while (one.next(item)) {
    BOOST_REQUIRE(other.next(other_item));
    BOOST_TEST((item == other_item));
  }
  BOOST_TEST(!other.next(other_item));
}

inline void check_same_voice(const icrep::reader& one, const icrep::reader& other) {
  auto voice = one.voice();
  auto other_voice = other.voice();
  byte_span record;
  byte_span other_record;
  std::uint64_t offset = 0;
  while (voice.next(record, offset)) {
    BOOST_REQUIRE(other_voice.next(other_record, offset));
    BOOST_TEST(std::ranges::equal(record, other_record));
  }
  BOOST_TEST(!other_voice.next(other_record, offset));
}

}  // namespace tickreel::test

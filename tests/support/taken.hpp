// Returns the value of a result; ends the test if it has none.
#pragma once

#include <boost/test/unit_test.hpp>
#include <type_traits>
#include <utility>

#include "tickreel/result.hpp"

namespace tickreel::test {

template <class T>
T taken(result<T> from) {
  if (!from) BOOST_FAIL(describe(from.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*from);
}

}  // namespace tickreel::test

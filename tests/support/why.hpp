// The reason of a failed result, for messages: Boost formats them on success, too.
#pragma once

#include <string>

#include "tickreel/result.hpp"

namespace tickreel::test {

template <class T>
std::string why(const result<T>& from) {
  return from ? std::string() : describe(from.error());
}

}  // namespace tickreel::test

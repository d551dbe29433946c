// A benchmark has no use for a failure: say it and end.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "tickreel/result.hpp"

namespace tickreel::bench {

template <class T>
T must(result<T>&& outcome) {
  if (!outcome) {
    fmt::print(stderr, "{}\n", describe(outcome.error()));
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*outcome);
}

}  // namespace tickreel::bench

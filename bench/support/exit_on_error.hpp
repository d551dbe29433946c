// Benchmarks do not handle errors: print the error and exit.
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

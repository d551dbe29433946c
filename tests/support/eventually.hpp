// Waits for a condition, never for a time.
#pragma once

#include <chrono>
#include <thread>

namespace tickreel::test {

// True as soon as the condition is; the limit is for what never comes.
template <class Condition>
bool eventually(Condition condition, std::chrono::seconds limit = std::chrono::seconds(120)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace tickreel::test

// Waits for a condition, never for a fixed time.
#pragma once

#include <chrono>
#include <thread>

namespace tickreel::test {

// Returns true as soon as the condition holds. The limit only ends tests whose condition never holds.
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

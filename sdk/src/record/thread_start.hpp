// Starts a thread. A separate source, because the standard library reports failure by an exception, and only
// this source is compiled with exceptions.
#pragma once

#include <thread>

#include "tickreel/result.hpp"

namespace tickreel::detail {

result<void> start_thread(std::thread& into, void (*run)(void*) noexcept, void* argument) noexcept;

}  // namespace tickreel::detail

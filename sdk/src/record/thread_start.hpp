// Starts a thread. Apart, because the standard library reports failure by an exception, which only this one
// source is compiled to catch.
#pragma once

#include <thread>

#include "tickreel/result.hpp"

namespace tickreel::detail {

result<void> start_thread(std::thread& into, void (*run)(void*) noexcept, void* argument) noexcept;

}  // namespace tickreel::detail

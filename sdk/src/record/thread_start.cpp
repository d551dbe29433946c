#include "thread_start.hpp"

#include <system_error>

namespace tickreel::detail {

result<void> start_thread(std::thread& into, void (*run)(void*) noexcept, void* argument) noexcept {
  try {
    into = std::thread(run, argument);
    return {};
  } catch (const std::system_error& refused) {
    return fail(from_system_error(refused.code().value(), "starting the writer thread"));
  } catch (...) {
    return fail(error_code::out_of_memory, error::no_offset, "starting the writer thread");
  }
}

}  // namespace tickreel::detail

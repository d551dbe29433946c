#include "thread_start.hpp"

#include <system_error>

namespace tickreel::detail {

namespace {

error no_thread(int system_error) noexcept {
  return {error_code::out_of_memory, error::no_offset, "starting the writer thread", {0, 0}, system_error};
}

}  // namespace

result<void> start_thread(std::thread& into, void (*run)(void*) noexcept, void* argument) noexcept {
  try {
    into = std::thread(run, argument);
    return {};
  } catch (const std::system_error& refused) {
    return fail(no_thread(refused.code().value()));
  } catch (...) {
    return fail(no_thread(0));
  }
}

}  // namespace tickreel::detail

#include "thread_start.hpp"

#include <system_error>

namespace tickreel::detail {

result<void> start_thread(std::thread& into, void (*run)(void*) noexcept, void* argument) noexcept {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
  constexpr const char* starting = "starting the writer thread";
  try {
    into = std::thread(run, argument);
    return {};
  } catch (const std::system_error& refused) {
    return fail(thread_refused(refused.code().value(), starting));
  } catch (...) {
    return fail(thread_refused(0, starting));
  }
#else
  // The amalgamated source in a program without exceptions: a refused thread terminates the program.
  into = std::thread(run, argument);
  return {};
#endif
}

}  // namespace tickreel::detail

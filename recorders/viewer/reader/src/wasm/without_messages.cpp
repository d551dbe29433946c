// Replaces the libraries' output to a console before they end the program: a page has none, and printf()
// stays out of it. Linked before the libraries' own.
#include <cstdarg>

extern "C" {

[[noreturn]] void __abort_message(const char*, ...);
[[noreturn]] void __abort_message(const char*, ...) {
  __builtin_trap();
}
[[noreturn]] void __assert_fail(const char*, const char*, int, const char*);
[[noreturn]] void __assert_fail(const char*, const char*, int, const char*) {
  __builtin_trap();
}
}

_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept {
  __builtin_trap();
}
_LIBCPP_END_NAMESPACE_STD

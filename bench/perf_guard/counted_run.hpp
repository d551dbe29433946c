// What valgrind counts.
#pragma once

namespace tickreel::bench {

// The counted function has this name, whatever it does.
template <class Work>
[[gnu::noinline]] void counted_run(Work&& work) {
  work();
  // Prevents a tail call, whose end valgrind would miss.
  asm volatile("" ::: "memory");
}

}  // namespace tickreel::bench

#include "silent_thread.hpp"

#if TICKREEL_TEST_WATCHES_CALLS

#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

using tickreel::test::silence_report;

// Of the watched thread.
thread_local bool watched = false;
thread_local std::uint64_t locks = 0;

void note_lock() noexcept {
  if (watched) ++locks;
}

// The function of the C library that this file's function of the same name replaces.
template <class Function>
Function* original(Function*& kept, const char* name) noexcept {
  if (kept == nullptr) {
    void* const found = dlsym(RTLD_NEXT, name);
    __builtin_memcpy(&kept, &found, sizeof kept);
  }
  return kept;
}

silence_report* shared = nullptr;

void on_trapped_call(int, siginfo_t* info, void*) {
  shared->system_call = info->si_syscall;
  _exit(1);
}

// Only exit and the return from a signal handler are allowed.
bool forbid_system_calls() noexcept {
  struct sigaction trap{};
  trap.sa_sigaction = &on_trapped_call;
  trap.sa_flags = SA_SIGINFO;
  if (sigaction(SIGSYS, &trap, nullptr) != 0) return false;
  const auto allow = [](unsigned number) { return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number}; };
  sock_filter rules[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      allow(SYS_exit_group),
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
      allow(SYS_rt_sigreturn),
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP},
  };
  const sock_fprog program{sizeof rules / sizeof rules[0], rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

// The functions that std::mutex, std::shared_mutex and std::condition_variable call.
extern "C" {
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static int (*next)(pthread_mutex_t*) = nullptr;
  note_lock();
  return original(next, "pthread_mutex_lock")(mutex);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static int (*next)(pthread_mutex_t*) = nullptr;
  note_lock();
  return original(next, "pthread_mutex_trylock")(mutex);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  static int (*next)(pthread_rwlock_t*) = nullptr;
  note_lock();
  return original(next, "pthread_rwlock_rdlock")(lock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  static int (*next)(pthread_rwlock_t*) = nullptr;
  note_lock();
  return original(next, "pthread_rwlock_wrlock")(lock);
}
int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  static int (*next)(pthread_spinlock_t*) = nullptr;
  note_lock();
  return original(next, "pthread_spin_lock")(lock);
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  static int (*next)(pthread_cond_t*) = nullptr;
  note_lock();
  return original(next, "pthread_cond_signal")(condition);
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  static int (*next)(pthread_cond_t*) = nullptr;
  note_lock();
  return original(next, "pthread_cond_broadcast")(condition);
}
}

namespace tickreel::test {

silence_report run_in_silence(const std::function<void()>& prepare,
                              const std::function<std::uint64_t()>& work) {
  void* const page =
      mmap(nullptr, sizeof(silence_report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return {};
  shared = new (page) silence_report;
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    if (!forbid_system_calls()) _exit(2);
    shared->watched = true;
    const std::uint64_t before = allocation_count_of_this_thread();
    watched = true;
    const std::uint64_t counted = work();
    watched = false;
    shared->allocations = allocation_count_of_this_thread() - before;
    shared->locks = locks;
    shared->counted = counted;
    shared->finished = true;
    _exit(0);
  }
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  const silence_report found = *shared;
  munmap(page, sizeof(silence_report));
  return found;
}

}  // namespace tickreel::test

#else

namespace tickreel::test {

silence_report run_in_silence(const std::function<void()>&, const std::function<std::uint64_t()>&) {
  return {};
}

}  // namespace tickreel::test

#endif

#include "tickreel/net/confine.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace tickreel::net {

#if defined(__linux__) && defined(SYS_landlock_create_ruleset)

namespace {

// As linux/landlock.h of Linux 6.12 has them; Debian 12's header has only those of version 3.
struct landlock_rules {
  std::uint64_t files;
  std::uint64_t network;  // since version 4
  std::uint64_t scoped;   // since version 6
};
struct [[gnu::packed]] landlock_folder {
  std::uint64_t allowed;
  std::int32_t folder;
};
constexpr std::uint64_t read_file = 1u << 2;
constexpr std::uint64_t read_folder = 1u << 3;
constexpr std::uint64_t connect_tcp = 1u << 1;
constexpr std::uint64_t other_sockets_and_signals = 3;
constexpr unsigned version_request = 1;
constexpr int rule_for_a_folder = 1;

// All rights of files that a version knows: 13 in the first, then moves between folders, truncation and (since 5) devices.
std::uint64_t rights_of_files(long version) noexcept {
  const int count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (std::uint64_t{1} << count) - 1;
}

class descriptor {
 public:
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

}  // namespace

bool confine_to_reading(const std::vector<std::string>& folders) noexcept {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, version_request);
  if (version < 1) return false;
  landlock_rules rules{.files = rights_of_files(version), .network = 0, .scoped = 0};
  std::size_t bytes = sizeof rules.files;
  if (version >= 4) {
    rules.network = connect_tcp;
    bytes += sizeof rules.network;
  }
  if (version >= 6) {
    rules.scoped = other_sockets_and_signals;
    bytes += sizeof rules.scoped;
  }
  const descriptor made(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, bytes, 0u)));
  if (made.number() < 0) return false;
  for (const std::string& each : folders) {
    const descriptor folder(::open(each.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    const landlock_folder rule{.allowed = read_file | read_folder, .folder = folder.number()};
    if (::syscall(SYS_landlock_add_rule, made.number(), rule_for_a_folder, &rule, 0u) != 0) return false;
  }
  // Landlock requires that programs which this one starts get no further rights.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return ::syscall(SYS_landlock_restrict_self, made.number(), 0u) == 0;
}

#else

bool confine_to_reading(const std::vector<std::string>&) noexcept {
  return false;
}

#endif

}  // namespace tickreel::net

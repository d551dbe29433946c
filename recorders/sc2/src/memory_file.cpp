#include "memory_file.hpp"

#include <random>
#include <string>
#include <system_error>

#include "tickreel/reel/file.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace tickreel::sc2 {

struct memory_file::state {
  std::filesystem::path path;
  int descriptor = -1;
  bool temporary = false;

  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
#ifdef __linux__
    if (descriptor >= 0) ::close(descriptor);
#endif
    std::error_code ignored;
    if (temporary) std::filesystem::remove(path, ignored);
  }

  // False where there are no such files, or no names for them.
  bool open_in_memory() {
#ifdef __linux__
    descriptor = ::memfd_create("tickreel", MFD_CLOEXEC);
    if (descriptor < 0) return false;
    path = "/proc/self/fd/" + std::to_string(descriptor);
    return ::access(path.c_str(), R_OK | W_OK) == 0;
#else
    return false;
#endif
  }
};

namespace {

std::string utf8(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

std::filesystem::path temporary_name() {
  std::random_device random;
  std::error_code ignored;
  return std::filesystem::temp_directory_path(ignored) /
         ("tickreel-" + std::to_string(random()) + std::to_string(random()) + ".mpq");
}

}  // namespace

memory_file::memory_file(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
memory_file::memory_file(memory_file&&) noexcept = default;
memory_file& memory_file::operator=(memory_file&&) noexcept = default;
memory_file::~memory_file() = default;

const std::filesystem::path& memory_file::path() const noexcept {
  return state_->path;
}

result<memory_file> memory_file::create(byte_span content) {
  auto made = std::make_unique<state>();
  if (made->open_in_memory()) {
    std::int64_t written = 0;
    system_calls& calls = system_calls::real();
    while (!content.empty()) {
      const auto at = static_cast<std::uint64_t>(written);
      const std::int64_t count = calls.write_at(made->descriptor, content, at);
      if (count <= 0) return fail(from_system_error(static_cast<int>(-count), "memory for an archive"));
      written += count;
      content = content.subspan(static_cast<std::size_t>(count));
    }
    return memory_file(std::move(made));
  }
  made->path = temporary_name();
  auto file = file::create_new(utf8(made->path));
  if (!file) return fail(file.error());
  made->temporary = true;
  if (auto added = file->append(content); !added) return fail(added.error());
  if (auto closed = file->close(); !closed) return fail(closed.error());
  return memory_file(std::move(made));
}

result<byte_vector> memory_file::content() const {
  auto file = file::open_for_reading(utf8(state_->path));
  if (!file) return fail(file.error());
  auto size = file->size();
  if (!size) return fail(size.error());
  byte_vector out(static_cast<std::size_t>(*size));
  auto count = file->read_at(out, 0);
  if (!count) return fail(count.error());
  out.resize(*count);
  return out;
}

}  // namespace tickreel::sc2

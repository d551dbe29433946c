#include "tickreel/io/file.hpp"

#include <atomic>
#include <cerrno>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tickreel/io/failed_step.hpp"
#include "tickreel/io/temporary_files.hpp"
#ifdef _WIN32
#include "tickreel/io/windows_names.hpp"
#endif

namespace tickreel {

namespace {

tl::unexpected<error> refused(std::int64_t answer, const char* detail) noexcept {
  return fail(from_system_error(static_cast<int>(-answer), detail));
}

// is_locked() holds the lock for microseconds; more only where its process is suspended.
constexpr int lock_attempts = 20;
constexpr std::uint32_t lock_interval_ms = 1;

// Paths as the callers spelled them.
class path_set {
 public:
  void add(const std::string& path) {
    const holding all(taken_);
    paths_.insert(path);
  }
  void remove(const std::string& path) {
    const holding all(taken_);
    if (const auto found = paths_.find(path); found != paths_.end()) paths_.erase(found);
  }
  [[nodiscard]] bool has(const std::string& path) {
    const holding all(taken_);
    return paths_.contains(path);
  }
  [[nodiscard]] std::vector<std::string> all() {
    const holding all(taken_);
    return {paths_.begin(), paths_.end()};
  }
  // Those that this process has locked. Never destroyed: recorders in static storage may close later.
  static path_set& locked() {
    static auto& all = *new path_set;
    return all;
  }
  // Temporary files that this process has read.
  static path_set& read() {
    static auto& all = *new path_set;
    return all;
  }

 private:
  // A spin lock: the build without threads has no mutex.
  struct holding {
    explicit holding(std::atomic_flag& flag) noexcept : taken(flag) {
      while (taken.test_and_set(std::memory_order_acquire)) {}
    }
    ~holding() { taken.clear(std::memory_order_release); }
    std::atomic_flag& taken;
  };
  std::atomic_flag taken_;
  std::multiset<std::string> paths_;
};

error held_elsewhere(const file_path& path) {
  return {error_code::in_use, error::no_offset,
          path_set::locked().has(path.utf8()) ? "by this process itself: open it once"
                                              : "by another process, or by this one under another name"};
}

}  // namespace

result<void> check_path(const file_path& path) noexcept {
  if (path.empty()) return fail(error_code::invalid_argument, error::no_offset, "the path is empty");
  if (path.utf8().find('\0') != std::string::npos) {
    return fail(error_code::invalid_argument, error::no_offset, "the path holds a zero byte");
  }
#ifdef _WIN32
  // The data would be written to another place, or nowhere.
  if (const char* const why = windows_objection(path.utf8())) {
    return fail(error_code::invalid_argument, error::no_offset, why);
  }
#endif
  return {};
}

file::file(std::int64_t handle, file_path path, std::uint64_t end, system_calls& calls) noexcept
    : handle_(handle), end_(end), path_(std::move(path)), calls_(&calls) {}

file::file(file&& other) noexcept
    : handle_(std::exchange(other.handle_, -1)),
      end_(other.end_),
      has_remains_(other.has_remains_),
      is_locked_(std::exchange(other.is_locked_, false)),
      path_(std::move(other.path_)),
      calls_(other.calls_) {}

file& file::operator=(file&& other) noexcept {
  if (this != &other) {
    (void)close();
    handle_ = std::exchange(other.handle_, -1);
    end_ = other.end_;
    has_remains_ = other.has_remains_;
    is_locked_ = std::exchange(other.is_locked_, false);
    path_ = std::move(other.path_);
    calls_ = other.calls_;
  }
  return *this;
}

file::~file() {
  (void)close();
}

const file_path& file::path() const noexcept {
  return path_;
}

result<file> file::open(const file_path& path, unsigned flags, system_calls& calls) {
  if (const auto checked = check_path(path); !checked) return fail(checked.error());
  const std::int64_t handle = calls.open(path.utf8().c_str(), flags);
  if (handle < 0) return refused(handle, opening_step);
  return file(handle, path, 0, calls);
}

result<file> file::open_for_reading(const file_path& path, system_calls& calls) {
  auto opened = open(path, system_calls::read_only, calls);
  if (!opened) return opened;
  const auto size = opened->size();
  if (!size) return fail(size.error());
  opened->end_ = *size;
  if (path.utf8().ends_with(temporary_file_ending) && !path_set::read().has(path.utf8())) {
    path_set::read().add(path.utf8());
  }
  return opened;
}

std::vector<std::string> temporary_files_read() {
  return path_set::read().all();
}

result<file> file::create_new(const file_path& path, system_calls& calls) {
  auto opened = open(path, system_calls::write | system_calls::create_new, calls);
  if (!opened) {
    if (opened.error().code != error_code::already_exists) return opened;
    // Distinguishes a finished file from one that is being written.
    const auto existing = open(path, system_calls::read_only, calls);
    return existing && existing->is_locked_elsewhere() ? fail(held_elsewhere(path)) : fail(opened.error());
  }
  if (const auto locked = opened->lock(); !locked) {
    opened->discard();
    return fail(locked.error());
  }
  return opened;
}

result<file> file::open_for_appending(const file_path& path, system_calls& calls) {
  auto opened = open(path, system_calls::write, calls);
  if (!opened) return opened;
  if (const auto locked = opened->lock(); !locked) return fail(locked.error());
  const auto size = opened->size();
  if (!size) return fail(size.error());
  opened->end_ = *size;
  return opened;
}

result<void> file::lock() {
  auto& all = path_set::locked();
  for (int attempt = 1;; ++attempt) {
    const std::int64_t answer = calls_->lock(handle_);
    if (answer >= 0) break;
    const auto failure = from_system_error(static_cast<int>(-answer), "locking");
    if (failure.code != error_code::in_use) return fail(failure);
    if (attempt == lock_attempts || all.has(path_.utf8())) return fail(held_elsewhere(path_));
    calls_->wait_ms(lock_interval_ms);
  }
  is_locked_ = true;
  all.add(path_.utf8());
  return {};
}

bool file::is_locked_elsewhere() const {
  // Asking with the handle that holds the lock would release it.
  return !is_locked_ && calls_->is_locked(handle_) > 0;
}

result<std::uint64_t> file::size() const {
  const std::int64_t answer = calls_->size(handle_);
  if (answer < 0) return refused(answer, "asking for the size");
  return static_cast<std::uint64_t>(answer);
}

result<std::uint64_t> file::version() const {
  const std::int64_t answer = calls_->version(handle_);
  if (answer < 0) return refused(answer, "asking for the version");
  return static_cast<std::uint64_t>(answer);
}

result<std::size_t> file::read_at(mutable_byte_span into, std::uint64_t offset) const {
  std::size_t done = 0;
  while (done < into.size()) {
    const std::int64_t answer = calls_->read_at(handle_, into.subspan(done), offset + done);
    if (answer == -EINTR) continue;
    if (answer < 0) return refused(answer, "reading");
    if (answer == 0) break;
    done += static_cast<std::size_t>(answer);
  }
  return done;
}

result<void> file::write_all(byte_span from, std::uint64_t offset) {
  while (!from.empty()) {
    const std::int64_t answer = calls_->write_at(handle_, from, offset);
    if (answer == -EINTR) continue;
    if (answer < 0) return refused(answer, "writing");
    // Nothing written without a reason: retrying might never end.
    if (answer == 0) return refused(-ENOSPC, "writing");
    from = from.subspan(static_cast<std::size_t>(answer));
    offset += static_cast<std::uint64_t>(answer);
  }
  return {};
}

result<void> file::append(byte_span from) {
  if (has_remains_) {
    if (const auto cut = truncate(end_); !cut) return cut;
  }
  auto written = write_all(from, end_);
  if (!written) {
    has_remains_ = true;
    (void)truncate(end_);
    return written;
  }
  end_ += from.size();
  return {};
}

result<void> file::overwrite(byte_span from, std::uint64_t offset) {
  if (offset > end_ || from.size() > end_ - offset) {
    return fail(error_code::out_of_range, offset, "overwriting after the end");
  }
  return write_all(from, offset);
}

result<void> file::truncate(std::uint64_t size) {
  if (const std::int64_t answer = calls_->truncate(handle_, size); answer < 0) {
    return refused(answer, "truncating");
  }
  end_ = size;
  has_remains_ = false;
  return {};
}

result<void> file::sync() {
  if (const std::int64_t answer = calls_->sync(handle_); answer < 0) return refused(answer, "syncing");
  return {};
}

result<void> file::close() {
  if (handle_ < 0) return {};
  if (has_remains_) (void)truncate(end_);
  if (std::exchange(is_locked_, false)) path_set::locked().remove(path_.utf8());
  const std::int64_t answer = calls_->close(std::exchange(handle_, -1));
  if (answer < 0) return refused(answer, "closing");
  return {};
}

void file::discard() noexcept {
  (void)close();
  (void)calls_->remove(path_.utf8().c_str());
}

}  // namespace tickreel

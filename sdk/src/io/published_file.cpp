#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <utility>

#include "temporary_name.hpp"
#include "tickreel/io/failed_step.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/temporary_files.hpp"

namespace tickreel {

namespace {

// A temporary file that this process has created, until it is published or removed.
struct unpublished {
  system_calls* calls = nullptr;
  file_path path;
  unpublished* previous = nullptr;
  unpublished* next = nullptr;
};

// All of this process. The list needs no memory: it must work when there is none.
class unpublished_files {
 public:
  static unpublished_files& of_this_process() {
    alignas(unpublished_files) static std::byte place[sizeof(unpublished_files)];
    static auto& all = *new (place) unpublished_files;  // never destroyed
    return all;
  }

  // Lists the file before it exists, because the system call may succeed and the memory for its result be missing.
  result<file> create(unpublished& made, file_path name) {
    const std::shared_lock creating(creating_);
    made.path = std::move(name);
    add(made);
    auto opened = file::create_new(made.path, *made.calls);
    if (!opened) forget(made);
    return opened;
  }

  void forget(unpublished& made) noexcept {
    const std::lock_guard lock(mutex_);
    (made.previous != nullptr ? made.previous->next : first_) = made.next;
    if (made.next != nullptr) made.next->previous = made.previous;
    made.path = {};
  }

  // Excludes new files for good, and waits for those that other threads are creating. The caller may itself have
  // failed while it created one, so the wait is limited.
  void remove_all() {
    constexpr std::chrono::seconds max_wait{1};
    (void)creating_.try_lock_for(max_wait);
    const std::lock_guard lock(mutex_);
    for (const unpublished* each = first_; each != nullptr; each = each->next) {
      (void)each->calls->remove(each->path.utf8().c_str());
    }
  }

 private:
  void add(unpublished& made) noexcept {
    const std::lock_guard lock(mutex_);
    made.previous = nullptr;
    made.next = first_;
    if (first_ != nullptr) first_->previous = &made;
    first_ = &made;
  }

  std::shared_timed_mutex creating_;
  std::mutex mutex_;
  unpublished* first_ = nullptr;
};

// Renaming onto a device would replace it.
bool is_no_file(const file_path& path) {
  const auto found = status_of(path);
  return found && found->kind != entry_kind::file;
}

}  // namespace

struct published_file::state {
  unpublished temporary;  // without a path once it is published
  file_path final_path;
  bool overwrite = false;
  std::optional<file> open;
  std::uint64_t size = 0;

  ~state();
};

published_file::state::~state() {
  if (temporary.path.empty()) return;
  open.reset();
  (void)temporary.calls->remove(temporary.path.utf8().c_str());
  unpublished_files::of_this_process().forget(temporary);
  // A run that fails removes them too. The caller has opened its inputs by now.
  remove_abandoned_parts(final_path, *temporary.calls);
}

published_file::published_file(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
published_file::published_file(published_file&&) noexcept = default;
published_file& published_file::operator=(published_file&&) noexcept = default;
published_file::~published_file() = default;

result<published_file> published_file::create(const file_path& final_path, bool overwrite,
                                              system_calls& calls) {
  if (auto checked = check_path(final_path); !checked) return fail(checked.error());
  if (!overwrite) {
    // Reported before the work; commit() checks again, which is decisive.
    if (const auto existing = file::open_for_reading(final_path, calls)) {
      return fail(error_code::already_exists);
    } else if (existing.error().code != error_code::not_found) {
      return fail(existing.error());
    }
  } else if (is_no_file(final_path)) {
    return fail(error_code::invalid_argument, error::no_offset, "the output is a folder, a device or a pipe");
  }
  auto made = std::make_unique<state>();
  made->temporary.calls = &calls;
  made->final_path = final_path;
  made->overwrite = overwrite;
  for (int attempt = 0;; ++attempt) {
    auto opened = unpublished_files::of_this_process().create(made->temporary, temporary_name(final_path));
    if (opened) {
      made->open.emplace(std::move(*opened));
      return published_file(std::move(made));
    }
    if (opened.error().code != error_code::already_exists || attempt == 16) return fail(opened.error());
  }
}

result<void> published_file::append(byte_span from) {
  if (!state_->open) return fail(error_code::wrong_state);
  auto done = state_->open->append(from);
  if (done) state_->size += from.size();
  return done;
}

result<void> published_file::overwrite(byte_span from, std::uint64_t offset) {
  if (!state_->open) return fail(error_code::wrong_state);
  return state_->open->overwrite(from, offset);
}

std::uint64_t published_file::size() const noexcept {
  return state_->size;
}

const file_path& published_file::temporary_path() const noexcept {
  return state_->temporary.path;
}

result<void> published_file::sync() {
  if (!state_->open) return fail(error_code::wrong_state);
  return state_->open->sync();
}

result<void> published_file::commit() {
  if (auto synced = sync(); !synced) return synced;
  auto closed = state_->open->close();
  state_->open.reset();
  if (!closed) return closed;
  if (state_->size == 0) {
    // A library wrote it by name, and may have replaced the file: sync the current one.
    auto named = file::open_for_appending(state_->temporary.path, *state_->temporary.calls);
    if (!named) return fail(named.error());
    if (auto synced = named->sync(); !synced) return synced;
    if (auto done = named->close(); !done) return done;
  }
  const char* const from = state_->temporary.path.utf8().c_str();
  const char* const to = state_->final_path.utf8().c_str();
  const std::int64_t renamed = state_->overwrite ? state_->temporary.calls->rename(from, to)
                                                 : state_->temporary.calls->rename_new(from, to);
  if (renamed < 0) return fail(from_system_error(static_cast<int>(-renamed), renaming_step));
  unpublished_files::of_this_process().forget(state_->temporary);
  // The file has its name; this makes the name survive a power cut.
  const std::int64_t settled = state_->temporary.calls->sync_folder(to);
  if (settled < 0) return fail(from_system_error(static_cast<int>(-settled), "syncing the folder"));
  remove_abandoned_parts(state_->final_path, *state_->temporary.calls);
  return {};
}

void remove_unpublished_files() {
  unpublished_files::of_this_process().remove_all();
}

}  // namespace tickreel

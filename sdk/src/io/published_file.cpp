#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel {

struct published_file::state {
  system_calls* calls = nullptr;
  file_path final_path;
  file_path temporary_path;
  bool overwrite = false;
  std::optional<file> open;
  std::uint64_t size = 0;

  ~state() {
    if (temporary_path.empty()) return;
    open.reset();
    (void)calls->remove(temporary_path.utf8().c_str());
  }
};

namespace {

// The name need not be unique: the file is created with create_new, and another name is tried if it exists.
file_path temporary_name(const file_path& final_path) {
  static std::atomic<std::uint64_t> number{0};
  const std::uint64_t parts[] = {
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()),
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()),
      number.fetch_add(1)};
  const std::uint64_t mixed = xxh3_64(std::as_bytes(std::span(parts)));
  std::string name = final_path.utf8();
  name += '.';
  for (int shift = 60; shift >= 32; shift -= 4) name += "0123456789abcdef"[(mixed >> shift) & 0xF];
  name += ".part";
  return name;
}

// Renaming onto a device would replace it.
bool is_no_file(const file_path& path) {
  const auto found = status_of(path);
  return found && found->kind != entry_kind::file;
}

}  // namespace

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
  made->calls = &calls;
  made->final_path = final_path;
  made->overwrite = overwrite;
  for (int attempt = 0;; ++attempt) {
    file_path name = temporary_name(final_path);
    auto opened = file::create_new(name, calls);
    if (opened) {
      made->temporary_path = std::move(name);
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
  return state_->temporary_path;
}

result<void> published_file::commit() {
  if (!state_->open) return fail(error_code::wrong_state);
  if (auto synced = state_->open->sync(); !synced) return synced;
  auto closed = state_->open->close();
  state_->open.reset();
  if (!closed) return closed;
  if (state_->size == 0) {
    // A library wrote it by name, and may have replaced the file: sync the current one.
    auto named = file::open_for_appending(state_->temporary_path, *state_->calls);
    if (!named) return fail(named.error());
    if (auto synced = named->sync(); !synced) return synced;
    if (auto done = named->close(); !done) return done;
  }
  const char* const from = state_->temporary_path.utf8().c_str();
  const char* const to = state_->final_path.utf8().c_str();
  const std::int64_t renamed =
      state_->overwrite ? state_->calls->rename(from, to) : state_->calls->rename_new(from, to);
  if (renamed < 0) return fail(from_system_error(static_cast<int>(-renamed), "renaming"));
  state_->temporary_path = {};
  // The file has its name; this makes the name survive a power cut.
  const std::int64_t settled = state_->calls->sync_folder(to);
  if (settled < 0) return fail(from_system_error(static_cast<int>(-settled), "syncing the folder"));
  return {};
}

}  // namespace tickreel

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/temporary_files.hpp"

namespace tickreel {

struct published_file::state {
  system_calls* calls = nullptr;
  file_path final_path;
  file_path temporary_path;
  bool overwrite = false;
  std::optional<file> open;
  std::uint64_t size = 0;

  ~state();
};

namespace {

constexpr std::string_view chunks_ending = ".chunks";  // a file beside an output that holds a part of it
constexpr std::size_t hash_digits = 8;

void append_hash(std::uint64_t hash, std::string& to) {
  for (int shift = 60; shift >= 32; shift -= 4) to += "0123456789abcdef"[(hash >> shift) & 0xF];
}

// Names have at most 255 bytes: a long one is cut to leave room for the endings, and its hash distinguishes it.
std::string temporary_stem(std::string_view final_name) {
  constexpr std::size_t max_stem_bytes = 220;
  constexpr std::size_t cut_bytes = 200;
  if (final_name.size() <= max_stem_bytes) return std::string(final_name);
  std::size_t end = cut_bytes;
  while (end != 0 && (static_cast<unsigned char>(final_name[end]) & 0xC0u) == 0x80u) --end;
  std::string name(final_name.substr(0, end));
  name += '~';
  append_hash(xxh3_64(as_bytes(final_name)), name);
  return name;
}

// The name need not be unique: the file is created with create_new, and another name is tried if it exists.
file_path temporary_name(const file_path& final_path) {
  static std::atomic<std::uint64_t> number{0};
  const std::uint64_t parts[] = {
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()),
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()),
      number.fetch_add(1)};
  const std::uint64_t mixed = xxh3_64(std::as_bytes(std::span(parts)));
  const std::string& path = final_path.utf8();
  const std::string final_name = file_path(filesystem_path(final_path).filename()).utf8();
  std::string name = path.substr(0, path.size() - final_name.size()) + temporary_stem(final_name);
  name += '.';
  append_hash(mixed, name);
  name += temporary_file_ending;
  return name;
}

// Takes ".xxxxxxxx.part" from the end of a name.
bool take_part_ending(std::string_view& name) noexcept {
  if (!name.ends_with(temporary_file_ending)) return false;
  std::string_view rest = name.substr(0, name.size() - temporary_file_ending.size());
  if (rest.size() <= hash_digits + 1 || rest[rest.size() - hash_digits - 1] != '.') return false;
  if (rest.substr(rest.size() - hash_digits).find_first_not_of("0123456789abcdef") !=
      std::string_view::npos) {
    return false;
  }
  name = rest.substr(0, rest.size() - hash_digits - 1);
  return true;
}

// Whether the temporary file `name` belongs to the output with that stem: directly, or by way of a file that was
// itself temporary or held a part of the output.
bool belongs_to_stem(std::string_view name, std::string_view stem) noexcept {
  bool any = false;
  while (name.size() > stem.size()) {
    if (take_part_ending(name)) {
      any = true;
    } else if (any && name.ends_with(chunks_ending)) {
      name.remove_suffix(chunks_ending.size());
    } else {
      return false;
    }
  }
  return any && name == stem;
}

template <class Visit>
result<void> visit_parts(const file_path& folder, Visit&& visit) {
  return visit_folder(folder, [&](const folder_entry& entry) {
    const bool is_part = entry.kind == entry_kind::file && !entry.is_link;
    if (is_part && entry.name.ends_with(temporary_file_ending)) visit(entry);
    return true;
  });
}

// Outputs whose abandoned files are kept.
class kept_outputs {
 public:
  static kept_outputs& of_this_process() {
    static auto& all = *new kept_outputs;
    return all;
  }
  void add(const std::string& output) {
    const std::lock_guard lock(mutex_);
    outputs_.insert(output);
  }
  void remove(const std::string& output) {
    const std::lock_guard lock(mutex_);
    if (const auto found = outputs_.find(output); found != outputs_.end()) outputs_.erase(found);
  }
  bool has(const std::string& output) {
    const std::lock_guard lock(mutex_);
    return outputs_.contains(output);
  }

 private:
  std::mutex mutex_;
  std::multiset<std::string> outputs_;
};

// The temporary files that were in a folder when this process first published a file there. One listing for each
// folder, so that a batch of outputs does not list it for each of them.
class earlier_parts {
 public:
  static earlier_parts& of_this_process() {
    static auto& all = *new earlier_parts;
    return all;
  }

  // Those that belong to an output of that name, each at most once.
  std::vector<file_path> take(const std::filesystem::path& folder, const std::string& final_name) {
    if (is_new(folder)) {
      // A slow folder must not delay outputs in others.
      std::vector<part> listed = list(folder);
      const std::lock_guard lock(mutex_);
      parts_.insert(parts_.end(), std::make_move_iterator(listed.begin()),
                    std::make_move_iterator(listed.end()));
    }
    const std::lock_guard lock(mutex_);
    std::vector<file_path> found;
    std::erase_if(parts_, [&](const part& each) {
      if (each.folder != folder || !is_temporary_of(each.name, final_name)) return false;
      found.push_back(each.path);
      return true;
    });
    return found;
  }

 private:
  struct part {
    std::filesystem::path folder;
    std::string name;
    file_path path;
  };

  bool is_new(const std::filesystem::path& folder) {
    constexpr std::size_t max_folders = 4096;  // bounds the memory of a service; the others keep their parts
    const std::lock_guard lock(mutex_);
    return listed_.size() < max_folders && listed_.insert(folder).second;
  }

  static std::vector<part> list(const std::filesystem::path& folder) {
    std::vector<part> found;
    (void)visit_parts(folder.empty() ? file_path(".") : file_path(folder),
                      [&](const folder_entry& entry) { found.push_back({folder, entry.name, entry.path}); });
    return found;
  }

  std::mutex mutex_;
  std::set<std::filesystem::path> listed_;
  std::vector<part> parts_;
};

// Renaming onto a device would replace it.
bool is_no_file(const file_path& path) {
  const auto found = status_of(path);
  return found && found->kind != entry_kind::file;
}

}  // namespace

std::string_view output_of_temporary(std::string_view name) noexcept {
  bool any = false;
  while (take_part_ending(name)) any = true;
  if (!any) return {};
  if (name.ends_with(chunks_ending)) name.remove_suffix(chunks_ending.size());
  while (take_part_ending(name)) {}
  return name;
}

bool is_temporary_of(std::string_view name, const std::string& output) {
  return belongs_to_stem(name, temporary_stem(output)) ||
         belongs_to_stem(name, temporary_stem(output + std::string(chunks_ending)));
}

std::optional<file> open_abandoned(const file_path& path, std::chrono::minutes settled, system_calls& calls) {
  const auto status = status_of(path);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  if (!status || now - std::chrono::nanoseconds(status->modified_ns) < settled) return std::nullopt;
  auto left = file::open_for_appending(path, calls);
  return left ? std::optional(std::move(*left)) : std::nullopt;
}

result<std::vector<file_path>> remove_abandoned_in(const file_path& folder, std::chrono::minutes settled,
                                                   const std::function<bool(std::string_view)>& accepts,
                                                   system_calls& calls) {
  std::vector<file_path> removed;
  auto visited = visit_parts(folder, [&](const folder_entry& entry) {
    if (!accepts(entry.name)) return;
    auto left = open_abandoned(entry.path, settled, calls);
    if (!left) return;
    left->discard();
    if (!path_exists(entry.path)) removed.push_back(entry.path);
  });
  if (!visited) return fail(visited.error());
  std::sort(removed.begin(), removed.end());
  return removed;
}

// A running process holds the lock of its file, except while it renames it or reads it between two formats; and locks of
// other hosts on a shared folder may be invisible. So young files remain.
void remove_abandoned_parts(const file_path& output, system_calls& calls) {
  constexpr std::chrono::minutes settled{10};
  if (kept_outputs::of_this_process().has(output.utf8())) return;
  const std::filesystem::path path = filesystem_path(output);
  const std::vector<std::string> read = temporary_files_read();
  for (const file_path& each :
       earlier_parts::of_this_process().take(path.parent_path(), file_path(path.filename()).utf8())) {
    // The user named it as an input.
    if (std::ranges::any_of(read, [&](const std::string& input) { return is_same_file(input, each); }))
      continue;
    if (auto left = open_abandoned(each, settled, calls)) left->discard();
  }
}

kept_temporary_files::kept_temporary_files(const file_path& output) : output_(output.utf8()) {
  kept_outputs::of_this_process().add(output_);
}

kept_temporary_files::~kept_temporary_files() {
  kept_outputs::of_this_process().remove(output_);
}

published_file::state::~state() {
  if (temporary_path.empty()) return;
  open.reset();
  (void)calls->remove(temporary_path.utf8().c_str());
  // A run that fails removes them too. The caller has opened its inputs by now.
  remove_abandoned_parts(final_path, *calls);
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
  remove_abandoned_parts(state_->final_path, *state_->calls);
  return {};
}

}  // namespace tickreel

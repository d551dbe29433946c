#include "tickreel/io/temporary_files.hpp"

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
#include <utility>
#include <vector>

#include "temporary_name.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel {

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

}  // namespace

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

}  // namespace tickreel

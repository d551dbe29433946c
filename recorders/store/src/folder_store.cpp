#include "folder_store.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "content_hash.hpp"
#include "object_lock.hpp"
#include "s3/signature.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/io/windows_names.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::store {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t copy_piece_bytes = std::size_t{256} << 10;

// Of a file that is not an object: unfinished, or a lock.
bool is_temporary_name(std::string_view name) noexcept {
  return !output_of_temporary(name).empty() || name.ends_with(lock_ending);
}

// Rejects keys that would leave the folder, or that name the file of another key.
result<void> check_key(std::string_view key) {
  constexpr const char* wrong =
      "a key is names with / between them, none of them empty, \".\", \"..\", or a temporary file's";
  std::string_view left = key;
  while (true) {
    const std::size_t end = left.find('/');
    const std::string_view name = left.substr(0, end);
    bool bad = name.empty() || name == "." || name == ".." || is_temporary_name(name) ||
               name.find('\0') != std::string_view::npos;
#ifdef _WIN32
    bad = bad || name.find('\\') != std::string_view::npos || windows_objection(name) != nullptr;
#endif
    if (bad) return fail(error_code::invalid_argument, error::no_offset, wrong);
    if (end == std::string_view::npos) return {};
    left.remove_prefix(end + 1);
  }
}

error error_of(const error& problem, const char* doing) {
  return from_system_error(problem.system_error, doing);
}

bool is_missing(const error& problem) {
  return problem.code == error_code::not_found || problem.system_error == ENOTDIR;
}

class folder_store final : public object_store {
 public:
  folder_store(file_path folder, store_options options)
      : folder_(std::move(folder)), options_(std::move(options)) {}

  result<object> put(std::string_view key, const byte_source& from, const put_options& how) override {
    const auto path = path_of(key);
    if (!path) return fail(path.error());
    if (auto same = check_unchanged(*this, how.unless_changed); !same) return fail(same.error());
    if (auto made = make_folders(filesystem_path(*path).parent_path()); !made) return fail(made.error());
    auto out = published_file::create(*path, true);
    if (!out) return fail(out.error());
    sha256_stream hash;
    byte_vector piece(copy_piece_bytes);
    std::uint64_t at = 0;
    while (true) {
      if (options_.cancelled && options_.cancelled()) return fail(error_code::interrupted);
      const auto read = from.read_at(piece, at);
      if (!read) return fail(read.error());
      const byte_span content = std::span(piece).first(*read);
      hash.add(content);
      if (auto written = out->append(content); !written) return fail(written.error());
      at += *read;
      if (*read < piece.size()) break;
    }
    object made{std::string(key), at, text::to_hex(hash.finish())};
    if (auto done = publish(*out, made, how); !done) return fail(done.error());
    ++traffic_.requests;
    traffic_.sent_bytes += at;
    if (how.read_back) {
      if (auto same = compare_stored(*this, made, options_.cancelled); !same) return fail(same.error());
    }
    return made;
  }

  result<std::size_t> read(std::string_view key, std::uint64_t offset, mutable_byte_span into,
                           object_identity* from) override {
    if (from != nullptr) *from = {};
    const auto path = path_of(key);
    if (!path) return fail(path.error());
    const auto opened = file::open_for_reading(*path);
    if (!opened) return fail(opened.error());
    if (from != nullptr) {
      auto tag = tag_of(*opened);
      if (!tag) return fail(tag.error());
      from->tag = std::move(*tag);
    }
    ++traffic_.requests;
    auto read = opened->read_at(into, offset);
    if (read) traffic_.received_bytes += *read;
    return read;
  }

  result<std::optional<object>> head(std::string_view key) override {
    const auto path = path_of(key);
    if (!path) return fail(path.error());
    if (const auto found = status_of(*path); found && found->kind != entry_kind::file)
      return std::optional<object>();
    const auto opened = file::open_for_reading(*path);
    if (!opened && opened.error().code == error_code::not_found) return std::optional<object>();
    if (!opened) return fail(opened.error());
    const auto bytes = opened->size();
    if (!bytes) return fail(bytes.error());
    auto tag = tag_of(*opened);
    if (!tag) return fail(tag.error());
    return std::optional(object{std::string(key), *bytes, {}, std::move(*tag)});
  }

  result<void> list(std::string_view prefix, const std::function<bool(const object&)>& each) override {
    // The folder that contains all keys with this prefix.
    const std::size_t slash = prefix.rfind('/');
    const std::string in =
        slash == std::string_view::npos ? std::string() : std::string(prefix.substr(0, slash));
    if (!in.empty()) {
      if (auto right = check_key(in); !right) return {};  // no key begins like this
    }
    const auto listed = list_folder(in, prefix, each);
    if (!listed) return fail(listed.error());
    return {};
  }

  result<void> remove(std::string_view key) override {
    const auto path = path_of(key);
    if (!path) return fail(path.error());
    const auto removed = remove_file(*path);
    if (!removed && !is_missing(removed.error()))
      return fail(error_of(removed.error(), "removing an object"));
    return {};
  }

  result<std::uint64_t> discard_unfinished(std::string_view key) override {
    const auto path = path_of(key);
    if (!path) return fail(path.error());
    const fs::path whole = filesystem_path(*path);
    const file_path name = whole.filename();
    const auto removed =
        remove_abandoned_in(whole.parent_path(), std::chrono::minutes{0},
                            [&](std::string_view found) { return is_temporary_of(found, name.utf8()); });
    if (!removed && removed.error().code == error_code::not_found) return 0;
    if (!removed) return fail(removed.error());
    return removed->size();
  }

  [[nodiscard]] std::string url_of(std::string_view key) const override {
    return folder_.utf8() + '/' + std::string(key);
  }

  [[nodiscard]] traffic transferred() const noexcept override { return traffic_; }

 private:
  [[nodiscard]] result<file_path> path_of(std::string_view key) const {
    if (auto right = check_key(key); !right) return fail(right.error());
    return file_path(url_of(key));
  }

  static result<std::string> tag_of(const file& of) {
    const auto version = of.version();
    if (!version) return fail(version.error());
    return std::to_string(*version);
  }

  // One lock for all keys that differ only in their ending.
  [[nodiscard]] file_path lock_of(std::string_view key) const {
    constexpr std::size_t max_name_bytes = 200;  // names have at most 255 bytes with the ending
    const std::size_t name_at = key.rfind('/') + 1;
    const std::string_view name = key.substr(name_at);
    const std::string_view stem = name.substr(0, name.rfind('.'));
    std::size_t end = std::min(stem.size(), max_name_bytes);
    while (end < stem.size() && (static_cast<unsigned char>(stem[end]) & 0xC0u) == 0x80u) --end;
    return url_of(key.substr(0, name_at)).append(stem.substr(0, end)).append(lock_ending);
  }

  // Gives the written file its name, and adds the tag.
  result<void> publish(published_file& written, object& made, const put_options& how) {
    // Before the lock is taken, which may not take long.
    if (auto synced = written.sync(); !synced) return synced;
    std::optional<object_lock> lock;
    if (!how.unless_changed.empty()) {
      auto taken = object_lock::take(lock_of(made.key), options_.cancelled);
      if (!taken) return fail(taken.error());
      lock.emplace(std::move(*taken));
      if (auto same = check_unchanged(*this, how.unless_changed); !same) return same;
    }
    if (auto done = written.commit(); !done) return done;
    auto stored = head(made.key);
    if (!stored) return fail(stored.error());
    if (*stored) made.tag = std::move((*stored)->tag);
    return {};
  }

  // Syncs the folders' names to disk, as published_file does for files.
  result<void> make_folders(const fs::path& folder) {
    if (is_folder(folder)) return {};
    if (folder.has_relative_path() && folder.has_parent_path()) {
      if (auto made = make_folders(folder.parent_path()); !made) return made;
    }
    if (auto made = create_folder(folder); !made) return fail(made.error());
    const file_path named = folder;
    const std::int64_t settled = system_calls::real().sync_folder(named.utf8().c_str());
    if (settled < 0) return fail(from_system_error(static_cast<int>(-settled), "syncing a folder"));
    return {};
  }

  // `in` is a key's folder, empty for the store itself. False if `each` returned false.
  result<bool> list_folder(const std::string& in, std::string_view prefix,
                           const std::function<bool(const object&)>& each) {
    struct entry {
      std::string key;  // folders end with "/", so that they sort like the keys in them
      std::uint64_t bytes = 0;
    };
    std::vector<entry> entries;
    const auto read = visit_folder(in.empty() ? folder_ : file_path(url_of(in)), [&](const folder_entry& at) {
      std::string key = in.empty() ? at.name : in + '/' + at.name;
      const bool is_own_folder = at.kind == entry_kind::folder && !at.is_link;
      if (is_own_folder) key += '/';
      const std::size_t common = std::min(key.size(), prefix.size());
      if (key.compare(0, common, prefix.substr(0, common)) != 0) return true;
      if (is_own_folder) {
        entries.push_back({std::move(key)});
      } else if (at.kind == entry_kind::file && key.size() >= prefix.size() && !is_temporary_name(at.name)) {
        if (const auto about = status_of(at.path)) entries.push_back({std::move(key), about->bytes});
      }
      return true;
    });
    if (!read && !is_missing(read.error())) return fail(read.error());
    std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.key < b.key; });
    for (entry& found : entries) {
      bool more = true;
      if (found.key.ends_with('/')) {
        found.key.pop_back();
        const auto inside = list_folder(found.key, prefix, each);
        if (!inside) return inside;
        more = *inside;
      } else {
        more = each({std::move(found.key), found.bytes});
      }
      if (!more) return false;
    }
    return true;
  }

  file_path folder_;
  store_options options_;
  traffic traffic_;
};

}  // namespace

result<std::unique_ptr<object_store>> open_folder(const file_path& folder, const store_options& options) {
  if (auto right = check_path(folder); !right) return fail(right.error());
  if (auto made = create_folders(folder); !made) return fail(error_of(made.error(), "making the folder"));
  std::string name = folder.utf8();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return std::make_unique<folder_store>(std::move(name), options);
}

}  // namespace tickreel::store

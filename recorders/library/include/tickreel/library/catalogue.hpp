// An index of recordings on disk: their files, players, results and health.
// One SQLite file; docs/library.md documents its tables, which other programs may read. Several programs may
// use one index at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/library/game.hpp"
#include "tickreel/library/statistics.hpp"
#include "tickreel/result.hpp"

namespace tickreel::library {

// The path of this user's index: tickreel/library.db in $XDG_DATA_HOME or ~/.local/share, on macOS in
// ~/Library/Application Support, on Windows in %LOCALAPPDATA%. Empty if the system names no such folder.
[[nodiscard]] file_path default_database();

struct scan_options {
  unsigned threads = 0;  // 0: the number of processors
  // Read every file again, also those with unchanged time, size and inode.
  bool everything = false;
  // Read every tick and verify all hashes of the files that are read, instead of quick summaries.
  bool thorough = false;
  // Progress in bytes of the files to read; the total grows while folders are listed.
  files::monitor watch = {};
};

// An object of a store, a store that cannot be listed, or a file.
struct unread_object {
  std::string url;
  error why;
};

// Files, not games.
struct scan_report {
  std::uint64_t seen = 0;       // regular files found
  std::uint64_t unchanged = 0;  // of those; not read again
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t moved = 0;     // known by their content under another path
  std::uint64_t vanished = 0;  // known, but no longer existing
  std::uint64_t damaged = 0;   // of those read: damaged or incomplete recordings
  std::uint64_t ignored = 0;   // of those read: not recordings
  std::uint64_t unreadable_folders = 0;
  std::vector<file_path> unreadable = {};  // the first ten of them
  // Objects that could not be fetched, and known files that could not be read; the index keeps their facts.
  std::uint64_t unreadable_objects = 0;
  std::vector<unread_object> unread = {};  // the first ten of them
  std::uint64_t unlisted = 0;              // of those: addresses whose objects are not all known
  bool interrupted = false;

  [[nodiscard]] bool has_changes() const noexcept { return added + changed + moved + vanished != 0; }
  [[deprecated("has_changes")]] bool anything_new() const noexcept { return has_changes(); }
};

struct watch_options {
  scan_options scan = {};
  // How long a folder must be unchanged before it is scanned.
  std::uint32_t settle_ms = 300;
  // Without notifications from the system: the interval of scans.
  std::uint32_t poll_ms = 5000;
  bool always_poll = false;
  // Called after each scan that found changes.
  std::function<void(const scan_report&)> updated = {};
};

enum class cache_layout : std::uint8_t { flagged, flat };

struct export_options {
  query games = {};  // which; all by default
  // Default: that of the imported caches, flat if there are both.
  std::optional<cache_layout> layout = std::nullopt;
  std::size_t max_items = 0;  // flagged: removes the longest unused beyond this; 0: no limit
  bool overwrite = false;
};

struct export_report {
  std::uint64_t games = 0;  // in the file
  std::uint64_t bytes = 0;
  cache_layout layout = cache_layout::flat;
  // Games that a cache cannot hold, by the format of their recordings.
  std::map<std::string, std::uint64_t> left_out = {};
  std::uint64_t duplicates = 0;  // the same replay from several caches; the newest was taken
  std::uint64_t evicted = 0;     // by max_items
  // Fields of games that the layout cannot store.
  std::uint64_t lost_fields = 0;
};

struct import_report {
  std::uint64_t games = 0;
  bool incomplete = false;  // the program ended before it had written everything
};

// One thread at a time; open the file once per thread.
class catalogue {
 public:
  // Opens the index and migrates it to the current schema, in one transaction; with `create` creates it and
  // its folder. Errors: unsupported_version for an index of a newer program, which stays unchanged; malformed
  // for a file that is not an index; in_use if another program locks it too long.
  static result<catalogue> open(const file_path& database, bool create = true);

  catalogue(catalogue&&) noexcept;
  catalogue& operator=(catalogue&&) noexcept;
  ~catalogue();

  [[nodiscard]] const file_path& path() const noexcept;

  // Scans folders and single files. New and changed files are read, on all processors; an unreadable
  // recording is indexed with the reason. Files that no longer exist are marked, not deleted. Results are
  // written in batches: after any interruption the index is usable, and the next scan continues. Links to
  // folders are not followed. Fails only if the index fails.
  // A root may be s3://bucket/prefix, see store::open(): recordings there are described by the archive's
  // index objects, others by parts of their content, at most 8 MiB each unless `thorough`. Those with
  // unchanged tag and size are skipped.
  result<scan_report> scan(const std::vector<file_path>& roots, const scan_options& options = {});

  // For folders only. Scans, then scans changes until options.scan.watch is cancelled. Returns the sum of all
  // scans.
  result<scan_report> watch(const std::vector<file_path>& roots, const watch_options& options = {});

  // Calls `each` with every matching game, the latest first, until it returns false. Returns the number of
  // games.
  result<std::uint64_t> find(const query& what, const std::function<bool(const game&)>& each) const;

  // Over the matching games. A game in several files counts once, see docs/library.md.
  result<statistics> stats(const query& what = {}) const;

  // Runs one SELECT on a separate read-only connection. `each` gets the values of a row as text, null without
  // a value; `columns` is called once before. For an invalid statement, `problem` receives SQLite's message,
  // and the error is invalid_argument.
  using sql_row = std::vector<std::optional<std::string>>;
  result<std::uint64_t> sql(std::string_view statement,
                            const std::function<void(const std::vector<std::string>&)>& columns,
                            const std::function<bool(const sql_row&)>& each, std::string& problem) const;

  // Imports a cache of the DotA replay manager: its games remain even if the file is removed, byte for byte,
  // so that export_cache() can write it again.
  result<import_report> import_cache(const file_path& file);
  // Writes a cache for the manager, from games that were imported from caches.
  result<export_report> export_cache(const file_path& file, const export_options& options = {}) const;

 private:
  struct state;
  explicit catalogue(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::library

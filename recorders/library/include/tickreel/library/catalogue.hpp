// An index of recordings on disk: which are there, who played, how it ended, whether the files are sound.
//
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

// Where the index of this user lies: in $XDG_DATA_HOME or ~/.local/share, on macOS in
// ~/Library/Application Support, on Windows in %LOCALAPPDATA%; there tickreel/library.db. Empty when the
// system names no such folder.
[[nodiscard]] file_path default_database();

struct scan_options {
  unsigned threads = 0;  // 0: as many as the machine has cores
  // Read every file again, also those whose time, size and inode are as they were.
  bool everything = false;
  // Of the files that are read look at every tick and check all hashes, instead of what files::glance()
  // needs to tell what is in them.
  bool thorough = false;
  // Progress in bytes of the files that have to be read; the total grows while folders are walked.
  files::monitor watch = {};
};

// An object of a store, all of one that cannot be listed, or a file.
struct unread_object {
  std::string url;
  error why;
};

// Files, not games.
struct scan_report {
  std::uint64_t seen = 0;       // regular files met
  std::uint64_t unchanged = 0;  // of those; not read again
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t moved = 0;     // known by their content under another path
  std::uint64_t vanished = 0;  // known, and not there any more
  std::uint64_t damaged = 0;   // of those read: a recording with something wrong
  std::uint64_t ignored = 0;   // of those read: no recording
  std::uint64_t unreadable_folders = 0;
  std::vector<file_path> unreadable = {};  // the first ten of them
  // Objects that could not be fetched, and known files that could not be read; what the index knows of them
  // stays.
  std::uint64_t unreadable_objects = 0;
  std::vector<unread_object> unread = {};  // the first ten of them
  std::uint64_t unlisted = 0;              // of those: addresses whose objects are not all known
  bool interrupted = false;

  [[nodiscard]] bool anything_new() const noexcept { return added + changed + moved + vanished != 0; }
};

struct watch_options {
  scan_options scan = {};
  // How long a folder has to be quiet before it is looked at.
  std::uint32_t settle_ms = 300;
  // Where the system reports no changes: how often everything is looked at.
  std::uint32_t poll_ms = 5000;
  bool always_poll = false;
  // Called after each look that found something.
  std::function<void(const scan_report&)> updated = {};
};

enum class cache_layout : std::uint8_t { flagged, flat };

struct export_options {
  query games = {};  // which; all by default
  // Default: as the imported caches have it, flat when there are both.
  std::optional<cache_layout> layout = std::nullopt;
  std::size_t max_items = 0;  // flagged: the longest unused make room; 0: no limit
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
  // Fields of games that have no place in the layout.
  std::uint64_t lost_fields = 0;
};

struct import_report {
  std::uint64_t games = 0;
  bool incomplete = false;  // the program ended before it had written all
};

// One thread at a time; open the file once for each thread that needs it.
class catalogue {
 public:
  // Opens the index and brings it to the present schema, in one transaction; makes it, and its folder, when
  // `create`. unsupported_version when a newer program made it, which is then left alone; malformed for a
  // file that is no index; in_use when another program holds it too long.
  static result<catalogue> open(const file_path& database, bool create = true);

  catalogue(catalogue&&) noexcept;
  catalogue& operator=(catalogue&&) noexcept;
  ~catalogue();

  [[nodiscard]] const file_path& path() const noexcept;

  // Looks at every file in the folders, and at files themselves. New and changed ones are read, on all cores;
  // a recording that cannot be read is indexed with the reason. Files that are gone are marked, not
  // forgotten. What was found is kept in batches: after an interruption, whatever its kind, the index is
  // usable and the next scan goes on from there. Links to folders are not followed. Fails only when the index
  // does.
  //
  // A root may be s3://bucket/prefix, see store::open(): recordings there are known by the index objects that
  // archives have beside them, others by parts of what they hold, at most 8 MiB each unless `thorough`. Those
  // with the same tag and size are not looked at again.
  result<scan_report> scan(const std::vector<file_path>& roots, const scan_options& options = {});

  // Folders only. Scans, then goes on scanning what changes until options.scan.watch says stop. The sum of
  // all scans.
  result<scan_report> watch(const std::vector<file_path>& roots, const watch_options& options = {});

  // Calls `each` with every game that fits, the latest first, until it returns false. Returns how many it
  // gave.
  result<std::uint64_t> find(const query& what, const std::function<bool(const game&)>& each) const;

  // Over the games that fit. A game that several files hold counts once, see docs/library.md.
  result<statistics> stats(const query& what = {}) const;

  // One SELECT on a connection of its own that can only read. `each` gets the values of a row as text, null
  // where there is none; `columns` is called once before. What SQLite says about a wrong statement comes in
  // `problem`, next to invalid_argument.
  using sql_row = std::vector<std::optional<std::string>>;
  result<std::uint64_t> sql(std::string_view statement,
                            const std::function<void(const std::vector<std::string>&)>& columns,
                            const std::function<bool(const sql_row&)>& each, std::string& problem) const;

  // Takes in a cache of the DotA replay manager: its games stay, also when the file goes. Byte for byte what
  // export_cache() needs to make it again.
  result<import_report> import_cache(const file_path& file);
  // Writes a cache that the manager opens, from games that came out of caches.
  result<export_report> export_cache(const file_path& file, const export_options& options = {}) const;

 private:
  struct state;
  explicit catalogue(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::library

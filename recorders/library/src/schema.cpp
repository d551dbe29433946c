#include "schema.hpp"

#include <cstddef>
#include <iterator>
#include <string>

namespace tickreel::library {

namespace {

// One step each. Never changed once released: a new version is a new step. docs/library.md has the result. Also a change
// of the facts, events or columns that this program finds in unchanged files is a new step, which makes scans read them again
// and deletes the columns.
constexpr const char* steps[] = {
    // 1: files, their games, who played
    R"(
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path BLOB NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  format TEXT NOT NULL,
  format_version INTEGER NOT NULL,
  health TEXT NOT NULL,
  reason TEXT NOT NULL,
  scanned_ms INTEGER NOT NULL,
  vanished_ms INTEGER
);
CREATE INDEX files_hash ON files (hash);
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  session TEXT NOT NULL,
  map TEXT NOT NULL,
  mode TEXT NOT NULL,
  result TEXT NOT NULL,
  started_ms INTEGER,
  duration_ms INTEGER NOT NULL,
  ticks INTEGER NOT NULL,
  UNIQUE (file, place)
);
CREATE TABLE players (
  game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  slot INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  team TEXT NOT NULL,
  userid INTEGER,
  won INTEGER,
  statistics TEXT NOT NULL,
  PRIMARY KEY (game, slot)
) WITHOUT ROWID;
CREATE INDEX players_name ON players (name_key);
)",
    // 2: games that came out of caches, with their bytes; caches that were scanned before are read again
    R"(
CREATE TABLE caches (
  file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  layout TEXT NOT NULL,
  version INTEGER NOT NULL,
  next_age INTEGER NOT NULL,
  imported INTEGER NOT NULL
);
CREATE TABLE cache_items (
  game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
  item BLOB NOT NULL
);
UPDATE files SET modified_ns = 0, inode = 0 WHERE format = 'gamecache';
)",
    // 3: the latest games without sorting, and everything at one place for people who write SQL
    R"(
CREATE INDEX games_started ON games (started_ms);
CREATE VIEW recordings AS
  SELECT games.id AS game, CAST(files.path AS TEXT) AS path, files.format, files.bytes, files.health,
         files.reason, files.vanished_ms IS NOT NULL AS vanished, games.place, games.name, games.session,
         games.map, games.mode, games.result, games.started_ms,
         datetime(games.started_ms / 1000, 'unixepoch') AS started, games.duration_ms, games.ticks
  FROM games JOIN files ON files.id = games.file;
)",
    // 4: Echo VR recordings have winners and player statistics; those scanned before are read again
    R"(
UPDATE files SET modified_ns = 0, inode = 0 WHERE format IN ('butter', 'echoreplay', 'reel');
)",
    // 5: observers have no result; replays of resumed games have ids of their own
    R"(
UPDATE players SET won = NULL WHERE lower(team) = 'spectator';
UPDATE files SET modified_ns = 0, inode = 0 WHERE format = 'sc2replay';
)",
    // 6: clips; recordings that were scanned before are read again
    R"(
ALTER TABLE games ADD COLUMN cut_from TEXT NOT NULL DEFAULT '';
UPDATE files SET modified_ns = 0, inode = 0 WHERE format IN ('butter', 'echoreplay', 'reel', 'icrep');
)",
    // 7: events, see event_groups.hpp; Echo VR recordings that were scanned before are read again. files.events is null
    // if they are not stored.
    R"(
ALTER TABLE files ADD COLUMN events INTEGER;
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_tick INTEGER,
  last_tick INTEGER,
  places BLOB NOT NULL,
  lines BLOB NOT NULL,
  UNIQUE (file, type)
);
UPDATE files SET modified_ns = 0, inode = 0 WHERE format IN ('butter', 'echoreplay', 'reel', 'tape', 'nevrcap');
)",
    // 8: columns of ticks and players that statements kept, see indexed_content.hpp; signatures that are not valid are losses
    R"(
CREATE TABLE kept_columns (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  rows INTEGER NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (file, source, name)
);
UPDATE files SET modified_ns = 0, inode = 0 WHERE format = 'icrep';
)",
};
static_assert(std::size(steps) == schema_version);

result<void> check_owner(connection& of, std::int64_t version) {
  const auto owner = of.number("PRAGMA application_id");
  if (!owner) return fail(owner.error());
  const auto tables = of.number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return fail(tables.error());
  const bool fresh = version == 0 && *owner == 0 && *tables == 0;
  if (!fresh && *owner != application_id) {
    return fail(error_code::malformed, error::no_offset, "an SQLite file of another program");
  }
  if (version > schema_version) {
    return fail(error_code::unsupported_version, error::no_offset,
                "index version {} (this program supports up to {})", version, schema_version);
  }
  return {};
}

}  // namespace

result<void> check_current(connection& of) {
  const auto version = of.number("PRAGMA user_version");
  if (!version) return fail(version.error());
  if (auto ours = check_owner(of, *version); !ours) return ours;
  if (*version == schema_version) return {};
  return fail(error_code::unsupported_version, error::no_offset,
              "index version {} needs an upgrade to {}, and the index is read-only", *version,
              schema_version);
}

result<void> migrate(connection& of, int to) {
  auto version = of.number("PRAGMA user_version");
  if (!version) return fail(version.error());
  if (auto ours = check_owner(of, *version); !ours) return ours;
  if (*version >= to) return {};
  auto all = transaction::begin(of);
  if (!all) return fail(all.error());
  // Another program may have migrated it meanwhile.
  version = of.number("PRAGMA user_version");
  if (!version) return fail(version.error());
  if (auto ours = check_owner(of, *version); !ours) return ours;
  for (auto step = *version; step < to; ++step) {
    if (auto done = of.run(steps[step]); !done) return done;
  }
  const std::string marks = "PRAGMA application_id = " + std::to_string(application_id) +
                            "; PRAGMA user_version = " + std::to_string(to);
  if (auto done = of.run(marks.c_str()); !done) return done;
  return all->commit();
}

}  // namespace tickreel::library

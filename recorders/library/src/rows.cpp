#include "rows.hpp"

#include <chrono>
#include <limits>

#include "tickreel/gamecache/text.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::library {

namespace {

// Text in the index is UTF-8, whatever a file contains.
std::string valid(std::string_view text) {
  return gamecache::to_utf8(text);
}

}  // namespace

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string name_key(std::string_view name) {
  return text::to_lower(name);
}

result<void> load_known_files(connection& index, const std::filesystem::path& root, known_files& out) {
  return load_known_files(index, file_path(root).utf8(),
                          static_cast<char>(std::filesystem::path::preferred_separator), out);
}

result<void> load_known_files(connection& index, const std::string& root, char separator, known_files& out) {
  auto rows = index.prepare(
      "SELECT path, id, bytes, modified_ns, inode, vanished_ms, health = 'unread' FROM files "
      "WHERE path = ?1 OR (path > ?2 AND path < ?3)");
  if (!rows) return fail(rows.error());
  const std::string inside = root.ends_with(separator) ? root : root + separator;
  std::string after_last = inside;
  ++after_last.back();
  rows->bind_blob(1, root).bind_blob(2, inside).bind_blob(3, after_last);
  for (;;) {
    const auto more = rows->step();
    if (!more) return fail(more.error());
    if (!*more) return {};
    known_file each;
    each.id = rows->integer(1);
    each.identity = {static_cast<std::uint64_t>(rows->integer(2)), rows->integer(3), rows->integer(4)};
    each.vanished = !rows->is_null(5);
    each.unread = rows->integer(6) != 0;
    out.emplace(rows->text(0), each);
  }
}

result<row_writer> row_writer::prepare(connection& index) {
  row_writer out(index);
  const struct {
    statement& into;
    const char* sql;
  } all[] = {
      {out.put_file_,
       "INSERT INTO files (path, bytes, modified_ns, inode, hash, format, format_version, health, reason, "
       "scanned_ms, events) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (path) DO "
       "UPDATE SET "
       "bytes = excluded.bytes, modified_ns = excluded.modified_ns, inode = excluded.inode, hash = "
       "excluded.hash, "
       "format = excluded.format, format_version = excluded.format_version, health = excluded.health, reason "
       "= "
       "excluded.reason, scanned_ms = excluded.scanned_ms, events = excluded.events, vanished_ms = NULL "
       "RETURNING id"},
      {out.forget_games_, "DELETE FROM games WHERE file = ?1"},
      {out.forget_cache_, "DELETE FROM caches WHERE file = ?1"},
      {out.forget_events_, "DELETE FROM events WHERE file = ?1"},
      {out.forget_columns_, "DELETE FROM kept_columns WHERE file = ?1"},
      {out.put_events_,
       "INSERT INTO events (file, type, count, first_tick, last_tick, places, lines) VALUES (?1, ?2, ?3, ?4, "
       "?5, ?6, "
       "?7)"},
      {out.put_game_,
       "INSERT INTO games (file, place, name, session, map, mode, result, started_ms, duration_ms, ticks, "
       "cut_from) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"},
      {out.put_player_,
       "INSERT INTO players (game, slot, name, name_key, team, userid, won, statistics) "
       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
      {out.put_cache_,
       "INSERT INTO caches (file, layout, version, next_age, imported) VALUES (?1, ?2, ?3, ?4, ?5)"},
      {out.was_imported_, "SELECT imported FROM caches WHERE file = ?1"},
      {out.put_item_, "INSERT INTO cache_items (game, item) VALUES (?1, ?2)"},
      {out.clear_path_, "DELETE FROM files WHERE path = ?1 AND id <> ?2"},
      {out.move_,
       "UPDATE files SET path = ?1, modified_ns = ?2, inode = ?3, vanished_ms = NULL WHERE id = ?4 AND path "
       "= ?5"},
      // Imported games remain without their file.
      {out.vanish_,
       "UPDATE files SET vanished_ms = ?1 WHERE id = ?2 AND path = ?3 AND vanished_ms IS NULL AND NOT EXISTS "
       "(SELECT 1 FROM caches WHERE file = ?2 AND imported)"},
      {out.present_, "UPDATE files SET vanished_ms = NULL WHERE id = ?1"},
      {out.imported_, "UPDATE caches SET imported = 1 WHERE file = ?1"},
  };
  for (const auto& each : all) {
    auto made = index.prepare(each.sql);
    if (!made) return fail(made.error());
    each.into = std::move(*made);
  }
  return out;
}

result<std::int64_t> row_writer::put(std::string_view path, const file_identity& identity, std::uint64_t hash,
                                     const description& what) {
  put_file_.bind_blob(1, path).bind(2, static_cast<std::int64_t>(identity.bytes));
  put_file_.bind(3, identity.modified_ns).bind(4, identity.inode).bind(5, static_cast<std::int64_t>(hash));
  put_file_.bind_text(6, what.format).bind(7, std::int64_t{what.format_version});
  put_file_.bind_text(8, what.is_recording() ? what.health : "ignored").bind_text(9, valid(what.reason));
  put_file_.bind(10, now_ms());
  std::optional<std::int64_t> events;
  if (what.events) events = static_cast<std::int64_t>(what.events->events);
  put_file_.bind(11, events);
  const auto row = put_file_.step();
  const std::int64_t id = row && *row ? put_file_.integer(0) : 0;
  put_file_.reset();
  if (!row) return fail(row.error());

  // An import survives a second reading of its file.
  bool imported = false;
  if (what.cache) {
    const auto found = was_imported_.bind(1, id).step();
    imported = found && *found && was_imported_.integer(0) != 0;
    was_imported_.reset();
    if (!found) return fail(found.error());
  }
  if (auto gone = forget_games_.bind(1, id).run(); !gone) return fail(gone.error());
  if (auto gone = forget_cache_.bind(1, id).run(); !gone) return fail(gone.error());
  if (auto gone = forget_events_.bind(1, id).run(); !gone) return fail(gone.error());
  if (auto gone = forget_columns_.bind(1, id).run(); !gone) return fail(gone.error());
  if (what.events) {
    if (auto done = put_events(id, *what.events); !done) return fail(done.error());
  }
  if (what.cache) {
    put_cache_.bind(1, id).bind_text(2, what.cache->layout).bind(3, std::int64_t{what.cache->version});
    put_cache_.bind(4, std::int64_t{what.cache->next_age}).bind(5, std::int64_t{imported});
    if (auto done = put_cache_.run(); !done) return fail(done.error());
  }
  for (const described_game& each : what.games) {
    if (auto done = put_game(id, each); !done) return fail(done.error());
  }
  return id;
}

result<void> row_writer::put_game(std::int64_t file, const described_game& what) {
  const game& facts = what.facts;
  put_game_.bind(1, file).bind(2, static_cast<std::int64_t>(facts.place)).bind_text(3, valid(facts.name));
  put_game_.bind_text(4, valid(facts.session)).bind_text(5, valid(facts.map)).bind_text(6, valid(facts.mode));
  put_game_.bind_text(7, valid(facts.result)).bind(8, facts.started_ms).bind(9, facts.duration_ms);
  put_game_.bind(10, static_cast<std::int64_t>(facts.ticks)).bind_text(11, valid(facts.cut_from));
  if (auto done = put_game_.run(); !done) return done;
  const std::int64_t id = index_->last_id();
  for (std::size_t slot = 0; slot < facts.players.size(); ++slot) {
    const player& each = facts.players[slot];
    const std::string name = valid(each.name);
    std::optional<std::int64_t> userid;
    if (each.userid) userid = static_cast<std::int64_t>(*each.userid);
    std::optional<std::int64_t> won;
    if (each.won) won = *each.won ? 1 : 0;
    put_player_.bind(1, id).bind(2, static_cast<std::int64_t>(slot)).bind_text(3, name);
    put_player_.bind_text(4, name_key(name)).bind_text(5, valid(each.team)).bind(6, userid).bind(7, won);
    if (auto done = put_player_.bind_text(8, each.statistics).run(); !done) return done;
  }
  if (what.cache_item.empty()) return {};
  return put_item_.bind(1, id).bind_blob(2, what.cache_item).run();
}

result<void> row_writer::put_events(std::int64_t file, const event_groups& what) {
  const auto tick = [](const std::optional<std::uint64_t>& from) -> std::optional<std::int64_t> {
    // A larger one is no bound.
    constexpr auto largest = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
    if (!from || *from > largest) return std::nullopt;
    return static_cast<std::int64_t>(*from);
  };
  for (const event_group& each : what.by_type) {
    put_events_.bind(1, file).bind_text(2, each.type).bind(3, static_cast<std::int64_t>(each.count));
    put_events_.bind(4, tick(each.first_tick)).bind(5, tick(each.last_tick));
    put_events_.bind_blob(6, as_text(each.places)).bind_blob(7, as_text(each.lines));
    if (auto done = put_events_.run(); !done) return done;
  }
  return {};
}

result<bool> row_writer::move(std::int64_t id, std::string_view from, std::string_view to,
                              const file_identity& identity) {
  if (auto cleared = clear_path_.bind_blob(1, to).bind(2, id).run(); !cleared) return fail(cleared.error());
  move_.bind_blob(1, to).bind(2, identity.modified_ns).bind(3, identity.inode).bind(4, id).bind_blob(5, from);
  if (auto done = move_.run(); !done) return fail(done.error());
  return index_->changes() == 1;
}

result<bool> row_writer::mark_vanished(std::int64_t id, std::string_view path) {
  if (auto done = vanish_.bind(1, now_ms()).bind(2, id).bind_blob(3, path).run(); !done) {
    return fail(done.error());
  }
  if (index_->changes() != 1) return false;
  // Games and events are small, and valid again if the file returns.
  if (auto gone = forget_columns_.bind(1, id).run(); !gone) return fail(gone.error());
  return true;
}

result<void> row_writer::mark_present(std::int64_t id) {
  return present_.bind(1, id).run();
}

result<void> row_writer::mark_imported(std::int64_t id) {
  return imported_.bind(1, id).run();
}

}  // namespace tickreel::library

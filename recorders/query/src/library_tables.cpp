#include "library_tables.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <span>

#include "guarded.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/library/index_reader.hpp"
#include "tickreel/library/index_writer.hpp"
#include "work.hpp"

namespace tickreel::query {

namespace {

struct indexed_column {
  const char* name;
  const char* type;
  const char* expression;  // in the index
};
// Of both tables, first; the index has a path instead.
constexpr int name_column = 0;

struct indexed_table {
  const char* name;
  std::span<const indexed_column> columns;
  const char* row_id;
  double rows_of_game;
  const char* from;
};

constexpr indexed_column indexed_games[] = {
    {"recording", "TEXT", "files.path"},
    {"game", "INTEGER", "games.id"},
    {"place", "INTEGER", "games.place"},
    {"format", "TEXT", "files.format"},
    {"health", "TEXT", "files.health"},
    {"name", "TEXT", "nullif(games.name, '')"},
    {"session", "TEXT", "nullif(games.session, '')"},
    {"map", "TEXT", "nullif(games.map, '')"},
    {"mode", "TEXT", "nullif(games.mode, '')"},
    {"result", "TEXT", "nullif(games.result, '')"},
    {"started", "TEXT", "datetime(games.started_ms / 1000, 'unixepoch')"},
    {"started_ms", "INTEGER", "games.started_ms"},
    {"duration_ms", "INTEGER", "games.duration_ms"},
    {"ticks", "INTEGER", "games.ticks"}};
constexpr indexed_column indexed_players[] = {
    {"recording", "TEXT", "files.path"}, {"game", "INTEGER", "players.game"},
    {"slot", "INTEGER", "players.slot"}, {"player", "TEXT", "players.name"},
    {"id", "INTEGER", "players.userid"}, {"team", "TEXT", "players.team"},
    {"won", "INTEGER", "players.won"},   {"statistics", "TEXT", "players.statistics"}};

#define TICKREEL_INDEXED_GAMES \
  "games JOIN files ON files.id = games.file AND files.vanished_ms IS NULL AND files.health <> 'ignored'"
constexpr indexed_table indexed_tables[] = {
    {"library_games", indexed_games, "games.id", 1, TICKREEL_INDEXED_GAMES},
    // A game has fewer players than 2^20.
    {"library_players", indexed_players, "players.game * 1048576 + players.slot", 8,
     "players JOIN " TICKREEL_INDEXED_GAMES " AND games.id = players.game"}};
#undef TICKREEL_INDEXED_GAMES

struct indexed_source {
  work* of = nullptr;
  library_index* index = nullptr;
  const indexed_table* which = nullptr;
};
struct indexed_instance : sqlite3_vtab {
  indexed_source source;
};
struct indexed_cursor : sqlite3_vtab_cursor {
  library::statement rows;
  bool is_at_end = true;
  [[nodiscard]] const indexed_source& source() const noexcept {
    return static_cast<const indexed_instance*>(pVtab)->source;
  }
};

int indexed_connect(sqlite3* to, void* from, int, const char* const*, sqlite3_vtab** out, char**) {
  return guarded([&] {
    const auto& source = *static_cast<indexed_source*>(from);
    std::string sql = "CREATE TABLE t (";
    for (const indexed_column& each : source.which->columns) {
      if (&each != source.which->columns.data()) sql += ", ";
      sql.append(each.name).append(" ").append(each.type);
    }
    const int code = sqlite3_declare_vtab(to, (sql + ")").c_str());
    if (code != SQLITE_OK) return code;
    auto made = std::make_unique<indexed_instance>();
    *static_cast<sqlite3_vtab*>(made.get()) = {};
    made->source = source;
    *out = made.release();
    return SQLITE_OK;
  });
}

int indexed_disconnect(sqlite3_vtab* of) {
  delete static_cast<indexed_instance*>(of);
  return SQLITE_OK;
}

// The plan's text: needed columns in hexadecimal, ';', and the columns with an equality, as letters.
int indexed_best_index(sqlite3_vtab* of, sqlite3_index_info* info) {
  return guarded([&] {
    const indexed_source& source = static_cast<indexed_instance*>(of)->source;
    const indexed_table& which = *source.which;
    const std::span columns = which.columns;
    std::string equalities;
    bool is_few = false;
    for (int at = 0; at < info->nConstraint; ++at) {
      const auto& each = info->aConstraint[at];
      if (each.usable == 0 || each.op != SQLITE_INDEX_CONSTRAINT_EQ || each.iColumn < 0 ||
          !is_binary_comparison(*info, at))
        continue;
      const std::string_view name = columns[static_cast<std::size_t>(each.iColumn)].name;
      is_few = is_few || name == "recording" || name == "game";
      info->aConstraintUsage[at].argvIndex = static_cast<int>(equalities.size()) + 1;
      equalities += static_cast<char>('a' + each.iColumn);
    }
    const double all_rows = std::max(1.0, static_cast<double>(source.index->games()) * which.rows_of_game);
    const double rows = is_few ? which.rows_of_game : equalities.empty() ? all_rows : all_rows / 20;
    info->estimatedRows = std::max<sqlite3_int64>(1, static_cast<sqlite3_int64>(rows));
    info->estimatedCost = is_few ? 20 : all_rows;
    info->idxStr =
        sqlite3_mprintf("%llx;%s", static_cast<unsigned long long>(info->colUsed), equalities.c_str());
    info->needToFreeIdxStr = 1;
    return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
  });
}

int indexed_open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  return guarded([&] {
    auto made = std::make_unique<indexed_cursor>();
    *static_cast<sqlite3_vtab_cursor*>(made.get()) = {};
    *out = made.release();
    return SQLITE_OK;
  });
}

int indexed_close(sqlite3_vtab_cursor* of) {
  delete static_cast<indexed_cursor*>(of);
  return SQLITE_OK;
}

int indexed_step(indexed_cursor& of) {
  const auto more = of.rows.step();
  of.is_at_end = !more || !*more;
  if (more) return SQLITE_OK;
  if (more.error().code == error_code::interrupted) return SQLITE_INTERRUPT;
  work& all = *of.source().of;
  if (!all.failure) all.failure = more.error();
  return SQLITE_ERROR;
}

std::string text_of_value(sqlite3_value* from) {
  const auto* const text = static_cast<const char*>(sqlite3_value_blob(from));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(from)));
}

// The SELECT of the needed columns. An equality whose value is a number or a text restricts it; SQLite compares again.
result<library::statement> select_rows(const indexed_source& from, std::string_view text,
                                       sqlite3_value** values) {
  const std::size_t end = text.find(';');
  unsigned long long used = 0;
  (void)std::from_chars(text.data(), text.data() + end, used, 16);
  std::string sql = "SELECT ";
  for (std::size_t at = 0; at < from.which->columns.size(); ++at) {
    sql.append((used >> at & 1) != 0 ? from.which->columns[at].expression : "NULL").append(", ");
  }
  sql.append(from.which->row_id).append(" FROM ").append(from.which->from).append(" WHERE 1");
  std::vector<value> bound;
  for (std::size_t at = end + 1; at < text.size(); ++at) {
    const int column = text[at] - 'a';
    sqlite3_value* const by = values[at - end - 1];
    const std::string expression = from.which->columns[static_cast<std::size_t>(column)].expression;
    const int type = sqlite3_value_type(by);
    if (column == name_column && type == SQLITE_TEXT) {
      sql += " AND " + expression + " IN (";
      bool is_first = true;
      for (std::string& each : from.index->paths_of(text_of_value(by))) {
        sql += is_first ? "CAST(? AS BLOB)" : ", CAST(? AS BLOB)";
        is_first = false;
        bound.emplace_back(std::move(each));
      }
      sql += ")";
    } else if (column != name_column && (type == SQLITE_TEXT || type == SQLITE_INTEGER)) {
      sql += " AND " + expression + " = ?";
      bound.push_back(type == SQLITE_TEXT ? value(text_of_value(by)) : value(sqlite3_value_int64(by)));
    }
  }
  auto rows = from.index->connection().prepare(sql);
  if (!rows) return rows;
  for (std::size_t at = 0; at < bound.size(); ++at) {
    const int place = static_cast<int>(at) + 1;
    if (const auto* const number = std::get_if<std::int64_t>(&bound[at])) rows->bind(place, *number);
    if (const auto* const words = std::get_if<std::string>(&bound[at])) rows->bind_text(place, *words);
  }
  return rows;
}

int indexed_filter(sqlite3_vtab_cursor* of, int, const char* plan, int, sqlite3_value** values) {
  return guarded([&] {
    auto& cursor = *static_cast<indexed_cursor*>(of);
    auto rows = select_rows(cursor.source(), plan, values);
    if (!rows) {
      work& all = *cursor.source().of;
      if (!all.failure) all.failure = rows.error();
      return SQLITE_ERROR;
    }
    cursor.rows = std::move(*rows);
    return indexed_step(cursor);
  });
}

int indexed_next(sqlite3_vtab_cursor* of) {
  return guarded([&] { return indexed_step(*static_cast<indexed_cursor*>(of)); });
}

int indexed_eof(sqlite3_vtab_cursor* of) {
  return static_cast<indexed_cursor*>(of)->is_at_end ? 1 : 0;
}

int indexed_column_value(sqlite3_vtab_cursor* of, sqlite3_context* to, int column) {
  return guarded([&] {
    const auto& cursor = *static_cast<indexed_cursor*>(of);
    switch (cursor.rows.kind_of(column)) {
      case library::statement::kind::integer:
        sqlite3_result_int64(to, cursor.rows.integer(column));
        break;
      case library::statement::kind::real:
        sqlite3_result_double(to, cursor.rows.real(column));
        break;
      case library::statement::kind::text:
      case library::statement::kind::blob: {
        std::string_view text = cursor.rows.text(column);
        if (column == name_column) text = cursor.source().index->name_of(text);
        sqlite3_result_text64(to, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8);
        break;
      }
      case library::statement::kind::null:
        break;
    }
    return SQLITE_OK;
  });
}

int indexed_row_id(sqlite3_vtab_cursor* of, sqlite3_int64* out) {
  const auto& cursor = *static_cast<indexed_cursor*>(of);
  *out = cursor.rows.integer(static_cast<int>(cursor.source().which->columns.size()));
  return SQLITE_OK;
}

sqlite3_module module_of_index() {
  sqlite3_module out{};
  out.xConnect = &indexed_connect;
  out.xBestIndex = &indexed_best_index;
  out.xDisconnect = &indexed_disconnect;
  out.xOpen = &indexed_open;
  out.xClose = &indexed_close;
  out.xFilter = &indexed_filter;
  out.xNext = &indexed_next;
  out.xEof = &indexed_eof;
  out.xColumn = &indexed_column_value;
  out.xRowid = &indexed_row_id;
  return out;
}

// A file that another program made may have the version of an index, and other tables.
error reason_of_failure(const error& why) {
  if (why.code != error_code::invalid_argument) return why;
  return {error_code::malformed, error::no_offset, "the index of the library lacks a table"};
}

result<library::connection> open_index(const file_path& database, work& of) {
  auto index = library::open_to_read(database);
  if (!index) return index;
  // Views and triggers of a file that another program made may call only harmless functions.
  sqlite3_db_config(index->handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  watch_steps(index->handle(), of);
  return index;
}

}  // namespace

result<std::unique_ptr<library_index>> library_index::open(const file_path& database, bool keeps_columns,
                                                           work& of) {
  // First, because it may migrate the index.
  std::optional<library::connection> writer;
  if (keeps_columns) {
    auto opened = library::open_to_write(database, library::connection::access::read_write);
    if (!opened) return fail(opened.error());
    writer.emplace(std::move(*opened));
  }
  auto index = open_index(database, of);
  if (!index) return fail(index.error());
  index->only_read();
  const auto games = index->number("SELECT max(id) FROM games");
  if (!games) return fail(reason_of_failure(games.error()));
  auto reader = open_index(database, of);
  if (!reader) return fail(reader.error());
  auto content = library::indexed_content::create(std::move(*reader), std::move(writer));
  if (!content) return fail(reason_of_failure(content.error()));
  std::unique_ptr<library_index> out(new library_index(std::move(*index)));
  out->games_ = *games;
  out->content_ = std::move(*content);
  out->keeping_.is_asked = keeps_columns;
  for (const input& each : of.inputs()) {
    std::set<std::string> paths;
    std::error_code unknown;
    if (files::is_distant(each.file)) {
      paths.insert(each.file);
    } else {
      paths.insert(library::indexed_path(each.file));
      const auto itself = std::filesystem::canonical(filesystem_path(each.file), unknown);
      if (!unknown) paths.insert(file_path(itself).utf8());
    }
    for (const std::string& path : paths) {
      out->names_.emplace(path, each.file);
      out->paths_.emplace(each.file, path);
    }
  }
  return out;
}

std::string_view library_index::name_of(std::string_view path) const {
  const auto found = names_.find(path);
  return found == names_.end() ? path : std::string_view(found->second);
}

std::vector<std::string> library_index::paths_of(std::string_view name) const {
  std::vector<std::string> out;
  const auto [first, last] = paths_.equal_range(name);
  for (auto each = first; each != last; ++each) out.push_back(each->second);
  // A recording that is no input has its path.
  if (!names_.contains(name)) out.emplace_back(name);
  return out;
}

std::shared_ptr<const event_list> library_index::events(const input& of, const limits& within,
                                                        bool needs_json) const {
  if (of.bytes) return nullptr;
  return content_->events(recording_of(of), {.type = within.type,
                                             .first_tick = within.first_tick,
                                             .last_tick = within.last_tick,
                                             .needs_json = needs_json});
}

bool is_library_table(std::string_view word) noexcept {
  for (const indexed_table& each : indexed_tables) {
    if (word == each.name) return true;
  }
  return false;
}

std::vector<std::string_view> library_table_names() {
  std::vector<std::string_view> out;
  for (const indexed_table& each : indexed_tables) out.emplace_back(each.name);
  return out;
}

result<void> add_library_tables(sqlite3* to, work& of, library_index& from) {
  static const sqlite3_module module = module_of_index();
  for (const indexed_table& each : indexed_tables) {
    const int code =
        sqlite3_create_module_v2(to, each.name, &module, new indexed_source{&of, &from, &each},
                                 [](void* source) { delete static_cast<indexed_source*>(source); });
    if (code != SQLITE_OK) return fail(error_code::out_of_memory, error::no_offset, sqlite3_errstr(code));
  }
  return {};
}

}  // namespace tickreel::query

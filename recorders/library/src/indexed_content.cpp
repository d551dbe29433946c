#include "tickreel/library/indexed_content.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "compressed_bytes.hpp"
#include "event_groups.hpp"
#include "file_identity.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/workers/mutex.hpp"

namespace tickreel::library {

namespace {

constexpr const char* select_file =
    "SELECT id, bytes, modified_ns, inode, events FROM files WHERE path = CAST(?1 AS BLOB)";
// Groups whose ticks are known to be outside are left out.
constexpr const char* select_groups =
    "SELECT type, count, places, CASE WHEN ?5 THEN lines END FROM events WHERE file = ?1 AND (?2 IS NULL OR "
    "type = ?2) "
    "AND (last_tick IS NULL OR last_tick >= ?3) AND (first_tick IS NULL OR first_tick <= ?4)";
constexpr const char* select_column =
    "SELECT content FROM kept_columns WHERE file = ?1 AND source = ?2 AND name = ?3 AND length(content) <= "
    "?4";
// Of another program, which read other rows.
constexpr const char* forget_other_rows =
    "DELETE FROM kept_columns WHERE file = ?1 AND source = ?2 AND rows <> ?3";
constexpr const char* put_column =
    "INSERT OR REPLACE INTO kept_columns (file, source, rows, name, content) VALUES (?1, ?2, ?3, ?4, ?5)";

// Compressed bytes are larger than others by less than this.
constexpr std::size_t max_stored_bytes = max_column_bytes + (std::size_t{1} << 20);
// Decompression of numbers takes a third of a read, so the fastest level.
constexpr int column_level = 1;

std::int64_t bound_of(std::uint64_t tick) noexcept {
  constexpr auto largest = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
  return static_cast<std::int64_t>(std::min(tick, largest));
}

}  // namespace

// A recording that is unchanged.
struct unchanged_file {
  std::string path;
  std::int64_t id = 0;
  file_identity identity;
  std::optional<std::uint64_t> events = std::nullopt;  // unset: not stored, or damaged
};

struct indexed_content::state {
  workers::mutex reading;
  connection reader;
  statement file, groups, column;
  decompressor codec = {};
  std::map<std::string, std::optional<unchanged_file>> known = {};  // by the first path

  workers::mutex writing;
  std::optional<connection> writer = std::nullopt;
  statement file_now = {}, forget_other = {}, put = {};

  unchanged_file* known_file(const indexed_recording& of);
  [[nodiscard]] std::optional<event_list> read_groups(const unchanged_file& of, const event_selection& what);
  result<void> prepare_writer(connection to);
};

namespace {

std::optional<unchanged_file> find_unchanged(statement& by_path, const std::string& path,
                                             const std::optional<files::object_version>& object) {
  by_path.bind_text(1, path);
  std::optional<unchanged_file> out;
  if (const auto row = by_path.step(); row && *row) {
    out = {
        .path = path,
        .id = by_path.integer(0),
        .identity = {static_cast<std::uint64_t>(by_path.integer(1)), by_path.integer(2), by_path.integer(3)}};
    if (!by_path.is_null(4)) out->events = static_cast<std::uint64_t>(by_path.integer(4));
  }
  by_path.reset();
  if (!out) return std::nullopt;
  if (object) {
    // Its index object describes other facts than its content.
    const bool is_same = !object->tag.empty() && out->identity.bytes == object->bytes &&
                         out->identity.inode == tag_number(object->tag);
    return is_same ? out : std::nullopt;
  }
  const auto now = identify(filesystem_path(path));
  return now && *now == out->identity ? out : std::nullopt;
}

}  // namespace

unchanged_file* indexed_content::state::known_file(const indexed_recording& of) {
  if (of.paths.empty()) return nullptr;
  const auto [at, is_new] = known.emplace(of.paths.front(), std::nullopt);
  for (std::size_t each = 0; is_new && each < of.paths.size() && !at->second; ++each)
    at->second = find_unchanged(file, of.paths[each], of.object);
  return at->second ? &*at->second : nullptr;
}

indexed_content::indexed_content(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
indexed_content::~indexed_content() = default;

result<std::unique_ptr<indexed_content>> indexed_content::create(connection reader,
                                                                 std::optional<connection> writer) {
  // One view of the index for all calls: scans replace rows.
  if (auto begun = reader.run("BEGIN"); !begun) return fail(begun.error());
  auto file = reader.prepare(select_file);
  if (!file) return fail(file.error());
  auto groups = reader.prepare(select_groups);
  if (!groups) return fail(groups.error());
  auto column = reader.prepare(select_column);
  if (!column) return fail(column.error());
  reader.only_read();
  std::unique_ptr<state> all(new state{.reading = {},
                                       .reader = std::move(reader),
                                       .file = std::move(*file),
                                       .groups = std::move(*groups),
                                       .column = std::move(*column),
                                       .writing = {}});
  if (writer) {
    if (auto ready = all->prepare_writer(std::move(*writer)); !ready) return fail(ready.error());
  }
  return std::unique_ptr<indexed_content>(new indexed_content(std::move(all)));
}

result<void> indexed_content::state::prepare_writer(connection to) {
  writer.emplace(std::move(to));
  const struct {
    statement& into;
    const char* sql;
  } all[] = {{file_now, select_file}, {forget_other, forget_other_rows}, {put, put_column}};
  for (const auto& each : all) {
    auto made = writer->prepare(each.sql);
    if (!made) return fail(made.error());
    each.into = std::move(*made);
  }
  return {};
}

std::optional<event_list> indexed_content::state::read_groups(const unchanged_file& of,
                                                              const event_selection& what) {
  groups.bind(1, of.id);
  if (what.type) {
    groups.bind_text(2, *what.type);
  } else {
    groups.bind(2, std::optional<std::int64_t>());
  }
  groups.bind(3, bound_of(what.first_tick)).bind(4, bound_of(what.last_tick));
  groups.bind(5, std::int64_t{what.needs_json});
  event_list out;
  out.is_from_index = true;
  result<bool> more = groups.step();
  for (; more && *more; more = groups.step()) {
    const stored_group group{.type = groups.text(0),
                             .count = static_cast<std::uint64_t>(groups.integer(1)),
                             .places = as_bytes(groups.text(2)),
                             .lines = as_bytes(groups.text(3))};
    if (what.needs_json == group.lines.empty() || !append_group(group, out.lines)) {
      more = false;
      out.is_from_index = false;
      break;
    }
  }
  groups.reset();
  if (!more || !out.is_from_index) return std::nullopt;
  std::ranges::sort(out.lines, {}, &event_line::id);
  const bool has_twice = std::ranges::adjacent_find(out.lines, {}, &event_line::id) != out.lines.end();
  if (has_twice || (!out.lines.empty() && out.lines.back().id >= *of.events)) return std::nullopt;
  const bool is_all = !what.type && what.first_tick == 0 && bound_of(what.last_tick) == bound_of(UINT64_MAX);
  if (is_all && out.lines.size() != *of.events) return std::nullopt;
  return out;
}

bool indexed_content::has(const indexed_recording& of) {
  const workers::mutex_guard lock(state_->reading);
  return state_->known_file(of) != nullptr;
}

std::shared_ptr<const event_list> indexed_content::events(const indexed_recording& of,
                                                          const event_selection& what) {
  const workers::mutex_guard lock(state_->reading);
  unchanged_file* const known = state_->known_file(of);
  if (known == nullptr || !known->events) return nullptr;
  auto list = state_->read_groups(*known, what);
  if (!list) {
    known->events.reset();
    return nullptr;
  }
  return std::make_shared<const event_list>(std::move(*list));
}

std::vector<byte_vector> indexed_content::columns(const indexed_recording& of, std::string_view table,
                                                  const std::vector<std::string>& names) {
  const workers::mutex_guard lock(state_->reading);
  const unchanged_file* const known = state_->known_file(of);
  if (known == nullptr) return {};
  std::vector<byte_vector> out(names.size());
  std::size_t left_bytes = max_columns_bytes;
  statement& column = state_->column;
  column.bind(1, known->id).bind_text(2, table).bind(4, static_cast<std::int64_t>(max_stored_bytes));
  for (std::size_t at = 0; at < names.size(); ++at) {
    const auto row = column.bind_text(3, names[at]).step();
    const std::size_t limit_bytes = std::min(max_column_bytes, left_bytes);
    const bool is_there =
        row && *row && decompress_bytes(state_->codec, as_bytes(column.text(0)), limit_bytes, out[at]);
    column.reset();
    if (!is_there) return {};
    left_bytes -= out[at].size();
  }
  return out;
}

result<bool> indexed_content::keep(const indexed_recording& of, std::string_view table, std::uint64_t rows,
                                   std::span<const kept_column> columns) {
  std::optional<unchanged_file> before;
  {
    const workers::mutex_guard lock(state_->reading);
    if (const unchanged_file* const known = state_->known_file(of)) before = *known;
  }
  if (!before || !state_->writer) return false;
  auto codec = byte_compressor::create(column_level);
  if (!codec) return fail(codec.error());
  std::vector<byte_vector> contents(columns.size());
  for (std::size_t at = 0; at < columns.size(); ++at) {
    if (auto done = codec->compress(columns[at].values, contents[at]); !done) return fail(done.error());
  }
  const workers::mutex_guard lock(state_->writing);
  auto all = transaction::begin(*state_->writer);
  if (!all) return fail(all.error());
  // Neither the file nor its row may have changed since the file was opened.
  const auto now = find_unchanged(state_->file_now, before->path, of.object);
  if (!now || now->id != before->id || now->identity != before->identity) return false;
  const auto count = static_cast<std::int64_t>(rows);
  if (auto gone = state_->forget_other.bind(1, now->id).bind_text(2, table).bind(3, count).run(); !gone) {
    return fail(gone.error());
  }
  state_->put.bind(1, now->id).bind_text(2, table).bind(3, count);
  for (std::size_t at = 0; at < columns.size(); ++at) {
    state_->put.bind_text(4, columns[at].name).bind_blob(5, as_text(contents[at]));
    if (auto done = state_->put.run(); !done) return fail(done.error());
  }
  if (auto done = all->commit(); !done) return fail(done.error());
  return true;
}

}  // namespace tickreel::library

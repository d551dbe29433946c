#include <algorithm>
#include <limits>

#include "event_groups.hpp"
#include "file_identity.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/library/index_reader.hpp"

namespace tickreel::library {

namespace {

constexpr const char* select_file =
    "SELECT id, bytes, modified_ns, inode, events FROM files WHERE path = CAST(?1 AS BLOB) AND events IS NOT "
    "NULL";
// Groups whose ticks are known to be outside are left out.
constexpr const char* select_groups =
    "SELECT type, count, places, CASE WHEN ?5 THEN lines END FROM events WHERE file = ?1 AND (?2 IS NULL OR "
    "type = ?2) "
    "AND (last_tick IS NULL OR last_tick >= ?3) AND (first_tick IS NULL OR first_tick <= ?4)";

std::int64_t bound_of(std::uint64_t tick) noexcept {
  constexpr auto largest = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
  return static_cast<std::int64_t>(std::min(tick, largest));
}

}  // namespace

result<std::unique_ptr<indexed_events>> indexed_events::create(connection index) {
  // One view of the index for all calls: scans replace rows.
  if (auto begun = index.run("BEGIN"); !begun) return fail(begun.error());
  auto file = index.prepare(select_file);
  if (!file) return fail(file.error());
  auto groups = index.prepare(select_groups);
  if (!groups) return fail(groups.error());
  index.only_read();
  return std::unique_ptr<indexed_events>(
      new indexed_events(std::move(index), std::move(*file), std::move(*groups)));
}

std::optional<indexed_events::known_events> indexed_events::find(
    const std::string& path, const std::optional<files::object_version>& object) {
  file_.bind_text(1, path);
  std::optional<known_events> out;
  file_identity then;
  if (const auto row = file_.step(); row && *row) {
    then = {static_cast<std::uint64_t>(file_.integer(1)), file_.integer(2), file_.integer(3)};
    out = {file_.integer(0), static_cast<std::uint64_t>(file_.integer(4))};
  }
  file_.reset();
  if (!out) return std::nullopt;
  if (object) {
    // Its index object describes other facts than its events.
    const bool is_same =
        !object->tag.empty() && then.bytes == object->bytes && then.inode == tag_number(object->tag);
    return is_same ? out : std::nullopt;
  }
  const auto now = identify(filesystem_path(path));
  return now && *now == then ? out : std::nullopt;
}

std::optional<event_list> indexed_events::read_groups(const known_events& of, const selection& what) {
  groups_.bind(1, of.file);
  if (what.type) {
    groups_.bind_text(2, *what.type);
  } else {
    groups_.bind(2, std::optional<std::int64_t>());
  }
  groups_.bind(3, bound_of(what.first_tick)).bind(4, bound_of(what.last_tick));
  groups_.bind(5, std::int64_t{what.needs_json});
  event_list out;
  out.is_from_index = true;
  result<bool> more = groups_.step();
  for (; more && *more; more = groups_.step()) {
    const stored_group group{.type = groups_.text(0),
                             .count = static_cast<std::uint64_t>(groups_.integer(1)),
                             .places = as_bytes(groups_.text(2)),
                             .lines = as_bytes(groups_.text(3))};
    if (what.needs_json == group.lines.empty() || !append_group(group, out.lines)) {
      more = false;
      out.is_from_index = false;
      break;
    }
  }
  groups_.reset();
  if (!more || !out.is_from_index) return std::nullopt;
  std::ranges::sort(out.lines, {}, &event_line::id);
  const bool has_twice = std::ranges::adjacent_find(out.lines, {}, &event_line::id) != out.lines.end();
  if (has_twice || (!out.lines.empty() && out.lines.back().id >= of.events)) return std::nullopt;
  const bool is_all = !what.type && what.first_tick == 0 && bound_of(what.last_tick) == bound_of(UINT64_MAX);
  if (is_all && out.lines.size() != of.events) return std::nullopt;
  return out;
}

std::shared_ptr<const event_list> indexed_events::read(const std::vector<std::string>& paths,
                                                       const std::optional<files::object_version>& object,
                                                       const selection& what) {
  if (paths.empty()) return nullptr;
  const workers::mutex_guard lock(mutex_);
  const auto [known, is_new] = known_.emplace(paths.front(), std::nullopt);
  for (std::size_t at = 0; is_new && at < paths.size() && !known->second; ++at)
    known->second = find(paths[at], object);
  if (!known->second) return nullptr;
  auto list = read_groups(*known->second, what);
  if (!list) {
    known->second.reset();
    return nullptr;
  }
  return std::make_shared<const event_list>(std::move(*list));
}

}  // namespace tickreel::library

#include "archive_match.hpp"

#include <algorithm>
#include <limits>

#include "record_set.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/same_content.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::archive {

namespace {

// Facts of a reel that must be equal however it is stored.
struct counted_ticks {
  std::uint64_t frames = 0;
  std::uint64_t lost = 0;
  bool sound = false;  // closed, nothing damaged, nothing missing, and its index lists everything
};

result<counted_ticks> count_ticks(const file_path& path) {
  const auto opened = reel::reader::open(path, {}, true);
  if (!opened) return fail(opened.error());
  const auto& found = opened->contents();
  const auto indexed = reel::reader::open(path);
  if (!indexed) return fail(indexed.error());
  // A very long reel has none.
  const bool has_index = std::ranges::any_of(
      found.records, [](const reel::record_info& each) { return each.kind == reel::record_kind::index; });
  return counted_ticks{found.frames, found.lost_ticks,
                       found.end == reel::reel_end::closed && found.damaged.empty() &&
                           found.missing_records == 0 && (!has_index || indexed->contents().from_index)};
}

// The minimum saving that justifies a copy: writing, reading and comparing it takes two seconds for three
// minutes of Echo VR, whose columns can shrink by only 4 to 22 %. Structs of games shrink by about half.
constexpr double least_saving = 0.25;

result<bool> pays(const file_path& assembled, const match_archive_options& options) {
  const auto sample = files::sample_compaction(assembled, {.cancelled = options.cancelled});
  if (!sample) return fail(sample.error());
  return static_cast<double>(sample->compacted_bytes) <=
         (1 - least_saving) * static_cast<double>(sample->bytes);
}

void use_file(const match_archive_options& options, const file_path& path) {
  if (options.source != nullptr) options.source->use_file(path);
}

bool is_local_failure(const error& what) {
  return what.code == error_code::interrupted || what.code == error_code::no_space ||
         what.code == error_code::io_failed || what.code == error_code::out_of_memory;
}

// The file to store: compressed, as recorded, or with an added end.
struct stored_file {
  file_path path;
  bool compacted = false;
};
result<stored_file> make_stored(const file_path& assembled, const counted_ticks& before, bool may_continue,
                                const file_path& smaller, const file_path& ended,
                                const match_archive_options& options) {
  use_file(options, assembled);
  if (may_continue) {
    // Begins with the recorder's bytes: see merge_archived().
    const auto completed = reel::recover_in_place(assembled);
    if (completed) return stored_file{assembled};
    if (is_local_failure(completed.error())) return fail(completed.error());
  }
  const auto worth = options.compact ? pays(assembled, options) : result<bool>(false);
  if (!worth && is_local_failure(worth.error())) return fail(worth.error());
  if (worth && *worth) {
    use_file(options, smaller);
    const auto made = files::compact(assembled, smaller, {.watch = {.cancelled = options.cancelled}});
    if (made) {
      // A copy with different content than the original is discarded.
      const auto after = count_ticks(smaller);
      if (!after) return fail(after.error());
      const bool same = after->frames == before.frames && after->lost == before.lost;
      if (after->sound && (same || !before.sound)) {
        const auto equal = files::has_same_content(smaller, assembled, {.cancelled = options.cancelled});
        if (equal && *equal) return stored_file{smaller, true};
        if (!equal && is_local_failure(equal.error())) return fail(equal.error());
      }
    } else if (is_local_failure(made.error())) {
      return fail(made.error());
    }
  }
  if (before.sound) return stored_file{assembled};
  use_file(options, ended);
  const auto recovered = reel::recover_into(assembled, ended, {.progress = [&](std::uint64_t, std::uint64_t) {
                                              return !options.cancelled || !options.cancelled();
                                            }});
  if (recovered) return stored_file{ended};
  if (is_local_failure(recovered.error())) return fail(recovered.error());
  return stored_file{assembled};
}

struct time_span {
  std::int64_t first_us = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_us = std::numeric_limits<std::int64_t>::min();
  void add(std::int64_t from_us, std::int64_t to_us) noexcept {
    first_us = std::min(first_us, from_us);
    last_us = std::max(last_us, to_us);
  }
};

// Readable ticks, and all others as lost: record headers and the index also count records that never arrived.
void count_readable_ticks(reel::reader& from, time_span& when, store::index_object& out,
                          const match_archive_options& options) {
  out.ticks = 0;
  reel::frame_stream walk(from);
  reel::frame one;
  for (auto more = walk.next(one); more && *more; more = walk.next(one)) {
    if (++out.ticks % 4096 == 0 && options.cancelled && options.cancelled()) break;
    when.add(one.stamp.time_us, one.stamp.time_us);
  }
  out.lost_ticks = walk.totals().ticks + walk.totals().gap_ticks;
}

// Never fails: facts that cannot be read are omitted. `sound`: nothing of it is damaged or missing.
void describe_reel(const file_path& path, bool sound, store::index_object& out,
                   const match_archive_options& options) {
  if (auto raw = reel::reader::open(path)) {
    out.started_us = raw->head().start_time_us;
    time_span when;
    if (sound) {
      const auto& found = raw->contents();
      out.ticks = found.frames;
      out.lost_ticks = found.lost_ticks;
      for (const reel::record_info& each : found.records) {
        if (each.kind == reel::record_kind::chunk) when.add(each.first_time_us, each.last_time_us);
      }
    } else {
      count_readable_ticks(*raw, when, out, options);
    }
    if (when.first_us <= when.last_us) out.duration_ms = (when.last_us - when.first_us) / 1000;
  }
  auto opened = files::open(path);
  if (!opened) return;
  const auto seen = (*opened)->quick_summary({.cancelled = options.cancelled});
  if (!seen) return;
  // A damaged or missing record still counts in the totals of other records' headers.
  if (seen->ticks < out.ticks) {
    out.lost_ticks += out.ticks - seen->ticks;
    out.ticks = seen->ticks;
  }
  out.info.clear();
  files::append_summary("", *seen, out.info);
}

// Replaces the index object that was seen, unless it or the recording has changed.
result<store::object> put_index(store::object_store& into, const store::index_object& index,
                                const archived_reel& found, bool read_back = false) {
  const std::string text = store::to_json(index);
  return into.put(found.index_seen.key, byte_source(as_bytes(text)),
                  {.read_back = read_back,
                   .content_type = "application/json",
                   .unless_changed = {found.index_seen, found.reel_seen}});
}

// Whether the stored recording is the one that was to replace the recording of the index object.
result<bool> is_replaced(store::object_store& in, const store::index_object& index,
                         const store::object& stored, const std::function<bool()>& cancelled) {
  if (index.next == nullptr || stored.bytes != index.next->bytes) return false;
  if (stored.bytes != index.bytes) return true;
  const auto hashed = store::hash_object(in, stored, cancelled);
  if (!hashed) return fail(hashed.error());
  return hashed->sha256 == index.next->sha256;
}

}  // namespace

result<std::string> key_of(const fleet::match_name& name, const std::string& reel) {
  const auto league = fleet::to_token(name.league);
  if (!league) return fail(league.error());
  const auto match = fleet::to_token(name.match);
  if (!match) return fail(match.error());
  return *league + '/' + *match + '.' + reel;
}

result<archived_reel> find_archived(store::object_store& in, const std::string& key,
                                    const std::function<bool()>& cancelled) {
  archived_reel found;
  // A foreign object, or an incomplete one in a store without atomic writes, is overwritten.
  auto index = store::fetch_index(in, key + std::string(store::index_ending), &found.index_seen);
  if (!index) return fail(index.error());
  found.reel_seen.key = key + std::string(store::reel_ending);
  auto reel = in.head(found.reel_seen.key);
  if (!reel) return fail(reel.error());
  if (*reel) found.reel_seen.tag = (*reel)->tag;
  if (!*index || !*reel) return found;
  const auto is_next = is_replaced(in, **index, **reel, cancelled);
  if (!is_next) return fail(is_next.error());
  if (*is_next) {
    found.index = *(*index)->next;
    found.is_replaced = true;
  } else if ((*reel)->bytes == (*index)->bytes) {
    found.index = std::move(*index);
    found.index->next = nullptr;
  }
  return found;
}

result<void> finish_replacement(store::object_store& in, archived_reel& found) {
  if (!found.is_replaced) return {};
  const auto done = put_index(in, *found.index, found);
  if (!done) return fail(done.error());
  found.index_seen.tag = done->tag;
  found.is_replaced = false;
  return {};
}

result<store::index_object> archive_match(store::object_store& into, const spool& room,
                                          const file_path& assembled, const fleet::assembled& counted,
                                          const fleet::archive_work& work, const archived_reel& found,
                                          const match_archive_options& options) {
  const auto key = key_of(work.name, work.reel);
  if (!key) return fail(key.error());
  use_file(options, assembled);
  const auto before = count_ticks(assembled);
  if (!before) return fail(before.error());
  const temporary_file smaller(room.path_of(work.reel + ".smaller"));
  const temporary_file ended(room.path_of(work.reel + ".ended"));
  // Hashing takes half the time of storing: a reel that is stored as recorded is hashed once, during the
  // transfer.
  std::optional<store::object> recorded;
  const auto hash_recorded = [&]() -> result<void> {
    auto hashed = store::hash_file(assembled, options.cancelled);
    if (!hashed) return fail(hashed.error());
    recorded = std::move(*hashed);
    return {};
  };
  // If its recorder returns, the rest of it.
  const bool may_continue = !counted.ended && counted.lost_records == 0;
  if (may_continue) {
    if (auto done = hash_recorded(); !done) return fail(done.error());
  }
  const auto made = make_stored(assembled, *before, may_continue, smaller.path(), ended.path(), options);
  if (!made) return fail(made.error());
  use_file(options, assembled);

  store::index_object index;
  index.league = work.name.league;
  index.match = work.name.match;
  index.reel = work.reel;
  index.key = *key + std::string(store::reel_ending);
  index.records = counted.records + counted.lost_records;
  index.lost_records = counted.lost_records;
  index.ended = counted.ended;
  index.compacted = made->compacted;
  if (counted.lost_records != 0) {
    auto present = records_of(assembled, index.records);
    if (!present) return fail(present.error());
    if (present->missing.size() <= store::max_missing_ranges) index.missing = std::move(present->missing);
  }
  if (!recorded && made->path.utf8() != assembled.utf8()) {
    if (auto done = hash_recorded(); !done) return fail(done.error());
  }
  describe_reel(made->path, before->sound && counted.lost_records == 0, index, options);

  use_file(options, made->path);
  const auto content = byte_source::open(made->path);
  if (!content) return fail(content.error());
  index.archived_at_us = options.read_at_us;
  const auto set_stored = [&](const store::object& stored) {
    index.bytes = stored.bytes;
    index.sha256 = stored.sha256;
    index.recorded_bytes = recorded ? recorded->bytes : stored.bytes;
    index.recorded_sha256 = recorded ? recorded->sha256 : stored.sha256;
  };
  archived_reel seen = found;
  std::optional<store::index_object> replaced = seen.index;
  if (replaced) {
    const auto hashed = store::hash_file(made->path, options.cancelled);
    if (!hashed) return fail(hashed.error());
    set_stored(*hashed);
  }
  if (options.source != nullptr) options.source->use(failure_origin::store);
  if (options.has_written != nullptr) *options.has_written = true;
  if (auto gone = into.discard_unfinished(index.key); !gone) return fail(gone.error());
  // The new recording may have records that the stream lacks. If this archiver is killed after it has stored that one, the
  // next one finds its index object here.
  if (replaced) {
    replaced->next = std::make_shared<const store::index_object>(index);
    const auto announced = put_index(into, *replaced, seen, options.read_back);
    if (!announced) return fail(announced.error());
    seen.index_seen.tag = announced->tag;
  }
  const auto stored =
      into.put(index.key, *content,
               {.read_back = options.read_back, .unless_changed = {seen.index_seen, seen.reel_seen}});
  if (!stored) return fail(stored.error());
  // A lost response to the begin of an upload causes a second upload; a library or proxy may have repeated
  // the request, so it is not counted here. Before the index object: if this fails, everything is repeated.
  if (auto gone = into.discard_unfinished(index.key); !gone) return fail(gone.error());
  set_stored(*stored);
  seen.reel_seen = {index.key, stored->tag};
  const auto reported = put_index(into, index, seen, options.read_back);
  if (!reported) return fail(reported.error());
  return index;
}

}  // namespace tickreel::archive

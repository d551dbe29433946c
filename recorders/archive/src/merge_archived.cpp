#include "merge_archived.hpp"

#include <algorithm>

#include "tickreel/io/file.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::archive {

namespace {

constexpr std::size_t fetched_piece_bytes = std::size_t{4} << 20;  // one request each

// The recorded bytes, at the beginning of the object. False if it begins with others.
result<bool> fetch_recorded(store::object_store& from, const archived_reel& found, const file_path& into,
                            const std::function<bool()>& cancelled, failure_source& source) {
  const store::index_object& stored = *found.index;
  if (stored.compacted || stored.recorded_bytes > stored.bytes) return false;
  auto out = file::create_new(into);
  if (!out) return fail(out.error());
  byte_vector piece(
      static_cast<std::size_t>(std::min<std::uint64_t>(fetched_piece_bytes, stored.recorded_bytes)));
  for (std::uint64_t at = 0; at < stored.recorded_bytes;) {
    if (cancelled && cancelled()) return fail(error_code::interrupted);
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), stored.recorded_bytes - at));
    store::object_identity identity;
    const auto read = from.read(stored.key, at, std::span(piece).first(wanted), &identity);
    const bool is_changed = read ? !identity.may_be({.tag = found.reel_seen.tag.value_or(std::string())})
                                 : read.error().code == error_code::not_found;
    if (!read || is_changed) source.use(failure_origin::store);
    if (is_changed) {
      return fail(error_code::in_use, error::no_offset, "another archiver stored this match meanwhile");
    }
    if (!read) return fail(read.error());
    if (*read != wanted) return false;
    if (auto written = out->append(std::span(piece).first(wanted)); !written) return fail(written.error());
    at += wanted;
  }
  if (auto closed = out->close(); !closed) return fail(closed.error());
  const auto hashed = store::hash_file(into, cancelled);
  if (!hashed) return fail(hashed.error());
  return hashed->sha256 == stored.recorded_sha256;
}

class reel_merger {
 public:
  reel_merger(fleet::assembler& to, const std::string& reel) : to_(to), reel_(reel) {}

  result<void> take_header(byte_span bytes) { return settle(to_.take({.reel = reel_}, bytes)); }
  result<void> read(reel::reader& from, std::size_t number) { return from.read_stored(number, bytes_); }
  // The record that was read last.
  result<void> take(const reel::record_info& record) {
    return settle(to_.take(fleet::head_of_record(reel_, record), bytes_));
  }

 private:
  // The records come in order: what is missing is in neither of the two.
  result<void> settle(const result<std::size_t>& taken) {
    if (!taken) return fail(taken.error());
    if (!to_.counted().missing) return {};
    const auto done = to_.give_up_hole();
    if (!done) return fail(done.error());
    return {};
  }

  fleet::assembler& to_;
  const std::string& reel_;
  byte_vector bytes_;
};

}  // namespace

result<std::optional<fleet::assembled>> merge_archived(store::object_store& from, const spool& room,
                                                       const archived_reel& found, const file_path& assembled,
                                                       const fleet::match_subjects& subjects,
                                                       const file_path& into,
                                                       const std::function<bool()>& cancelled,
                                                       failure_source& source) {
  const store::index_object& stored = *found.index;
  // What is stored of a match with holes is a copy with other records, unless copying failed.
  if (stored.lost_records != 0 && stored.sha256 != stored.recorded_sha256) return std::nullopt;
  const temporary_file archived(room.path_of(stored.reel + ".archived"));
  source.use_file(archived.path());
  const auto fetched = fetch_recorded(from, found, archived.path(), cancelled, source);
  if (!fetched) return fail(fetched.error());
  if (!*fetched) return std::nullopt;
  auto older = reel::reader::open(archived.path(), {}, true);
  if (!older) return fail(older.error());
  source.use_file(assembled);
  auto newer = reel::reader::open(assembled, {}, true);
  if (!newer) return fail(newer.error());
  source.use_file(into);
  auto made = fleet::assembler::create(into, stored.reel, {.match = subjects});
  if (!made) return fail(made.error());
  reel_merger merger(*made, stored.reel);
  if (auto taken = merger.take_header(older->header_bytes()); !taken) return fail(taken.error());
  const auto& old_records = older->contents().records;
  const auto& new_records = newer->contents().records;
  for (std::size_t i = 0, j = 0; i < old_records.size() || j < new_records.size();) {
    if (cancelled && cancelled()) return fail(error_code::interrupted);
    const bool is_old = j == new_records.size() ||
                        (i < old_records.size() && old_records[i].sequence <= new_records[j].sequence);
    const std::size_t number = is_old ? i++ : j++;
    const auto& record = is_old ? old_records[number] : new_records[number];
    if (record.damaged) continue;
    if (auto read = merger.read(is_old ? *older : *newer, number); !read) {
      source.use_file(is_old ? archived.path() : assembled);
      return fail(read.error());
    }
    if (auto taken = merger.take(record); !taken) return fail(taken.error());
  }
  const fleet::assembled counted = made->counted();
  if (auto closed = made->close(); !closed) return fail(closed.error());
  if (!counted.has_header) return std::nullopt;
  return counted;
}

}  // namespace tickreel::archive

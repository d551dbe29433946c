#include "match_archiver.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "archive_match.hpp"
#include "assembly.hpp"
#include "merge_archived.hpp"
#include "record_set.hpp"
#include "tickreel/fleet/status.hpp"

namespace tickreel::archive {

namespace {

// Between the broker's clock and ours; a larger difference only costs a second assembly of a match.
constexpr std::int64_t clocks_differ_us = 60'000'000;

bool has_no_less(const store::index_object& stored, const fleet::assembled& counted,
                 const record_set& assembled) {
  const record_set archived = records_of(stored);
  if (archived.is_known) return archived.contains(assembled);
  const std::uint64_t there = stored.records - std::min(stored.records, stored.lost_records);
  return there >= counted.records && (stored.ended || !counted.ended);
}

}  // namespace

std::function<bool()> match_archiver::cancelled() {
  return [this] { return leases_.pulse(); };
}

result<void> match_archiver::archive(fleet::broker& broker, const fleet::archive_work& work,
                                     match_attempt& attempt) {
  using kind = outcome::kind;
  outcome& out = attempt.out;
  attempt.given_up = false;
  attempt.source.use(failure_origin::broker);
  auto subjects = fleet::subjects_of(work.name);
  if (!subjects) return fail(subjects.error());
  const job of{broker, work, std::move(*subjects), attempt};
  const auto key = key_of(work.name, work.reel);
  if (!key) return fail(key.error());
  const auto seen = look_at(broker, of.subjects, work);
  if (!seen) return fail(seen.error());
  const auto silent = std::chrono::microseconds(seen->silent_us.value_or(0));
  const bool is_silent = silent >= options_.idle;
  attempt.given_up = silent >= options_.forget;
  if (!seen->ended && !is_silent) {
    out.what = kind::waiting;
    return {};
  }
  attempt.source.use(failure_origin::store);
  const auto early = look_in_archive(*key);
  if (!early) return fail(early.error());
  const std::optional<store::index_object>& index = early->index;
  out.index = index;
  // No records arrived since it was archived. Later records of a hole come after those.
  const bool may_lack = index && index->lost_records != 0 && seen->newest_at_us > 0 &&
                        seen->newest_at_us > index->archived_at_us - clocks_differ_us;
  const bool has_all =
      index && (!seen->records || (!may_lack && (index->ended || *seen->records <= index->records)));
  if (has_all) {
    out.what = kind::there;
    return announce(of, *index);
  }
  if (!seen->known) {
    out.what = attempt.given_up ? kind::gone : kind::waiting;
    return {};
  }
  const temporary_file file(room_.path_of(work.reel + ".reel"));
  const std::int64_t read_at_us = fleet::system_time_us();
  auto counted =
      assemble(broker, of.subjects, work.reel, file.path(), is_silent, cancelled(), attempt.source);
  if (!counted) return fail(counted.error());
  out.refused_messages = counted->refused + counted->malformed;
  const bool whole = counted->ended && counted->lost_records == 0 && !counted->missing;
  if (!whole && !is_silent) {
    out.what = kind::waiting;  // records are in flight
    return {};
  }
  if (!counted->has_header || counted->records == 0) {
    out.what = attempt.given_up ? kind::gone : kind::waiting;
    return {};
  }
  // Another archiver may have archived more of it meanwhile. If one does so later, the store refuses the objects.
  attempt.source.use(failure_origin::store);
  auto found = look_in_archive(*key);
  if (!found) return fail(found.error());
  const temporary_file merged(room_.path_of(work.reel + ".merged"));
  file_path path = file.path();
  if (found->index) {
    attempt.source.use_file(path);
    const auto present = records_of(path, counted->records + counted->lost_records);
    if (!present) return fail(present.error());
    if (has_no_less(*found->index, *counted, *present)) {
      out.index = found->index;
      out.what = kind::there;
      return announce(of, *found->index);
    }
    // What was confirmed to the recorder stays.
    if (!present->contains(records_of(*found->index))) {
      const auto both = merge_archived(store_, room_, *found, path, of.subjects, merged.path(), cancelled(),
                                       attempt.source);
      if (!both) return fail(both.error());
      if (!*both) return keep_archived(of, std::move(*found->index));
      counted = **both;
      path = merged.path();
    }
  }
  match_archive_options how;
  how.compact = options_.compact;
  how.read_back = options_.read_back;
  how.cancelled = cancelled();
  how.source = &attempt.source;
  how.read_at_us = read_at_us;
  how.has_written = &attempt.has_written;
  auto home = archive_match(store_, room_, path, *counted, work, *found, how);
  if (!home) return fail(home.error());
  out.index = std::move(*home);
  out.what = counted->ended ? kind::archived : kind::incomplete;
  return announce(of, *out.index);
}

result<archived_reel> match_archiver::look_in_archive(const std::string& key) {
  auto found = find_archived(store_, key, cancelled());
  if (!found) return found;
  if (auto finished = finish_replacement(store_, *found); !finished) return fail(finished.error());
  return found;
}

// The broker and the archive each have records that the other lacks, and they cannot be merged.
result<void> match_archiver::keep_archived(const job& of, store::index_object index) {
  of.attempt.source.use(failure_origin::store);
  const auto why = fail(error_code::wrong_state, error::no_offset,
                        "the broker no longer has records that the archive has: 'tickreel publish' its reel "
                        "again");
  if (!of.attempt.given_up) return why;
  outcome& out = of.attempt.out;
  out.what = outcome::kind::incomplete;
  out.why = why.value();
  out.index = std::move(index);
  return announce(of, *out.index);
}

// So that recorders may delete their reels, and users see it.
result<void> match_archiver::announce(const job& of, const store::index_object& index) {
  of.attempt.source.use(failure_origin::broker);
  fleet::archived_reel reported;
  reported.name = of.work.name;
  reported.reel = of.work.reel;
  // Lost records may still be resent from the recorder's reel.
  reported.records = index.lost_records == 0 ? index.records : 0;
  reported.ended = index.ended;
  reported.location = store_.url_of(index.key);
  reported.reported_at_us = fleet::system_time_us();
  const std::string json = fleet::to_json(reported);
  // A report that waits in a broken connection must not replace a newer one.
  const auto last = of.broker.last(fleet::status_stream, of.subjects.archived);
  if (!last && last.error().code != error_code::not_found) return fail(last.error());
  const std::uint64_t replaced = last && *last ? (*last)->stream_sequence() : 0;
  const auto stored = of.broker.publish(of.subjects.archived, as_bytes(json),
                                        {{fleet::replaces_field, std::to_string(replaced)}});
  if (!stored) return fail(stored.error());
  return {};
}

}  // namespace tickreel::archive

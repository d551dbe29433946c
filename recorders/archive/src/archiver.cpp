// The main loop: takes work from the broker, one match after the other.
#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive_match.hpp"
#include "assembly.hpp"
#include "merge_archived.hpp"
#include "record_set.hpp"
#include "spool.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::archive {

namespace {

using namespace std::chrono_literals;
using clock = detail::steady_clock;

// Matches that are still recorded count as unacknowledged work: there may be many.
constexpr int max_open = 1'000'000;
constexpr auto retry_after = 10s;
// Longer than most steps without a call of pulse(): shorter timeouts expire on a busy machine.
constexpr auto longest_step = 20s;
// So often the work is extended, so that a step may take almost the whole time.
constexpr auto extended_every = 1s;
constexpr int max_failures = 5;  // consecutive failures, where the end of work is checked

clock::duration pause_after(int failures) {
  return std::min<clock::duration>(250ms * (1 << std::min(failures, 7)), 30s);
}
// Between the broker's clock and ours; a larger difference only costs a second assembly of a match.
constexpr std::int64_t clocks_differ_us = 60'000'000;

bool has_no_less(const store::index_object& stored, const fleet::assembled& counted,
                 const record_set& assembled) {
  const record_set archived = records_of(stored);
  if (archived.is_known) return archived.contains(assembled);
  const std::uint64_t there = stored.records - std::min(stored.records, stored.lost_records);
  return there >= counted.records && (stored.ended || !counted.ended);
}

class archiver {
 public:
  archiver(const fleet::nats_url& from, const archive_options& options, spool room)
      : from_(from), options_(options), room_(std::move(room)) {}

  result<archive_report> run(const std::string& to) {
    auto store_options = options_.store;
    store_options.cancelled = [this] { return pulse(); };
    auto opened = store::open(to, store_options);
    if (!opened) return fail(opened.error());
    store_ = std::move(*opened);
    // Errors of the address or the credentials are reported now, not after the first match. An unreachable or
    // busy store is retried.
    for (int failures = 0;;) {
      const auto there = store_->probe();
      if (there) break;
      if (stopped()) return report_;
      if (!store::is_transient(there.error())) return fail(there.error());
      if (++failures >= max_failures && options_.once) return fail(there.error());
      report_.last_failure = there.error();
      if (options_.lost_store) options_.lost_store(there.error());
      nap(pause_after(failures));
    }
    while (!stopped()) {
      const auto done = with_connection();
      if (done && *done) {
        if (options_.once) look_elsewhere();
        break;
      }
      if (!done) {
        if (options_.lost_broker) options_.lost_broker(done.error());
        report_.last_failure = done.error();
        if (retry_policy_.ends_with(done.error())) return fail(done.error());
        if (++failures_ >= max_failures && options_.once) return fail(done.error());
        nap(pause_after(failures_));
      }
    }
    return report_;
  }

 private:
  [[nodiscard]] bool stopped() const { return options_.cancelled && options_.cancelled(); }

  void nap(clock::duration length) const {
    for (const auto end = clock::now() + length; clock::now() < end && !stopped();) {
      detail::sleep_for(20ms);
    }
  }

  // Work that is held until the end is not redelivered meanwhile.
  void extend_held() {
    if (held_.empty() || clock::now() - held_extended_at_ < options_.acknowledge_within / 4) return;
    held_extended_at_ = clock::now();
    for (fleet::message& each : held_) {
      if (!each.still_working()) return;  // the connection is cut; the others would fail, too
    }
  }

  void hold(fleet::message& message, const std::string& reel) {
    waiting_.insert(reel);
    seen_.insert(message.stream_sequence());
    held_.push_back(std::move(message));
  }

  // Several archivers with `once` each hold work that the others wait for: an archiver that has checked all
  // open work is done. The probability is random, because they would only exchange work otherwise.
  void return_held() {
    if (chance_() % 2 == 0) return;
    for (fleet::message& each : held_) (void)each.give_back(0ms);
    held_.clear();
  }

  // Polled by all long operations: extends the acknowledgement timeout, and returns whether to stop.
  bool pulse() {
    extend_held();
    if (work_ == nullptr) return stopped();
    const auto now = clock::now();
    const auto since = now - work_extended_at_;
    // Another archiver may have the work, and more records: what this one has must not replace them. A store needs
    // the last quarter to complete an object.
    if (since > std::max<clock::duration>(options_.acknowledge_within * 3 / 4, longest_step))
      has_lost_work_ = true;
    if (!has_lost_work_ && since > extended_every && work_->still_working()) work_extended_at_ = now;
    return has_lost_work_ || stopped();
  }

  // True at the end, false to reconnect.
  result<bool> with_connection() {
    auto connected = fleet::broker::connect(from_, options_.broker);
    if (!connected) return fail(connected.error());
    broker_.emplace(std::move(*connected));
    auto shared = broker_->share_work(fleet::work_stream, fleet::archivers_consumer,
                                      options_.acknowledge_within, max_open);
    if (!shared) {
      if (shared.error().code != error_code::not_found) return fail(shared.error());
      // No message was published yet.
      retry_policy_.worked();
      failures_ = 0;
      if (options_.once) return true;
      nap(options_.look_again);
      return false;
    }
    retry_policy_.worked();
    const auto worked = work_off(*shared);
    // Work held by this archiver with `once` is available to others immediately after its subscription ends.
    for (fleet::message& each : held_) (void)each.give_back(0ms);
    held_.clear();
    return worked;
  }

  // Without any work, the user may have meant a match in another store. Never fails: it is a hint.
  void look_elsewhere() {
    if (!broker_ || report_.archived + report_.incomplete + report_.there + report_.failed != 0) return;
    const auto matches = fleet::read_fleet(*broker_, from_.league, fleet::system_time_us());
    if (!matches) return;
    for (const fleet::fleet_match& each : *matches) {
      if (each.location.empty() || (!from_.match.empty() && each.reported.name.match != from_.match))
        continue;
      const auto key = key_of(each.reported.name, each.reported.reel);
      if (!key || each.location == store_->url_of(*key + std::string(store::reel_ending))) continue;
      // The same folder may have had another name.
      if (report_.elsewhere == 0) {
        const auto here = find_index(*store_, *key);
        if (!here || *here) continue;
      }
      ++report_.elsewhere;
      report_.elsewhere_at = each.location;
    }
  }

  // As with_connection().
  result<bool> work_off(fleet::work_queue& shared) {
    auto quiet_since = clock::now();
    bool is_answered = true;
    clock::time_point asked_before;
    while (!stopped()) {
      extend_held();
      // What comes may be for the request before, if this process was stopped after that.
      const auto now = clock::now();
      asked_at_ = is_answered ? now : asked_before;
      asked_before = now;
      const std::chrono::milliseconds wait = options_.once ? 1000ms : 500ms;
      auto came = shared.next(std::min<std::chrono::milliseconds>(
          wait, std::chrono::milliseconds(options_.acknowledge_within) / 4));
      if (!came) return fail(came.error());
      is_answered = came->has_value();
      // Where the end of work is checked, repeated failures are an end.
      if (!options_.once || *came) failures_ = 0;
      if (!*came) {
        if (!options_.once) continue;
        const auto open = shared.given_out();
        if (!open) return fail(open.error());
        // Work of archivers that died is redelivered, and once more if it went to a request that timed out.
        // The margin is for a busy broker.
        const auto enough = 2 * options_.acknowledge_within + 5s;
        if (*open <= seen_.size() || clock::now() - quiet_since > enough) return true;
        return_held();
        continue;
      }
      const std::size_t looked_at = looks_;
      const auto continues = take(**came);
      if (looks_ != looked_at && !has_lost_work_) quiet_since = clock::now();
      if (!continues) return fail(continues.error());
      if (!*continues) return true;
    }
    return true;
  }

  // Processes one work message. False if, with `once`, all work was checked. Fails with the broker.
  result<bool> take(fleet::message& message) {
    has_lost_work_ = false;
    const auto work = fleet::read_work(message.body());
    if (!work || fleet::match_of_subject(message.subject()) != work->name) {
      // From another version, or not from a recorder: it would be redelivered without end.
      if (auto done = message.acknowledge(); !done) return fail(done.error());
      return true;
    }
    const bool wanted = (from_.league.empty() || from_.league == work->name.league) &&
                        (from_.match.empty() || from_.match == work->name.match);
    const bool is_known = waiting_.contains(work->reel);
    if (!is_known) ++looks_;
    if (!wanted || is_known) {
      if (!options_.once) {
        if (auto back = message.give_back(options_.look_again); !back) return fail(back.error());
        return true;
      }
      hold(message, work->reel);
      return true;
    }
    work_ = &message;
    work_extended_at_ = asked_at_;
    outcome out{.name = work->name, .reel = work->reel};
    has_written_ = false;
    auto done = archive(*work, out);
    // Another archiver stored the match meanwhile: this one looks again.
    for (int looks = 0; looks < 3 && !done && done.error().code == error_code::in_use && !pulse(); ++looks) {
      done = archive(*work, out);
    }
    work_ = nullptr;
    if (!done && has_lost_work_) {
      // Settled by the archiver that has it now, or redelivered.
      out.what = outcome::kind::failed;
      const bool is_safe = !has_written_ || ask_for_another_look(message);
      const char* const detail =
          is_safe ? "a single step took too long, so another archiver may have this match"
                  : "a single step took too long, and the broker could not be asked for another look at the "
                    "match: 'tickreel publish' its reel";
      out.why = fail(error_code::timed_out, error::no_offset, detail).value();
      report_.last_failure = out.why;
      count(out);
      if (options_.reported) options_.reported(out);
      return !stopped();
    }
    if (!done) {
      out.what = outcome::kind::failed;
      out.why = done.error();
      report_.last_failure = done.error();
    }
    if (stopped() && out.what == outcome::kind::failed) {
      (void)message.give_back(0ms);
      return false;
    }
    return settle(message, out);
  }

  // The archiver that has the work now may already be done with it, and what this one wrote without its work may have replaced
  // what that one stored. The broker ignores a second request for the same work.
  bool ask_for_another_look(const fleet::message& message) {
    const std::string id = "look-again-" + std::to_string(message.stream_sequence());
    return broker_->publish(std::string(message.subject()), message.body(), {{"Nats-Msg-Id", id}})
        .has_value();
  }

  result<bool> settle(fleet::message& message, const outcome& out) {
    count(out);
    using kind = outcome::kind;
    const bool is_reported = out.what != kind::waiting || options_.once;
    if (options_.reported && is_reported) options_.reported(out);
    const bool finished = out.what == kind::archived || out.what == kind::gone ||
                          (out.what == kind::there && (out.index->ended || given_up_)) ||
                          (out.what == kind::incomplete && out.why);
    if (finished) {
      if (auto done = message.acknowledge(); !done) return fail(done.error());
      return true;
    }
    if (options_.once) {
      hold(message, out.reel);
      return true;
    }
    std::chrono::milliseconds delay = options_.look_again;
    if (out.what == kind::failed) delay = std::max<std::chrono::milliseconds>(delay, retry_after);
    // The rest of it may arrive; rare checks are enough.
    if (out.what == kind::incomplete || out.what == kind::there) {
      delay = std::max<std::chrono::milliseconds>(delay, options_.idle / 2);
    }
    if (auto back = message.give_back(delay); !back) return fail(back.error());
    if (out.what == kind::failed) nap(1s);
    return true;
  }

  void count(const outcome& out) {
    using kind = outcome::kind;
    if (out.what == kind::archived) ++report_.archived;
    if (out.what == kind::incomplete) ++report_.incomplete;
    if (out.what == kind::there) ++report_.there;
    // A match that another archiver finished is skipped.
    const auto now = detail::steady_clock::now();
    const auto forgotten_after = 20 * std::max<std::chrono::milliseconds>(options_.look_again, 1s);
    std::erase_if(still_recorded_, [&](const auto& each) { return now - each.second > forgotten_after; });
    if (out.what == kind::waiting) {
      still_recorded_[out.reel] = now;
    } else {
      still_recorded_.erase(out.reel);
    }
    report_.waiting = still_recorded_.size();
    if (out.what == kind::gone) ++report_.gone;
    if (out.what == kind::failed) ++report_.failed;
    // With a reason, nothing was stored.
    if (!out.index || out.why || (out.what != kind::archived && out.what != kind::incomplete)) return;
    report_.lost_records += out.index->lost_records;
    report_.recorded_bytes += out.index->recorded_bytes;
    report_.stored_bytes += out.index->bytes;
  }

  result<void> archive(const fleet::archive_work& work, outcome& out) {
    using kind = outcome::kind;
    given_up_ = false;
    const auto subjects = fleet::subjects_of(work.name);
    if (!subjects) return fail(subjects.error());
    const auto key = key_of(work.name, work.reel);
    if (!key) return fail(key.error());
    const auto seen = look_at(*broker_, *subjects, work);
    if (!seen) return fail(seen.error());
    const auto silent = std::chrono::microseconds(seen->silent_us.value_or(0));
    const bool is_silent = silent >= options_.idle;
    given_up_ = silent >= options_.forget;
    if (!seen->ended && !is_silent) {
      out.what = kind::waiting;
      return {};
    }
    auto index = find_index(*store_, *key);
    if (!index) return fail(index.error());
    out.index = *index;
    // No records arrived since it was archived. Later records of a hole come after those.
    const bool may_lack = *index && (*index)->lost_records != 0 && seen->newest_at_us > 0 &&
                          seen->newest_at_us > (*index)->archived_at_us - clocks_differ_us;
    const bool has_all =
        *index && (!seen->records || (!may_lack && ((*index)->ended || *seen->records <= (*index)->records)));
    if (has_all) {
      out.what = kind::there;
      return announce(work, *subjects, **index);
    }
    if (!seen->known) {
      out.what = given_up_ ? kind::gone : kind::waiting;
      return {};
    }
    const temporary_file file(room_.path_of(work.reel + ".reel"));
    const std::int64_t read_at_us = fleet::system_time_us();
    auto counted =
        assemble(*broker_, *subjects, work.reel, file.path(), is_silent, [this] { return pulse(); });
    if (!counted) return fail(counted.error());
    const bool whole = counted->ended && counted->lost_records == 0 && !counted->missing;
    if (!whole && !is_silent) {
      out.what = kind::waiting;  // records are in flight
      return {};
    }
    if (!counted->has_header || counted->records == 0) {
      out.what = given_up_ ? kind::gone : kind::waiting;
      return {};
    }
    // Another archiver may have archived more of it meanwhile.
    const auto before = store::fetch_index(*store_, *key + std::string(store::index_ending));
    if (!before) return fail(before.error());
    auto again = find_index(*store_, *key);
    if (!again) return fail(again.error());
    const temporary_file merged(room_.path_of(work.reel + ".merged"));
    file_path path = file.path();
    if (*again) {
      const auto present = records_of(path, counted->records + counted->lost_records);
      if (!present) return fail(present.error());
      if (has_no_less(**again, *counted, *present)) {
        out.index = *again;
        out.what = kind::there;
        return announce(work, *subjects, **again);
      }
      // What was confirmed to the recorder stays.
      if (!present->contains(records_of(**again))) {
        const auto both = merge_archived(*store_, room_, **again, path, *subjects, merged.path(),
                                         [this] { return pulse(); });
        if (!both) return fail(both.error());
        if (!*both) return keep_archived(work, *subjects, std::move(**again), out);
        counted = **both;
        path = merged.path();
      }
    }
    match_archive_options how;
    how.compact = options_.compact;
    how.read_back = options_.read_back;
    how.cancelled = [this] { return pulse(); };
    how.read_at_us = read_at_us;
    how.before_writing = [&]() -> result<void> {
      auto found = store::fetch_index(*store_, *key + std::string(store::index_ending));
      if (auto unchanged = check_archived(found, *before); !unchanged) return unchanged;
      has_written_ = true;
      return {};
    };
    how.after_writing = [&](const store::index_object& written) {
      return check_archived(find_index(*store_, *key), written);
    };
    auto home = archive_match(*store_, room_, path, *counted, work, how);
    if (!home) return fail(home.error());
    out.index = std::move(*home);
    out.what = counted->ended ? kind::archived : kind::incomplete;
    return announce(work, *subjects, *out.index);
  }

  // Fails with in_use if the archive has another index than expected: each `publish` of a match is work of its own, so another
  // archiver may have other work of the same match.
  result<void> check_archived(const result<std::optional<store::index_object>>& found,
                              const std::optional<store::index_object>& expected) {
    if (!found) return fail(found.error());
    (void)pulse();
    if (has_lost_work_) return fail(error_code::interrupted);
    const std::optional<store::index_object>& there = *found;
    const bool is_same = there.has_value() == expected.has_value() &&
                         (!there || (there->sha256 == expected->sha256 && there->bytes == expected->bytes &&
                                     there->archived_at_us == expected->archived_at_us));
    if (is_same) return {};
    return fail(error_code::in_use, error::no_offset, "another archiver stored this match meanwhile");
  }

  // The broker and the archive each have records that the other lacks, and they cannot be merged.
  result<void> keep_archived(const fleet::archive_work& work, const fleet::match_subjects& subjects,
                             store::index_object index, outcome& out) {
    const auto why =
        fail(error_code::wrong_state, error::no_offset,
             "the broker no longer has records that the archive has: 'tickreel publish' its reel "
             "again");
    if (!given_up_) return why;
    out.what = outcome::kind::incomplete;
    out.why = why.value();
    out.index = std::move(index);
    return announce(work, subjects, *out.index);
  }

  // So that recorders may delete their reels, and users see it.
  result<void> announce(const fleet::archive_work& work, const fleet::match_subjects& subjects,
                        const store::index_object& index) {
    fleet::archived_reel reported;
    reported.name = work.name;
    reported.reel = work.reel;
    // Lost records may still be resent from the recorder's reel.
    reported.records = index.lost_records == 0 ? index.records : 0;
    reported.ended = index.ended;
    reported.location = store_->url_of(index.key);
    reported.reported_at_us = fleet::system_time_us();
    const std::string json = fleet::to_json(reported);
    // A report that waits in a broken connection must not replace a newer one.
    const auto last = broker_->last(fleet::status_stream, subjects.archived);
    if (!last && last.error().code != error_code::not_found) return fail(last.error());
    const std::uint64_t replaced = last && *last ? (*last)->stream_sequence() : 0;
    const auto stored = broker_->publish(subjects.archived, as_bytes(json),
                                         {{fleet::replaces_field, std::to_string(replaced)}});
    if (!stored) return fail(stored.error());
    return {};
  }

  const fleet::nats_url& from_;
  const archive_options& options_;
  spool room_;
  std::unique_ptr<store::object_store> store_;
  std::optional<fleet::broker> broker_;
  fleet::message* work_ = nullptr;
  clock::time_point asked_at_;  // for work: the broker has given it later
  clock::time_point work_extended_at_;
  bool has_lost_work_ = false;
  bool has_written_ = false;  // objects of the current match
  clock::time_point held_extended_at_;
  bool given_up_ = false;  // no more records of the current match are awaited
  int failures_ = 0;       // consecutive failures of connections
  fleet::retry_policy retry_policy_;
  // With `once`: checked reels that stay open, and their work if this archiver holds it.
  std::set<std::string> waiting_;
  std::map<std::string, detail::steady_clock::time_point> still_recorded_;  // reels, at their last check
  std::set<std::uint64_t> seen_;
  std::vector<fleet::message> held_;
  std::size_t looks_ = 0;  // failures of work that could not be identified
  std::minstd_rand chance_{std::random_device{}()};
  archive_report report_;
};

}  // namespace

result<archive_report> archive_from(const fleet::nats_url& from, const std::string& to,
                                    const archive_options& options) {
  if (const auto there = fleet::require_broker(); !there) return fail(there.error());
  auto room = spool::open(options.spool.empty() ? default_spool() : options.spool);
  if (!room) return fail(room.error());
  return archiver(from, options, std::move(*room)).run(to);
}

}  // namespace tickreel::archive

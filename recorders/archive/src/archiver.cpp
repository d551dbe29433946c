// The main loop: takes work from the broker, one match after the other.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "archive_match.hpp"
#include "match_archiver.hpp"
#include "spool.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/record/clock.hpp"
#include "work_leases.hpp"

namespace tickreel::archive {

namespace {

using namespace std::chrono_literals;
using clock = detail::steady_clock;

// Matches that are still recorded count as unacknowledged work: there may be many.
constexpr int max_open = 1'000'000;
constexpr auto retry_after = 10s;
constexpr int max_failures = 5;  // consecutive failures, where the end of work is checked

clock::duration pause_after(int failures) {
  return std::min<clock::duration>(250ms * (1 << std::min(failures, 7)), 30s);
}

class archiver {
 public:
  archiver(const fleet::nats_url& from, const archive_options& options, spool room)
      : from_(from),
        options_(options),
        room_(std::move(room)),
        leases_(options.acknowledge_within, [this] { return stopped(); }) {}

  result<archive_report> run(const std::string& to) {
    auto store_options = options_.store;
    store_options.cancelled = [this] { return leases_.pulse(); };
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
        if (stopped()) break;
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
    leases_.give_back_all();
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
        const auto here = find_archived(*store_, *key);
        if (!here || here->index) continue;
      }
      ++report_.elsewhere;
      report_.elsewhere_at = each.location;
    }
  }

  // As with_connection().
  result<bool> work_off(fleet::work_queue& shared) {
    auto quiet_since = clock::now();
    bool is_found = false;
    while (!stopped()) {
      auto came = leases_.receive(shared, options_.once ? 1000ms : 500ms);
      if (!came) return fail(came.error());
      if (!std::exchange(is_found, true) && options_.found_broker) options_.found_broker();
      // Where the end of work is checked, repeated failures are an end.
      if (!options_.once || *came) failures_ = 0;
      if (!*came) {
        if (!options_.once) continue;
        const auto open = shared.given_out();
        if (!open) return fail(open.error());
        // Work of archivers that died is redelivered, and once more if it went to a request that timed out.
        // The margin is for a busy broker.
        const auto enough = 2 * options_.acknowledge_within + 5s;
        if (*open <= leases_.checked_messages() || clock::now() - quiet_since > enough) return true;
        leases_.give_back_some();
        continue;
      }
      const std::size_t looked_at = looks_;
      const auto continues = take(**came);
      if (looks_ != looked_at && !leases_.is_lost()) quiet_since = clock::now();
      if (!continues) return fail(continues.error());
      if (!*continues) return true;
    }
    return true;
  }

  // Processes one work message. False if, with `once`, all work was checked. Fails with the broker.
  result<bool> take(fleet::message& message) {
    leases_.forget_loss();
    const auto work = fleet::read_work(message.body());
    if (!work || fleet::match_of_subject(message.subject()) != work->name) {
      // From another version, or not from a recorder: it would be redelivered without end.
      const std::string subject(message.subject());
      if (auto done = message.acknowledge(); !done) return fail(done.error());
      ++report_.malformed_offers;
      if (options_.malformed_offer) options_.malformed_offer(subject);
      return true;
    }
    const bool wanted = (from_.league.empty() || from_.league == work->name.league) &&
                        (from_.match.empty() || from_.match == work->name.match);
    const bool is_known = leases_.has_checked(work->reel);
    if (!is_known) ++looks_;
    if (!wanted || is_known) {
      if (!options_.once) {
        if (auto back = message.give_back(options_.look_again); !back) return fail(back.error());
        return true;
      }
      leases_.keep(message, work->reel);
      return true;
    }
    match_archiver one(options_, room_, *store_, leases_);
    match_attempt attempt;
    outcome& out = attempt.out;
    out.name = work->name;
    out.reel = work->reel;
    leases_.start(message);
    auto done = one.archive(*broker_, *work, attempt);
    // Another archiver stored the match meanwhile: this one looks again.
    for (int looks = 0; looks < 3 && !done && done.error().code == error_code::in_use && !leases_.pulse();
         ++looks) {
      done = one.archive(*broker_, *work, attempt);
    }
    leases_.finish();
    if (!done && leases_.is_lost()) {
      // Settled by the archiver that has it now, or redelivered.
      out.what = outcome::kind::failed;
      const bool is_safe = !attempt.has_written || ask_for_another_look(message);
      const char* const detail =
          is_safe ? "a single step took too long, so another archiver may have this match"
                  : "a single step took too long, and the broker could not be asked for another look at the "
                    "match: 'tickreel publish' its reel";
      out.why = fail(error_code::timed_out, error::no_offset, detail).value();
      report_.last_failure = out.why;
      count(out);
      // The result of the archiver that has it now counts; without one, the broker sends the work again.
      if (is_safe) report_.failing -= failing_.erase(out.reel);
      if (options_.reported) options_.reported(out);
      return !stopped();
    }
    if (!done) {
      out.what = outcome::kind::failed;
      out.why = done.error();
      out.spool_file = attempt.source.file;
      report_.last_failure = done.error();
    }
    if (stopped() && out.what == outcome::kind::failed) {
      (void)message.give_back(0ms);
      return false;
    }
    return settle(message, attempt);
  }

  // The archiver that has the work now may already be done with it, and this one may have stored a recording without its
  // index object. The broker ignores a second request for the same work.
  bool ask_for_another_look(const fleet::message& message) {
    const std::string id = "look-again-" + std::to_string(message.stream_sequence());
    return broker_->publish(std::string(message.subject()), message.body(), {{"Nats-Msg-Id", id}})
        .has_value();
  }

  result<bool> settle(fleet::message& message, const match_attempt& attempt) {
    const outcome& out = attempt.out;
    count(out);
    using kind = outcome::kind;
    const bool is_reported = out.what != kind::waiting || options_.once;
    if (options_.reported && is_reported) options_.reported(out);
    const bool finished = out.what == kind::archived || out.what == kind::gone ||
                          (out.what == kind::there && (out.index->ended || attempt.given_up)) ||
                          (out.what == kind::incomplete && out.why);
    if (finished) {
      if (auto done = message.acknowledge(); !done) return fail(done.error());
      return true;
    }
    // A broker that is away for a moment fails a match once.
    const bool is_retried = out.what == kind::failed && attempt.source.origin == failure_origin::broker &&
                            fleet::is_transient(*out.why) && ++broker_failures_[out.reel] < max_failures;
    if (options_.once && !is_retried) {
      leases_.keep(message, out.reel);
      return true;
    }
    if (options_.once) {
      nap(pause_after(broker_failures_[out.reel]));
      if (auto back = message.give_back(0ms); !back) return fail(back.error());
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
    note_final_state(out);
    if (out.what == kind::gone) ++report_.gone;
    if (out.what == kind::failed) ++report_.failed;
    // With a reason, nothing was stored.
    if (!out.index || out.why || (out.what != kind::archived && out.what != kind::incomplete)) return;
    report_.lost_records += out.index->lost_records;
    report_.recorded_bytes += out.index->recorded_bytes;
    report_.stored_bytes += out.index->bytes;
  }

  // The last result of each match counts, not each attempt.
  void note_final_state(const outcome& out) {
    using kind = outcome::kind;
    if (out.what == kind::failed) {
      failing_.insert(out.reel);
    } else {
      failing_.erase(out.reel);
      broker_failures_.erase(out.reel);
      const bool lacks_some = out.index && (!out.index->ended || out.index->lost_records != 0);
      if (out.what == kind::gone || out.what == kind::incomplete || lacks_some) {
        with_loss_.insert(out.reel);
      } else if (out.what != kind::waiting) {
        with_loss_.erase(out.reel);
      }
    }
    report_.failing = failing_.size();
    report_.with_loss = with_loss_.size();
  }

  const fleet::nats_url& from_;
  const archive_options& options_;
  spool room_;
  std::unique_ptr<store::object_store> store_;
  std::optional<fleet::broker> broker_;
  int failures_ = 0;  // consecutive failures of connections
  fleet::retry_policy retry_policy_;
  std::map<std::string, clock::time_point> still_recorded_;  // reels, at their last check
  std::set<std::string> failing_;                            // reels, by their last result
  std::map<std::string, int> broker_failures_;               // of those, by the broker
  std::set<std::string> with_loss_;                          // reels, by their last result
  work_leases leases_;
  std::size_t looks_ = 0;  // messages of reels that were not checked before
  archive_report report_;
};

}  // namespace

result<archive_report> archive_from(const fleet::nats_url& from, const std::string& to,
                                    const archive_options& options) {
  if (const auto there = fleet::require_broker(); !there) return fail(there.error());
  const file_path folder = options.spool.empty() ? default_spool() : options.spool;
  auto room = spool::open(folder);
  if (!room) {
    if (options.lost_spool) options.lost_spool(folder, room.error());
    return fail(room.error());
  }
  return archiver(from, options, std::move(*room)).run(to);
}

}  // namespace tickreel::archive

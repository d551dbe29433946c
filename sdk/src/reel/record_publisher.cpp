#include "record_publisher.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/record/pipeline.hpp"
#include "wire.hpp"

namespace tickreel::reel {

using detail::steady_time_us;
using std::chrono::milliseconds;

namespace {

constexpr std::int64_t report_interval_us = 1'000'000;
// Records that one pass sends before it checks confirmations.
constexpr std::size_t records_per_pass = 64;
constexpr std::uint64_t bytes_per_pass = 4u << 20;
// How long a pass waits for confirmations, and the longest time without a check while some are due.
constexpr milliseconds confirmation_wait{20};
constexpr std::uint32_t longest_doze_ms = 32;
constexpr std::int64_t longest_hurried_backoff_us = 250'000;

}  // namespace

result<void> refill::open(byte_span header_bytes) {
  if (reader_) return {};
  if (is_gone()) return fail(error_code::not_found, error::no_offset, "no file to read the reel from");
  auto opened = reader::open(path_, {}, false, *calls_);
  if (!opened) {
    gone_ = opened.error().code == error_code::not_found;
    return fail(opened.error());
  }
  const byte_span found = opened->header_bytes();
  if (!header_bytes.empty() &&
      !std::equal(found.begin(), found.end(), header_bytes.begin(), header_bytes.end())) {
    gone_ = true;
    return fail(error_code::wrong_state, error::no_offset, "the reel's file is another reel");
  }
  reader_.emplace(std::move(*opened));
  return {};
}

std::optional<std::size_t> refill::place_from(std::uint64_t sequence) const noexcept {
  const auto& records = reader_->contents().records;
  const auto found =
      std::lower_bound(records.begin(), records.end(), sequence,
                       [](const record_info& each, std::uint64_t wanted) { return each.sequence < wanted; });
  if (found == records.end()) return std::nullopt;
  return static_cast<std::size_t>(found - records.begin());
}

result<bool> refill::read(std::uint64_t sequence, record_info& info, byte_vector& bytes) {
  auto place = place_from(sequence);
  if (!place) {
    if (const auto done = reader_->refresh(); !done) return fail(done.error());
    place = place_from(sequence);
  }
  if (!place) return fail(error_code::truncated, error::no_offset, "the reel's file ends before a record");
  info = reader_->contents().records[*place];
  if (info.sequence != sequence || info.damaged) return false;
  const auto done = reader_->read_stored(*place, bytes);
  if (done) return true;
  const error_code why = done.error().code;
  if (why == error_code::checksum_mismatch || why == error_code::truncated) return false;
  return fail(done.error());
}

record_publisher::record_publisher(record_queue& queue, delivery& to, file_path reel,
                                   const queue_options& options, system_calls& calls)
    : queue_(queue),
      to_(to),
      file_(std::move(reel), calls),
      options_(options),
      // Seeds must differ between recorders that start in the same moment, in one process and in many.
      seed_(static_cast<std::uint64_t>(steady_time_us()) ^
            (static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this)) << 17)) {}

record_publisher::turn record_publisher::pass(wait_policy waits) {
  const std::int64_t now = steady_time_us();
  if (header_bytes_.empty() && !take_header()) return {false, now + report_interval_us};
  if (ended_) return {false, std::numeric_limits<std::int64_t>::max()};
  if (!connected_ && now >= retry_at_us_) {
    if (const auto done = connect(); !done) fail_over(done.error());
  }
  if (now - reported_at_us_ >= report_interval_us) report_now();
  const std::int64_t report_at = reported_at_us_ + report_interval_us;

  step last = step::stopped;
  std::uint64_t bytes = 0;
  for (std::size_t records = 0; connected_ && records < records_per_pass && bytes < bytes_per_pass;
       ++records) {
    last = send_next();
    if (last != step::sent) break;
    bytes += unconfirmed_.empty() ? 0 : unconfirmed_.back().bytes;
  }
  bool confirmed_some = false;
  const bool may_wait =
      waits == wait_policy::always || (waits == wait_policy::when_full && last == step::window_full);
  if (connected_) {
    const auto some =
        take_confirmations(may_wait && last != step::sent ? confirmation_wait : milliseconds(0));
    if (!some) fail_over(some.error());
    confirmed_some = some && *some;
  }
  if (connected_) settle();
  if (!connected_) return {false, std::min(report_at, retry_at_us_)};

  if (last == step::sent || (last == step::window_full && confirmed_some)) return {true, 0};
  std::int64_t at = report_at;
  if (last == step::stopped) at = std::min(at, refill_at_us_);
  if (!unconfirmed_.empty()) {
    doze_ms_ = confirmed_some || may_wait ? 1 : std::clamp<std::uint32_t>(doze_ms_ * 2, 1, longest_doze_ms);
    at = std::min(at, steady_time_us() + doze_ms_ * us_per_ms);
  }
  return {false, at};
}

// False while there is none.
bool record_publisher::take_header() {
  header_bytes_ = queue_.header();
  // A recorder that continues a reel supplies no header.
  if (header_bytes_.empty() && (queue_.accepted() == 0 || steady_time_us() < refill_at_us_)) return false;
  open_file();
  if (header_bytes_.empty()) {
    refill_at_us_ = steady_time_us() + backoff_us();
    return false;
  }
  auto opened = wire::read_header(header_bytes_);
  if (opened) head_ = std::move(opened->head);
  return true;
}

void record_publisher::hurry() noexcept {
  if (hurries_) return;
  hurries_ = true;
  retry_at_us_ = refill_at_us_ = 0;
}

// Not before the delivery has seen the header.
void record_publisher::report_now() {
  if (header_bytes_.empty()) return;
  reported_at_us_ = steady_time_us();
  to_.report(queue_.counters());
}

// Early, so that the reel stays readable even if its name is removed.
void record_publisher::open_file() {
  if (file_.is_gone()) return;
  const auto done = file_.open(header_bytes_);
  if (!done) return note_error(done.error());
  if (header_bytes_.empty()) {
    const byte_span bytes = file_.opened()->header_bytes();
    header_bytes_.assign(bytes.begin(), bytes.end());
  }
}

result<void> record_publisher::open_reel() {
  if (const auto done = file_.open({}); !done) return done;
  queue_.set_header(file_.opened()->header_bytes());
  for (const record_info& info : file_.opened()->contents().records) queue_.note_in_file(info);
  return {};
}

result<void> record_publisher::look_for_more() {
  const auto more = file_.opened()->refresh();
  if (!more) return fail(more.error());
  const auto& records = file_.opened()->contents().records;
  for (std::size_t i = records.size() - *more; i < records.size(); ++i) queue_.note_in_file(records[i]);
  return {};
}

result<void> record_publisher::connect() {
  unconfirmed_.clear();
  unconfirmed_bytes_ = 0;
  const auto first = to_.connect(head_, header_bytes_);
  if (!first) return fail(first.error());
  if (*first > queue_.accepted()) {
    // A recorder that continues a reel has only reported the records that it added.
    std::uint64_t known = queue_.accepted();
    if (!file_.is_gone() && file_.open(header_bytes_) && file_.opened()->refresh()) {
      const auto& records = file_.opened()->contents().records;
      if (!records.empty())
        known = std::max<std::uint64_t>(known, records.back().sequence + std::uint64_t{1});
    }
    if (*first > known) {
      return fail(error_code::bad_answer, error::no_offset,
                  "the destination has {} record{s} of this reel, which has {}",
                  static_cast<std::int64_t>(std::min<std::uint64_t>(*first, INT64_MAX)),
                  static_cast<std::int64_t>(known));
    }
  }
  connected_ = has_connected_ = true;
  cursor_ = *first;
  doze_ms_ = 0;
  progress_at_us_ = steady_time_us();
  queue_.set_confirmed(cursor_);
  queue_.count([](queue_counters& all) { all.connected = true; });
  return {};
}

record_publisher::step record_publisher::send_next() {
  if (cursor_ >= queue_.accepted()) return step::all_sent;
  if (unconfirmed_.size() >= options_.max_unconfirmed_records ||
      (!unconfirmed_.empty() && unconfirmed_bytes_ >= options_.max_unconfirmed_bytes)) {
    return step::window_full;
  }
  held_ = queue_.find(cursor_);
  if (!held_ && steady_time_us() < refill_at_us_) return step::stopped;
  record_info info;
  byte_span bytes;
  const auto found = fetch(info, bytes);
  if (!found) {
    note_error(found.error());
    refill_at_us_ = steady_time_us() + backoff_us();
    return step::stopped;
  }
  if (!*found) {
    note_lost(cursor_++);
    return step::sent;
  }
  const auto done = to_.send(info, bytes);
  if (!done) {
    fail_over(done.error());
    return step::stopped;
  }
  if (unconfirmed_.empty()) progress_at_us_ = steady_time_us();
  unconfirmed_.push_back({cursor_, bytes.size()});
  unconfirmed_bytes_ += bytes.size();
  ++cursor_;
  queue_.count([](queue_counters& all) { ++all.sent; });
  return step::sent;
}

// The record at the cursor, from `held_` or the file. False if it is lost.
result<bool> record_publisher::fetch(record_info& info, byte_span& bytes) {
  if (held_) {
    info = held_->info;
    bytes = held_->bytes;
    return true;
  }
  if (file_.is_gone()) return false;
  if (const auto opened = file_.open(header_bytes_); !opened) {
    note_error(opened.error());
    if (file_.is_gone()) return false;
    return fail(opened.error());
  }
  auto found = file_.read(cursor_, info, read_);
  if (!found || !*found) return found;
  bytes = read_;
  queue_.count([&](queue_counters& all) {
    ++all.refilled;
    all.refilled_bytes += bytes.size();
  });
  return true;
}

result<bool> record_publisher::take_confirmations(milliseconds wait) {
  if (unconfirmed_.empty()) return false;
  const auto below = to_.confirmed(wait);
  if (!below) return fail(below.error());
  const std::size_t before = unconfirmed_.size();
  while (!unconfirmed_.empty() && unconfirmed_.front().sequence < *below) {
    unconfirmed_bytes_ -= unconfirmed_.front().bytes;
    unconfirmed_.pop_front();
  }
  const std::int64_t now = steady_time_us();
  if (unconfirmed_.size() < before) {
    failures_ = 0;
    queue_.count([](queue_counters& all) { all.trouble.reset(); });
    progress_at_us_ = now;
    return true;
  }
  if (now - progress_at_us_ > std::int64_t{options_.confirm_timeout_ms} * us_per_ms) {
    return fail(error_code::timed_out, error::no_offset, "{} record{s} not confirmed",
                static_cast<std::int64_t>(before));
  }
  return false;
}

// Publishes the confirmed sequence, and the end if everything is confirmed.
void record_publisher::settle() {
  const std::uint64_t first_open = unconfirmed_.empty() ? cursor_ : unconfirmed_.front().sequence;
  queue_.set_confirmed(first_open);
  // In this order, because nothing follows an end.
  const bool has_end = queue_.has_end();
  if (first_open < queue_.accepted()) return;
  if (!has_end) return queue_.count([](queue_counters& all) { all.trouble.reset(); });
  if (const auto done = to_.end(); !done) return fail_over(done.error());
  ended_ = true;
  queue_.count([](queue_counters& all) {
    all.ended = true;
    all.trouble.reset();
  });
  report_now();
}

void record_publisher::note_lost(std::uint64_t sequence) {
  const auto after =
      std::upper_bound(lost_.begin(), lost_.end(), sequence,
                       [](std::uint64_t wanted, const auto& range) { return wanted < range.first; });
  if (after != lost_.begin()) {
    auto& range = *(after - 1);
    if (sequence < range.second) return;  // already counted
    if (sequence == range.second) {
      ++range.second;
      queue_.count([](queue_counters& all) { ++all.lost; });
      return;
    }
  }
  lost_.insert(after, {sequence, sequence + 1});
  queue_.count([](queue_counters& all) { ++all.lost; });
}

void record_publisher::fail_over(const error& why) {
  const std::int64_t now = steady_time_us();
  // A connection that lasted long does not count as a failure.
  if (connected_ && now - progress_at_us_ > std::int64_t{options_.longest_backoff_ms} * us_per_ms) {
    failures_ = 0;
  }
  connected_ = false;
  retry_at_us_ = now + backoff_us();
  ++failures_;
  queue_.count([&](queue_counters& all) {
    all.connected = false;
    ++all.retried;
    all.last_error = all.trouble = why;
  });
}

void record_publisher::note_error(const error& why) {
  queue_.count([&](queue_counters& all) { all.last_error = all.trouble = why; });
}

std::int64_t record_publisher::backoff_us() {
  const std::int64_t first = std::max<std::int64_t>(options_.first_backoff_ms, 1) * us_per_ms;
  std::int64_t longest = std::max<std::int64_t>(options_.longest_backoff_ms, 1) * us_per_ms;
  if (hurries_) longest = std::min(longest, longest_hurried_backoff_us);
  const std::int64_t whole = std::min(first << std::min(failures_, 20u), longest);
  return whole - whole / 100 * (random() % (options_.jitter_percent + 1));
}

std::uint32_t record_publisher::random() noexcept {
  seed_ += 0x9e3779b97f4a7c15u;  // splitmix64
  std::uint64_t mixed = seed_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(mixed >> 32);
}

}  // namespace tickreel::reel

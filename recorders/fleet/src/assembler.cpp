#include "tickreel/fleet/assembler.hpp"

#include <limits>
#include <map>
#include <utility>

#include "tickreel/io/file.hpp"
#include "tickreel/reel/stored_record.hpp"

namespace tickreel::fleet {

namespace {

constexpr std::uint64_t header_key = std::numeric_limits<std::uint64_t>::max();

// The parts of a message that arrived, by number.
using partial = std::map<std::uint32_t, byte_vector>;
// Of the message, and the number of its parts: brokers with other limits get a record in another number of parts.
using partial_key = std::pair<std::uint64_t, std::uint32_t>;

struct waiting_record {
  byte_vector bytes;
  std::optional<reel::record_info> info;  // once it was checked: with the header
};

}  // namespace

struct assembler::state {
  file out;
  std::string reel;
  assembler_options options;
  std::optional<reel::record_check> check;
  std::uint64_t next = 0;
  std::optional<std::uint32_t> begin;  // with joins_late, until the first record is written
  bool begun = false;
  bool beginning_reported = false;  // the reel has no more records before it
  byte_vector header;               // with joins_late
  // of the skipped records: the last header update and lasting events
  std::map<std::uint32_t, byte_vector> kept;
  std::optional<std::uint32_t> update;  // which of them is the header update
  std::size_t kept_bytes = 0;
  std::map<std::uint64_t, waiting_record> waiting;
  std::map<partial_key, partial> partials;
  assembled counted;

  void count_waiting() noexcept {
    counted.waiting_records = waiting.size() + partials.size();
    counted.missing.reset();
    if (!waiting.empty() || !partials.empty()) counted.missing = next;
  }
  // One record fits, however large it is.
  [[nodiscard]] bool is_full(std::size_t more_bytes) const noexcept {
    return waiting.size() + partials.size() >= options.max_waiting_records ||
           (counted.waiting_bytes != 0 && counted.waiting_bytes + more_bytes > options.max_waiting_bytes);
  }
  std::map<partial_key, partial>::iterator drop_partial(std::map<partial_key, partial>::iterator which) {
    for (const auto& [number, bytes] : which->second) counted.waiting_bytes -= bytes.size();
    return partials.erase(which);
  }
  void drop_partials_below(std::uint64_t sequence) {
    for (auto each = partials.begin(); each != partials.end() && each->first.first < sequence;) {
      each = drop_partial(each);
    }
  }

  result<void> append(byte_span bytes) {
    if (const auto done = out.append(bytes); !done) return done;
    counted.bytes += bytes.size();
    return {};
  }

  result<void> append_record(const reel::record_info& info, byte_span bytes) {
    if (const auto done = append(bytes); !done) return done;
    if (options.also != nullptr) (void)options.also->accept_record(info, bytes);
    return {};
  }

  result<void> take_header(byte_span bytes) {
    auto made = reel::record_check::create(bytes, options.limits);
    if (!made || (options.match && reel_id(bytes, *options.match) != reel)) {
      ++counted.refused;
      return {};
    }
    if (const auto done = append(bytes); !done) return done;
    check = *made;
    if (!begun) header.assign(bytes.begin(), bytes.end());
    counted.has_header = true;
    while (!partials.empty() && partials.rbegin()->first.first == header_key) {
      drop_partial(std::prev(partials.end()));
    }
    for (auto each = waiting.begin(); each != waiting.end();) {
      each->second.info = checked(each->first, each->second.bytes);
      each = each->second.info ? std::next(each) : drop_waiting(each);
    }
    if (options.also != nullptr) (void)options.also->accept_header(bytes);
    return {};
  }

  // Whether it is one record of the reel with that sequence.
  std::optional<reel::record_info> checked(std::uint64_t sequence, byte_span bytes) {
    auto info = check->whole(bytes);
    if (info && info->sequence == sequence) return info;
    ++counted.refused;
    return std::nullopt;
  }

  std::map<std::uint64_t, waiting_record>::iterator drop_waiting(
      std::map<std::uint64_t, waiting_record>::iterator which) {
    counted.waiting_bytes -= which->second.bytes.size();
    return waiting.erase(which);
  }
  // A message that is not a record must not take the place of one, nor move the position beyond others.
  void hold(std::uint64_t sequence, byte_vector&& bytes) {
    std::optional<reel::record_info> info;
    if (check && !(info = checked(sequence, bytes))) return;
    counted.waiting_bytes += bytes.size();
    waiting.emplace(sequence, waiting_record{std::move(bytes), info});
  }

  // Keeps the skipped records that later ones need.
  void keep_for_beginning(const message_head& head, byte_span body) {
    const bool is_update = head.kind == reel::record_kind::header_update;
    const std::uint32_t sequence = *head.sequence;
    if (!(is_update || head.lasts()) || head.parts > 1 || kept.contains(sequence)) return;
    if (check && !checked(sequence, body)) return;
    if (kept_bytes + body.size() > options.max_waiting_bytes) return;
    if (is_update) {
      if (update && *update >= sequence) return;
      if (update) drop_kept(kept.find(*update));
      update = sequence;
    }
    kept.emplace(sequence, byte_vector(body.begin(), body.end()));
    kept_bytes += body.size();
  }
  std::map<std::uint32_t, byte_vector>::iterator drop_kept(
      std::map<std::uint32_t, byte_vector>::iterator which) {
    kept_bytes -= which->second.size();
    return kept.erase(which);
  }

  // Writes the records before the first one of a late subscriber: the last header update, lasting events, and
  // a gap for all others.
  result<void> write_beginning(const reel::record_info& first) {
    if (begun) return {};
    std::vector<reel::record_info> known;
    for (auto each = kept.begin(); each != kept.end();) {
      const auto info = each->first < first.sequence ? checked(each->first, each->second) : std::nullopt;
      if (info) known.push_back(*info);
      each = info ? std::next(each) : drop_kept(each);
    }
    std::optional<reel::late_beginning> late;
    if (!beginning_reported) late = reel::beginning_of(header, first, known);
    std::size_t number = 0;
    for (auto each = kept.begin(); each != kept.end(); ++number) {
      if (late && late->before == number) {
        if (const auto done = write_late_beginning(*late); !done) return done;
      }
      if (const auto done = append_record(known[number], each->second); !done) return done;
      ++counted.records;
      each = drop_kept(each);
    }
    return late && late->before == number ? write_late_beginning(*late) : result<void>{};
  }
  result<void> write_late_beginning(const reel::late_beginning& late) {
    if (const auto done = append_record(late.info, late.bytes); !done) return done;
    beginning_reported = true;
    return {};
  }

  // Writes the records that are next in order.
  result<std::size_t> drain() {
    std::size_t written = 0;
    while (check && !waiting.empty() && waiting.begin()->first == next) {
      const auto first = waiting.begin();
      const reel::record_info& info = *first->second.info;
      if (const auto done = write_beginning(info); !done) return fail(done.error());
      if (const auto done = append_record(info, first->second.bytes); !done) return fail(done.error());
      begun = true;
      ++written;
      ++counted.records;
      ++next;
      counted.ended = counted.ended || info.kind == reel::record_kind::end;
      drop_waiting(first);
    }
    // Nothing follows the end.
    drop_partials_below(counted.ended ? header_key : next);
    count_waiting();
    return written;
  }

  // The complete body, once all parts have arrived.
  result<std::optional<byte_vector>> join(const message_head& head, std::uint64_t key, byte_span body) {
    if (head.parts == 1) return byte_vector(body.begin(), body.end());
    const auto at = partials.try_emplace({key, head.parts}).first;
    partial& sofar = at->second;
    if (!sofar.try_emplace(head.part, body.begin(), body.end()).second) {
      ++counted.doubles;
      return std::nullopt;
    }
    counted.waiting_bytes += body.size();
    if (sofar.size() < head.parts) return std::nullopt;
    byte_vector whole;
    for (const auto& [number, bytes] : sofar) whole.insert(whole.end(), bytes.begin(), bytes.end());
    drop_partial(at);
    return whole;
  }

  // No value if the message is not usable.
  [[nodiscard]] bool is_wanted(const message_head& head) {
    if (counted.ended || *head.sequence < next || waiting.contains(*head.sequence)) {
      ++counted.doubles;
      return false;
    }
    return true;
  }
};

result<assembler> assembler::create(const file_path& path, std::string reel,
                                    const assembler_options& options) {
  auto out = file::create_new(path);
  if (!out) return fail(out.error());
  return assembler(std::make_unique<state>(state{.out = std::move(*out),
                                                 .reel = std::move(reel),
                                                 .options = options,
                                                 .check = {},
                                                 .next = 0,
                                                 .begin = {},
                                                 .begun = !options.joins_late,
                                                 .beginning_reported = false,
                                                 .header = {},
                                                 .kept = {},
                                                 .update = {},
                                                 .kept_bytes = 0,
                                                 .waiting = {},
                                                 .partials = {},
                                                 .counted = {}}));
}

assembler::assembler(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
assembler::assembler(assembler&&) noexcept = default;
assembler& assembler::operator=(assembler&&) noexcept = default;
assembler::~assembler() = default;

result<std::size_t> assembler::take(const message_head& head, byte_span body) {
  state& at = *state_;
  if (head.reel != at.reel) {
    ++at.counted.other_reels;
    return 0;
  }
  if (!head.sequence && at.check) {
    ++at.counted.doubles;
    return at.drain();
  }
  const std::uint64_t key = head.sequence ? *head.sequence : header_key;
  const bool before = head.sequence && !at.begun && (!at.begin || *head.sequence < *at.begin);
  if (before && !at.begin && head.is_entry()) begin_at(*head.sequence);
  const bool older = before && *head.sequence < at.next;
  if (head.sequence && !older && (at.begin || at.begun) && !at.is_wanted(head)) {
    // Retries records that the file refused earlier.
    return at.drain();
  }
  if (before && (older || !at.begin)) {
    at.keep_for_beginning(head, body);
    return 0;
  }
  // The record that others wait for always fits.
  if (head.sequence && *head.sequence != at.next && at.is_full(body.size())) {
    return fail(error_code::over_limit, error::no_offset, "records wait for record {}, which does not arrive",
                static_cast<std::int64_t>(at.next));
  }
  auto whole = at.join(head, key, body);
  if (!whole) return fail(whole.error());
  if (*whole) {
    if (!head.sequence) {
      if (const auto done = at.take_header(**whole); !done) return fail(done.error());
    } else {
      at.hold(*head.sequence, std::move(**whole));
    }
  }
  return at.drain();
}

result<std::size_t> assembler::give_up_hole() {
  state& at = *state_;
  if (!at.check) return 0;
  if (at.waiting.empty()) {
    // Incomplete messages alone: nothing follows the hole.
    at.drop_partials_below(header_key);
  } else if (const std::uint64_t first = at.waiting.begin()->first; first > at.next) {
    at.counted.lost_records += first - at.next;
    at.next = first;
  }
  return at.drain();
}

result<std::size_t> assembler::take_past_holes(const message_head& head, byte_span body) {
  std::size_t written = 0;
  for (;;) {
    auto taken = take(head, body);
    if (taken) return written + *taken;
    const assembled& now = state_->counted;
    const std::uint64_t waited_for = now.waiting_records;
    if (taken.error().code != error_code::over_limit) return taken;
    const auto gone_on = give_up_hole();
    if (!gone_on) return gone_on;
    if (now.waiting_records == waited_for) return taken;
    written += *gone_on;
  }
}

void assembler::begin_at(std::uint32_t sequence) noexcept {
  if (state_->begun) return;
  state_->begin = sequence;
  state_->next = sequence;
}

const assembled& assembler::counted() const noexcept {
  return state_->counted;
}
result<void> assembler::close() {
  return state_->out.close();
}

}  // namespace tickreel::fleet

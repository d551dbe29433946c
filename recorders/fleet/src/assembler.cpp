#include "tickreel/fleet/assembler.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "tickreel/io/file.hpp"
#include "tickreel/reel/stored_record.hpp"

namespace tickreel::fleet {

namespace {

constexpr std::uint64_t header_key = std::numeric_limits<std::uint64_t>::max();

// The bodies that arrived for each part of a message, by number. Other clients can send bodies too: the newest of each
// part are kept until one of each are valid together.
using partial = std::map<std::uint32_t, std::vector<byte_vector>>;
constexpr std::size_t max_bodies_of_part = 4;
constexpr int max_joins = 256;
constexpr std::size_t record_overhead = 1024;  // more than a record's head and hash
// Of the message, and the number of its parts: brokers with other limits get a record in another number of parts.
using partial_key = std::pair<std::uint64_t, std::uint32_t>;

struct waiting_record {
  byte_vector bytes;
  reel::record_info info;
};

}  // namespace

struct assembler::state {
  file out;
  std::string reel;
  assembler_options options;
  std::optional<reel::record_check> check;
  std::uint64_t next = 0;
  std::optional<std::uint32_t> begin;  // with joins_late, until the first record is written
  bool begun;
  bool beginning_reported = false;  // the reel has no more records before it
  byte_vector header;               // with joins_late
  // of the skipped records: the last header update and lasting events
  std::map<std::uint32_t, byte_vector> kept;
  std::optional<std::uint32_t> update;  // which of them is the header update
  std::size_t kept_bytes = 0;
  std::map<std::uint64_t, waiting_record> waiting;
  std::map<partial_key, partial> partials;
  assembled counted;

  state(file to, std::string id, const assembler_options& how)
      : out(std::move(to)), reel(std::move(id)), options(how), begun(!how.joins_late) {}

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
    for (const auto& [number, bodies] : which->second) {
      for (const byte_vector& each : bodies) counted.waiting_bytes -= each.size();
    }
    return partials.erase(which);
  }
  // For one more body of a message that others wait for. Bodies of other clients must not fill the memory: beyond the
  // limit other divisions and all but the newest bodies are dropped. False if it is longer than any record.
  bool make_room(std::uint64_t key, const message_head& head, std::size_t more_bytes) {
    std::size_t all = more_bytes;
    for (auto each = partials.lower_bound({key, 0}); each != partials.end() && each->first.first == key;
         ++each) {
      for (const auto& [number, bodies] : each->second) {
        for (const byte_vector& body : bodies) all += body.size();
      }
    }
    if (all <= options.max_waiting_bytes) return true;
    const auto own = partials.find({key, head.parts});
    for (auto each = partials.lower_bound({key, 0}); each != partials.end() && each->first.first == key;) {
      each = each == own ? std::next(each) : drop_partial(each);
    }
    if (own == partials.end()) return true;
    std::size_t bytes = more_bytes;
    for (auto& [number, bodies] : own->second) {
      for (; bodies.size() > 1; bodies.erase(bodies.begin())) counted.waiting_bytes -= bodies.front().size();
      if (number != head.part) bytes += bodies.front().size();
    }
    if (bytes <= std::size_t{options.limits.max_stored_bytes} + record_overhead) return true;
    drop_partial(own);
    ++counted.refused;
    return false;
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
    if (const auto done = append(bytes); !done) return done;
    check = *reel::record_check::create(bytes, options.limits);
    if (!begun) header.assign(bytes.begin(), bytes.end());
    counted.has_header = true;
    for (auto each = partials.begin(); each != partials.end();) {
      const auto one = each++;
      const auto [key, parts] = one->first;
      auto whole = key == header_key ? std::nullopt : complete(one, std::nullopt);
      if (whole) {
        hold(key, std::move(*whole));
      } else if (key == header_key || parts == 1) {
        drop_partial(one);
      }
    }
    if (options.also != nullptr) (void)options.also->accept_header(bytes);
    return {};
  }

  // Whether it is one record of the reel with that sequence.
  std::optional<reel::record_info> checked(std::uint64_t sequence, byte_span bytes) {
    if (is_valid(sequence, bytes)) return check->whole(bytes);
    ++counted.refused;
    return std::nullopt;
  }
  [[nodiscard]] bool is_valid(std::uint64_t key, byte_span bytes) const {
    if (key == header_key) {
      return reel::record_check::create(bytes, options.limits).has_value() &&
             (!options.match || reel_id(bytes, *options.match) == reel);
    }
    const auto info = check->whole(bytes);
    return info && info->sequence == key;
  }

  std::map<std::uint64_t, waiting_record>::iterator drop_waiting(
      std::map<std::uint64_t, waiting_record>::iterator which) {
    counted.waiting_bytes -= which->second.bytes.size();
    return waiting.erase(which);
  }
  // A valid record, until it is next.
  void hold(std::uint64_t sequence, byte_vector&& bytes) {
    const std::size_t size = bytes.size();
    const reel::record_info info = *check->whole(bytes);
    if (waiting.try_emplace(sequence, waiting_record{std::move(bytes), info}).second) {
      counted.waiting_bytes += size;
    }
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
      const reel::record_info& info = first->second.info;
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

  // The whole record or header, once all parts have arrived. A message that is neither must not take the place of one, nor
  // move the position beyond others.
  std::optional<byte_vector> join(const message_head& head, std::uint64_t key, byte_span body) {
    const bool can_check = check || key == header_key;
    if (head.part >= head.parts || (head.parts == 1 && can_check)) {
      if (head.parts == 1 && is_valid(key, body)) return byte_vector(body.begin(), body.end());
      ++counted.refused;
      return std::nullopt;
    }
    const auto at = partials.try_emplace({key, head.parts}).first;
    std::vector<byte_vector>& bodies = at->second[head.part];
    const auto known =
        std::ranges::find_if(bodies, [&](const byte_vector& each) { return std::ranges::equal(each, body); });
    if (known != bodies.end()) {
      // Sent again: it is the newest, so that the first join has all parts that were.
      ++counted.doubles;
      std::rotate(known, std::next(known), bodies.end());
      return can_check ? complete(at, head.part) : std::nullopt;
    }
    if (bodies.size() == max_bodies_of_part) {
      counted.waiting_bytes -= bodies.front().size();
      bodies.erase(bodies.begin());
      ++counted.refused;
    }
    bodies.emplace_back(body.begin(), body.end());
    counted.waiting_bytes += body.size();
    return can_check ? complete(at, head.part) : std::nullopt;
  }

  // Joins one body of each part, the newest first, and drops all of them if that is valid. Of the part `arrived` only the
  // newest: the others were tried before.
  std::optional<byte_vector> complete(std::map<partial_key, partial>::iterator which,
                                      std::optional<std::uint32_t> arrived) {
    const auto [key, parts] = which->first;
    if (which->second.size() < parts) return std::nullopt;
    std::vector<std::size_t> older(parts, 0);  // than the newest body
    for (int left = max_joins; left > 0; --left) {
      byte_vector whole;
      for (const auto& [number, bodies] : which->second) {
        const byte_vector& one = bodies[bodies.size() - 1 - older[number]];
        whole.insert(whole.end(), one.begin(), one.end());
      }
      if (is_valid(key, whole)) {
        drop_partial(which);
        return whole;
      }
      auto next_choice = which->second.begin();
      for (; next_choice != which->second.end(); ++next_choice) {
        const auto& [number, bodies] = *next_choice;
        if (number == arrived) continue;
        if (++older[number] < bodies.size()) break;
        older[number] = 0;
      }
      if (next_choice == which->second.end()) break;
    }
    ++counted.refused;
    return std::nullopt;
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
  return assembler(std::make_unique<state>(std::move(*out), std::move(reel), options));
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
  const bool is_full = at.is_full(body.size());
  if (is_full && head.sequence && *head.sequence != at.next) {
    return fail(error_code::over_limit, error::no_offset, "records wait for record {}, which does not arrive",
                static_cast<std::int64_t>(at.next));
  }
  // The message that others wait for always fits.
  if (is_full && head.parts > 1 && !at.make_room(key, head, body.size())) return at.drain();
  if (auto whole = at.join(head, key, body)) {
    if (!head.sequence) {
      if (const auto done = at.take_header(*whole); !done) return fail(done.error());
    } else {
      at.hold(key, std::move(*whole));
    }
  }
  return at.drain();
}

void assembler::note_malformed() noexcept {
  ++state_->counted.malformed;
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

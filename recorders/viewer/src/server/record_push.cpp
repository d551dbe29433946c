#include "record_push.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "tickreel/reel/stored_record.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::uint16_t resume_unavailable = 4001;

}  // namespace

struct record_push::connection : std::enable_shared_from_this<connection> {
  struct message {
    shared_bytes bytes;
    std::size_t from = 0;  // earlier records were already sent
    bool text = false;     // reports the number of dropped records:
    std::uint64_t reported = 0;
    bool update = false;
    bool again = false;                                 // a dropped one
    std::optional<std::size_t> lasting = std::nullopt;  // its number among those
  };

  connection(std::shared_ptr<net::open_stream> opened, record_push& to)
      : push(to), stream(std::move(opened)) {
    ++push.watchers_;
  }
  ~connection() { --push.watchers_; }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  void close(std::uint16_t code) {
    if (closing) return;
    closing = true;
    queue.clear();
    stream->close(code);
  }

  [[nodiscard]] bool has_room(std::size_t more) const noexcept {
    return queue.empty() || queued_bytes + more <= room;
  }

  void add(message one) {
    queued_bytes += one.bytes->size() - one.from;
    queue.push_back(std::move(one));
  }

  // Drops waiting records; the current one is sent completely.
  void drop_queue() {
    std::uint64_t records = 0;
    for (const message& each : queue) {
      records += each.text || each.again ? 0 : 1;
      missed += each.reported;  // it is not reported after all
      missed_update |= each.update;
      if (each.lasting) lasting_given = std::min(lasting_given, *each.lasting);
    }
    queue.clear();
    queued_bytes = 0;
    room = push.options_.max_push_queue_bytes;
    waits = was_slow = true;
    miss(records);
    ++push.drops_;
  }
  void miss(std::uint64_t records) {
    missed += records;
    push.dropped_records_ += records;
  }

  void send() {
    if (writing || closing || queue.empty()) return;
    current = std::move(queue.front());
    queue.pop_front();
    queued_bytes -= current.bytes->size() - current.from;
    if (queue.empty()) room = push.options_.max_push_queue_bytes;
    writing = true;
    const byte_span bytes = byte_span(*current.bytes).subspan(current.from);
    stream->write(bytes, current.text, [self = shared_from_this()](bool sent) {
      self->writing = false;
      self->current = {};
      if (sent) self->send();
    });
  }

  record_push& push;
  std::shared_ptr<net::open_stream> stream;
  std::deque<message> queue;
  message current;  // being sent
  std::size_t queued_bytes = 0;
  std::size_t room = 0;
  std::uint64_t from = 0;    // of the reel: earlier records were already sent
  std::uint64_t missed = 0;  // records, not reported yet
  bool missed_update = false;
  std::size_t lasting_given = 0;  // of those events, how many were
  bool waits = false;             // for a keyframe
  bool was_slow = false;          // the reason for that
  bool begun = false;
  bool writing = false;
  bool closing = false;
};

void record_push::take_header(shared_bytes bytes) {
  close_all();
  update_.reset();
  update_before_entry_ = {};
  lasting_.clear();
  lasting_bytes_ = lasting_before_entry_ = 0;
  kept_.clear();
  kept_bytes_ = 0;
  entry_at_.reset();
  end_ = bytes->size();
  header_ = std::move(bytes);
}

void record_push::take_record(const reel::record_info& info, const shared_bytes& bytes) {
  keep(info, bytes, info.is_entrance());
  if (info.kind == reel::record_kind::header_update) {
    update_ = bytes;
    update_info_ = info;
  }
  if (info.lasts() && lasting_bytes_ + bytes->size() <= options_.max_push_kept_bytes) {
    lasting_bytes_ += bytes->size();
    lasting_.push_back({bytes, info});
  }
  ++records_;
  for (const auto& each : connections_) {
    if (each->closing || !each->begun) continue;
    offer(*each, info, bytes, info.is_entrance());
    each->send();
  }
}

void record_push::keep(const reel::record_info& info, const shared_bytes& bytes, bool is_entry) {
  if (is_entry) {
    entry_at_ = end_;
    entry_ = info;
    update_before_entry_ = {update_, update_info_};
    lasting_before_entry_ = lasting_.size();
  }
  kept_.push_back({bytes, end_});
  kept_bytes_ += bytes->size();
  end_ += bytes->size();
  while (kept_.size() > 1 && kept_bytes_ > options_.max_push_kept_bytes) {
    kept_bytes_ -= kept_.front().bytes->size();
    if (entry_at_ == kept_.front().offset) entry_at_.reset();
    kept_.pop_front();
  }
}

std::optional<std::size_t> record_push::number_of(const shared_bytes& bytes) const noexcept {
  const auto found = std::ranges::find(lasting_, bytes, &lasting::bytes);
  if (found == lasting_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - lasting_.begin());
}

// The records before the last keyframe's chunk that a new client needs, in the order of the reel; if there
// are events among them, with a gap for all others.
void record_push::begin_at_entry(connection& at) {
  std::vector<lasting> front(lasting_.begin(),
                             lasting_.begin() + static_cast<std::ptrdiff_t>(lasting_before_entry_));
  if (update_before_entry_.bytes) {
    const auto place = std::find_if(front.begin(), front.end(), [&](const lasting& each) {
      return each.info.sequence > update_before_entry_.info.sequence;
    });
    front.insert(place, update_before_entry_);
  }
  std::vector<reel::record_info> infos;
  for (const lasting& each : front) infos.push_back(each.info);
  std::optional<reel::late_beginning> late;
  if (lasting_before_entry_ != 0) late = reel::beginning_of(*header_, entry_, infos);
  const auto tell = [&](std::size_t number) {
    if (late && late->before == number) at.add({std::make_shared<const byte_vector>(late->bytes)});
  };
  for (std::size_t number = 0; number < front.size(); ++number) {
    tell(number);
    const bool is_update = front[number].bytes == update_before_entry_.bytes;
    at.add({.bytes = front[number].bytes, .update = is_update, .lasting = number_of(front[number].bytes)});
  }
  tell(front.size());
  at.lasting_given = lasting_.size();
}

void record_push::begin(connection& at, std::optional<std::uint64_t> have) {
  if (!header_ || (have && *have < (kept_.empty() ? end_ : kept_.front().offset))) {
    return at.close(resume_unavailable);
  }
  at.begun = true;
  if (!have) {
    at.add({header_});
    at.waits = !entry_at_;
    if (!at.waits) begin_at_entry(at);
    at.missed_update = at.waits && update_ != nullptr;
  } else {
    at.lasting_given = lasting_.size();
  }
  at.from = have ? *have : entry_at_.value_or(end_);
  for (const kept& each : kept_) {
    const std::uint64_t end_offset = each.offset + each.bytes->size();
    if (end_offset <= at.from) continue;
    at.add({.bytes = each.bytes,
            .from = at.from > each.offset ? static_cast<std::size_t>(at.from - each.offset) : 0,
            .update = each.bytes == update_,
            .lasting = number_of(each.bytes)});
  }
  // Its first records have their own budget besides those that arrive meanwhile.
  at.room = at.queued_bytes + options_.max_push_queue_bytes;
  at.send();
}

void record_push::offer(connection& at, const reel::record_info& info, const shared_bytes& bytes,
                        bool is_entry) {
  const bool is_update = info.kind == reel::record_kind::header_update;
  if (at.from >= end_) return;
  const std::uint64_t offset = end_ - bytes->size();
  const std::size_t skipped = at.from > offset ? static_cast<std::size_t>(at.from - offset) : 0;
  if (!at.waits && !at.has_room(bytes->size())) at.drop_queue();
  if (at.waits) {
    const bool is_end = info.kind == reel::record_kind::end;
    if (!is_entry && !is_end) {
      at.missed_update |= is_update;
      if (at.was_slow) at.miss(1);
      return;
    }
    at.waits = false;
    const bool was_slow = std::exchange(at.was_slow, false);
    if (was_slow) {
      const std::uint64_t missed = std::exchange(at.missed, 0);
      const std::string reported = "{\"dropped\":" + std::to_string(missed) + "}";
      const byte_span text = as_bytes(reported);
      at.add({.bytes = std::make_shared<const byte_vector>(text.begin(), text.end()),
              .text = true,
              .reported = missed});
    }
    if (std::exchange(at.missed_update, false) && update_) {
      at.add({.bytes = update_, .update = true, .again = was_slow});
    }
    for (; at.lasting_given < lasting_.size(); ++at.lasting_given) {
      at.add({.bytes = lasting_[at.lasting_given].bytes, .again = true, .lasting = at.lasting_given});
    }
  }
  const bool lasts = at.lasting_given < lasting_.size() && lasting_[at.lasting_given].bytes == bytes;
  at.add({.bytes = bytes,
          .from = skipped,
          .update = is_update,
          .lasting = lasts ? std::optional(at.lasting_given++) : std::nullopt});
}

void record_push::join(net::http_exchange& exchange, std::optional<std::uint64_t> have) {
  const auto joined = std::make_shared<std::weak_ptr<connection>>();
  exchange.open_web_socket(
      [this, have, joined](std::shared_ptr<net::open_stream> stream) {
        const auto made = std::make_shared<connection>(std::move(stream), *this);
        *joined = made;
        connections_.insert(made);
        begin(*made, have);
      },
      [this, joined] { connections_.erase(joined->lock()); });
}

void record_push::close_all() {
  for (const auto& each : connections_) each->stream->drop();
  connections_.clear();
}

push_counters record_push::counted() const noexcept {
  return {watchers_.load(), records_.load(), drops_.load(), dropped_records_.load()};
}

}  // namespace tickreel::viewer

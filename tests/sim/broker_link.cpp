// fleet::broker over broker_model, in place of the NATS client: the program links no function of that.
#include <algorithm>

#include "broker_model.hpp"

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;
using sim::broker_model;
using sim::model_connection;
using sim::model_stream;
using connection = std::shared_ptr<model_connection>;

broker_model& model() {
  return *broker_model::in_use();
}

std::int64_t us_of(std::chrono::milliseconds time) {
  return std::chrono::microseconds(time).count();
}

}  // namespace

struct message::state {
  connection from;
  std::string stream;
  sim::shared_message held;
  byte_vector body;
  std::uint64_t sequence = 0;
  std::uint64_t left = 0;
  std::uint64_t consumer_sequence = 0;
};

struct subscription::state {
  connection from;
  std::string stream;
  std::int64_t created_ns = 0;
  broker::reading what;
  std::uint64_t next = 1;
  std::uint64_t waiting_at_begin = 0;
  std::uint64_t received = 0;
  std::vector<std::uint64_t> only;  // with last_per_subject

  [[nodiscard]] bool takes(std::uint64_t sequence, const sim::model_message& one) const {
    if (what.last_per_subject && std::ranges::find(only, sequence) == only.end()) return false;
    return sequence >= next && sim::matches(what.subject, one.subject);
  }
  [[nodiscard]] std::uint64_t count(const model_stream& in) const {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        in.messages, [this](const auto& each) { return takes(each.first, *each.second); }));
  }
};

struct work_queue::state {
  connection from;
  std::string stream;
  std::chrono::seconds acknowledge_within{30};
};

struct broker::state {
  connection to;
};

namespace {

std::unique_ptr<message::state> make_state(const connection& from, const std::string& stream,
                                           std::uint64_t sequence, const sim::shared_message& one) {
  auto made = std::make_unique<message::state>();
  made->from = from;
  made->stream = stream;
  made->held = one;
  made->body = one->body;
  made->sequence = sequence;
  return made;
}

message make(const connection& from, const std::string& stream, std::uint64_t sequence,
             const sim::shared_message& one) {
  return message(make_state(from, stream, sequence, one));
}

// Null if it does not exist, or never had a message.
model_stream* store_of(const std::string& name) {
  model_stream* const found = model().find(name);
  return found == nullptr || found->last == 0 ? nullptr : found;
}

}  // namespace

bool has_broker() noexcept {
  return true;
}

message::message(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
message::message(message&&) noexcept = default;
message& message::operator=(message&&) noexcept = default;
message::~message() = default;
std::string_view message::subject() const noexcept {
  return state_->held->subject;
}
byte_span message::body() const noexcept {
  return state_->body;
}
std::string_view message::field(const char* name) const noexcept {
  return state_->held->field(name);
}
result<message_head> message::head() const {
  return read_fields([this](const char* name) { return field(name); });
}
std::uint64_t message::stream_sequence() const noexcept {
  return state_->sequence;
}
std::uint64_t message::consumer_sequence() const noexcept {
  return state_->consumer_sequence;
}
std::uint64_t message::left() const noexcept {
  return state_->left;
}
std::int64_t message::stored_at_us() const noexcept {
  return state_->held->stored_ns / 1000;
}
result<void> message::acknowledge() {
  const auto effect = [this] {
    model_stream* const in = model().find(state_->stream);
    if (in == nullptr || !in->messages.contains(state_->sequence)) return;
    if (model().acknowledged) model().acknowledged(*state_->held);
    in->erase(state_->sequence);
  };
  if (auto begun = model().begin_call(*state_->from, effect); !begun) return begun;
  effect();
  return {};
}
result<void> message::still_working() {
  if (auto begun = model().begin_call(*state_->from); !begun) return begun;
  if (model_stream* const in = model().find(state_->stream);
      in != nullptr && in->given_out.contains(state_->sequence))
    in->given_out[state_->sequence] = sim::simulated_now_us() + 60'000'000;
  return {};
}
result<void> message::give_back(std::chrono::milliseconds delay) {
  if (auto begun = model().begin_call(*state_->from); !begun) return begun;
  if (model_stream* const in = model().find(state_->stream);
      in != nullptr && in->given_out.contains(state_->sequence))
    in->given_out[state_->sequence] = sim::simulated_now_us() + us_of(delay);
  return {};
}

subscription::subscription(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
subscription::subscription(subscription&&) noexcept = default;
subscription& subscription::operator=(subscription&&) noexcept = default;
subscription::~subscription() = default;
result<std::optional<message>> subscription::next(std::chrono::milliseconds wait) {
  state& at = *state_;
  for (bool waited = wait == 0ms;; waited = true) {
    if (auto begun = model().begin_call(*at.from); !begun) return fail(begun.error());
    model_stream* const in = model().find(at.stream);
    if (in == nullptr || in->created_ns != at.created_ns)
      return fail(error_code::connection_lost, error::no_offset,
                  "the broker's stream or its consumer was deleted");
    const auto found = std::ranges::find_if(
        in->messages, [&](const auto& each) { return at.takes(each.first, *each.second); });
    if (found != in->messages.end()) {
      auto made = make_state(at.from, at.stream, found->first, found->second);
      if (at.what.heads_only) made->body.clear();
      at.next = found->first + 1;
      made->left = at.count(*in);
      made->consumer_sequence = ++at.received;
      return message(std::move(made));
    }
    if (waited) return std::nullopt;
    sim::advance_clock(us_of(wait));
  }
}
std::uint64_t subscription::waiting_at_begin() const noexcept {
  return state_->waiting_at_begin;
}

work_queue::work_queue(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
work_queue::work_queue(work_queue&&) noexcept = default;
work_queue& work_queue::operator=(work_queue&&) noexcept = default;
work_queue::~work_queue() = default;
result<std::uint64_t> work_queue::given_out() {
  if (auto begun = model().begin_call(*state_->from); !begun) return fail(begun.error());
  model_stream* const in = model().find(state_->stream);
  return in == nullptr ? 0 : in->messages.size();
}
result<std::optional<message>> work_queue::next(std::chrono::milliseconds wait) {
  for (bool waited = false;; waited = true) {
    if (auto begun = model().begin_call(*state_->from); !begun) return fail(begun.error());
    model_stream* const in = model().find(state_->stream);
    if (in == nullptr) return fail(error_code::connection_lost);
    const std::int64_t now = sim::simulated_now_us();
    for (const auto& [sequence, one] : in->messages) {
      const auto given = in->given_out.find(sequence);
      if (given != in->given_out.end() && given->second > now) continue;
      in->given_out[sequence] = now + us_of(state_->acknowledge_within);
      return make(state_->from, state_->stream, sequence, one);
    }
    if (waited) return std::nullopt;
    sim::advance_clock(us_of(wait));
  }
}

broker::broker(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
broker::broker(broker&&) noexcept = default;
broker& broker::operator=(broker&&) noexcept = default;
broker::~broker() = default;
result<broker> broker::connect(const nats_url& /*url*/, const broker_options& /*options*/) {
  auto made = model().connect();
  if (!made) return fail(made.error());
  return broker(std::make_unique<state>(state{*made}));
}
bool broker::is_open() const noexcept {
  return state_->to->is_open;
}
std::size_t broker::max_message_bytes() const noexcept {
  return model().max_message_bytes;
}
result<void> broker::ensure_stream(const stream_settings& settings) {
  if (auto begun = model().begin_call(*state_->to); !begun) return begun;
  if (model().find(settings.name) == nullptr) model().make(settings);
  return {};
}
result<stream_facts> broker::stream(const std::string& name, const std::string& subject) {
  if (auto begun = model().begin_call(*state_->to); !begun) return fail(begun.error());
  const model_stream* const in = model().find(name);
  if (in == nullptr) return fail(error_code::not_found);
  stream_facts out{.messages = in->messages.size(), .bytes = in->bytes, .last_sequence = in->last};
  out.first_sequence = !in->messages.empty() ? in->messages.begin()->first : in->last == 0 ? 0 : in->last + 1;
  if (!in->messages.empty()) out.deleted = in->last - out.first_sequence + 1 - in->messages.size();
  out.created_ns = in->created_ns;
  out.expires = in->settings.max_age.count() > 0 || in->settings.max_per_subject > 0 ||
                (!in->settings.refuse_when_full && in->settings.max_bytes > 0);
  for (const auto& [sequence, one] : in->messages) {
    if (!subject.empty() && sim::matches(subject, one->subject)) ++out.subjects[one->subject];
  }
  return out;
}
result<std::vector<std::string>> broker::streams(std::string_view prefix) {
  if (auto begun = model().begin_call(*state_->to); !begun) return fail(begun.error());
  auto all = model().names();
  std::erase_if(all, [&](const std::string& each) { return !each.starts_with(prefix); });
  return all;
}
result<void> broker::delete_stream(const std::string& name) {
  if (auto begun = model().begin_call(*state_->to); !begun) return begun;
  model().delete_stream(name);
  return {};
}
result<stored_at> broker::publish(const std::string& subject, byte_span body, const header_fields& fields) {
  result<stored_at> stored = fail(error_code::timed_out, error::no_offset, "the broker does not answer");
  const auto effect = [&] {
    auto kept = std::make_shared<result<stored_at>>(stored);
    const bool answered = model().publish({subject, byte_vector(body.begin(), body.end()), fields},
                                          [kept](const auto& one) { *kept = one; });
    if (answered) stored = *kept;
    if (!answered) sim::advance_clock(5'000'000);
  };
  if (auto begun = model().begin_call(*state_->to, effect); !begun) return fail(begun.error());
  effect();
  return stored;
}
result<void> broker::publish_later(const std::string& subject, byte_span body, const header_fields& fields,
                                   std::uint64_t token) {
  const auto effect = [&] {
    (void)model().publish({subject, byte_vector(body.begin(), body.end()), fields},
                          [to = std::weak_ptr(state_->to), token](const auto& one) {
                            if (const auto open = to.lock(); open && open->is_open)
                              open->answers.push_back({token, one});
                          });
  };
  if (auto begun = model().begin_call(*state_->to, effect); !begun) return begun;
  effect();
  return {};
}
result<std::optional<broker::answer>> broker::next_answer(std::chrono::milliseconds wait) {
  if (auto begun = model().begin_call(*state_->to); !begun) return fail(begun.error());
  auto& all = state_->to->answers;
  if (all.empty()) {
    sim::advance_clock(us_of(wait));
    return std::nullopt;
  }
  answer first = std::move(all.front());
  all.erase(all.begin());
  return first;
}
result<std::optional<message>> broker::last(const std::string& stream, const std::string& subject) {
  if (auto begun = model().begin_call(*state_->to); !begun) return fail(begun.error());
  const model_stream* const in = store_of(stream);
  if (in == nullptr) return std::nullopt;
  for (auto each = in->messages.rbegin(); each != in->messages.rend(); ++each) {
    if (each->second->subject == subject) return make(state_->to, stream, each->first, each->second);
  }
  return std::nullopt;
}
result<std::optional<message>> broker::at(const std::string& stream, std::uint64_t sequence) {
  if (auto begun = model().begin_call(*state_->to); !begun) return fail(begun.error());
  const model_stream* const in = store_of(stream);
  if (in == nullptr) return std::nullopt;
  const auto found = in->messages.find(sequence);
  if (found == in->messages.end()) return std::nullopt;
  return make(state_->to, stream, sequence, found->second);
}
result<subscription> broker::subscribe(const std::string& stream, const reading& what) {
  if (auto begun = model().begin_call(*state_->to); !begun) return fail(begun.error());
  const model_stream* const in = store_of(stream);
  if (in == nullptr) return fail(error_code::not_found);
  auto made = std::make_unique<subscription::state>();
  made->from = state_->to;
  made->stream = stream;
  made->created_ns = in->created_ns;
  made->what = what;
  made->next = what.from_sequence;
  std::map<std::string, std::uint64_t> newest;
  for (const auto& [sequence, one] : in->messages) newest[one->subject] = sequence;
  for (const auto& each : newest) made->only.push_back(each.second);
  made->waiting_at_begin = made->count(*in);
  return subscription(std::move(made));
}
result<work_queue> broker::share_work(const std::string& stream, const std::string& /*durable*/,
                                      std::chrono::seconds acknowledge_within, int /*max_open*/) {
  if (auto begun = model().begin_call(*state_->to); !begun) return fail(begun.error());
  if (store_of(stream) == nullptr) return fail(error_code::not_found);
  return work_queue(
      std::make_unique<work_queue::state>(work_queue::state{state_->to, stream, acknowledge_within}));
}

}  // namespace tickreel::fleet

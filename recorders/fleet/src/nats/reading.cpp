#include "link.hpp"

namespace tickreel::fleet {

namespace {

using owned_consumer = owned<jsConsumerInfo, jsConsumerInfo_Destroy>;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr auto heartbeat = 2s;
// Silence proves nothing: after it the broker is asked whether the consumer still exists.
constexpr auto ask_after_silence = 3 * heartbeat;

natsStatus publish_text(const link& to, const char* subject, const char* reply, std::string_view text) {
  const int bytes = static_cast<int>(text.size());
  if (subject == nullptr) return NATS_INVALID_ARG;
  if (reply == nullptr) return natsConnection_Publish(to.connection.get(), subject, text.data(), bytes);
  return natsConnection_PublishRequest(to.connection.get(), subject, reply, text.data(), bytes);
}

std::string_view field_of(natsMsg* one, const char* name) {
  const char* value = nullptr;
  if (natsMsgHeader_Get(one, name, &value) != NATS_OK || value == nullptr) return {};
  return value;
}

// Flow control: the broker waits for this response before it sends more.
void answer_flow_control(const link& to, natsMsg* one) {
  const char* const asked = natsMsg_GetReply(one);
  std::string reply = asked != nullptr ? asked : "";
  // A heartbeat repeats an unanswered flow control request.
  if (reply.empty()) reply = field_of(one, "Nats-Consumer-Stalled");
  if (!reply.starts_with("$JS.FC.")) return;
  (void)natsConnection_Publish(to.connection.get(), reply.c_str(), nullptr, 0);
}

}  // namespace

message own_message(natsMsg* raw, const std::shared_ptr<link>& from, const delivery_facts& facts) {
  auto made = std::make_unique<message::state>();
  made->held.reset(raw);
  made->from = from;
  made->facts = facts;
  return message(std::move(made));
}

message::message(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
message::message(message&&) noexcept = default;
message& message::operator=(message&&) noexcept = default;
message::~message() = default;

std::string_view message::subject() const noexcept {
  const char* const text = natsMsg_GetSubject(state_->held.get());
  return text != nullptr ? text : "";
}

byte_span message::body() const noexcept {
  const auto bytes = static_cast<std::size_t>(natsMsg_GetDataLength(state_->held.get()));
  return {reinterpret_cast<const std::byte*>(natsMsg_GetData(state_->held.get())), bytes};
}

std::string_view message::field(const char* name) const noexcept {
  return field_of(state_->held.get(), name);
}

result<message_head> message::head() const {
  return read_fields([this](const char* name) { return field(name); });
}

std::uint64_t message::stream_sequence() const noexcept {
  return state_->facts.stream_sequence;
}
std::uint64_t message::consumer_sequence() const noexcept {
  return state_->facts.consumer_sequence;
}
std::uint64_t message::left() const noexcept {
  return state_->facts.left;
}
std::int64_t message::stored_at_us() const noexcept {
  return state_->facts.stored_at_ns / 1000;
}

result<void> message::acknowledge() {
  const char* const to = natsMsg_GetReply(state_->held.get());
  if (to == nullptr) return fail(error_of(NATS_INVALID_ARG));
  natsMsg* raw = nullptr;
  const natsStatus status = natsConnection_RequestString(&raw, state_->from->connection.get(), to, "+ACK",
                                                         state_->from->wait.count());
  const owned_message answered(raw);
  if (status != NATS_OK) return fail(error_of(*state_->from, status, 0, to));
  return {};
}

result<void> message::still_working() {
  const natsStatus status =
      publish_text(*state_->from, natsMsg_GetReply(state_->held.get()), nullptr, "+WPI");
  if (status != NATS_OK) return fail(error_of(status));
  // Nothing answers it, and a connection that was cut accepts messages for some time. The broker answers a ping after it.
  const auto most = std::min<std::chrono::milliseconds>(state_->from->wait, std::chrono::seconds(1));
  const natsStatus arrived = natsConnection_FlushTimeout(state_->from->connection.get(), most.count());
  if (arrived != NATS_OK) return fail(error_of(arrived));
  return {};
}

result<void> message::give_back(std::chrono::milliseconds delay) {
  const std::int64_t delay_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(delay).count();
  const std::string text = "-NAK {\"delay\":" + std::to_string(delay_ns) + "}";
  const natsStatus status = publish_text(*state_->from, natsMsg_GetReply(state_->held.get()), nullptr,
                                         delay_ns > 0 ? std::string_view(text) : std::string_view("-NAK"));
  if (status != NATS_OK) return fail(error_of(status));
  return {};
}

subscription::state::~state() {
  if (!arriving || consumer.empty()) return;
  // Otherwise the broker would keep the consumer for its inactivity timeout. The response is not awaited.
  const std::string subject = "$JS.API.CONSUMER.DELETE." + stream + "." + consumer;
  (void)publish_text(*from, subject.c_str(), (arriving->subject() + ".deleted").c_str(), "");
}

subscription::subscription(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
subscription::subscription(subscription&&) noexcept = default;
subscription& subscription::operator=(subscription&&) noexcept = default;
subscription::~subscription() = default;

std::uint64_t subscription::waiting_at_begin() const noexcept {
  return state_->waiting_at_begin;
}

// A consumer that was deleted, or whose stream was deleted, sends nothing.
result<void> subscription::state::check_consumer() {
  jsConsumerInfo* info = nullptr;
  jsErrCode code{};
  const natsStatus status =
      js_GetConsumerInfo(&info, from->context.get(), stream.c_str(), consumer.c_str(), nullptr, &code);
  const owned_consumer held(info);
  if (status == NATS_OK) {
    heard_at = clock::now();
    return {};
  }
  if (status == NATS_NOT_FOUND || code == JSStreamNotFoundErr || code == JSConsumerNotFoundErr) {
    return fail(error_code::connection_lost, error::no_offset,
                "the broker's stream or its consumer was deleted");
  }
  return fail(error_of(*from, status, static_cast<int>(code)));
}

result<std::optional<message>> subscription::next(std::chrono::milliseconds wait) {
  state& at = *state_;
  const auto until = clock::now() + wait;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
    owned_message came = at.arriving->next(std::max(left, 0ms));
    if (!came) {
      if (natsConnection_Status(at.from->connection.get()) != NATS_CONN_STATUS_CONNECTED) {
        return fail(error_of(NATS_CONNECTION_CLOSED));
      }
      if (clock::now() - at.heard_at >= ask_after_silence) {
        if (const auto there = at.check_consumer(); !there) return fail(there.error());
      }
      if (clock::now() >= until) return std::nullopt;
      continue;
    }
    at.heard_at = clock::now();
    if (at.arriving->is_control(came.get())) {
      answer_flow_control(*at.from, came.get());
      continue;
    }
    const char* const reply = natsMsg_GetReply(came.get());
    const auto facts = read_delivery(reply != nullptr ? reply : "", at.consumer);
    if (!facts) continue;  // not from the consumer
    if (facts->consumer_sequence != at.last_consumer_sequence + 1) return fail(error_of(NATS_MISMATCH));
    ++at.last_consumer_sequence;
    return own_message(came.release(), at.from, *facts);
  }
}

result<subscription> broker::subscribe(const std::string& stream, const reading& what) {
  if (const auto there = has_store(*this, *state_, stream); !there) {
    return fail(there.error());
  } else if (!*there) {
    return fail(error_code::not_found, error::no_offset, "the broker's stream is still empty");
  }
  auto made = std::make_unique<subscription::state>();
  made->from = state_->to;
  made->stream = stream;
  auto arriving = inbox::open(state_->to);
  if (!arriving) return fail(arriving.error());
  made->arriving = std::move(*arriving);
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.DeliverSubject = made->arriving->subject().c_str();
  config.FilterSubject = what.subject.c_str();
  config.AckPolicy = js_AckNone;
  config.MaxDeliver = 1;
  config.MemoryStorage = true;
  config.FlowControl = true;
  config.Heartbeat = heartbeat.count() * second_ns;
  config.InactiveThreshold = 30 * second_ns;
  config.HeadersOnly = what.heads_only;
  if (what.last_per_subject) {
    config.DeliverPolicy = js_DeliverLastPerSubject;
  } else {
    config.DeliverPolicy = js_DeliverByStartSequence;
    config.OptStartSeq = std::max<std::uint64_t>(what.from_sequence, 1);
  }
  jsConsumerInfo* info = nullptr;
  jsErrCode code{};
  const natsStatus status =
      js_AddConsumer(&info, state_->to->context.get(), stream.c_str(), &config, nullptr, &code);
  const owned_consumer held(info);
  if (status != NATS_OK) return fail(error_of(*state_->to, status, static_cast<int>(code)));
  made->consumer = info->Name;
  made->waiting_at_begin = info->NumPending + info->Delivered.Consumer;
  made->heard_at = clock::now();
  return subscription(std::move(made));
}

work_queue::work_queue(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
work_queue::work_queue(work_queue&&) noexcept = default;
work_queue& work_queue::operator=(work_queue&&) noexcept = default;
work_queue::~work_queue() = default;

result<std::optional<message>> work_queue::next(std::chrono::milliseconds wait) {
  state& at = *state_;
  const auto until = clock::now() + wait;
  if (!at.asked_until || clock::now() >= *at.asked_until) {
    const std::string subject = "$JS.API.CONSUMER.MSG.NEXT." + at.stream + "." + at.durable;
    const std::int64_t expires_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(wait).count();
    const std::string text = "{\"batch\":1,\"expires\":" + std::to_string(expires_ns) + "}";
    const natsStatus status = publish_text(*at.from, subject.c_str(), at.arriving->subject().c_str(), text);
    if (status != NATS_OK) return fail(error_of(status));
    at.asked_until = until;
  }
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
    owned_message came = at.arriving->next(std::max(left, 0ms));
    if (!came) {
      if (const auto refused = at.from->events->of_calls()) return fail(*refused);
      if (natsConnection_Status(at.from->connection.get()) != NATS_CONN_STATUS_CONNECTED) {
        return fail(error_of(NATS_CONNECTION_CLOSED));
      }
      return std::nullopt;
    }
    if (at.arriving->is_control(came.get())) {
      const std::string_view status = field_of(came.get(), "Status");
      if (status == "100") continue;
      at.asked_until.reset();
      if (status == "503") return fail(error_of(NATS_NO_RESPONDERS));
      if (status == "409") {
        return fail(error_code::connection_lost, error::no_offset, "the broker ended the request for work");
      }
      return std::nullopt;  // 404, 408: there is none
    }
    const char* const reply = natsMsg_GetReply(came.get());
    const auto facts = read_delivery(reply != nullptr ? reply : "", at.durable);
    if (!facts) continue;  // not from the consumer
    at.asked_until.reset();
    return own_message(came.release(), at.from, *facts);
  }
}

result<std::uint64_t> work_queue::given_out() {
  jsConsumerInfo* info = nullptr;
  jsErrCode code{};
  const natsStatus info_status = js_GetConsumerInfo(
      &info, state_->from->context.get(), state_->stream.c_str(), state_->durable.c_str(), nullptr, &code);
  if (info_status != NATS_OK) return fail(error_of(*state_->from, info_status, static_cast<int>(code)));
  const owned_consumer held(info);
  return static_cast<std::uint64_t>(info->NumAckPending) + info->NumPending;
}

result<work_queue> broker::share_work(const std::string& stream, const std::string& durable,
                                      std::chrono::seconds acknowledge_within, int max_open) {
  if (const auto there = has_store(*this, *state_, stream); !there) {
    return fail(there.error());
  } else if (!*there) {
    return fail(error_code::not_found, error::no_offset, "the broker's stream is still empty");
  }
  auto made = std::make_unique<work_queue::state>();
  made->from = state_->to;
  made->stream = stream;
  made->durable = durable;
  auto arriving = inbox::open(state_->to);
  if (!arriving) return fail(arriving.error());
  made->arriving = std::move(*arriving);
  jsConsumerInfo* info = nullptr;
  jsErrCode code{};
  natsStatus status =
      js_GetConsumerInfo(&info, state_->to->context.get(), stream.c_str(), durable.c_str(), nullptr, &code);
  const owned_consumer there(info);
  if (status == NATS_NOT_FOUND || code == JSConsumerNotFoundErr) {
    const std::string subject(all_work_subjects);
    jsConsumerConfig config;
    jsConsumerConfig_Init(&config);
    config.Durable = durable.c_str();
    config.FilterSubject = subject.c_str();
    config.AckPolicy = js_AckExplicit;
    config.AckWait = acknowledge_within.count() * second_ns;
    config.MaxAckPending = max_open;
    jsConsumerInfo* added = nullptr;
    status = js_AddConsumer(&added, state_->to->context.get(), stream.c_str(), &config, nullptr, &code);
    const owned_consumer held(added);
    if (status != NATS_OK) return fail(error_of(*state_->to, status, static_cast<int>(code)));
  } else if (status != NATS_OK) {
    return fail(error_of(*state_->to, status, static_cast<int>(code)));
  }
  return work_queue(std::move(made));
}

}  // namespace tickreel::fleet

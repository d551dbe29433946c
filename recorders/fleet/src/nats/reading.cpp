#include "link.hpp"

namespace tickreel::fleet {

namespace {

using owned_metadata = owned<jsMsgMetaData, jsMsgMetaData_Destroy>;
using owned_consumer = owned<jsConsumerInfo, jsConsumerInfo_Destroy>;

constexpr std::int64_t second_ns = 1'000'000'000;

}  // namespace

message own_message(natsMsg* raw, const std::shared_ptr<link>& from) {
  auto made = std::make_unique<message::state>();
  made->held.reset(raw);
  made->from = from;
  made->stream_sequence = natsMsg_GetSequence(raw);
  made->stored_at_us = natsMsg_GetTime(raw) / 1000;
  if (made->stream_sequence == 0) {
    jsMsgMetaData* metadata = nullptr;
    if (natsMsg_GetMetaData(&metadata, raw) == NATS_OK) {
      const owned_metadata held(metadata);
      made->stream_sequence = metadata->Sequence.Stream;
      made->consumer_sequence = metadata->Sequence.Consumer;
      made->left = metadata->NumPending;
      made->stored_at_us = metadata->Timestamp / 1000;
    }
  }
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
  const char* value = nullptr;
  if (natsMsgHeader_Get(state_->held.get(), name, &value) != NATS_OK || value == nullptr) return {};
  return value;
}

result<message_head> message::head() const {
  return read_fields([this](const char* name) { return field(name); });
}

std::uint64_t message::stream_sequence() const noexcept {
  return state_->stream_sequence;
}
std::uint64_t message::consumer_sequence() const noexcept {
  return state_->consumer_sequence;
}
std::uint64_t message::left() const noexcept {
  return state_->left;
}
std::int64_t message::stored_at_us() const noexcept {
  return state_->stored_at_us;
}

result<void> message::acknowledge() {
  jsErrCode code{};
  const natsStatus status = natsMsg_AckSync(state_->held.get(), nullptr, &code);
  if (status != NATS_OK) return fail(error_of(*state_->from, status, static_cast<int>(code)));
  return {};
}

result<void> message::still_working() {
  const natsStatus status = natsMsg_InProgress(state_->held.get(), nullptr);
  if (status != NATS_OK) return fail(error_of(status));
  return {};
}

result<void> message::give_back(std::chrono::milliseconds delay) {
  const natsStatus status = natsMsg_NakWithDelay(state_->held.get(), delay.count(), nullptr);
  if (status != NATS_OK) return fail(error_of(status));
  return {};
}

subscription::state::~state() {
  // The broker would keep the consumer for its time of inactivity otherwise.
  if (held) natsSubscription_Unsubscribe(held.get());
}

subscription::subscription(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
subscription::subscription(subscription&&) noexcept = default;
subscription& subscription::operator=(subscription&&) noexcept = default;
subscription::~subscription() = default;

std::uint64_t subscription::waiting_at_begin() const noexcept {
  return state_->waiting_at_begin;
}

result<std::optional<message>> subscription::next(std::chrono::milliseconds wait) {
  natsMsg* raw = nullptr;
  const natsStatus status = natsSubscription_NextMsg(&raw, state_->held.get(), wait.count());
  if (status == NATS_TIMEOUT) {
    if (natsConnection_Status(state_->from->connection.get()) == NATS_CONN_STATUS_CONNECTED)
      return std::nullopt;
    return fail(error_of(NATS_CONNECTION_CLOSED));
  }
  if (status != NATS_OK) return fail(error_of(status));
  message out = own_message(raw, state_->from);
  if (out.consumer_sequence() != state_->last_consumer_sequence + 1) return fail(error_of(NATS_MISMATCH));
  ++state_->last_consumer_sequence;
  return out;
}

result<subscription> broker::subscribe(const std::string& stream, const reading& what) {
  if (const auto there = has_store(*this, *state_, stream); !there) {
    return fail(there.error());
  } else if (!*there) {
    return fail(error_code::not_found, error::no_offset, "the broker's stream has nothing yet");
  }
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = stream.c_str();
  options.Config.AckPolicy = js_AckNone;
  options.Config.MaxDeliver = 1;
  options.Config.MemoryStorage = true;
  options.Config.FlowControl = true;
  options.Config.Heartbeat = 2 * second_ns;
  options.Config.InactiveThreshold = 30 * second_ns;
  options.Config.HeadersOnly = what.heads_only;
  if (what.last_per_subject) {
    options.Config.DeliverPolicy = js_DeliverLastPerSubject;
  } else {
    options.Config.DeliverPolicy = js_DeliverByStartSequence;
    options.Config.OptStartSeq = std::max<std::uint64_t>(what.from_sequence, 1);
  }
  auto made = std::make_unique<subscription::state>();
  made->from = state_->to;
  natsSubscription* raw = nullptr;
  jsErrCode code{};
  const natsStatus status =
      js_SubscribeSync(&raw, state_->to->context.get(), what.subject.c_str(), nullptr, &options, &code);
  if (status != NATS_OK) return fail(error_of(*state_->to, status, static_cast<int>(code)));
  made->held.reset(raw);
  jsConsumerInfo* info = nullptr;
  const natsStatus told = natsSubscription_GetConsumerInfo(&info, raw, nullptr, &code);
  if (told != NATS_OK) return fail(error_of(*state_->to, told, static_cast<int>(code)));
  const owned_consumer held(info);
  made->waiting_at_begin = info->NumPending + info->Delivered.Consumer;
  return subscription(std::move(made));
}

work_queue::work_queue(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
work_queue::work_queue(work_queue&&) noexcept = default;
work_queue& work_queue::operator=(work_queue&&) noexcept = default;
work_queue::~work_queue() = default;

result<std::optional<message>> work_queue::next(std::chrono::milliseconds wait) {
  natsMsgList list{};
  jsErrCode code{};
  const natsStatus status = natsSubscription_Fetch(&list, state_->held.get(), 1, wait.count(), &code);
  if (status == NATS_TIMEOUT) {
    if (const auto refused = state_->from->refused.of_calls()) return fail(*refused);
    if (natsConnection_Status(state_->from->connection.get()) == NATS_CONN_STATUS_CONNECTED)
      return std::nullopt;
    return fail(error_of(NATS_CONNECTION_CLOSED));
  }
  if (status != NATS_OK) return fail(error_of(status, static_cast<int>(code)));
  std::optional<message> out;
  if (list.Count > 0) out = own_message(std::exchange(list.Msgs[0], nullptr), state_->from);
  natsMsgList_Destroy(&list);
  return out;
}

result<std::uint64_t> work_queue::given_out() {
  jsConsumerInfo* info = nullptr;
  jsErrCode code{};
  const natsStatus told = js_GetConsumerInfo(&info, state_->from->context.get(), state_->stream.c_str(),
                                             state_->durable.c_str(), nullptr, &code);
  if (told != NATS_OK) return fail(error_of(*state_->from, told, static_cast<int>(code)));
  const owned_consumer held(info);
  return static_cast<std::uint64_t>(info->NumAckPending) + info->NumPending;
}

result<work_queue> broker::share_work(const std::string& stream, const std::string& durable,
                                      std::chrono::seconds acknowledge_within, int most_open) {
  if (const auto there = has_store(*this, *state_, stream); !there) {
    return fail(there.error());
  } else if (!*there) {
    return fail(error_code::not_found, error::no_offset, "the broker's stream has nothing yet");
  }
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = stream.c_str();
  options.Config.AckPolicy = js_AckExplicit;
  options.Config.AckWait = acknowledge_within.count() * second_ns;
  options.Config.MaxAckPending = most_open;
  auto made = std::make_unique<work_queue::state>();
  made->from = state_->to;
  made->stream = stream;
  made->durable = durable;
  natsSubscription* raw = nullptr;
  jsErrCode code{};
  const std::string subject(all_work_subjects);
  const natsStatus status = js_PullSubscribe(&raw, state_->to->context.get(), subject.c_str(),
                                             durable.c_str(), nullptr, &options, &code);
  if (status != NATS_OK) return fail(error_of(*state_->to, status, static_cast<int>(code)));
  made->held.reset(raw);
  return work_queue(std::move(made));
}

}  // namespace tickreel::fleet

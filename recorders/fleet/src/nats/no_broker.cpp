// A build without libnats: all other parts of the fleet exist, and calls of the broker fail with an
// explanation.
#include "tickreel/fleet/broker.hpp"

namespace tickreel::fleet {

namespace {

auto absent() noexcept {
  return fail(require_broker().error());
}

}  // namespace

struct message::state {};
struct subscription::state {};
struct work_queue::state {};
struct broker::state {};

bool has_broker() noexcept {
  return false;
}

message::message(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
message::message(message&&) noexcept = default;
message& message::operator=(message&&) noexcept = default;
message::~message() = default;
std::string_view message::subject() const noexcept {
  return {};
}
byte_span message::body() const noexcept {
  return {};
}
std::string_view message::field(const char* /*name*/) const noexcept {
  return {};
}
result<message_head> message::head() const {
  return absent();
}
std::uint64_t message::stream_sequence() const noexcept {
  return 0;
}
std::uint64_t message::consumer_sequence() const noexcept {
  return 0;
}
std::uint64_t message::left() const noexcept {
  return 0;
}
std::int64_t message::stored_at_us() const noexcept {
  return 0;
}
result<void> message::acknowledge() {
  return absent();
}
result<void> message::still_working() {
  return absent();
}
result<void> message::give_back(std::chrono::milliseconds /*delay*/) {
  return absent();
}

subscription::subscription(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
subscription::subscription(subscription&&) noexcept = default;
subscription& subscription::operator=(subscription&&) noexcept = default;
subscription::~subscription() = default;
result<std::optional<message>> subscription::next(std::chrono::milliseconds /*wait*/) {
  return absent();
}
std::uint64_t subscription::waiting_at_begin() const noexcept {
  return 0;
}

work_queue::work_queue(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
work_queue::work_queue(work_queue&&) noexcept = default;
work_queue& work_queue::operator=(work_queue&&) noexcept = default;
work_queue::~work_queue() = default;
result<std::uint64_t> work_queue::given_out() {
  return absent();
}
result<std::optional<message>> work_queue::next(std::chrono::milliseconds /*wait*/) {
  return absent();
}

result<broker> broker::connect(const nats_url& /*url*/, const broker_options& /*options*/) {
  return absent();
}
broker::broker(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
broker::broker(broker&&) noexcept = default;
broker& broker::operator=(broker&&) noexcept = default;
broker::~broker() = default;
bool broker::is_open() const noexcept {
  return false;
}
std::size_t broker::max_message_bytes() const noexcept {
  return 0;
}
result<void> broker::ensure_stream(const stream_settings& /*settings*/) {
  return absent();
}
result<stream_facts> broker::stream(const std::string& /*name*/, const std::string& /*subject*/) {
  return absent();
}
result<std::vector<std::string>> broker::streams(std::string_view /*prefix*/) {
  return absent();
}
result<void> broker::delete_stream(const std::string& /*name*/) {
  return absent();
}
result<stored_at> broker::publish(const std::string& /*subject*/, byte_span /*body*/,
                                  const header_fields& /*fields*/) {
  return absent();
}
result<void> broker::publish_later(const std::string& /*subject*/, byte_span /*body*/,
                                   const header_fields& /*fields*/, std::uint64_t /*token*/) {
  return absent();
}
result<std::optional<broker::answer>> broker::next_answer(std::chrono::milliseconds /*wait*/) {
  return absent();
}
result<std::optional<message>> broker::last(const std::string& /*stream*/, const std::string& /*subject*/) {
  return absent();
}
result<std::optional<message>> broker::at(const std::string& /*stream*/, std::uint64_t /*sequence*/) {
  return absent();
}
result<subscription> broker::subscribe(const std::string& /*stream*/, const reading& /*what*/) {
  return absent();
}
result<work_queue> broker::share_work(const std::string& /*stream*/, const std::string& /*durable*/,
                                      std::chrono::seconds /*acknowledge_within*/, int /*max_open*/) {
  return absent();
}

}  // namespace tickreel::fleet

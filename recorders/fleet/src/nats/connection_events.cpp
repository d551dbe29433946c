#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>

#include "link.hpp"

namespace tickreel::fleet {

namespace {

// The listeners, by number: a closed connection may still report events.
struct listeners {
  std::mutex lock;
  std::condition_variable changed;
  std::map<std::uintptr_t, connection_events*> all;
  std::uintptr_t last_number = 0;
};

listeners& everybody() {
  static listeners* const made = new listeners;  // the library's threads may outlive static objects
  return *made;
}

struct right {
  std::string_view subjects;  // prefixes
  const char* missing;
};

// In search order: the subjects that a recorder, a follower and an archiver publish on.
constexpr right rights[] = {
    {"tickreel-status.",
     "the broker does not permit this user to publish the status of matches: permit it to publish on "
     "tickreel-status.>"},
    {"tickreel-archived.",
     "the broker does not permit this user to report archived matches: permit it to publish on "
     "tickreel-archived.>"},
    {"tickreel-work.",
     "the broker does not permit this user to offer reels to archivers: permit it to publish on "
     "tickreel-work.>"},
    {"tickreel.",
     "the broker does not permit this user to publish records: permit it to publish on tickreel.LEAGUE.>"},
    {"$JS.FC.",
     "the broker does not permit this user to receive messages from its JetStream: permit it to publish on "
     "$JS.FC.>"},
    {"$JS.",
     "the broker does not permit this user to use its JetStream: permit it to publish on $JS.API.> and "
     "$JS.ACK.>"},
};

error refusal_to_publish(std::string_view subject) {
  const char* detail = "the broker does not permit that to this user";
  for (const right& each : rights) {
    if (!subject.starts_with(each.subjects)) continue;
    detail = each.missing;
    break;
  }
  return {error_code::permission_denied, error::no_offset, detail};
}

}  // namespace

connection_events::connection_events() {
  listeners& all = everybody();
  const std::lock_guard guard(all.lock);
  number_ = ++all.last_number;
  all.all.emplace(number_, this);
}

connection_events::~connection_events() {
  listeners& all = everybody();
  const std::lock_guard guard(all.lock);
  all.all.erase(number_);
}

natsStatus connection_events::listen(natsOptions* options) const {
  void* const number = reinterpret_cast<void*>(number_);
  const natsStatus status = natsOptions_SetErrorHandler(options, hear, number);
  return status == NATS_OK ? natsOptions_SetClosedCB(options, end, number) : status;
}

// The library calls it after it has joined the connection's threads.
void connection_events::end(natsConnection* /*connection*/, void* closure) {
  listeners& all = everybody();
  const std::lock_guard guard(all.lock);
  const auto found = all.all.find(reinterpret_cast<std::uintptr_t>(closure));
  if (found == all.all.end()) return;
  found->second->has_ended_ = true;
  all.changed.notify_all();
}

bool connection_events::wait_for_end(std::chrono::milliseconds wait) const {
  listeners& all = everybody();
  std::unique_lock guard(all.lock);
  return all.changed.wait_for(guard, wait, [&] { return has_ended_; });
}

// Other errors are returned by the call that they concern; the library would print them.
void connection_events::hear(natsConnection* /*connection*/, natsSubscription* /*subscription*/,
                             natsStatus what, void* closure) {
  if (what != NATS_NOT_PERMITTED) return;
  natsStatus ignored = NATS_OK;
  const char* const said = nats_GetLastError(&ignored);
  const std::string_view text = said != nullptr ? said : "";
  listeners& all = everybody();
  const std::lock_guard guard(all.lock);
  const auto found = all.all.find(reinterpret_cast<std::uintptr_t>(closure));
  if (found != all.all.end()) found->second->note(text);
}

// Permissions Violation for Publish to "tickreel.league.match"
// Permissions Violation for Subscription to "_INBOX.abc.*" using queue "q"
// A long one may be truncated.
void connection_events::note(std::string_view text) {
  if (text.find("for Subscription") != std::string_view::npos) {
    of_calls_ = error{error_code::permission_denied, error::no_offset,
                      "the broker does not permit this user to get answers: permit it to subscribe to "
                      "_INBOX.>"};
    return;
  }
  const auto begin = text.find('"');
  if (begin == std::string_view::npos) return;
  text.remove_prefix(begin + 1);
  const auto end = text.find('"');
  const std::string_view subject = text.substr(0, end);
  const error why = refusal_to_publish(subject);
  if (subject.starts_with("$JS.")) {
    of_calls_ = why;
    return;
  }
  constexpr std::size_t max_subjects = 64;  // far more subjects than one connection publishes on
  const bool known = std::any_of(subjects_.begin(), subjects_.end(),
                                 [&](const refused_subject& each) { return each.text == subject; });
  if (known || subjects_.size() == max_subjects) return;
  subjects_.push_back({std::string(subject), end != std::string_view::npos, why});
}

std::optional<error> connection_events::of_calls() const {
  const std::lock_guard guard(everybody().lock);
  return of_calls_;
}

std::optional<error> connection_events::of(std::string_view subject) const {
  const std::lock_guard guard(everybody().lock);
  if (of_calls_ || subject.empty()) return of_calls_;
  for (const refused_subject& each : subjects_) {
    if (each.whole ? subject == each.text : subject.starts_with(each.text)) return each.why;
  }
  return std::nullopt;
}

}  // namespace tickreel::fleet

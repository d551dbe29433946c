#include "webhook.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/sentence.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look_interval{50};
constexpr std::chrono::milliseconds longest_pause{30'000};
constexpr std::chrono::seconds longest_asked_pause{3600};

struct easy_end {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct url_end {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct list_end {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// Equal for repeated posts of one event of a match, and unique otherwise.
std::string event_id(const echo_vr::live_event& from, std::string_view what) {
  const std::string all = from.target + '\n' + from.sessionid + '\n' + std::string(what);
  return fmt::format("{:016x}", xxh3_64(as_bytes(all)));
}

std::string body_of(const echo_vr::live_event& from) {
  std::string body;
  text::json_writer json(body);
  json.begin_object().member("content", echo::sentence(from.what, echo::name_style::markdown));
  // The same for every attempt, so that a receiver can drop duplicates.
  std::string what;
  echo::append_json(from.what, from.first_time_ms, what);
  json.member("id", event_id(from, what));
  // Otherwise a player named @everyone would notify everyone.
  json.key("allowed_mentions").begin_object().key("parse").begin_array().end_array().end_object();
  json.member("event", "happened").member("target", from.target).member("sessionid", from.sessionid);
  return body + ",\"what\":" + what + '}';
}

std::string why_not_posted(CURLcode outcome) {
  switch (outcome) {
    case CURLE_PEER_FAILED_VERIFICATION:
      return "the server's certificate is not valid for this address; check the address, and this system's "
             "clock and certificates";
    case CURLE_ABORTED_BY_CALLBACK:
      return "the recorder ended before the post completed";
    case CURLE_OPERATION_TIMEDOUT:
      return "the server did not answer in time";
    default:
      return curl_easy_strerror(outcome);
  }
}

std::size_t discard(const char*, std::size_t size, std::size_t count, void*) {
  return size * count;
}

}  // namespace

std::string wrong_address(const std::string& url) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    return "an address must begin with http:// or https://";
  }
  const std::unique_ptr<CURLU, url_end> parsed(curl_url());
  const CURLUcode wrong =
      parsed ? curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) : CURLUE_OUT_OF_MEMORY;
  return wrong == CURLUE_OK ? std::string()
                            : fmt::format("nothing can be posted there: {}", curl_url_strerror(wrong));
}

webhook::webhook(const echo_vr::live_feed& feed, webhook_options options)
    : feed_(feed), options_(std::move(options)), thread_([this] { run(); }) {}

webhook::~webhook() {
  (void)finish(std::chrono::milliseconds(0));
}

webhook_report webhook::finish(std::chrono::milliseconds wait_limit) {
  if (thread_.joinable()) {
    deadline_ns_ = (clock::now() + wait_limit).time_since_epoch() / std::chrono::nanoseconds(1);
    waits_for_server_ = wait_limit.count() > 0;
    ending_ = true;
    thread_.join();
  }
  return report_;
}

std::string webhook::take_first_failure() {
  const std::scoped_lock lock(failure_mutex_);
  return std::exchange(first_failure_, {});
}

void webhook::failed(std::string why) {
  report_.last_failure = std::move(why);
  const std::scoped_lock lock(failure_mutex_);
  if (!std::exchange(has_failed_, true)) first_failure_ = report_.last_failure;
}

bool webhook::out_of_time() const {
  if (!ending_) return false;
  clock::time_point end{std::chrono::nanoseconds(deadline_ns_)};
  // The server's Retry-After extends the timeout, plus one post; a longer one is not worth waiting for.
  if (waits_for_server_ && asked_for_ < end + longest_pause)
    end = std::max(end, std::min(asked_for_ + options_.answer_timeout, end + longest_pause));
  return clock::now() >= end;
}

void webhook::run() {
  const std::unique_ptr<CURL, easy_end> handle(curl_easy_init());
  while (true) {
    const bool last_look = ending_;
    collect();
    const bool due = !waiting_.empty() && (clock::now() >= not_before_);
    if (handle && due && !out_of_time()) {
      post_next(handle.get());
      continue;
    }
    if (last_look && (waiting_.empty() || out_of_time() || !handle)) break;
    std::this_thread::sleep_for(look_interval);
  }
  give_up(waiting_.size());
}

void webhook::collect() {
  if (const std::uint64_t now = feed_.changes(); std::exchange(changes_, now) == now) return;
  std::vector<echo_vr::live_event> events;
  report_.lost += feed_.take(next_, events);
  for (const echo_vr::live_event& each : events) {
    const auto& types = options_.types;
    const bool wanted =
        types.empty() || std::find(types.begin(), types.end(), each.what.what.index()) != types.end();
    if (!wanted) continue;
    waiting_.push_back(body_of(each));
    if (waiting_.size() <= options_.max_waiting) continue;
    waiting_.pop_front();
    attempts_ = 0;
    ++report_.lost;
  }
}

void webhook::give_up(std::uint64_t events) {
  report_.lost += events;
}

void webhook::post_next(void* handle) {
  std::chrono::milliseconds pause = std::min<std::chrono::milliseconds>(
      options_.first_pause * (1 << std::min(attempts_, 10)), longest_pause);
  const verdict outcome = post(handle, waiting_.front(), pause);
  ++attempts_;
  if (outcome == verdict::again && attempts_ < options_.attempts) {
    not_before_ = clock::now() + pause;
    return;
  }
  // Also after the last attempt: the next event waits as the server asked.
  not_before_ = asked_for_;
  if (outcome == verdict::taken) ++report_.posted;
  if (outcome != verdict::taken) give_up(1);
  waiting_.pop_front();
  attempts_ = 0;
}

int webhook::on_progress(void* self, long long, long long, long long, long long) {
  return static_cast<const webhook*>(self)->out_of_time() ? 1 : 0;
}

webhook::verdict webhook::post(void* handle, const std::string& body, std::chrono::milliseconds& pause) {
  CURL* const to = handle;
  const std::unique_ptr<curl_slist, list_end> headers(
      curl_slist_append(nullptr, "Content-Type: application/json"));
  curl_easy_reset(to);
  curl_easy_setopt(to, CURLOPT_URL, options_.url.c_str());
  curl_easy_setopt(to, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(to, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(to, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.answer_timeout.count()));
  curl_easy_setopt(to, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(to, CURLOPT_USERAGENT, "tickreel");
  curl_easy_setopt(to, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
  curl_easy_setopt(to, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(to, CURLOPT_WRITEFUNCTION, &discard);
  curl_easy_setopt(to, CURLOPT_MAXFILESIZE, 1L << 20);
  curl_easy_setopt(to, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(to, CURLOPT_XFERINFODATA, this);
  curl_easy_setopt(
      to, CURLOPT_XFERINFOFUNCTION, +[](void* self, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
        return on_progress(self, a, b, c, d);
      });
  const CURLcode outcome = curl_easy_perform(to);
  if (outcome != CURLE_OK) {
    failed(why_not_posted(outcome));
    return outcome == CURLE_URL_MALFORMAT || outcome == CURLE_UNSUPPORTED_PROTOCOL ? verdict::never
                                                                                   : verdict::again;
  }
  long status = 0;
  curl_easy_getinfo(to, CURLINFO_RESPONSE_CODE, &status);
  if (status >= 200 && status < 300) return verdict::taken;
  failed(fmt::format(
      "HTTP status {}{}", status,
      status >= 300 && status < 400 ? ": redirects are not followed; use the target address" : ""));
  if (status != 408 && status != 429 && status < 500) return verdict::never;
  curl_off_t seconds = 0;
  curl_easy_getinfo(to, CURLINFO_RETRY_AFTER, &seconds);
  if (seconds > 0) {
    pause = std::min<std::chrono::seconds>(std::chrono::seconds(seconds), longest_asked_pause);
    asked_for_ = clock::now() + pause;
  }
  return verdict::again;
}

}  // namespace tickreel::cli

#include "http.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace tickreel::store {

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct list_end {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

struct curl_failure {
  error what;
  bool again;
};

curl_failure failure_of(CURLcode code) {
  const auto made = [](error_code as, const char* detail, bool again) {
    return curl_failure{{as, error::no_offset, detail}, again};
  };
  switch (code) {
    case CURLE_COULDNT_CONNECT:
      return made(error_code::connection_refused, "the store", true);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return made(error_code::name_not_resolved, "the store's", true);
    case CURLE_OPERATION_TIMEDOUT:
      return made(error_code::timed_out, "the store did not answer", true);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return made(error_code::permission_denied,
                  "the store's certificate is not one that this machine trusts; AWS_CA_BUNDLE names a file "
                  "of those it should",
                  false);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return made(error_code::invalid_argument, "the store's address is invalid", false);
    case CURLE_OUT_OF_MEMORY:
      return made(error_code::out_of_memory, "", false);
    default:
      break;
  }
  return made(error_code::connection_lost, "the store", true);
}

}  // namespace

struct http_client::exchange {
  const http_request& what;
  const store_options& options;
  traffic& counted;
  CURL* handle;
  http_answer answer = {};
  std::uint64_t sent = 0;
  std::optional<error> own_failure = std::nullopt;  // why a callback ended it
  bool final_failure = false;
  clock::time_point moved = clock::now();
  curl_off_t moved_bytes = 0;

  std::size_t stop(error_code code, const char* detail, std::size_t with) {
    if (!own_failure) own_failure = error{code, error::no_offset, detail};
    return with;
  }

  std::size_t give(char* to, std::size_t room) {
    const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(room, what.body_bytes - sent));
    const auto read = what.body->read_at({reinterpret_cast<std::byte*>(to), most}, what.body_offset + sent);
    if (!read || *read != most) {
      own_failure = read ? error{error_code::truncated, what.body_offset + sent,
                                 "the file became shorter while it was sent"}
                         : read.error();
      final_failure = true;
      return CURL_READFUNC_ABORT;
    }
    sent += most;
    return most;
  }

  std::size_t take(const char* from, std::size_t size) {
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer.status);
    if (answer.status >= 200 && answer.status < 300 && !what.into.empty()) {
      if (size > what.into.size() - answer.filled) {
        return stop(error_code::bad_answer, "the store sent more than was asked for", 0);
      }
      std::memcpy(what.into.data() + answer.filled, from, size);
      answer.filled += size;
      return size;
    }
    if (size > longest_text - answer.text.size()) {
      return stop(error_code::over_limit, "the store's answer is too long", 0);
    }
    answer.text.append(from, size);
    return size;
  }

  void take_header(std::string_view line) {
    // Of an interim response such as 100.
    if (line.starts_with("HTTP/")) answer.headers.clear();
    constexpr std::size_t max_headers = 128;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || answer.headers.size() >= max_headers) return;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(), [](char each) {
      return each >= 'A' && each <= 'Z' ? static_cast<char>(each + 32) : each;
    });
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
    while (!value.empty() && static_cast<unsigned char>(value.back()) <= ' ') value.remove_suffix(1);
    answer.headers[std::move(name)] = std::string(value);
  }

  int progress(curl_off_t moved_now) {
    if (options.cancelled && options.cancelled()) {
      final_failure = true;
      own_failure = error{error_code::interrupted};
      return 1;
    }
    const auto now = clock::now();
    if (moved_now != moved_bytes) {
      moved_bytes = moved_now;
      moved = now;
    }
    if (now - moved <= options.limits.stalled) return 0;
    return static_cast<int>(stop(error_code::timed_out, "the store went silent", 1));
  }
};

result<std::unique_ptr<http_client>> http_client::create(std::string ca_file, store_options options) {
  // It has its own lock: any thread may be the first.
  static const CURLcode begun = curl_global_init(CURL_GLOBAL_DEFAULT);
  CURL* const handle = begun == CURLE_OK ? curl_easy_init() : nullptr;
  if (handle == nullptr) return fail(error_code::out_of_memory, error::no_offset, "libcurl");
  return std::unique_ptr<http_client>(new http_client(handle, std::move(ca_file), std::move(options)));
}

http_client::http_client(void* handle, std::string ca_file, store_options options)
    : handle_(handle), ca_file_(std::move(ca_file)), options_(std::move(options)) {}

http_client::~http_client() {
  curl_easy_cleanup(handle_);
}

result<void> http_client::pause(milliseconds length) {
  constexpr milliseconds look{20};
  const auto end = clock::now() + length;
  for (auto now = clock::now(); now < end; now = clock::now()) {
    if (options_.cancelled && options_.cancelled()) return fail(error_code::interrupted);
    std::this_thread::sleep_for(std::min<clock::duration>(look, end - now));
  }
  return {};
}

void http_client::prepare(exchange& with) {
  CURL* const to = handle_;
  curl_easy_reset(to);
  curl_easy_setopt(to, CURLOPT_URL, with.what.url.c_str());
  curl_easy_setopt(to, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(to, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(to, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(to, CURLOPT_USERAGENT, "tickreel");
  curl_easy_setopt(to, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.limits.connect.count()));
  // Large bodies get more time: from 64 MiB on more than the options say.
  const auto scale = 1 + (with.what.body_bytes + with.what.into.size()) / (std::uint64_t{64} << 20);
  curl_easy_setopt(to, CURLOPT_TIMEOUT_MS,
                   static_cast<long>(options_.limits.request.count() * static_cast<std::int64_t>(scale)));
  if (!ca_file_.empty()) curl_easy_setopt(to, CURLOPT_CAINFO, ca_file_.c_str());
  if (with.what.body != nullptr) {
    curl_easy_setopt(to, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(to, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(with.what.body_bytes));
    curl_easy_setopt(to, CURLOPT_READDATA, &with);
    curl_easy_setopt(
        to, CURLOPT_READFUNCTION, +[](char* into, std::size_t size, std::size_t count, void* self) {
          return static_cast<exchange*>(self)->give(into, size * count);
        });
    // Called if a kept connection turns out to be closed.
    curl_easy_setopt(to, CURLOPT_SEEKDATA, &with);
    curl_easy_setopt(
        to, CURLOPT_SEEKFUNCTION, +[](void* self, curl_off_t offset, int origin) {
          if (origin != SEEK_SET) return CURL_SEEKFUNC_FAIL;
          static_cast<exchange*>(self)->sent = static_cast<std::uint64_t>(offset);
          return CURL_SEEKFUNC_OK;
        });
  }
  if (std::strcmp(with.what.method, "HEAD") == 0) {
    curl_easy_setopt(to, CURLOPT_NOBODY, 1L);
  } else {
    curl_easy_setopt(to, CURLOPT_CUSTOMREQUEST, with.what.method);
  }
  curl_easy_setopt(to, CURLOPT_WRITEDATA, &with);
  curl_easy_setopt(
      to, CURLOPT_WRITEFUNCTION, +[](char* from, std::size_t size, std::size_t count, void* self) {
        return static_cast<exchange*>(self)->take(from, size * count);
      });
  curl_easy_setopt(to, CURLOPT_HEADERDATA, &with);
  curl_easy_setopt(
      to, CURLOPT_HEADERFUNCTION, +[](char* from, std::size_t size, std::size_t count, void* self) {
        static_cast<exchange*>(self)->take_header({from, size * count});
        return size * count;
      });
  curl_easy_setopt(to, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(to, CURLOPT_XFERINFODATA, &with);
  curl_easy_setopt(
      to, CURLOPT_XFERINFOFUNCTION, +[](void* self, curl_off_t, curl_off_t down, curl_off_t, curl_off_t up) {
        return static_cast<exchange*>(self)->progress(down + up);
      });
}

result<http_answer> http_client::perform(const http_request& what, bool& again) {
  again = false;
  exchange with{.what = what, .options = options_, .counted = traffic_, .handle = handle_};
  prepare(with);
  std::unique_ptr<curl_slist, list_end> headers;
  for (const std::string& each : what.headers) {
    curl_slist* const longer = curl_slist_append(headers.get(), each.c_str());
    if (longer == nullptr) return fail(error_code::out_of_memory);
    (void)headers.release();
    headers.reset(longer);
  }
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, headers.get());
  ++traffic_.requests;
  const CURLcode outcome = curl_easy_perform(handle_);
  curl_off_t up = 0;
  curl_off_t down = 0;
  curl_easy_getinfo(handle_, CURLINFO_SIZE_UPLOAD_T, &up);
  curl_easy_getinfo(handle_, CURLINFO_SIZE_DOWNLOAD_T, &down);
  traffic_.sent_bytes += static_cast<std::uint64_t>(up);
  traffic_.received_bytes += static_cast<std::uint64_t>(down);
  // The headers that prepare() refers to are destroyed after this call.
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, nullptr);
  if (with.own_failure) {
    again = !with.final_failure;
    return fail(*with.own_failure);
  }
  curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &with.answer.status);
  // Some servers reject a request before reading all of it: their response counts.
  const bool refused_early = outcome == CURLE_SEND_ERROR && with.answer.status >= 300;
  if (outcome == CURLE_OK || refused_early) return std::move(with.answer);
  const curl_failure why = failure_of(outcome);
  again = why.again;
  return fail(why.what);
}

}  // namespace tickreel::store

#include "s3_store.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../content_hash.hpp"
#include "answers.hpp"
#include "credentials.hpp"
#include "http.hpp"
#include "signature.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::store {

namespace {

using std::chrono::milliseconds;

constexpr const char* meta_hash = "x-amz-meta-tickreel-sha256";
constexpr std::uint64_t max_parts = 10'000;  // S3's limit
constexpr std::size_t longest_key = 1024;    // S3's limit

// 20130524T000000Z, now.
std::string amz_time() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
#ifdef _WIN32
  gmtime_s(&parts, &now);
#else
  gmtime_r(&now, &parts);
#endif
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

std::uint64_t number_of(const std::map<std::string, std::string>& headers, const std::string& name) {
  const auto found = headers.find(name);
  std::uint64_t number = 0;
  if (found != headers.end()) {
    const std::string& text = found->second;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

std::string text_of(const http_answer& answer, const char* header) {
  const auto found = answer.headers.find(header);
  return found == answer.headers.end() ? std::string() : found->second;
}

std::string tag_of(const http_answer& answer) {
  return text_of(answer, "etag");
}

// "bytes 0-99/1234"; the size may be "*".
std::optional<std::uint64_t> bytes_of_whole(const http_answer& answer) {
  const std::string range = text_of(answer, "content-range");
  const std::size_t size_at = range.rfind('/') + 1;
  std::uint64_t bytes = 0;
  const auto read = std::from_chars(range.data() + size_at, range.data() + range.size(), bytes);
  return size_at != 0 && read.ec == std::errc() ? std::optional(bytes) : std::nullopt;
}

object_identity identity_of(const http_answer& answer) {
  return {tag_of(answer), text_of(answer, "last-modified"), bytes_of_whole(answer)};
}

// A request before it is signed. Each attempt signs it again, because signatures expire.
struct call {
  const char* method = "GET";
  std::string key = {};  // with the store's prefix; empty: the bucket
  text_pairs query = {};
  text_pairs headers = {};  // signed headers, in lower case
  std::string hash = {};    // of the body; empty: no body
  const byte_source* body = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  mutable_byte_span into = {};
  bool missing_is_fine = false;   // 404 is a valid response
  bool past_end_is_fine = false;  // 416 is a valid response
};

class s3_store final : public object_store {
 public:
  s3_store(s3_place place, s3_settings settings, store_options options, std::unique_ptr<http_client> http)
      : place_(std::move(place)),
        settings_(std::move(settings)),
        options_(std::move(options)),
        http_(std::move(http)),
        chance_(std::random_device{}()) {}

  result<object> put(std::string_view key, const byte_source& from, const put_options& how) override {
    auto full = full_key(key);
    if (!full) return fail(full.error());
    const auto bytes = from.size();
    if (!bytes) return fail(bytes.error());
    const std::uint64_t part_bytes =
        std::max({options_.part_bytes, (*bytes + max_parts - 1) / max_parts, std::uint64_t{1}});
    const auto hashes = hash_content(from, *bytes, part_bytes, options_.cancelled);
    if (!hashes) return fail(hashes.error());
    object made{std::string(key), *bytes, hashes->whole};
    const text_pairs headers = {{"content-type", how.content_type}, {meta_hash, made.sha256}};
    const auto done = hashes->parts.size() <= 1
                          ? put_whole(*full, headers, from, made)
                          : put_parts(*full, headers, from, made, part_bytes, hashes->parts);
    if (!done) return fail(done.error());
    if (how.read_back) {
      if (auto same = compare_stored(*this, made, options_.cancelled); !same) return fail(same.error());
    }
    return made;
  }

  result<std::size_t> read(std::string_view key, std::uint64_t offset, mutable_byte_span into,
                           object_identity* from) override {
    if (from != nullptr) *from = {};
    auto full = full_key(key);
    if (!full) return fail(full.error());
    if (into.empty()) return std::size_t{0};
    call get{.key = *full, .into = into, .past_end_is_fine = true};
    get.headers.emplace_back(
        "range", "bytes=" + std::to_string(offset) + '-' + std::to_string(offset + into.size() - 1));
    const auto answer = ask(get);
    if (!answer) return fail(answer.error());
    if (answer->status == 416) return std::size_t{0};
    if (answer->status != 206 && offset != 0) {
      return fail(error_code::bad_answer, error::no_offset, "the store does not support range requests");
    }
    if (from != nullptr) *from = identity_of(*answer);
    return answer->filled;
  }

  result<std::optional<object>> head(std::string_view key) override {
    auto full = full_key(key);
    if (!full) return fail(full.error());
    const auto answer = ask({.method = "HEAD", .key = *full, .missing_is_fine = true});
    if (!answer) return fail(answer.error());
    if (answer->status == 404) return std::optional<object>();
    object found{std::string(key), number_of(answer->headers, "content-length")};
    found.tag = tag_of(*answer);
    if (const auto hash = answer->headers.find(meta_hash); hash != answer->headers.end()) {
      found.sha256 = hash->second;
    }
    return std::optional(std::move(found));
  }

  result<void> list(std::string_view prefix, const std::function<bool(const object&)>& each) override {
    const std::string before = place_.prefix.empty() ? std::string() : place_.prefix + '/';
    std::string next;
    do {
      call get{.query = {{"list-type", "2"}, {"encoding-type", "url"}}};
      get.query.emplace_back("prefix", before + std::string(prefix));
      if (!next.empty()) get.query.emplace_back("continuation-token", next);
      const auto answer = ask(get);
      if (!answer) return fail(answer.error());
      auto page = parse_list(answer->text);
      if (!page) return fail(page.error());
      for (object& found : page->objects) {
        if (!found.key.starts_with(before) || found.key.size() == before.size()) continue;
        found.key.erase(0, before.size());
        if (!each(found)) return {};
      }
      if (page->next == next && !next.empty()) {
        return fail(error_code::bad_answer, error::no_offset, "the store's list repeats itself");
      }
      next = std::move(page->next);
    } while (!next.empty());
    return {};
  }

  result<void> remove(std::string_view key) override {
    auto full = full_key(key);
    if (!full) return fail(full.error());
    const auto answer = ask({.method = "DELETE", .key = *full, .missing_is_fine = true});
    if (!answer) return fail(answer.error());
    return {};
  }

  result<std::uint64_t> discard_unfinished(std::string_view key) override {
    auto full = full_key(key);
    if (!full) return fail(full.error());
    std::uint64_t discarded = 0;
    std::string next_key;
    std::string next_id;
    do {
      call get{.query = {{"uploads", ""}, {"encoding-type", "url"}, {"prefix", *full}}};
      if (!next_key.empty()) get.query.emplace_back("key-marker", next_key);
      if (!next_id.empty()) get.query.emplace_back("upload-id-marker", next_id);
      const auto answer = ask(get);
      if (!answer) {
        // Small stores do not support this list; their unfinished uploads stay until an administrator removes
        // them.
        if (answer.error().code == error_code::unsupported_operation) return discarded;
        return fail(answer.error());
      }
      auto page = parse_uploads(answer->text);
      if (!page) return fail(page.error());
      for (const unfinished_upload& each : page->uploads) {
        if (each.key != *full) continue;
        if (auto gone = abort(*full, each.id); !gone) return fail(gone.error());
        ++discarded;
      }
      if (page->next_key == next_key && page->next_id == next_id) break;
      next_key = std::move(page->next_key);
      next_id = std::move(page->next_id);
    } while (!next_key.empty());
    return discarded;
  }

  [[nodiscard]] std::string url_of(std::string_view key) const override {
    std::string url = "s3://" + place_.bucket;
    if (!place_.prefix.empty()) url += '/' + place_.prefix;
    return url.append("/").append(key);
  }

  [[nodiscard]] traffic transferred() const noexcept override { return http_->transferred(); }

 private:
  [[nodiscard]] result<std::string> full_key(std::string_view key) const {
    std::string full = place_.prefix.empty() ? std::string(key) : place_.prefix + '/' + std::string(key);
    if (key.empty() || full.size() > longest_key || !text::is_utf8(full)) {
      return fail(error_code::invalid_argument, error::no_offset,
                  "an object's key is 1 to 1024 bytes of UTF-8");
    }
    return full;
  }

  // The response of a signed request; failures are retried within the limits.
  result<http_answer> ask(const call& what) {
    for (int attempt = 1;; ++attempt) {
      bool again = false;
      auto answer = http_->perform(signed_request(what), again);
      std::optional<error> failure;
      milliseconds wait = pause_before(attempt);
      if (!answer) {
        failure = answer.error();
      } else if (failure = refused(what, *answer, again); failure) {
        // As long as the store asks for, up to our limit.
        constexpr std::uint64_t longest_s = 3600;
        const milliseconds asked = std::chrono::seconds(
            static_cast<std::int64_t>(std::min(number_of(answer->headers, "retry-after"), longest_s)));
        wait = std::min(std::max(wait, asked), options_.limits.longest_pause);
      }
      if (!failure) return answer;
      if (!again || attempt >= options_.limits.attempts) return fail(*failure);
      if (auto waited = http_->pause(wait); !waited) return fail(waited.error());
      http_->count_retry();
    }
  }

  static std::optional<error> refused(const call& what, const http_answer& answer, bool& again) {
    const bool missing = answer.status == 404 && what.missing_is_fine;
    const bool past_end = answer.status == 416 && what.past_end_is_fine;
    const std::string code = element(answer.text, "Code").value_or(std::string());
    if ((missing && code != "NoSuchBucket") || past_end) return std::nullopt;
    // Completing a multipart upload may fail with a successful status.
    const bool late_failure =
        !code.empty() && answer.text.find("<Error>") != std::string::npos && what.into.empty();
    if (answer.status >= 200 && answer.status < 300 && !late_failure) return std::nullopt;
    const refusal why = refusal_of(answer.status, code);
    again = why.again;
    return why.what;
  }

  milliseconds pause_before(int attempt) {
    const auto& limits = options_.limits;
    const auto longest =
        std::min(limits.first_pause * (std::int64_t{1} << std::min(attempt - 1, 20)), limits.longest_pause);
    const std::int64_t most = std::max<std::int64_t>(longest.count(), 0);
    return milliseconds(std::uniform_int_distribution<std::int64_t>(most / 2, most)(chance_));
  }

  [[nodiscard]] http_request signed_request(const call& what) const {
    std::string path = settings_.bucket_in_path ? '/' + uri_encoded(place_.bucket, false) : std::string();
    path += '/' + uri_encoded(what.key, true);
    if (what.key.empty() && settings_.bucket_in_path) path.pop_back();
    text_pairs headers = what.headers;
    const std::string hash = what.hash.empty() ? sha256_hex({}) : what.hash;
    const std::string time = amz_time();
    headers.emplace_back("host", settings_.host);
    headers.emplace_back("x-amz-content-sha256", hash);
    headers.emplace_back("x-amz-date", time);
    const credentials& who = settings_.who;
    if (!who.session_token.empty()) headers.emplace_back("x-amz-security-token", who.session_token);
    http_request out{.method = what.method,
                     .url = settings_.origin + path,
                     .headers = {},
                     .body = what.body,
                     .body_offset = what.offset,
                     .body_bytes = what.bytes,
                     .into = what.into};
    if (!what.query.empty()) out.url += '?' + encoded_query(what.query);
    for (const auto& each : headers) out.headers.push_back(each.first + ": " + each.second);
    out.headers.push_back("Authorization: " + authorization({what.method, path, what.query, headers, hash},
                                                            who, settings_.region, time));
    out.headers.emplace_back("Expect:");
    return out;
  }

  result<void> put_whole(const std::string& key, const text_pairs& headers, const byte_source& from,
                         const object& made) {
    const auto answer = ask({.method = "PUT",
                             .key = key,
                             .headers = headers,
                             .hash = made.sha256,
                             .body = &from,
                             .bytes = made.bytes});
    if (!answer) return fail(answer.error());
    return {};
  }

  result<void> put_parts(const std::string& key, const text_pairs& headers, const byte_source& from,
                         const object& made, std::uint64_t part_bytes,
                         const std::vector<std::string>& hashes) {
    const byte_source nothing{byte_span()};
    const auto begun =
        ask({.method = "POST", .key = key, .query = {{"uploads", ""}}, .headers = headers, .body = &nothing});
    if (!begun) return fail(begun.error());
    const std::string id = element(begun->text, "UploadId").value_or(std::string());
    if (id.empty()) {
      return fail(error_code::bad_answer, error::no_offset, "the store returned no id for the upload");
    }
    auto done = send_parts(key, id, from, made, part_bytes, hashes);
    if (done) return {};
    // Unfinished uploads cost money; if this fails too, discard_unfinished() finds them.
    auto cancelled = std::exchange(options_.cancelled, {});
    (void)abort(key, id);
    options_.cancelled = std::move(cancelled);
    return done;
  }

  result<void> send_parts(const std::string& key, const std::string& id, const byte_source& from,
                          const object& made, std::uint64_t part_bytes,
                          const std::vector<std::string>& hashes) {
    std::string parts = "<CompleteMultipartUpload>";
    for (std::size_t at = 0; at < hashes.size(); ++at) {
      const std::uint64_t offset = at * part_bytes;
      const std::string number = std::to_string(at + 1);
      const auto answer = ask({.method = "PUT",
                               .key = key,
                               .query = {{"partNumber", number}, {"uploadId", id}},
                               .hash = hashes[at],
                               .body = &from,
                               .offset = offset,
                               .bytes = std::min(part_bytes, made.bytes - offset)});
      if (!answer) return fail(answer.error());
      const std::string tag = tag_of(*answer);
      if (tag.empty()) {
        return fail(error_code::bad_answer, error::no_offset, "the store returned no tag for a part");
      }
      parts += "<Part><PartNumber>" + number + "</PartNumber><ETag>" + xml_escaped(tag) + "</ETag></Part>";
    }
    parts += "</CompleteMultipartUpload>";
    const byte_source body(as_bytes(parts));
    const auto answer = ask({.method = "POST",
                             .key = key,
                             .query = {{"uploadId", id}},
                             .headers = {{"content-type", "application/xml"}},
                             .hash = sha256_hex(as_bytes(parts)),
                             .body = &body,
                             .bytes = parts.size()});
    if (answer) return {};
    if (answer.error().code != error_code::not_found) return fail(answer.error());
    // Already completed if the response was lost: then the object exists.
    const auto there = head(made.key);
    if (there && *there && (*there)->bytes == made.bytes && (*there)->sha256 == made.sha256) return {};
    return fail(answer.error());
  }

  result<void> abort(const std::string& key, const std::string& id) {
    const auto answer =
        ask({.method = "DELETE", .key = key, .query = {{"uploadId", id}}, .missing_is_fine = true});
    if (!answer) return fail(answer.error());
    return {};
  }

  s3_place place_;
  s3_settings settings_;
  store_options options_;
  std::unique_ptr<http_client> http_;
  std::minstd_rand chance_;
};

}  // namespace

result<std::unique_ptr<object_store>> open_s3(const s3_place& place, const store_options& options) {
  auto settings = settings_from_environment(place.bucket);
  if (!settings) return fail(settings.error());
  auto http = http_client::create(settings->ca_file, options);
  if (!http) return fail(http.error());
  return std::make_unique<s3_store>(place, std::move(*settings), options, std::move(*http));
}

}  // namespace tickreel::store

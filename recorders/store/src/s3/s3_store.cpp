#include "s3_store.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../content_hash.hpp"
#include "answer_headers.hpp"
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
  text_pairs condition = {};      // a header, unless the store rejects it
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
    if (auto same = check_unchanged(*this, how.unless_changed); !same) return fail(same.error());
    const std::uint64_t part_bytes =
        std::max({options_.part_bytes, (*bytes + max_parts - 1) / max_parts, std::uint64_t{1}});
    const auto hashes = hash_content(from, *bytes, part_bytes, options_.cancelled);
    if (!hashes) return fail(hashes.error());
    object made{std::string(key), *bytes, hashes->whole};
    const upload sent{*full,
                      {{"content-type", how.content_type}, {meta_hash, made.sha256}},
                      from,
                      made,
                      condition_for(key, how)};
    auto tag = hashes->parts.size() <= 1 ? put_whole(sent) : put_parts(sent, part_bytes, hashes->parts);
    if (!tag) return fail(tag.error());
    made.tag = std::move(*tag);
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
    const refusal why = what.condition.empty() ? refusal_of(answer.status, code)
                                               : conditional_refusal_of(answer.status, code);
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
    headers.insert(headers.end(), what.condition.begin(), what.condition.end());
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

  struct upload {
    const std::string& key;  // with the store's prefix
    text_pairs headers;
    const byte_source& from;
    const object& made;
    text_pairs condition;  // of the request that makes the object
  };

  static text_pairs condition_for(std::string_view key, const put_options& how) {
    for (const seen_object& each : how.unless_changed) {
      if (each.key != key) continue;
      if (!each.tag) return {{"if-none-match", "*"}};
      if (!each.tag->empty()) return {{"if-match", *each.tag}};
    }
    return {};
  }

  // The request that makes the object of an upload; returns the object's tag.
  result<std::string> make(call request, const upload& sent) {
    if (!is_unconditional_) request.condition = sent.condition;
    auto answer = ask(request);
    if (!answer && !request.condition.empty() && answer.error().code == error_code::unsupported_operation) {
      request.condition.clear();
      answer = ask(request);
      if (answer) {
        is_unconditional_ = true;
        if (options_.lacks_conditions) options_.lacks_conditions();
      }
    }
    if (answer) {
      const std::string tag = tag_of(*answer);
      return tag.empty() ? element(answer->text, "ETag").value_or(std::string()) : tag;
    }
    const error why = answer.error();
    // A lost response to an earlier attempt that succeeded: then the object exists.
    if (why.code == error_code::in_use || why.code == error_code::not_found) {
      const auto there = head(sent.made.key);
      if (there && *there && (*there)->bytes == sent.made.bytes && (*there)->sha256 == sent.made.sha256)
        return (*there)->tag;
    }
    return fail(why);
  }

  result<std::string> put_whole(const upload& sent) {
    return make({.method = "PUT",
                 .key = sent.key,
                 .headers = sent.headers,
                 .hash = sent.made.sha256,
                 .body = &sent.from,
                 .bytes = sent.made.bytes},
                sent);
  }

  result<std::string> put_parts(const upload& sent, std::uint64_t part_bytes,
                                const std::vector<std::string>& hashes) {
    const byte_source nothing{byte_span()};
    const auto begun = ask({.method = "POST",
                            .key = sent.key,
                            .query = {{"uploads", ""}},
                            .headers = sent.headers,
                            .body = &nothing});
    if (!begun) return fail(begun.error());
    const std::string id = element(begun->text, "UploadId").value_or(std::string());
    if (id.empty()) {
      return fail(error_code::bad_answer, error::no_offset, "the store returned no id for the upload");
    }
    auto done = send_parts(sent, id, part_bytes, hashes);
    if (done) return done;
    // Unfinished uploads cost money; if this fails too, discard_unfinished() finds them.
    auto cancelled = std::exchange(options_.cancelled, {});
    (void)abort(sent.key, id);
    options_.cancelled = std::move(cancelled);
    return done;
  }

  result<std::string> send_parts(const upload& sent, const std::string& id, std::uint64_t part_bytes,
                                 const std::vector<std::string>& hashes) {
    std::string parts = "<CompleteMultipartUpload>";
    for (std::size_t at = 0; at < hashes.size(); ++at) {
      const std::uint64_t offset = at * part_bytes;
      const std::string number = std::to_string(at + 1);
      const auto answer = ask({.method = "PUT",
                               .key = sent.key,
                               .query = {{"partNumber", number}, {"uploadId", id}},
                               .hash = hashes[at],
                               .body = &sent.from,
                               .offset = offset,
                               .bytes = std::min(part_bytes, sent.made.bytes - offset)});
      if (!answer) return fail(answer.error());
      const std::string tag = tag_of(*answer);
      if (tag.empty()) {
        return fail(error_code::bad_answer, error::no_offset, "the store returned no tag for a part");
      }
      parts += "<Part><PartNumber>" + number + "</PartNumber><ETag>" + xml_escaped(tag) + "</ETag></Part>";
    }
    parts += "</CompleteMultipartUpload>";
    const byte_source body(as_bytes(parts));
    return make({.method = "POST",
                 .key = sent.key,
                 .query = {{"uploadId", id}},
                 .headers = {{"content-type", "application/xml"}},
                 .hash = sha256_hex(as_bytes(parts)),
                 .body = &body,
                 .bytes = parts.size()},
                sent);
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
  bool is_unconditional_ = false;  // the server has rejected a condition
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

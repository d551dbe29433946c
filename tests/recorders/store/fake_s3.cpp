#include "fake_s3.hpp"

#include <algorithm>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <cstdlib>

#include "s3/answers.hpp"
#include "s3/signature.hpp"

namespace tickreel::test {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using request = http::request<http::string_body>;
using response = http::response<http::string_body>;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char each) { return each >= 'A' && each <= 'Z' ? static_cast<char>(each + 32) : each; });
  return text;
}

store::text_pairs query_of(const std::string& text) {
  store::text_pairs out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('&', at), text.size());
    const std::string one = text.substr(at, end - at);
    const std::size_t equals = std::min(one.find('='), one.size());
    out.emplace_back(store::percent_decoded(one.substr(0, equals)),
                     store::percent_decoded(one.substr(std::min(equals + 1, one.size()))));
    at = end + 1;
  }
  return out;
}

std::string error_text(const std::string& code) {
  return "<?xml version=\"1.0\"?>\n<Error><Code>" + code + "</Code><Message>as requested</Message></Error>";
}

}  // namespace

struct fake_s3::session {
  explicit session(fake_s3& owner) : own(owner), socket(owner.context_) {}

  fake_s3& own;
  tcp::socket socket;
  std::thread thread;

  void run() {
    boost::beast::flat_buffer buffer;
    boost::system::error_code problem;
    while (serve(buffer, problem) && !problem) {}
    boost::system::error_code ignored;
    socket.shutdown(tcp::socket::shutdown_both, ignored);
  }

  bool serve(boost::beast::flat_buffer& buffer, boost::system::error_code& problem) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(std::uint64_t{1} << 30);
    http::read_header(socket, buffer, parser, problem);
    if (problem) return false;
    const std::string method(parser.get().method_string());
    const std::string target(parser.get().target());
    fault wrong = fault::none;
    {
      const std::scoped_lock lock(own.mutex_);
      wrong = own.faults(method, target, own.requests_);
      ++own.requests_;
    }
    if (wrong == fault::cut_in_request) {
      if (!parser.is_done()) http::read_some(socket, buffer, parser, problem);
      return false;
    }
    http::read(socket, buffer, parser, problem);
    if (problem) return false;
    if (wrong == fault::silence) {
      char byte = 0;
      asio::read(socket, asio::buffer(&byte, 1), problem);  // until the client gives up
      return false;
    }
    // The fault itself.
    if (wrong == fault::slow) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    request asked = parser.release();
    if (wrong == fault::changed_content && !asked.body().empty()) asked.body()[asked.body().size() / 2] ^= 1;
    response answer(http::status::ok, 11);
    if (wrong == fault::status_500) {
      answer.result(500);
      answer.body() = error_text("InternalError");
    } else if (wrong == fault::status_503) {
      answer.result(503);
      answer.set(http::field::retry_after, "0");
      answer.body() = error_text("SlowDown");
    } else if (wrong == fault::status_404) {
      answer.result(404);
      answer.body() = error_text("NoSuchUpload");
    } else if (wrong == fault::refused) {
      answer.result(403);
      answer.body() = error_text("AccessDenied");
    } else if (wrong == fault::late_failure) {
      answer.body() = error_text("InternalError");
    } else {
      const std::scoped_lock lock(own.mutex_);
      if (wrong == fault::overtaken) own.objects_[named_in(asked)] = {"other", {}};
      reply(asked, answer, wrong == fault::changed_content);
    }
    if (wrong == fault::lost_answer) return false;
    own.sent_bytes_ += answer.body().size();
    if (answer[http::field::content_length].empty()) answer.prepare_payload();
    http::response_serializer<http::string_body> serializer(answer);
    if (wrong == fault::cut_in_answer) {
      http::write_header(socket, serializer, problem);
      asio::write(socket, asio::buffer(answer.body().data(), answer.body().size() / 2), problem);
      return false;
    }
    if (method == "HEAD") {
      http::write_header(socket, serializer, problem);
    } else {
      http::write(socket, serializer, problem);
    }
    return true;
  }

  // Of the object, in path style.
  static std::string named_in(const request& asked) {
    const std::string target(asked.target());
    return store::percent_decoded(target.substr(0, target.find('?'))).substr(sizeof "/bucket");
  }

  // False, with the answer, if the object is not what the request requires. Requires the mutex.
  template <class Refuse>
  bool meets_condition(const request& asked, const std::string& name, const Refuse& refuse) {
    const std::string match(asked[http::field::if_match]);
    const std::string none_match(asked[http::field::if_none_match]);
    if (match.empty() && none_match.empty()) return true;
    ++own.conditional_;
    if (own.conditions == test::conditions::ignored) return true;
    if (own.conditions == test::conditions::status_501) return refuse(501, "NotImplemented"), false;
    if (own.conditions == test::conditions::status_400) return refuse(400, "InvalidArgument"), false;
    const auto found = own.objects_.find(name);
    const bool exists = found != own.objects_.end();
    if (!match.empty() && !exists) return refuse(404, "NoSuchKey"), false;
    const bool is_met = match.empty() ? !exists : match == '"' + tag_of(found->second.content) + '"';
    if (!is_met) refuse(412, "PreconditionFailed");
    return is_met;
  }

  // Requires the mutex.
  void reply(const request& asked, response& answer, bool unchecked) {
    const auto refuse = [&](unsigned status, const std::string& code) {
      answer.result(status);
      answer.body() = error_text(code);
    };
    const std::string target(asked.target());
    const std::size_t mark = std::min(target.find('?'), target.size());
    const std::string path = target.substr(0, mark);
    const auto query = query_of(target.substr(std::min(mark + 1, target.size())));
    if (const std::string why = unsigned_because(asked, path, query, unchecked); !why.empty()) {
      ++own.bad_signatures_;
      return refuse(403, why);
    }
    std::string name = store::percent_decoded(path).substr(1);
    const std::string host(asked[http::field::host]);
    if (!host.starts_with("bucket.")) {
      if (name != "bucket" && !name.starts_with("bucket/")) return refuse(404, "NoSuchBucket");
      name.erase(0, std::min<std::size_t>(7, name.size()));
    }
    const auto value = [&](const std::string& key) -> const std::string* {
      for (const auto& each : query) {
        if (each.first == key) return &each.second;
      }
      return nullptr;
    };
    const std::string method(asked.method_string());
    if (name.empty() && method == "GET" && value("uploads")) return list_uploads(answer, *value("prefix"));
    if (name.empty() && method == "GET") return list(answer, value("prefix"), value("continuation-token"));
    if (name.empty()) return refuse(405, "MethodNotAllowed");
    const std::string* const id = value("uploadId");
    if (method == "POST" && value("uploads")) return begin(asked, answer, name);
    if (id != nullptr) {
      const auto found = own.uploads_.find(*id);
      if (found == own.uploads_.end() || found->second.key != name) return refuse(404, "NoSuchUpload");
      if (method == "DELETE") {
        own.uploads_.erase(found);
        return answer.result(204);
      }
      if (method == "PUT") {
        found->second.parts[std::atoi(value("partNumber")->c_str())] = asked.body();
        return answer.set(http::field::etag, '"' + store::sha256_hex(as_bytes(asked.body())) + '"');
      }
      if (!meets_condition(asked, name, refuse)) return;
      return complete(asked, answer, found);
    }
    if (method == "PUT") {
      if (!meets_condition(asked, name, refuse)) return;
      own.objects_[name] = {asked.body(), meta_of(asked)};
      return answer.set(http::field::etag, '"' + tag_of(asked.body()) + '"');
    }
    const auto found = own.objects_.find(name);
    if (method == "DELETE") {
      if (found != own.objects_.end()) own.objects_.erase(found);
      return answer.result(204);
    }
    if (found == own.objects_.end()) return refuse(404, "NoSuchKey");
    for (const auto& each : found->second.meta) answer.set(each.first, each.second);
    const bool has_tag = own.tagless_answers == 0 || own.object_answers_++ % own.tagless_answers != 0;
    if (has_tag) answer.set(http::field::etag, '"' + tag_of(found->second.content) + '"');
    if (!own.modified.empty()) answer.set(http::field::last_modified, own.modified);
    get(asked, answer, found->second.content, refuse);
  }

  static std::string tag_of(const std::string& of) { return store::sha256_hex(as_bytes(of)).substr(0, 32); }

  template <class Refuse>
  static void get(const request& asked, response& answer, const std::string& content, const Refuse& refuse) {
    if (asked.method() == http::verb::head) return answer.content_length(content.size());
    const std::string range(asked[http::field::range]);
    if (range.empty()) {
      answer.body() = content;
      return;
    }
    std::size_t from = 0;
    std::size_t to = 0;
    const char* const end = range.data() + range.size();
    const auto first = std::from_chars(range.data() + 6, end, from);
    (void)std::from_chars(first.ptr + 1, end, to);
    if (from >= content.size()) return refuse(416, "InvalidRange");
    answer.result(206);
    answer.body() = content.substr(from, to - from + 1);
    answer.set(http::field::content_range, "bytes " + std::to_string(from) + '-' +
                                               std::to_string(from + answer.body().size() - 1) + '/' +
                                               std::to_string(content.size()));
  }

  std::string unsigned_because(const request& asked, const std::string& path, const store::text_pairs& query,
                               bool unchecked) const {
    const std::string given(asked[http::field::authorization]);
    const std::size_t names_at = given.find("SignedHeaders=");
    const std::size_t scope_at = given.find("/s3/aws4_request");
    if (names_at == std::string::npos || scope_at == std::string::npos) return "AccessDenied";
    const std::size_t region_at = given.rfind('/', scope_at - 1) + 1;
    store::text_pairs headers;
    std::string names = given.substr(names_at + 14, given.find(',', names_at) - names_at - 14) + ';';
    for (std::size_t end = names.find(';'); end != std::string::npos; end = names.find(';')) {
      headers.emplace_back(names.substr(0, end), std::string(asked[names.substr(0, end)]));
      names.erase(0, end + 1);
    }
    const std::string hash(asked["x-amz-content-sha256"]);
    const std::string right = store::authorization(
        {std::string_view(asked.method_string()), path, query, headers, hash},
        {own.access_key, own.secret_key, own.token}, given.substr(region_at, scope_at - region_at),
        std::string_view(asked["x-amz-date"]));
    if (given.find("Credential=" + own.access_key + '/') == std::string::npos) return "InvalidAccessKeyId";
    if (given != right) return "SignatureDoesNotMatch";
    if (own.token != std::string_view(asked["x-amz-security-token"])) return "InvalidToken";
    if (!unchecked && hash != store::sha256_hex(as_bytes(asked.body()))) return "XAmzContentSHA256Mismatch";
    return {};
  }

  static std::map<std::string, std::string> meta_of(const request& asked) {
    std::map<std::string, std::string> meta;
    for (const auto& each : asked) {
      const std::string name = lower(std::string(each.name_string()));
      if (name.starts_with("x-amz-meta-")) meta[name] = std::string(each.value());
    }
    return meta;
  }

  void begin(const request& asked, response& answer, const std::string& name) {
    const std::string id = "upload&" + std::to_string(own.next_upload_++);
    own.uploads_[id] = {name, meta_of(asked), {}};
    answer.body() = "<?xml version=\"1.0\"?><InitiateMultipartUploadResult><UploadId>" +
                    store::xml_escaped(id) + "</UploadId></InitiateMultipartUploadResult>";
  }

  void complete(const request& asked, response& answer, std::map<std::string, upload>::iterator found) {
    std::string content;
    std::string expected = "<CompleteMultipartUpload>";
    for (const auto& each : found->second.parts) {
      content += each.second;
      expected += "<Part><PartNumber>" + std::to_string(each.first) + "</PartNumber><ETag>&quot;" +
                  store::sha256_hex(as_bytes(each.second)) + "&quot;</ETag></Part>";
    }
    if (asked.body() != expected + "</CompleteMultipartUpload>") {
      answer.result(400);
      answer.body() = error_text("InvalidPart");
      return;
    }
    answer.body() = "<CompleteMultipartUploadResult><ETag>&quot;" + tag_of(content) +
                    "&quot;</ETag></CompleteMultipartUploadResult>";
    own.objects_[found->second.key] = {std::move(content), found->second.meta};
    own.uploads_.erase(found);
  }

  void list(response& answer, const std::string* prefix, const std::string* after) {
    const std::string before = prefix ? *prefix : std::string();
    std::string entries;
    std::size_t count = 0;
    std::string last = after ? *after : std::string();
    bool more = false;
    for (const auto& each : own.objects_) {
      if (!each.first.starts_with(before) || (!last.empty() && each.first <= last)) continue;
      if (count == own.page_size) {
        more = true;
        break;
      }
      ++count;
      entries += "<Contents><Key>" + store::uri_encoded(each.first, false) + "</Key><Size>" +
                 std::to_string(own.listed_bytes != 0 ? own.listed_bytes : each.second.content.size()) +
                 "</Size>" +
                 (own.lists_tags ? "<ETag>&quot;" + tag_of(each.second.content) + "&quot;</ETag>" : "") +
                 "<LastModified>2026-11-29T18:25:00.000Z</LastModified></Contents>";
      if (count == own.page_size) last = each.first;
    }
    answer.body() = "<ListBucketResult xmlns=\"x\"><EncodingType>url</EncodingType><IsTruncated>" +
                    std::string(more ? "true" : "false") + "</IsTruncated>" + entries;
    if (more) {
      answer.body() += "<NextContinuationToken>" + store::xml_escaped(last) + "</NextContinuationToken>";
    }
    answer.body() += "</ListBucketResult>";
  }

  void list_uploads(response& answer, const std::string& prefix) {
    if (!own.unfinished_are_listed) {
      answer.result(501);
      answer.body() = error_text("NotImplemented");
      return;
    }
    answer.body() = "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>";
    for (const auto& each : own.uploads_) {
      if (!each.second.key.starts_with(prefix)) continue;
      answer.body() += "<Upload><Key>" + store::xml_escaped(each.second.key) + "</Key><UploadId>" +
                       store::xml_escaped(each.first) + "</UploadId></Upload>";
    }
    answer.body() += "</ListMultipartUploadsResult>";
  }
};

fake_s3::fake_s3() : acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
  acceptor_thread_ = std::thread([this] { accept(); });
}

void fake_s3::accept() {
  while (true) {
    auto made = std::make_shared<session>(*this);
    boost::system::error_code problem;
    acceptor_.accept(made->socket, problem);
    const std::scoped_lock lock(mutex_);
    if (stopping_ || problem) return;
    made->thread = std::thread([made = made.get()] { made->run(); });
    sessions_.push_back(std::move(made));
  }
}

fake_s3::~fake_s3() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  // Closing a socket does not wake a thread in accept().
  boost::system::error_code ignored;
  tcp::socket wake(context_);
  wake.connect(acceptor_.local_endpoint(), ignored);
  acceptor_thread_.join();
  for (const auto& each : sessions_) {
    each->socket.shutdown(tcp::socket::shutdown_both, ignored);
    each->thread.join();
  }
}

std::string fake_s3::endpoint(const std::string& host) const {
  return "http://" + host + ':' + std::to_string(acceptor_.local_endpoint().port());
}

void fake_s3::set_environment() const {
  ::setenv("AWS_ENDPOINT_URL", endpoint().c_str(), 1);
  ::setenv("AWS_REGION", "eu-test-1", 1);
  ::setenv("AWS_ACCESS_KEY_ID", access_key.c_str(), 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", secret_key.c_str(), 1);
  for (const char* each : {"AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3", "TICKREEL_S3_STYLE", "AWS_CA_BUNDLE",
                           "AWS_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "http_proxy", "https_proxy"}) {
    ::unsetenv(each);
  }
  if (!token.empty()) ::setenv("AWS_SESSION_TOKEN", token.c_str(), 1);
}

std::map<std::string, fake_s3::kept_object> fake_s3::objects() const {
  const std::scoped_lock lock(mutex_);
  return objects_;
}

std::vector<fake_s3::upload> fake_s3::uploads() const {
  const std::scoped_lock lock(mutex_);
  std::vector<upload> out;
  for (const auto& each : uploads_) out.push_back(each.second);
  return out;
}

std::uint64_t fake_s3::requests() const {
  const std::scoped_lock lock(mutex_);
  return requests_;
}

void fake_s3::remove(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  objects_.erase(key);
}

std::uint64_t fake_s3::bad_signatures() const {
  const std::scoped_lock lock(mutex_);
  return bad_signatures_;
}

std::uint64_t fake_s3::conditional() const {
  const std::scoped_lock lock(mutex_);
  return conditional_;
}

void fake_s3::put(const std::string& key, std::string content) {
  const std::scoped_lock lock(mutex_);
  objects_[key] = {std::move(content), {}};
}

void fake_s3::change(const std::string& key, const std::function<void(kept_object&)>& how) {
  const std::scoped_lock lock(mutex_);
  how(objects_.at(key));
}

}  // namespace tickreel::test

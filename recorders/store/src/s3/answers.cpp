#include "answers.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "../content_hash.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::store {

namespace {

// The text between <name ...> and </name>, from `at` on; moves `at` after it.
std::optional<std::string_view> content_of(std::string_view xml, std::string_view name, std::size_t& at) {
  while (true) {
    const std::size_t open = xml.find('<', at);
    if (open == std::string_view::npos) return std::nullopt;
    const std::size_t named = open + 1 + name.size();
    const bool it_is = xml.substr(open + 1, name.size()) == name && named < xml.size() &&
                       (xml[named] == '>' || xml[named] == ' ' || xml[named] == '/');
    if (!it_is) {
      at = open + 1;
      continue;
    }
    const std::size_t end = xml.find('>', named);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
    if (xml[end - 1] == '/') return std::string_view();
    std::string closing = "</";
    closing.append(name).append(">");
    const std::size_t close = xml.find(closing, at);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view inside = xml.substr(at, close - at);
    at = close + closing.size();
    return inside;
  }
}

// The character of &name;, without the delimiters; false if XML does not define it.
bool append_entity(std::string_view name, std::string& out) {
  constexpr std::array<std::pair<std::string_view, char>, 5> known{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& each : known) {
    if (each.first == name) {
      out += each.second;
      return true;
    }
  }
  if (!name.starts_with('#')) return false;
  const bool hex = name.size() > 1 && name[1] == 'x';
  const std::string_view digits = name.substr(hex ? 2 : 1);
  const auto code = text::parse_number<std::uint32_t>(digits, hex ? 16 : 10);
  if (!code || *code > 0x10FFFF) return false;
  text::append_utf8(*code, out);
  return true;
}

std::string unescaped(std::string_view text) {
  constexpr std::size_t longest_entity = 10;
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text[at] == '&' ? text.substr(at, longest_entity).find(';') : std::string::npos;
    if (end != std::string::npos && append_entity(text.substr(at + 1, end - 1), out)) {
      at += end;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::string text_of(std::string_view xml, std::string_view name, bool url_encoded = false) {
  std::string found = element(xml, name).value_or(std::string());
  return url_encoded ? percent_decoded(found) : found;
}

}  // namespace

std::optional<std::string> element(std::string_view xml, std::string_view name) {
  std::size_t at = 0;
  const auto inside = content_of(xml, name, at);
  if (!inside || inside->find('<') != std::string_view::npos) return std::nullopt;
  return unescaped(*inside);
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view digits = text.substr(at).substr(1, 2);
    const auto byte = text::parse_number<unsigned>(digits, 16);
    if (text[at] == '%' && digits.size() == 2 && byte) {
      out += static_cast<char>(*byte);
      at += 2;
    } else {
      out += text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '&') {
      out += "&amp;";
    } else if (letter == '<') {
      out += "&lt;";
    } else if (letter == '>') {
      out += "&gt;";
    } else if (letter == '"') {
      out += "&quot;";
    } else {
      out += letter;
    }
  }
  return out;
}

result<listed> parse_list(std::string_view xml) {
  std::size_t at = 0;
  const auto inside = content_of(xml, "ListBucketResult", at);
  if (!inside) return fail(error_code::bad_answer, error::no_offset, "the store's response is not a list");
  const bool encoded = text_of(*inside, "EncodingType") == "url";
  listed out;
  for (at = 0; const auto each = content_of(*inside, "Contents", at);) {
    const auto size = text::parse_number<std::uint64_t>(text_of(*each, "Size"));
    object found;
    found.key = text_of(*each, "Key", encoded);
    found.tag = text_of(*each, "ETag");
    if (found.tag.empty()) found.tag = text_of(*each, "LastModified");
    found.bytes = size.value_or(0);
    if (found.key.empty() || !size) {
      return fail(error_code::bad_answer, error::no_offset,
                  "an entry of the store's list has no key or no size");
    }
    out.objects.push_back(std::move(found));
  }
  if (text_of(*inside, "IsTruncated") == "true") {
    out.next = text_of(*inside, "NextContinuationToken");
    if (out.next.empty()) {
      return fail(error_code::bad_answer, error::no_offset,
                  "the store's list is incomplete, without a continuation token");
    }
  }
  return out;
}

result<unfinished_list> parse_uploads(std::string_view xml) {
  std::size_t at = 0;
  const auto inside = content_of(xml, "ListMultipartUploadsResult", at);
  if (!inside) {
    return fail(error_code::bad_answer, error::no_offset, "the store's response is not a list of uploads");
  }
  const bool encoded = text_of(*inside, "EncodingType") == "url";
  unfinished_list out;
  for (at = 0; const auto each = content_of(*inside, "Upload", at);) {
    unfinished_upload found{text_of(*each, "Key", encoded), text_of(*each, "UploadId")};
    if (!found.key.empty() && !found.id.empty()) out.uploads.push_back(std::move(found));
  }
  if (text_of(*inside, "IsTruncated") == "true") {
    out.next_key = text_of(*inside, "NextKeyMarker", encoded);
    out.next_id = text_of(*inside, "NextUploadIdMarker");
    if (out.next_key.empty()) {
      return fail(error_code::bad_answer, error::no_offset,
                  "the store's list of uploads is incomplete, without a continuation token");
    }
  }
  return out;
}

namespace {

struct known_code {
  std::string_view name;
  error_code code;
  const char* detail;
  bool again;
};
constexpr known_code known_codes[] = {
    {"NoSuchBucket", error_code::not_found, "the store has no such bucket", false},
    {"NoSuchKey", error_code::not_found, "the store has no such object", false},
    {"NoSuchUpload", error_code::not_found, "the store has discarded this upload", false},
    {"AccessDenied", error_code::permission_denied, "the store does not allow it with these credentials",
     false},
    {"SignatureDoesNotMatch", error_code::permission_denied,
     "the store rejects the signature: the secret key is wrong, or something on the way changes "
     "requests",
     false},
    {"InvalidAccessKeyId", error_code::permission_denied, "the store does not know this access key", false},
    {"ExpiredToken", error_code::permission_denied, "the session's credentials are too old", false},
    {"InvalidToken", error_code::permission_denied, "the store rejects the session's token", false},
    {"RequestTimeTooSkewed", error_code::permission_denied,
     "this machine's clock and the store's are more than 15 minutes apart", false},
    {"PermanentRedirect", error_code::bad_answer, "the bucket is in another region; AWS_REGION says which",
     false},
    {"AuthorizationHeaderMalformed", error_code::bad_answer,
     "the bucket is in another region; AWS_REGION says which", false},
    {"EntityTooLarge", error_code::over_limit, "the store rejects an object of this size", false},
    {"EntityTooSmall", error_code::invalid_argument, "the store rejects parts this small", false},
    {"BadDigest", error_code::checksum_mismatch, "the store received other bytes than were sent", true},
    {"XAmzContentSHA256Mismatch", error_code::checksum_mismatch,
     "the store received other bytes than were sent", true},
    {"IncompleteBody", error_code::connection_lost, "the store received less than was sent", true},
    {"RequestTimeout", error_code::timed_out, "the store timed out while it received the request", true},
    {"SlowDown", error_code::bad_answer, "the store is too busy", true},
    {"InternalError", error_code::bad_answer, "the store failed", true},
    {"OperationAborted", error_code::bad_answer, "the store is busy with the same object", true},
};

const known_code* find_known(std::string_view code) {
  const auto* const found = std::ranges::find(known_codes, code, &known_code::name);
  return found == std::end(known_codes) ? nullptr : found;
}

}  // namespace

refusal refusal_of(long status, std::string_view code) {
  if (const known_code* const known = find_known(code))
    return {{known->code, error::no_offset, known->detail, {status}}, known->again || status >= 500};
  if (status == 404)
    return {{error_code::not_found, error::no_offset, "the store has no such object"}, false};
  if (status == 401 || status == 403) {
    return {
        {error_code::permission_denied, error::no_offset, "the store answered with HTTP status {}", {status}},
        false};
  }
  if (status >= 300 && status < 400) {
    return {{error_code::bad_answer,
             error::no_offset,
             "HTTP status {}: redirects are not followed; use the address of the redirect",
             {status}},
            false};
  }
  if (status == 507) return {{error_code::no_space, error::no_offset, "the store is full"}, true};
  const bool not_made = status == 501 || status == 505;
  const bool again = (status >= 500 && !not_made) || status == 408 || status == 429;
  return {{not_made ? error_code::unsupported_operation : error_code::bad_answer,
           error::no_offset,
           "the store answered with HTTP status {}",
           {status}},
          again};
}

refusal conditional_refusal_of(long status, std::string_view code) {
  // If-Match without an object is NoSuchKey. The end of an upload may have the code in a successful response.
  const bool is_conflict = status == 412 || code == "PreconditionFailed" || code == "NoSuchKey" ||
                           (status == 409 && code != "OperationAborted");
  if (is_conflict) return {fail_changed().value(), false};
  // Servers without these conditions answer with 501, or with 400 and a code of their own.
  if (status == 501 || (status == 400 && find_known(code) == nullptr)) {
    return {{error_code::unsupported_operation,
             error::no_offset,
             "the store answered with HTTP status {}",
             {status}},
            false};
  }
  return refusal_of(status, code);
}

}  // namespace tickreel::store

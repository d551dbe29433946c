#include "credentials.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tickreel/io/whole_file.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::store {

namespace {

constexpr std::uint64_t longest_file = std::uint64_t{1} << 20;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::string first_of(std::initializer_list<const char*> names, const char* otherwise) {
  for (const char* name : names) {
    if (std::string value = variable(name); !value.empty()) return value;
  }
  return otherwise;
}

using text::trimmed;

// The text becomes part of an HTTP header and a signature: no control characters, no spaces.
bool is_one_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char each) { return each > ' ' && each < 0x7F; });
}

result<credentials> find_credentials() {
  credentials from_environment{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                               variable("AWS_SESSION_TOKEN")};
  if (!from_environment.access_key.empty() && !from_environment.secret_key.empty()) return from_environment;
  std::string file = variable("AWS_SHARED_CREDENTIALS_FILE");
  if (file.empty()) {
    const std::string home = first_of({"HOME", "USERPROFILE"}, "");
    if (!home.empty()) file = home + "/.aws/credentials";
  }
  constexpr const char* nowhere =
      "no credentials: neither AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY nor a profile in the file "
      "AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials)";
  if (file.empty()) return fail(error_code::permission_denied, error::no_offset, nowhere);
  const auto text = read_whole_file(file, longest_file);
  if (!text) {
    if (text.error().code == error_code::not_found) {
      return fail(error_code::permission_denied, error::no_offset, nowhere);
    }
    return fail(text.error());
  }
  auto found = parse_credentials(as_text(*text), first_of({"AWS_PROFILE"}, "default"));
  if (!found) return fail(error_code::permission_denied, error::no_offset, nowhere);
  return found;
}

}  // namespace

result<credentials> parse_credentials(std::string_view text, std::string_view profile) {
  credentials found;
  bool in_profile = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      const std::size_t close = line.find(']');
      in_profile = close != std::string_view::npos && trimmed(line.substr(1, close - 1)) == profile;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!in_profile || equals == std::string_view::npos) continue;
    const std::string_view name = trimmed(line.substr(0, equals));
    const std::string value(trimmed(line.substr(equals + 1)));
    if (name == "aws_access_key_id") found.access_key = value;
    if (name == "aws_secret_access_key") found.secret_key = value;
    if (name == "aws_session_token") found.session_token = value;
  }
  if (found.access_key.empty() || found.secret_key.empty()) return fail(error_code::not_found);
  return found;
}

result<s3_settings> settings_from_environment(std::string_view bucket) {
  s3_settings out;
  out.region = first_of({"AWS_REGION", "AWS_DEFAULT_REGION"}, "us-east-1");
  out.ca_file = variable("AWS_CA_BUNDLE");
  std::string endpoint = first_of({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}, "");
  const std::string style = variable("TICKREEL_S3_STYLE");
  if (!style.empty() && style != "path" && style != "host") {
    return fail(error_code::invalid_argument, error::no_offset, "TICKREEL_S3_STYLE is path or host");
  }
  out.bucket_in_path =
      style.empty() ? !endpoint.empty() || bucket.find('.') != std::string_view::npos : style == "path";
  if (endpoint.empty()) endpoint = "https://s3." + out.region + ".amazonaws.com";
  while (endpoint.ends_with('/')) endpoint.pop_back();
  const std::size_t scheme = endpoint.starts_with("https://") ? 8 : endpoint.starts_with("http://") ? 7 : 0;
  std::string host = endpoint.substr(scheme);
  // A name and a password in an address would appear in messages; a path would have to be signed.
  if (scheme == 0 || host.empty() || host.find_first_of("/?#@") != std::string::npos || !is_one_word(host) ||
      !is_one_word(out.region)) {
    return fail(
        error_code::invalid_argument, error::no_offset,
        "AWS_ENDPOINT_URL is http:// or https:// with a host and perhaps a port, AWS_REGION one word");
  }
  if (!out.bucket_in_path) host.insert(0, std::string(bucket) + '.');
  out.origin = endpoint.substr(0, scheme) + host;
  // Clients neither send nor sign the scheme's default port.
  const std::string_view usual = scheme == 8 ? ":443" : ":80";
  if (host.ends_with(usual)) host.erase(host.size() - usual.size());
  out.host = std::move(host);
  auto who = find_credentials();
  if (!who) return fail(who.error());
  if (!is_one_word(who->access_key) || !is_one_word(who->session_token)) {
    return fail(error_code::permission_denied, error::no_offset,
                "the access key or the session's token is not one word");
  }
  out.who = std::move(*who);
  return out;
}

}  // namespace tickreel::store

#include <string>

#include "folder_store.hpp"
#include "s3/s3_store.hpp"

namespace tickreel::store {

bool is_transient(const error& why) noexcept {
  switch (why.code) {
    case error_code::connection_refused:
    case error_code::connection_lost:
    case error_code::timed_out:
    case error_code::name_not_resolved:
      return true;
    case error_code::bad_answer:  // with its HTTP status
      return why.values[0] >= 500 || why.values[0] == 429 || why.values[0] == 408;
    default:
      return false;
  }
}

namespace {

// A mistyped or unsupported address, not a folder name: no folder is named like this on purpose. C:/ is one.
bool looks_like_address(std::string_view where) {
  const std::size_t letters =
      where.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
  return letters != std::string_view::npos && letters >= 2 && where.substr(letters).starts_with(":/");
}
}  // namespace

result<s3_place> parse_s3_url(std::string_view url) {
  if (!is_s3_url(url)) return fail(error_code::invalid_argument);
  url.remove_prefix(s3_scheme.size());
  const std::size_t slash = url.find('/');
  s3_place out{std::string(url.substr(0, slash)), {}};
  if (slash != std::string_view::npos) out.prefix = url.substr(slash + 1);
  while (out.prefix.starts_with('/')) out.prefix.erase(0, 1);
  while (out.prefix.ends_with('/')) out.prefix.pop_back();
  const bool plain =
      out.bucket.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") ==
      std::string::npos;
  if (out.bucket.size() < 3 || out.bucket.size() > 255 || !plain || out.bucket.front() == '.' ||
      out.bucket.find("..") != std::string::npos) {
    return fail(error_code::invalid_argument, error::no_offset,
                "an address of S3 is s3://bucket/prefix; a bucket's name is 3 letters, digits, points and "
                "hyphens at least");
  }
  return out;
}

result<void> object_store::probe() {
  return list("", [](const object&) { return false; });
}

result<void> check_place(std::string_view where) {
  if (is_s3_url(where)) {
    if (const auto place = parse_s3_url(where); !place) return fail(place.error());
  } else if (looks_like_address(where)) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a store is s3://bucket/prefix, or a folder (./ before one that is named like an address)");
  }
  return {};
}

result<std::unique_ptr<object_store>> open(const std::string& where, const store_options& options) {
  if (const auto sound = check_place(where); !sound) return fail(sound.error());
  if (!is_s3_url(where)) return open_folder(where, options);
  auto place = parse_s3_url(where);
  if (!place) return fail(place.error());
  return open_s3(*place, options);
}

}  // namespace tickreel::store

#include "tickreel/reel/feed.hpp"

#include <atomic>

namespace tickreel::reel {

namespace {
std::atomic<feed_source*> sources = nullptr;
}  // namespace

void add_feed_source(feed_source& source) noexcept {
  source.next = sources.load();
  while (!sources.compare_exchange_weak(source.next, &source)) {}
}

bool is_address(std::string_view text) noexcept {
  const std::size_t letters = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+.-");
  return letters != std::string_view::npos && letters >= 2 && text.substr(letters).starts_with("://");
}

result<std::unique_ptr<feed>> open_feed(std::string_view address) {
  const feed_source* each = sources.load();
  if (each == nullptr) {
    return fail(
        error_code::unsupported_operation, error::no_offset,
        "this program follows files alone: for addresses of brokers include tickreel/fleet/follow.hpp "
        "and link tickreel::fleet");
  }
  for (; each != nullptr; each = each->next) {
    if (each->knows(address)) return each->open(address);
  }
  return fail(error_code::unsupported_operation, error::no_offset,
              "this program has no source for such an address");
}

}  // namespace tickreel::reel

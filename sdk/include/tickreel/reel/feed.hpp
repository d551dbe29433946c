// Reels that grow on another machine. follow<T>() accepts their addresses, scheme://..., in programs with a
// registered source: including tickreel/fleet/follow.hpp registers one.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// Copies a reel that grows elsewhere into a local file. One thread at a time.
class feed {
 public:
  feed() = default;
  feed(const feed&) = delete;
  feed& operator=(const feed&) = delete;
  virtual ~feed() = default;
  // The file: a readable reel at every moment, which exists as long as this object.
  [[nodiscard]] virtual const file_path& path() const noexcept = 0;
  // Receives records for at most `wait`, returns as soon as there are some, with their number. Reconnects
  // automatically. Fails if no more can arrive.
  virtual result<std::size_t> pump(std::chrono::milliseconds wait) = 0;
  // The current obstacle, while it lasts.
  [[nodiscard]] virtual std::optional<error> trouble() const = 0;
};

// A source for a scheme of addresses. Must live as long as the program.
struct feed_source {
  bool (*knows)(std::string_view address) noexcept;
  // Waits, within limits, until the reel has begun.
  result<std::unique_ptr<feed>> (*open)(std::string_view address);
  feed_source* next = nullptr;  // used by add_feed_source()
};
// Call once per source; any thread, also before main().
void add_feed_source(feed_source& source) noexcept;

// scheme://...; prefix a file of such a name with ./
[[nodiscard]] bool is_address(std::string_view text) noexcept;
// unsupported_operation if the program has no source for the address.
result<std::unique_ptr<feed>> open_feed(std::string_view address);

}  // namespace tickreel::reel

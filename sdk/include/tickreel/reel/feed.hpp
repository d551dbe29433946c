// Reels that grow elsewhere. follow<T>() takes their addresses, scheme://..., in programs in which somebody
// has told that he knows them: including tickreel/fleet/follow.hpp does.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// Brings a reel that grows elsewhere into a file here. One thread at a time.
class feed {
 public:
  feed() = default;
  feed(const feed&) = delete;
  feed& operator=(const feed&) = delete;
  virtual ~feed() = default;
  // The file: a reel at every moment, there as long as this is.
  [[nodiscard]] virtual const file_path& path() const noexcept = 0;
  // Takes what comes within `wait`, at once when there is some; returns how many records that was. Connects
  // again by itself. Fails where nothing more can come.
  virtual result<std::size_t> pump(std::chrono::milliseconds wait) = 0;
  // What keeps it from going on, while it lasts.
  [[nodiscard]] virtual std::optional<error> trouble() const = 0;
};

// Somebody who knows addresses. Lives as long as the program.
struct feed_source {
  bool (*knows)(std::string_view address) noexcept;
  // Waits, within reason, until the reel has begun.
  result<std::unique_ptr<feed>> (*open)(std::string_view address);
  feed_source* next = nullptr;  // add_feed_source()'s
};
// Once for each; any thread, also before main().
void add_feed_source(feed_source& source) noexcept;

// scheme://...; a file that is called so is reached by ./ before its name.
[[nodiscard]] bool is_address(std::string_view text) noexcept;
// unsupported_operation where nobody in this program knows the address.
result<std::unique_ptr<feed>> open_feed(std::string_view address);

}  // namespace tickreel::reel

// A real Chromium, driven through chromedriver on the loopback.
#pragma once

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratch_folder.hpp"

namespace tickreel::test {

struct browser_programs {
  std::string chromium;
  std::string chromedriver;
};
// From TICKREEL_CHROMIUM and TICKREEL_CHROMEDRIVER, otherwise from the PATH.
std::optional<browser_programs> find_browser_programs();

// Special keys, as WebDriver names them.
namespace key {
inline constexpr std::string_view tab = "\uE004";
inline constexpr std::string_view enter = "\uE007";
inline constexpr std::string_view shift = "\uE008";
inline constexpr std::string_view page_up = "\uE00E";
inline constexpr std::string_view end = "\uE010";
inline constexpr std::string_view home = "\uE011";
inline constexpr std::string_view left = "\uE012";
inline constexpr std::string_view right = "\uE014";
inline constexpr std::string_view down = "\uE015";
inline constexpr std::string_view space = " ";
}  // namespace key

struct screen_point {
  double x = 0;
  double y = 0;
};

// Fails the test with an exception if the browser does not obey within a generous time.
class browser {
 public:
  explicit browser(const browser_programs& programs);
  browser(const browser&) = delete;
  browser& operator=(const browser&) = delete;
  ~browser();

  // A path of a file, or an address with http:// in front.
  void open(const std::string& file);
  void resize(int width, int height);

  // The result of `return <expression>`. The element is valid until the next call.
  simdjson::dom::element ask(std::string_view expression);
  std::string text(std::string_view expression);
  double number(std::string_view expression);
  bool truth(std::string_view expression);
  void wait_until(std::string_view expression);

  // One after the other, while `held` is down.
  void press(std::initializer_list<std::string_view> keys, std::string_view held = {});
  // Pressed at `from`, released at `to`.
  void drag(screen_point from, screen_point to);
  [[nodiscard]] screen_point middle_of(const std::string& selector);
  void click(const std::string& selector);

  // Errors of scripts, failed loads, and other console messages since the last call.
  std::vector<std::string> complaints();

 private:
  class driver_process;

  simdjson::dom::element call(std::string_view verb, const std::string& path, const std::string& body);
  simdjson::dom::element in_session(const std::string& path, const std::string& body);

  scratch_folder profile_;
  std::unique_ptr<driver_process> driver_;
  std::string session_;
  simdjson::dom::parser parser_;
};

}  // namespace tickreel::test

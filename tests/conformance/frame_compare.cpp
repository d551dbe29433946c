#include "frame_compare.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "frame_fields.hpp"

namespace tickreel::butter_model {
namespace {

bool same_bits(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

class comparer {
 public:
  std::vector<std::string> found;

  void operator()(std::string_view name, const auto& got, const auto& wanted) {
    const std::size_t length = path_.size();
    if (!path_.empty() && !name.starts_with('[')) path_ += '.';
    path_ += name;
    compare(got, wanted);
    path_.resize(length);
  }

 private:
  void report(const auto& got, const auto& wanted) {
    found.push_back(fmt::format("{}: {}, not {}", path_, got, wanted));
  }

  void compare(float got, float wanted) {
    if (!same_bits(got, wanted)) report(got, wanted);
  }
  void compare(std::int64_t got, std::int64_t wanted) {
    if (got != wanted) report(got, wanted);
  }
  void compare(bool got, bool wanted) {
    if (got != wanted) report(got, wanted);
  }
  void compare(const std::string& got, const std::string& wanted) {
    if (got != wanted) report(got, wanted);
  }
  void compare(const vec3& got, const vec3& wanted) {
    if (same_bits(got.x, wanted.x) && same_bits(got.y, wanted.y) && same_bits(got.z, wanted.z)) return;
    report(fmt::format("({}, {}, {})", got.x, got.y, got.z),
           fmt::format("({}, {}, {})", wanted.x, wanted.y, wanted.z));
  }
  template <class T>
  void compare(const std::optional<T>& got, const std::optional<T>& wanted) {
    if (got.has_value() != wanted.has_value()) {
      report(got ? "something" : "null", wanted ? "something" : "null");
    } else if (got) {
      compare(*got, *wanted);
    }
  }
  template <class T>
  void compare(const std::vector<T>& got, const std::vector<T>& wanted) {
    if (got.size() != wanted.size()) {
      report(fmt::format("{} of them", got.size()), fmt::format("{}", wanted.size()));
      return;
    }
    for (std::size_t i = 0; i < got.size(); ++i) (*this)(fmt::format("[{}]", i), got[i], wanted[i]);
  }
  // Building a name for each number would take most of the time.
  void compare(const std::vector<float>& got, const std::vector<float>& wanted) {
    if (got.size() != wanted.size()) {
      report(fmt::format("{} of them", got.size()), fmt::format("{}", wanted.size()));
      return;
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (!same_bits(got[i], wanted[i]))
        report(fmt::format("[{}] {}", i, got[i]), fmt::format("{}", wanted[i]));
    }
  }
  template <class T>
  requires std::is_class_v<T>
  void compare(const T& got, const T& wanted) {
    fields(*this, got, wanted);
  }

  std::string path_;
};

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

[[noreturn]] void fail_on(std::string_view name, const char* what) {
  throw std::runtime_error(fmt::format("{}: {}", name, what));
}

std::int64_t parse_time(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
  if (std::sscanf(std::string(text).c_str(), "%4d/%2d/%2d %2d:%2d:%2d.%3d", &year, &month, &day, &hour,
                  &minute, &second, &millisecond) != 7) {
    fail_on("recorded_time", "not a time");
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + millisecond;
}

// Fills a struct's fields from an object and requires that it contains nothing else.
class object_reader {
 public:
  object_reader(std::string_view name, const element& from) : name_(name) {
    if (from.get(object_) != simdjson::SUCCESS) fail_on(name, "not an object");
  }

  void operator()(const char* key, auto& into) {
    element value;
    if (object_[key].get(value) != simdjson::SUCCESS) fail_on(key, "missing");
    ++known_;
    read(key, value, into);
  }
  // A field that the decoder always leaves at its default.
  void expect_null(const char* key) {
    element value;
    if (object_[key].get(value) != simdjson::SUCCESS || !value.is_null()) fail_on(key, "not null");
    ++known_;
  }
  void expect_zero(const char* key) {
    std::int64_t value = -1;
    (*this)(key, value);
    if (value != 0) fail_on(key, "not 0");
  }
  void expect_false(const char* key) {
    bool value = true;
    (*this)(key, value);
    if (value) fail_on(key, "not false");
  }
  void close() const {
    if (object_.size() != known_) fail_on(name_, "has unknown fields");
  }

 private:
  static void read(std::string_view key, const element& from, float& into) {
    double number = 0;
    std::string_view text;
    if (from.get(number) == simdjson::SUCCESS) {
      into = static_cast<float>(number);
    } else if (from.get(text) == simdjson::SUCCESS && (text == "NaN" || text.ends_with("Infinity"))) {
      into = text == "NaN" ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
      if (text.starts_with('-')) into = -into;
    } else {
      fail_on(key, "not a number");
    }
  }
  static void read(std::string_view key, const element& from, std::int64_t& into) {
    // The library's userids are unsigned, the reference program's are signed: the same 64 bits.
    std::uint64_t large = 0;
    if (from.get(into) == simdjson::SUCCESS) return;
    if (from.get(large) != simdjson::SUCCESS) fail_on(key, "not an integer");
    into = static_cast<std::int64_t>(large);
  }
  static void read(std::string_view key, const element& from, bool& into) {
    if (from.get(into) != simdjson::SUCCESS) fail_on(key, "not a bool");
  }
  static void read(std::string_view key, const element& from, std::string& into) {
    std::string_view text;
    if (from.get(text) != simdjson::SUCCESS) fail_on(key, "not a text");
    into = text;
  }
  static void read(std::string_view key, const element& from, vec3& into) {
    std::vector<float> numbers;
    read(key, from, numbers);
    if (numbers.size() != 3) fail_on(key, "not three numbers");
    into = {numbers[0], numbers[1], numbers[2]};
  }
  template <class T>
  static void read(std::string_view key, const element& from, std::optional<T>& into) {
    into.reset();
    if (!from.is_null()) read(key, from, into.emplace());
  }
  template <class T>
  static void read(std::string_view key, const element& from, std::vector<T>& into) {
    array items;
    if (from.get(items) != simdjson::SUCCESS) fail_on(key, "not an array");
    into.clear();
    for (const element item : items) read(key, item, into.emplace_back());
  }
  template <class T>
  requires std::is_class_v<T>
  static void read(std::string_view key, const element& from, T& into) {
    object_reader reader(key, from);
    fields(reader, into);
    if constexpr (std::is_same_v<T, team>) reader.expect_null("team");
    if constexpr (std::is_same_v<T, bones>) reader.expect_null("err_description");
    if constexpr (std::is_same_v<T, frame>) {
      reader.expect_zero("err_code");
      reader.expect_null("err_description");
      reader.expect_false("tournament_match");
      reader.expect_null("possession");
    }
    reader.close();
  }

  friend void read_value(std::string_view key, const element& from, auto& into);

  std::string name_;
  object object_;
  std::size_t known_ = 0;
};

void read_value(std::string_view key, const element& from, auto& into) {
  object_reader::read(key, from, into);
}

}  // namespace

std::vector<std::string> differences(const frame& got, const frame& wanted) {
  comparer compare;
  compare("recorded_time_ms", got.recorded_time_ms, wanted.recorded_time_ms);
  compare("session", got, wanted);
  compare("bones", got.bones, wanted.bones);
  return std::move(compare.found);
}

struct frame_json_reader::buffers {
  simdjson::dom::parser parser;
};

frame_json_reader::frame_json_reader() : buffers_(std::make_unique<buffers>()) {}
frame_json_reader::~frame_json_reader() = default;

frame frame_json_reader::read(std::string_view line) {
  element root;
  if (buffers_->parser.parse(line).get(root) != simdjson::SUCCESS) fail_on("line", "not JSON");
  frame result;
  std::string_view time;
  element session;
  element bones;
  if (root["recorded_time"].get(time) != simdjson::SUCCESS) fail_on("recorded_time", "missing");
  if (root["session"].get(session) != simdjson::SUCCESS) fail_on("session", "missing");
  read_value("session", session, result);
  result.recorded_time_ms = parse_time(time);
  if (root["bones"].get(bones) == simdjson::SUCCESS) read_value("bones", bones, result.bones);
  return result;
}

frame frame_json_reader::read(std::int64_t recorded_time_ms, std::string_view session,
                              std::string_view bones) {
  frame result;
  element root;
  if (buffers_->parser.parse(session).get(root) != simdjson::SUCCESS) fail_on("session", "not JSON");
  read_value("session", root, result);
  result.recorded_time_ms = recorded_time_ms;
  if (!bones.empty()) {
    if (buffers_->parser.parse(bones).get(root) != simdjson::SUCCESS) fail_on("bones", "not JSON");
    read_value("bones", root, result.bones);
  }
  return result;
}

}  // namespace tickreel::butter_model

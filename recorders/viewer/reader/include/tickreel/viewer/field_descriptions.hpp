// Units and meanings of the numbers in ticks.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tickreel {
class byte_source;
}

namespace tickreel::viewer {

// Empty where nothing is known.
struct field_description {
  std::string_view unit;     // "m/s"
  std::string_view meaning;  // "direction", "rotation"
};

class field_descriptions {
 public:
  // Those that a described struct declares, from the schema of its reel. Other recordings have none.
  explicit field_descriptions(const byte_source& recording);
  // Of the value at this path of a tick; valid as long as the object. Units of Echo VR, which its API does not contain,
  // are known without a schema.
  [[nodiscard]] field_description at(std::string_view path) const;

 private:
  struct declared {
    std::string unit;
    std::string_view meaning;
  };
  bool has_schema_ = false;
  std::map<std::string, declared, std::less<>> declared_;  // by path, with [] for every element
};

}  // namespace tickreel::viewer

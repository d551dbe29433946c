// Units and meanings of the numbers in ticks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tickreel {
class byte_source;
struct schema;
}  // namespace tickreel

namespace tickreel::viewer {

// Empty where nothing is known.
struct field_description {
  std::string_view unit;     // "m/s"
  std::string_view meaning;  // "direction", "rotation"
};

class field_descriptions {
 public:
  enum class lines : std::uint8_t { ticks, events };
  // Those that described structs declare, from the schemas in their reel. Other recordings have none. Events are read to
  // find their kinds; members that differ between kinds have none.
  explicit field_descriptions(const byte_source& recording, lines of = lines::ticks);
  // Of the value at this path of a tick or event; valid as long as the object. Units of Echo VR, which its API does not
  // contain, are known without a schema: of session and its members.
  [[nodiscard]] field_description at(std::string_view path) const;

 private:
  struct declared {
    std::string unit;
    std::string_view meaning;
  };
  void add(const schema& described);

  bool has_schema_ = false;
  std::map<std::string, declared, std::less<>> declared_;  // by path, with [] for every element
};

}  // namespace tickreel::viewer

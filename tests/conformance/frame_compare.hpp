// Compares frames field by field, and reads the JSON of a decoded frame.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "butter_model.hpp"

namespace tickreel::butter_model {

// One sentence per field that differs, like "teams[0].players[1].ping: 76, not 77". Floats are compared bit by bit; every NaN
// equals every NaN.
std::vector<std::string> differences(const frame& got, const frame& wanted);

// Reads frames from the program's decoded JSON: {"recorded_time", "session", "bones"}. Strict: throws std::runtime_error for a
// missing, unknown or mistyped field. One object reads many lines.
class frame_json_reader {
 public:
  frame_json_reader();
  ~frame_json_reader();
  frame_json_reader(const frame_json_reader&) = delete;
  frame_json_reader& operator=(const frame_json_reader&) = delete;

  frame read(std::string_view line);
  // From separate columns; `bones` may be empty.
  frame read(std::int64_t recorded_time_ms, std::string_view session, std::string_view bones);

 private:
  struct buffers;
  std::unique_ptr<buffers> buffers_;
};

}  // namespace tickreel::butter_model

// Events of a recording as rows: what `tickreel query` gives, and what an index stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/result.hpp"
#include "tickreel/viewer/cell_losses.hpp"
#include "tickreel/viewer/repaired_values.hpp"

namespace tickreel::library {

struct event_line {
  std::optional<std::uint64_t> tick = std::nullopt;
  std::optional<std::int64_t> time_ms = std::nullopt;
  std::string type;
  std::string json;
  std::uint64_t id = 0;  // the same in every list of the file
};
// All events of a file, up to the error that ended their reading, and its losses.
struct event_list {
  std::vector<event_line> lines;
  std::vector<std::string> losses;
  std::optional<error> failure = std::nullopt;
  bool is_from_index = false;

  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t sum = 0;
    for (const event_line& each : lines) sum += sizeof each + each.json.size();
    return sum;
  }
};

// Makes a list of the lines that recording::events() gives.
class event_list_builder {
 public:
  static result<event_list_builder> create();

  // What the caller needs of each event, beside its tick, time and type.
  struct needs {
    bool json = true;
    bool values = true;  // of the JSON: what they lack counts as a loss
  };
  void begin(const needs& of);
  void add(std::string_view json);
  // The list, with the losses of its lines.
  [[nodiscard]] event_list finish();

 private:
  explicit event_list_builder(viewer::repaired_values heads) : heads_(std::move(heads)) {}

  viewer::repaired_values heads_;
  needs needs_;
  event_list list_;
  viewer::cell_losses lost_{"event"};
  // Of the last line.
  std::uint64_t hash_ = 0;
  std::uint64_t equal_ = 0;
};

// Sets the times of events without one: that of their tick, if it can be read. `open` opens their recording.
result<void> set_event_times(event_list& to,
                             const std::function<result<std::unique_ptr<files::recording>>()>& open,
                             const files::monitor& watch);

}  // namespace tickreel::library

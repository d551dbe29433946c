// Losses of kept columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "packed_column.hpp"

namespace tickreel::query {

// The losses that a read reports, by the number of its rows. A statement that ends early sees those of its last block.
class loss_history {
 public:
  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  void add(std::uint64_t rows, std::vector<std::string> losses) {
    if (losses != before(rows)) steps_.push_back({rows, std::move(losses)});
  }
  // The last ones that are known after this number of rows.
  [[nodiscard]] std::vector<std::string> before(std::uint64_t rows) const {
    const auto later = std::ranges::upper_bound(steps_, rows, {}, &step::rows);
    return later == steps_.begin() ? std::vector<std::string>() : std::prev(later)->losses;
  }
  [[nodiscard]] std::vector<std::string> last() const {
    return steps_.empty() ? std::vector<std::string>() : steps_.back().losses;
  }

  void append_to(byte_vector& out) const {
    column_packer packed;
    for (const step& each : steps_) {
      packed.add_integer(static_cast<std::int64_t>(each.rows));
      packed.add_integer(static_cast<std::int64_t>(each.losses.size()));
      for (const std::string& loss : each.losses) packed.add(loss);
    }
    packed.append_to(out);
  }
  // Empty if the bytes are malformed.
  static loss_history read(byte_span packed) {
    loss_history out;
    column_unpacker from(packed);
    const auto count = [&from]() -> std::optional<std::uint64_t> {
      value next;
      if (!from.next(next)) return std::nullopt;
      const auto* const number = std::get_if<std::int64_t>(&next);
      if (number == nullptr || *number < 0) return std::nullopt;
      return static_cast<std::uint64_t>(*number);
    };
    while (const auto rows = count()) {
      const auto losses = count();
      if (!losses || *losses > from.rows()) return {};
      step& to = out.steps_.emplace_back(step{*rows, {}});
      while (to.losses.size() < *losses) {
        value next;
        if (!from.next(next) || !std::holds_alternative<std::string>(next)) return {};
        to.losses.push_back(std::get<std::string>(std::move(next)));
      }
    }
    return from.is_complete() ? std::move(out) : loss_history();
  }

 private:
  struct step {
    std::uint64_t rows = 0;
    std::vector<std::string> losses;
  };
  std::vector<step> steps_;
};

}  // namespace tickreel::query

// From the rows of a recording to the rows of a program's struct, which may be older or newer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/component.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// A value that both have, under one name, of another type.
struct changed_value {
  value_layout recorded;
  value_layout wanted;
  // "x: 64-bit floating point in the recording, 32-bit in the program"
  [[nodiscard]] std::string sentence() const;
};

// Values are matched by name and kind, never by place. A text may have another room.
class row_mapping {
 public:
  // Allocates, as the rest does not.
  row_mapping(std::span<const value_layout> recorded, std::span<const value_layout> wanted);

  // Values that the program has and the recording has not: they stay as they are in `to`.
  [[nodiscard]] const std::vector<std::string>& missing() const noexcept { return missing_; }
  // Values that only the recording has.
  [[nodiscard]] const std::vector<std::string>& unknown() const noexcept { return unknown_; }
  // Values whose type is another: they stay as they are, too. An error for who needs them.
  [[nodiscard]] const std::vector<changed_value>& changed() const noexcept { return changed_; }
  [[nodiscard]] bool is_same() const noexcept {
    return missing_.empty() && unknown_.empty() && changed_.empty();
  }

  // Copies what both have. `from` and `to` are whole rows; a longer text is cut at the end of a character.
  void apply(byte_span from, mutable_byte_span to) const noexcept;

 private:
  struct piece {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t bytes = 0;
    std::uint32_t text_bytes = 0;  // of the wanted room with its size; 0: copied as it is
  };
  std::vector<piece> pieces_;
  std::vector<std::string> missing_;
  std::vector<std::string> unknown_;
  std::vector<changed_value> changed_;
};

}  // namespace tickreel

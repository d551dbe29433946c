// How many values a row of a schema has, how deep they are nested, and how long their names are.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/describe/schema.hpp"

namespace tickreel {

class schema_extents {
 public:
  // Adds the next type, which refers to earlier ones. over_limit, with the offset `at`, for a type beyond the limits.
  result<void> add(const schema_type& type, std::uint64_t at, const schema_limits& limits);

 private:
  // Of a value of the type.
  struct extent {
    std::uint64_t values = 1;
    std::uint32_t depth = 1;
    std::uint64_t words = 0;       // enumerators, counted for each value
    std::uint64_t path_bytes = 0;  // of the values' names, relative to this type
  };
  static extent times(const extent& one, std::uint64_t count, std::uint64_t name_bytes,
                      std::uint64_t more_values);
  [[nodiscard]] extent extent_of(const schema_type& type) const;

  std::vector<extent> all_;
};

}  // namespace tickreel

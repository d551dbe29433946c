// Which records of a reel exist: to compare an assembly with the archive.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"
#include "tickreel/store/index_object.hpp"

namespace tickreel::archive {

struct record_set {
  std::uint64_t end = 0;                     // the sequence after the last one
  std::vector<store::record_range> missing;  // below `end`, in order
  bool is_known = true;                      // false: `missing` is not, but there are some

  // False if that cannot be decided.
  [[nodiscard]] bool contains(const record_set& other) const;
};

[[nodiscard]] record_set records_of(const store::index_object& stored);
// Checks every hash. `end`: as counted by the assembler.
[[nodiscard]] result<record_set> records_of(const file_path& assembled, std::uint64_t end);

}  // namespace tickreel::archive

// Rows of several files, in the order of the files. Several threads read them, if there are threads.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "row_block.hpp"
#include "rows.hpp"

namespace tickreel::query {

class work;

// Uses the thread of the statement, except for its jobs.
class file_scan {
 public:
  file_scan() = default;
  file_scan(const file_scan&) = delete;
  file_scan& operator=(const file_scan&) = delete;
  virtual ~file_scan() = default;

  // The next rows, and the number of their file. Empty at the end; interrupted.
  virtual result<std::optional<row_block>> next(std::size_t& file) = 0;
};

[[nodiscard]] std::unique_ptr<file_scan> scan_files(work& of, const request& what, const limits& within,
                                                    std::vector<std::size_t> files);

}  // namespace tickreel::query

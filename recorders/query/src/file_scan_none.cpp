// Builds without threads: the statement reads one file after the other.
#include "file_scan.hpp"
#include "work.hpp"

namespace tickreel::query {

namespace {

class serial_file_scan final : public file_scan {
 public:
  serial_file_scan(work& of, const request& what, const limits& within, std::vector<std::size_t> files)
      : work_(&of), what_(what), within_(within), files_(std::move(files)) {}

  result<std::optional<row_block>> next(std::size_t& file) override {
    if (current_ == files_.size()) return std::nullopt;
    if (work_->should_stop()) return fail(error_code::interrupted);
    file = files_[current_];
    row_block block = read();
    if (block.is_last) {
      ++current_;
      rows_.reset();
    }
    return block;
  }

 private:
  row_block read() {
    if (rows_ == nullptr) {
      auto rows = open_rows(what_, work_->inputs()[files_[current_]]);
      if (!rows) return failed_block(rows.error());
      rows_ = std::move(*rows);
      if (auto begun = rows_->begin(within_); !begun) return failed_block(begun.error());
    }
    return read_block(*rows_, what_.width(), block_rows);
  }

  work* work_;
  request what_;
  limits within_;
  std::vector<std::size_t> files_;
  std::size_t current_ = 0;
  std::unique_ptr<file_rows> rows_;  // of the current file
};

}  // namespace

std::unique_ptr<file_scan> scan_files(work& of, const request& what, const limits& within,
                                      std::vector<std::size_t> files) {
  return std::make_unique<serial_file_scan>(of, what, within, std::move(files));
}

}  // namespace tickreel::query

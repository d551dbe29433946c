#include "file_scan.hpp"

#include <atomic>
#include <chrono>
#include <exception>

#include "tickreel/workers/hand_over.hpp"
#include "tickreel/workers/worker_pool.hpp"
#include "work.hpp"

namespace tickreel::query {

namespace {

constexpr std::size_t rows_at_once = 4 * block_rows;
// Of a file that is read before its turn.
constexpr std::size_t max_waiting_blocks = 4;
constexpr std::size_t files_per_thread = 4;

class parallel_file_scan final : public file_scan {
 public:
  parallel_file_scan(work& of, const request& what, const limits& within, std::vector<std::size_t> files)
      : work_(&of),
        within_(within),
        files_(std::move(files)),
        channels_(files_.size()),
        watched_(what),
        pool_(of.threads()) {
    watched_.watch = {{}, [this] { return stop_ || work_->should_stop(); }};
    add_jobs();
  }
  ~parallel_file_scan() override {
    stop_ = true;
    for (const auto& each : channels_) {
      if (each != nullptr) each->close();
    }
  }

  result<std::optional<row_block>> next(std::size_t& file) override {
    while (current_ < files_.size()) {
      add_jobs();
      std::optional<row_block> block;
      do {
        if (work_->should_stop()) return fail(error_code::interrupted);
        block = channels_[current_]->take(std::chrono::milliseconds(50));
      } while (!block);
      file = files_[current_];
      if (block->is_last) ++current_;
      return block;
    }
    return std::nullopt;
  }

 private:
  using channel = workers::hand_over<row_block>;

  void add_jobs() {
    while (added_ < files_.size() && added_ < current_ + work_->threads() * files_per_thread) {
      auto& to = channels_[added_];
      to = std::make_unique<channel>(max_waiting_blocks);
      const input& from = work_->inputs()[files_[added_]];
      ++added_;
      pool_.add([this, &from, &at = *to] { read(from, at); });
    }
  }

  void read(const input& from, channel& to) {
    try {
      if (watched_.watch.stop()) return;
      auto rows = open_rows(watched_, from);
      result<void> begun = rows ? (*rows)->begin(within_) : fail(rows.error());
      if (!begun) {
        (void)to.give(failed_block(begun.error()));
        return;
      }
      do {
        row_block block = read_block(**rows, watched_.width(), rows_at_once);
        const bool is_last = block.is_last;
        if (!to.give(std::move(block)) || is_last) return;
      } while (!watched_.watch.stop());
    } catch (const std::exception&) {
      (void)to.give(failed_block(error{error_code::out_of_memory}));
    }
  }

  work* work_;
  limits within_;
  std::vector<std::size_t> files_;
  std::vector<std::unique_ptr<channel>> channels_;  // by place in files_
  std::size_t current_ = 0;
  std::size_t added_ = 0;
  std::atomic<bool> stop_ = false;
  request watched_;            // of the statement, which also stops with this scan
  workers::worker_pool pool_;  // last member: its jobs use the others
};

}  // namespace

std::unique_ptr<file_scan> scan_files(work& of, const request& what, const limits& within,
                                      std::vector<std::size_t> files) {
  return std::make_unique<parallel_file_scan>(of, what, within, std::move(files));
}

}  // namespace tickreel::query

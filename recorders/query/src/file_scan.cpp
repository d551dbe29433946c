#include "file_scan.hpp"

#include <exception>

#include "work.hpp"

namespace tickreel::query {

namespace {

constexpr std::size_t block_rows = 1024;
// Of a file that is read before its turn.
constexpr std::size_t max_waiting_blocks = 4;
constexpr std::size_t files_per_thread = 4;

}  // namespace

row_block read_block(file_rows& from, std::size_t width, std::size_t max_rows) {
  row_block out;
  while (out.rows < max_rows) {
    out.cells.resize((out.rows + 1) * width);
    const auto more = from.next(std::span(out.cells).subspan(out.rows * width, width));
    if (!more) out.failure = more.error();
    if (!more || !*more) {
      out.is_last = true;
      break;
    }
    for (value& each : std::span(out.cells).subspan(out.rows * width, width)) {
      const auto* const text = std::get_if<std::string>(&each);
      if (text == nullptr || text->size() <= max_text_bytes) continue;
      each = {};
      from.omitted().add_long_text(from.tick());
    }
    out.ids.push_back(from.row_id());
    ++out.rows;
  }
  out.losses = from.losses();
  for (std::string& each : from.omitted().sentences()) out.losses.push_back(std::move(each));
  out.read = from.read();
  return out;
}

file_scan::file_scan(work& of, const request& what, const limits& within, std::vector<std::size_t> files)
    : work_(&of),
      within_(within),
      files_(std::move(files)),
      channels_(files_.size()),
      watched_(what),
      pool_(of.threads()) {
  watched_.watch = {{}, [this] { return stop_ || work_->should_stop(); }};
  add_jobs();
}

file_scan::~file_scan() {
  stop_ = true;
  for (const auto& each : channels_) {
    if (each != nullptr) each->close();
  }
}

void file_scan::add_jobs() {
  while (added_ < files_.size() && added_ < current_ + work_->threads() * files_per_thread) {
    auto& to = channels_[added_];
    to = std::make_unique<channel>(max_waiting_blocks);
    const std::string& file = work_->inputs()[files_[added_]].file;
    ++added_;
    pool_.add([this, &file, &at = *to] { read(file, at); });
  }
}

void file_scan::read(const std::string& file, channel& to) {
  row_block block;
  block.is_last = true;
  try {
    if (watched_.watch.stop()) return;
    auto rows = open_rows(watched_, file);
    result<void> begun = rows ? (*rows)->begin(within_) : fail(rows.error());
    if (!begun) {
      block.failure = begun.error();
      (void)to.give(std::move(block));
      return;
    }
    do {
      block = read_block(**rows, watched_.width(), block_rows);
      const bool is_last = block.is_last;
      if (!to.give(std::move(block)) || is_last) return;
    } while (!watched_.watch.stop());
  } catch (const std::exception&) {
    row_block failed;
    failed.is_last = true;
    failed.failure = error{error_code::out_of_memory};
    (void)to.give(std::move(failed));
  }
}

result<std::optional<row_block>> file_scan::next(std::size_t& file) {
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

}  // namespace tickreel::query

#include "table_scan.hpp"

#include <algorithm>
#include <utility>

namespace tickreel::query {

namespace {

bool takes_all(const std::vector<name_filter>& filters, const std::string& name) {
  return std::ranges::all_of(filters, [&](const name_filter& each) { return each.takes(name); });
}

}  // namespace

table_scan::table_scan(work& of, table which) : work_(&of) {
  what_.from = which;
  what_.watch = of.watch();
  what_.index = of.library.get();
  if (which == table::events) ++of.event_scans;
}

table_scan::~table_scan() {
  account();
  if (what_.from == table::events) --work_->event_scans;
}

void table_scan::choose_columns(std::uint64_t columns) {
  if (!slots_.empty() && columns == columns_) return;
  columns_ = columns;
  one_.reset();
  what_.fixed.clear();
  what_.paths.clear();
  const std::size_t fixed = fixed_columns(what_.from).size();
  const std::size_t all = fixed + (has_paths(what_.from) ? work_->paths.size() : 0);
  slots_.assign(all, -1);
  int slot = 0;
  for (std::size_t column = 0; column < all; ++column) {
    constexpr std::size_t last_bit = 63;
    const bool is_needed = (columns >> std::min(column, last_bit) & 1u) != 0;
    // The name of the file needs no reading.
    if (!is_needed || column == recording_column) continue;
    if (column < fixed) what_.fixed.push_back(static_cast<int>(column));
    if (column >= fixed) what_.paths.push_back(work_->paths[column - fixed]);
    slots_[column] = slot++;
  }
}

result<void> table_scan::begin(plan how) {
  account();
  several_.reset();
  block_ = {};
  in_block_ = 0;
  is_at_end_ = false;
  choose_columns(how.columns);
  if (what_.from == table::statistics) return begin_statistics(how);
  return begin_files(how);
}

result<void> table_scan::begin_statistics(const plan& how) {
  const auto lines = work_->statistics();
  if (!lines) return fail(lines.error());
  lines_ = *lines;
  chosen_.clear();
  for (std::size_t each = 0; each < lines_->size(); ++each) {
    if (takes_all(how.names, work_->inputs()[(*lines_)[each].file].file)) chosen_.push_back(each);
  }
  line_ = 0;
  is_at_end_ = chosen_.empty();
  if (!is_at_end_) file_ = (*lines_)[chosen_[0]].file;
  return {};
}

result<void> table_scan::begin_files(const plan& how) {
  what_.cache = what_.from == table::events && work_->event_scans > 1 ? &work_->events : nullptr;
  std::vector<std::size_t> files;
  for (std::size_t each = 0; each < work_->inputs().size(); ++each) {
    if (takes_all(how.names, work_->inputs()[each].file)) files.push_back(each);
  }
  if (how.is_by_name) {
    std::ranges::sort(files, {},
                      [this](std::size_t file) -> const std::string& { return work_->inputs()[file].file; });
  }
  reads_one_ = files.size() == 1;
  if (!reads_one_) {
    one_.reset();
    several_ = scan_files(*work_, what_, how.within, std::move(files));
    return next();
  }
  if (one_ == nullptr || one_file_ != files[0]) {
    one_file_ = files[0];
    auto opened = open_rows(what_, work_->inputs()[files[0]]);
    one_.reset();
    if (opened) one_ = std::move(*opened);
    if (!opened) work_->note_failure(files[0], opened.error());
  }
  if (one_ != nullptr) {
    if (auto begun = one_->begin(how.within); !begun) {
      one_.reset();
      if (begun.error().code == error_code::interrupted) return begun;
      work_->note_failure(files[0], begun.error());
    }
  }
  if (one_ == nullptr) reads_one_ = false;
  return next();
}

result<bool> table_scan::read_one_file() {
  if (!reads_one_ || one_ == nullptr) return false;
  row_block block = read_block(*one_, what_.width(), block_rows);
  if (block.is_last) reads_one_ = false;
  take(std::move(block), one_file_);
  return true;
}

// False at the end.
result<bool> table_scan::read_more() {
  if (work_->should_stop()) return fail(error_code::interrupted);
  if (several_ == nullptr) return read_one_file();
  std::size_t file = 0;
  auto block = several_->next(file);
  if (!block) return fail(block.error());
  if (!*block) return false;
  take(std::move(**block), file);
  return true;
}

void table_scan::take(row_block block, std::size_t file) {
  if (!current_ || current_->file != file) {
    account();
    current_.emplace().file = file;
    file_ = file;
  }
  block_ = std::move(block);
  in_block_ = 0;
  current_->rows += block_.rows;
  current_->read = block_.read;
  current_->losses = std::move(block_.losses);
  current_->is_from_index = block_.is_from_index;
  if (block_.failure) work_->note_failure(file, *block_.failure);
  note_values();
}

void table_scan::note_values() {
  const std::size_t width = what_.width();
  for (std::size_t path = 0; path < what_.paths.size(); ++path) {
    for (std::size_t row = 0; row < block_.rows; ++row) {
      const value& each = block_.cells[row * width + what_.fixed.size() + path];
      if (std::holds_alternative<std::monostate>(each)) continue;
      work_->note_value(what_.paths[path]);
      break;
    }
  }
}

void table_scan::account() {
  if (!current_) return;
  work_->note_losses(current_->file, current_->losses);
  file_part& part = work_->part_of(what_, current_->file);
  ++part.scans;
  if (current_->is_from_index) ++part.index_scans;
  part.rows += current_->rows;
  part.ticks += current_->read.count;
  if (current_->read.count != 0) {
    part.first_tick = std::min(part.first_tick.value_or(current_->read.first), current_->read.first);
    part.last_tick = std::max(part.last_tick.value_or(current_->read.last), current_->read.last);
  }
  current_.reset();
}

result<void> table_scan::next() {
  if (what_.from == table::statistics) {
    if (lines_ == nullptr || ++line_ >= chosen_.size()) {
      is_at_end_ = true;
      return {};
    }
    file_ = (*lines_)[chosen_[line_]].file;
    return {};
  }
  if (in_block_ + 1 < block_.rows) {
    ++in_block_;
    return {};
  }
  do {
    const auto more = read_more();
    if (!more) return fail(more.error());
    if (*more) continue;
    account();
    is_at_end_ = true;
    return {};
  } while (block_.rows == 0);
  return {};
}

std::int64_t table_scan::row_id() const noexcept {
  if (lines_ != nullptr) return static_cast<std::int64_t>(chosen_[line_]);
  // The finaliser of splitmix64: rows of different files get different numbers.
  std::uint64_t id = block_.ids[in_block_] + (file_ + 1) * 0x9E3779B97F4A7C15u;
  id = (id ^ (id >> 30)) * 0xBF58476D1CE4E5B9u;
  id = (id ^ (id >> 27)) * 0x94D049BB133111EBu;
  return static_cast<std::int64_t>(id ^ (id >> 31));
}

const value* table_scan::at(int column) {
  if (lines_ != nullptr) return &(*lines_)[chosen_[line_]].values[static_cast<std::size_t>(column) - 1];
  const int slot = slots_[static_cast<std::size_t>(column)];
  if (slot < 0) return nullptr;
  return &block_.cells[in_block_ * what_.width() + static_cast<std::size_t>(slot)];
}

}  // namespace tickreel::query

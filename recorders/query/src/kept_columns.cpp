// Columns of the tables ticks and players in the index of a library.
#include <algorithm>
#include <array>

#include "library_tables.hpp"
#include "loss_history.hpp"
#include "packed_column.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::query {

namespace {

// No path has this name, because SQL has its own meaning of it.
constexpr const char* row_id_name = "rowid";

// The columns of the request in the index, with the ids of the rows first. Empty if a path has the name of a fixed
// column.
std::vector<std::string> names_of(const request& what) {
  std::vector<std::string> out = {row_id_name};
  for (const int each : what.fixed) out.push_back(column_name(what.from, each, {}));
  for (const std::string& path : what.paths) {
    const auto is_it = [&](const fixed_column& each) { return text::equal_ignoring_case(each.name, path); };
    if (std::ranges::any_of(fixed_columns(what.from), is_it)) return {};
    out.push_back(path);
  }
  return out;
}

// Whole columns of different reads belong together. Those of a read with losses belong to that read alone: which losses it
// reports, and which rows it gives, may depend on its columns.
std::string source_with_losses(const request& what, std::vector<std::string> names) {
  std::ranges::sort(names);
  std::string out(name(what.from));
  for (const std::string& each : names) out += ' ' + std::to_string(each.size()) + ':' + each;
  return out;
}

// No path has this name either.
constexpr const char* losses_name = "_rowid_";

// The rows that a recording gives between limits.
class kept_rows final : public file_rows {
 public:
  kept_rows(const request& what, std::vector<byte_vector> packed, loss_history losses = {})
      : file_rows("tick"), what_(&what), packed_(std::move(packed)), losses_(std::move(losses)) {}

  result<void> begin(const limits& within) override {
    within_ = within;
    columns_.clear();
    for (const byte_vector& each : packed_) columns_.emplace_back(each);
    given_ = 0;
    is_complete_ = false;
    is_at_end_ = within.first_tick > within.last_tick || within.first_ms > within.last_ms;
    return {};
  }
  [[nodiscard]] bool has_losses() const noexcept { return !losses_.empty(); }
  // Whether each column has the same rows.
  [[nodiscard]] bool is_consistent() const {
    const auto rows = [](const byte_vector& each) { return column_unpacker(each).rows(); };
    return std::ranges::all_of(packed_,
                               [&](const byte_vector& each) { return rows(each) == rows(packed_[0]); });
  }

  result<bool> next(std::span<value> row) override {
    while (!is_at_end_ && columns_[0].next(id_)) {
      bool is_inside = true;
      for (std::size_t slot = 0; slot < row.size(); ++slot) {
        if (!columns_[slot + 1].next(row[slot])) return malformed();
      }
      for (std::size_t slot = 0; slot < what_->fixed.size(); ++slot) {
        is_inside = takes(what_->fixed[slot], row[slot]) && is_inside;
      }
      if (is_inside && !is_at_end_) return ++given_, true;
    }
    is_complete_ = is_at_end_ || std::ranges::all_of(columns_, &column_unpacker::is_complete);
    if (is_complete_) return false;
    return malformed();
  }

  std::uint64_t row_id() const override {
    const auto* const number = std::get_if<std::int64_t>(&id_);
    return number == nullptr ? 0 : static_cast<std::uint64_t>(*number);
  }
  std::vector<std::string> losses() const override {
    return is_complete_ ? losses_.last() : losses_.before(given_);
  }
  bool is_from_index() const override { return true; }

 private:
  // Whether the limits take a row with this value. Kept ticks and times do not decrease: see column_collector.
  bool takes(int column, const value& now) {
    if (column == tick_column || column == time_column) {
      const auto* const number = std::get_if<std::int64_t>(&now);
      if (number == nullptr) return true;
      if (column == time_column) {
        is_at_end_ = is_at_end_ || *number > within_.last_ms;
        return *number >= within_.first_ms;
      }
      const auto tick = static_cast<std::uint64_t>(*number);
      is_at_end_ = is_at_end_ || tick > within_.last_tick;
      return tick >= within_.first_tick;
    }
    if (what_->from != table::players || column != players_column::player || !within_.player) return true;
    const auto* const name = std::get_if<std::string>(&now);
    return name != nullptr && *name == *within_.player;
  }

  static tl::unexpected<error> malformed() {
    return fail(error_code::malformed, error::no_offset,
                "its columns in the index; 'tickreel library scan --everything' removes them");
  }

  const request* what_;
  limits within_;
  std::vector<byte_vector> packed_;
  loss_history losses_;                   // of all rows
  std::vector<column_unpacker> columns_;  // the first has the ids
  value id_;                              // of the row
  std::uint64_t given_ = 0;
  bool is_at_end_ = true;
  bool is_complete_ = false;  // all rows were given
};

// Rows with losses: all of them from the index, and a part, which may have other losses, from the file.
class whole_kept_rows final : public file_rows {
 public:
  whole_kept_rows(std::unique_ptr<kept_rows> all, rows_opener open_file)
      : all_(std::move(all)), open_file_(std::move(open_file)) {}

  result<void> begin(const limits& within) override {
    now_ = all_.get();
    if (within == limits()) return now_->begin(within);
    if (part_ == nullptr) {
      auto opened = open_file_();
      if (!opened) return fail(opened.error());
      part_ = std::move(*opened);
    }
    now_ = part_.get();
    return now_->begin(within);
  }
  result<bool> next(std::span<value> row) override { return now_->next(row); }
  std::uint64_t row_id() const override { return now_->row_id(); }
  std::optional<std::uint64_t> tick() const override { return now_->tick(); }
  std::vector<std::string> losses() const override { return now_->losses(); }
  ticks_read read() const override { return now_->read(); }
  bool is_from_index() const override { return now_->is_from_index(); }
  cell_losses& omitted() noexcept override { return now_->omitted(); }

 private:
  std::unique_ptr<kept_rows> all_;
  std::unique_ptr<file_rows> part_;
  rows_opener open_file_;
  file_rows* now_ = nullptr;
};

// Collects the columns of rows while they are read.
class column_collector {
 public:
  column_collector(const request& what, std::vector<std::string> names)
      : what_(&what), names_(std::move(names)), columns_(names_.size()) {}

  void clear() {
    columns_.assign(names_.size(), column_packer());
    bytes_ = 0;
    long_columns_ = 0;
    before_ = {};
    losses_ = {};
  }

  void add(std::uint64_t id, std::span<const value> row) {
    // Without ids the other columns are of no use.
    if (!columns_[0]) return;
    add_to(0, [id](column_packer& to) { to.add_integer(static_cast<std::int64_t>(id)); });
    for (std::size_t slot = 0; slot < row.size(); ++slot) {
      if (!columns_[slot + 1]) continue;
      if (slot < what_->fixed.size() && !is_in_order(what_->fixed[slot], row[slot])) {
        columns_[slot + 1].reset();
      } else {
        add_to(slot + 1, [&](column_packer& to) { to.add(row[slot]); });
      }
    }
  }
  // After this number of rows.
  void add_losses(std::uint64_t rows, std::vector<std::string> losses) {
    losses_.add(rows, std::move(losses));
  }
  [[nodiscard]] std::uint64_t long_columns() const noexcept { return long_columns_; }

  result<bool> keep(library::indexed_content& in, const library::indexed_recording& of) const {
    if (!columns_[0]) return false;
    const bool has_losses = !losses_.empty();
    if (has_losses && !std::ranges::all_of(columns_, [](const auto& each) { return each.has_value(); })) {
      return false;
    }
    std::vector<byte_vector> values(columns_.size() + 1);
    std::vector<library::kept_column> kept;
    for (std::size_t at = 0; at < columns_.size(); ++at) {
      if (!columns_[at]) continue;
      columns_[at]->append_to(values[at]);
      kept.push_back({names_[at], values[at]});
    }
    if (!has_losses) return in.keep(of, name(what_->from), columns_[0]->rows(), kept);
    losses_.append_to(values.back());
    if (values.back().size() > library::max_column_bytes) return false;
    kept.push_back({losses_name, values.back()});
    return in.keep(of, source_with_losses(*what_, names_), columns_[0]->rows(), kept);
  }

 private:
  template <class Add>
  void add_to(std::size_t at, const Add& add) {
    std::optional<column_packer>& to = columns_[at];
    const std::size_t before = to->bytes();
    add(*to);
    bytes_ += to->bytes() - before;
    if (to->bytes() <= library::max_column_bytes && bytes_ <= library::max_columns_bytes) return;
    ++long_columns_;
    bytes_ -= to->bytes() - column_packer().bytes();
    to.reset();
  }

  // Limits of a scan of kept columns end it at the first later row.
  bool is_in_order(int column, const value& now) {
    if (column != tick_column && column != time_column) return true;
    const auto* const number = std::get_if<std::int64_t>(&now);
    std::optional<std::int64_t>& before = before_[column == tick_column ? 0 : 1];
    if (number == nullptr || (before && *number < *before)) return false;
    before = *number;
    return true;
  }

  const request* what_;
  std::vector<std::string> names_;
  std::vector<std::optional<column_packer>> columns_;  // empty: not kept
  std::size_t bytes_ = 0;
  std::uint64_t long_columns_ = 0;
  std::array<std::optional<std::int64_t>, 2> before_{};  // tick and time
  loss_history losses_;
};

// Passes the rows of a recording, and keeps their columns when it was read to its end.
class keeping_rows final : public file_rows {
 public:
  keeping_rows(std::unique_ptr<file_rows> from, column_collector collector,
               std::function<void(const column_collector&)> keep)
      : from_(std::move(from)), collector_(std::move(collector)), keep_(std::move(keep)) {}

  result<void> begin(const limits& within) override {
    // A part of the rows is not kept, and no scan is kept twice.
    is_collecting_ = keep_ && within == limits();
    collector_.clear();
    rows_ = 0;
    return from_->begin(within);
  }
  result<bool> next(std::span<value> row) override {
    const auto more = from_->next(row);
    if (!is_collecting_) return more;
    if (more && *more) {
      collector_.add(from_->row_id(), row);
      if (++rows_ % block_rows == 0) collector_.add_losses(rows_, losses_of(*from_));
      return more;
    }
    is_collecting_ = false;
    if (!more) return more;
    collector_.add_losses(rows_ + 1, losses_of(*from_));
    std::exchange(keep_, {})(collector_);
    collector_.clear();
    return more;
  }
  std::uint64_t row_id() const override { return from_->row_id(); }
  std::optional<std::uint64_t> tick() const override { return from_->tick(); }
  std::vector<std::string> losses() const override { return from_->losses(); }
  ticks_read read() const override { return from_->read(); }
  cell_losses& omitted() noexcept override { return from_->omitted(); }

 private:
  std::unique_ptr<file_rows> from_;
  column_collector collector_;
  std::function<void(const column_collector&)> keep_;  // empty once it was called
  std::uint64_t rows_ = 0;
  bool is_collecting_ = false;
};

}  // namespace

std::unique_ptr<file_rows> library_index::open_kept_rows(const request& what, const input& from,
                                                         rows_opener open_file) const {
  std::vector<std::string> names = names_of(what);
  if (from.bytes || names.empty()) return nullptr;
  const library::indexed_recording recording = recording_of(from);
  auto packed = content_->columns(recording, name(what.from), names);
  if (!packed.empty()) {
    auto rows = std::make_unique<kept_rows>(what, std::move(packed));
    if (!rows->is_consistent()) return nullptr;
    return rows;
  }
  const std::string source = source_with_losses(what, names);
  names.emplace_back(losses_name);
  packed = content_->columns(recording, source, names);
  if (packed.empty()) return nullptr;
  auto losses = loss_history::read(packed.back());
  packed.pop_back();
  auto rows = std::make_unique<kept_rows>(what, std::move(packed), std::move(losses));
  if (!rows->has_losses() || !rows->is_consistent()) return nullptr;
  return std::make_unique<whole_kept_rows>(std::move(rows), std::move(open_file));
}

std::unique_ptr<file_rows> library_index::keep_rows(const request& what, const input& from,
                                                    std::unique_ptr<file_rows> rows) {
  std::vector<std::string> names = names_of(what);
  if (!keeping_.is_asked || from.bytes || names.empty() || rows->has_other_files()) return rows;
  const library::indexed_recording recording = recording_of(from);
  const bool is_indexed = content_->has(recording);
  std::string scan = from.file;
  for (const std::string& each : names) scan.append(1, '\0').append(each);
  {
    const workers::mutex_guard lock(keeping_.mutex);
    if (!is_indexed) keeping_.unindexed.insert(from.file);
    if (!is_indexed || keeping_.scans.contains(scan)) return rows;
  }
  const auto keep = [this, recording, scan](const column_collector& collected) {
    const auto kept = collected.keep(*content_, recording);
    const workers::mutex_guard lock(keeping_.mutex);
    if (!keeping_.scans.insert(scan).second) return;
    keeping_.long_columns += collected.long_columns();
    if (!kept && !keeping_.failure) keeping_.failure = kept.error();
  };
  return std::make_unique<keeping_rows>(std::move(rows), column_collector(what, std::move(names)), keep);
}

std::vector<std::string> library_index::keeping_notes() const {
  std::vector<std::string> out;
  if (keeping_.failure) out.push_back("columns were not kept in the index: " + describe(*keeping_.failure));
  if (keeping_.long_columns != 0) {
    out.push_back(counted(keeping_.long_columns, "column was", "columns were") +
                  " not kept in the index: more than 16 MiB of one recording, or all more than 128 MiB");
  }
  if (!keeping_.unindexed.empty()) {
    out.push_back(
        counted(keeping_.unindexed.size(), "recording is", "recordings are") +
        " not in the index as they are now, so their columns were not kept; 'tickreel library scan' "
        "adds them");
  }
  return out;
}

}  // namespace tickreel::query

// Reads reels of described structs: rows of column blocks, decoded with the schema in the header.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "described_values.hpp"
#include "reels/frame_check.hpp"
#include "reels/schema_text.hpp"
#include "reels/ticked_reel.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/files/tick_columns.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/tracks/event_reader.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel::files {

// Appends a row's values as members of a JSON object. A struct becomes an object; entities become an array of
// the living ones, each with its id and generation; an optional without a value is null; an enumeration
// becomes the name of its value, if it has one. `taken`: keys of the enclosing object; a member with such a
// name gets an underscore.
void append_members(const schema& described, byte_span row, text::json_writer& json,
                    std::span<const std::string_view> taken = keys_of_ticks);

// Only the member with that key of a tick; false if there is none.
bool append_member(const schema& described, byte_span row, std::string_view key, text::json_writer& json);

// Cells, each with a leading comma.
void append_csv_names(const schema& described, std::string& out);
void append_csv_row(const schema& described, byte_span row, std::string& out);

// The ticks of such a reel, for ticked_recording.
class described_ticks {
 public:
  using state_type = byte_vector;
  static constexpr std::string_view decoder_name = tracks::rows_name;
  static bool reads_version(std::uint32_t version) noexcept {
    return tracks::row_decoder::reads_version(version);
  }

  explicit described_ticks(tracks::row_decoder rows) : rows_(std::move(rows)) {}

  result<void> decode(frame_kind kind, byte_span bytes) { return rows_.decode(kind, bytes); }
  [[nodiscard]] const state_type& state() const noexcept { return rows_.state(); }
  [[nodiscard]] const schema& described() const noexcept { return rows_.described(); }
  void keep_only(const std::function<bool(std::string_view)>& keeps) { rows_.keep_only(keeps); }

  void append_state(std::string& json, bool) const {
    text::json_writer out(json);
    append_members(rows_.described(), rows_.state(), out);
  }
  void describe(summary& out) const { out.facts.push_back({"fields", fields_text(rows_.described())}); }

 private:
  tracks::row_decoder rows_;
};

class described_recording final : public ticked_reel<described_ticks>,
                                  public event_source,
                                  public tick_columns {
 public:
  using ticked_reel::ticked_reel;
  capabilities offers() noexcept override { return {.events = this, .growth = this, .columns = this}; }
  bool append_member(std::string_view name, std::string& json) const override {
    text::json_writer out(json);
    return files::append_member(described(), row(), name, out);
  }
  std::optional<std::size_t> find_column(std::span<const path_step> path) override;
  std::optional<tick_value> column_value(std::size_t column) const override {
    return read_value(columns_[column], row());
  }
  result<void> read_only(std::span<const std::size_t> columns) override;
  [[nodiscard]] const schema& described() const noexcept { return ticks().described(); }
  // The row of the current tick.
  [[nodiscard]] byte_span row() const noexcept { return ticks().state(); }

  // Events by their names, with their members. An undescribed event has the type "event", its number and its
  // bytes.
  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override;
  result<std::vector<std::string>> event_types() override;
  std::vector<std::string> losses() const override;
  result<void> rewind() override;
  result<summary> resume(const observer& to, const monitor& watch) override;
  result<verification> verify(const monitor& watch) override;

 private:
  void note_losses(const tracks::event_reader& from);
  std::vector<described_value> columns_;
  std::vector<std::string> event_losses_;
  // Used by resume(), which continues from its last position.
  std::optional<tracks::event_reader> events_;
};

// unsupported_operation for a reel of other frames.
result<std::unique_ptr<described_recording>> open_described(const byte_source& from, bool live = false);
result<std::unique_ptr<recording>> open_described_reel(const byte_source& from, const open_options& options);
result<reel::frame_check> check_row_frames(reel::reader& source);

}  // namespace tickreel::files

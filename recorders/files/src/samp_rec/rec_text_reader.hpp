// Blocks out of CSV or NDJSON, one after the other, in bounded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "rec_text.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"
#include "tickreel/samp_rec/shape.hpp"

namespace tickreel::files {

[[nodiscard]] samp_rec::recording_kind kind_of(samp_rec::block_layout layout) noexcept;

class rec_text_reader {
 public:
  static result<std::unique_ptr<rec_text_reader>> open(const file_path& path, rec_text_form form);
  // The same from memory, which must outlive it.
  static std::unique_ptr<rec_text_reader> from_memory(byte_span text, rec_text_form form);
  ~rec_text_reader();
  rec_text_reader(const rec_text_reader&) = delete;
  rec_text_reader& operator=(const rec_text_reader&) = delete;

  // Writes the next block's bytes. False at the end. malformed with the line's offset and number for a line
  // that says no block: a missing column or member, no number, one that is out of range. Columns may come in
  // any order, and further ones are passed over; so are further members.
  result<bool> next(byte_writer& block);

  // Known once a line was read that says it.
  [[nodiscard]] std::optional<samp_rec::block_layout> layout() const noexcept;
  [[nodiscard]] std::uint32_t header_bytes() const noexcept;  // 0 or 8
  // Of a block that was cut off; at the end.
  [[nodiscard]] byte_span tail() const noexcept;

  // Of the line that was read last.
  [[nodiscard]] std::uint64_t offset() const noexcept;
  [[nodiscard]] std::uint64_t line() const noexcept;
  [[nodiscard]] std::uint64_t total_bytes() const noexcept;

 private:
  struct state;
  explicit rec_text_reader(std::unique_ptr<state> owned);
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::files

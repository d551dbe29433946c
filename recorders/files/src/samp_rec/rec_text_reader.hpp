// Parses blocks from CSV or NDJSON, one by one, in bounded memory.
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

  // Writes the next block's bytes. False at the end. malformed, with the line's offset and number, for an
  // invalid line: a missing column or member, or a number that is invalid or out of range. Columns may have
  // any order; additional columns and members are ignored.
  result<bool> next(byte_writer& block);

  // Known after the line that declares it.
  [[nodiscard]] std::optional<samp_rec::block_layout> layout() const noexcept;
  [[nodiscard]] std::uint32_t header_bytes() const noexcept;  // 0 or 8
  // Of a truncated block; valid at the end.
  [[nodiscard]] byte_span tail() const noexcept;

  // Of the last line read.
  [[nodiscard]] std::uint64_t offset() const noexcept;
  [[nodiscard]] std::uint64_t line() const noexcept;
  [[nodiscard]] std::uint64_t total_bytes() const noexcept;

 private:
  struct state;
  explicit rec_text_reader(std::unique_ptr<state> owned);
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::files

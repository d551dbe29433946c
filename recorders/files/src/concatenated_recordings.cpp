#include "concatenated_recordings.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "open_file.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

namespace {

// A file from an offset on.
class rest_of_file final : public distant_bytes {
 public:
  rest_of_file(byte_source all, std::uint64_t all_bytes, std::uint64_t begin)
      : all_(std::move(all)), begin_(begin), bytes_(all_bytes - begin) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_; }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    return all_.read_at(into, begin_ + offset);
  }

 private:
  const byte_source all_;
  const std::uint64_t begin_;
  const std::uint64_t bytes_;
};

byte_source from_byte(const byte_source& all, std::uint64_t all_bytes, std::uint64_t begin) {
  return {std::make_shared<rest_of_file>(all, all_bytes, begin), all.name()};
}

// Empty if it is not of that format, or has no readable tick.
std::optional<std::uint64_t> ticks_at(const byte_source& from, const format& of, const monitor& watch) {
  const auto found = detect(from);
  if (!found || *found != &of) return std::nullopt;
  const auto opened = of.open(from, {});
  if (!opened) return std::nullopt;
  const auto found_summary = (*opened)->summarise({.progress = {}, .cancelled = watch.cancelled});
  if (!found_summary || found_summary->ticks == 0) return std::nullopt;
  return found_summary->ticks;
}

// Searches for the magic bytes after the first byte; false positives are skipped, up to a limit.
class search {
 public:
  search(byte_source from, std::uint64_t bytes, std::string_view wanted)
      : from_(std::move(from)), bytes_(bytes), wanted_(wanted) {}

  // Empty after the last.
  result<std::optional<std::uint64_t>> next(const monitor& watch) {
    constexpr std::size_t piece_bytes = 1u << 20;
    while (at_ + wanted_.size() <= bytes_) {
      if (watch.stop()) return fail(error_code::interrupted);
      const auto piece = from_.view(at_, piece_bytes);
      if (!piece) return fail(piece.error());
      const std::size_t place = as_text(*piece).find(wanted_);
      if (place != std::string_view::npos) {
        at_ += place + 1;
        return at_ - 1;
      }
      if (piece->size() < wanted_.size()) break;
      at_ += piece->size() - (wanted_.size() - 1);
    }
    return std::optional<std::uint64_t>();
  }

 private:
  byte_source from_;
  std::uint64_t bytes_;
  std::string_view wanted_;
  std::uint64_t at_ = 1;
};

}  // namespace

result<std::optional<concatenated_recording>> find_concatenated(const file_path& input, const format& of,
                                                                const monitor& watch) {
  const std::optional<concatenated_recording> none;
  auto from = open_file(input);
  if (!from) return fail(from.error());
  const auto bytes = from->size();
  if (!bytes) return fail(bytes.error());
  const auto head = from->view(0, of.magic.size());
  if (!head) return fail(head.error());
  if (of.magic.empty() || as_text(*head) != of.magic) return none;
  search places(*from, *bytes, of.magic);
  constexpr int max_tries = 32;
  for (int tries = 0; tries < max_tries; ++tries) {
    const auto place = places.next(watch);
    if (!place) return fail(place.error());
    if (!*place) return none;
    if (of.continues_at != nullptr && of.continues_at(*from, **place)) continue;
    const auto ticks = ticks_at(from_byte(*from, *bytes, **place), of, watch);
    if (ticks) return concatenated_recording{**place, ticks};
  }
  return none;
}

concatenated_recording concatenated_at(const file_path& input, const format& of, std::uint64_t offset) {
  concatenated_recording out{offset, std::nullopt};
  const auto from = open_file(input);
  const auto bytes = from ? from->size() : result<std::uint64_t>(0);
  if (from && bytes && offset < *bytes) out.ticks = ticks_at(from_byte(*from, *bytes, offset), of, {});
  return out;
}

std::optional<std::pair<const format*, concatenated_recording>> recording_at(const file_path& input,
                                                                             std::uint64_t offset) {
  const auto from = open_file(input);
  const auto bytes = from ? from->size() : result<std::uint64_t>(0);
  if (!from || !bytes || offset >= *bytes) return std::nullopt;
  const auto found = detect(from_byte(*from, *bytes, offset));
  if (!found) return std::nullopt;
  return std::pair(*found, concatenated_at(input, **found, offset));
}

std::string sentence_of(const concatenated_recording& what, const format& of) {
  return "another " + std::string(of.name) + " begins at offset " + std::to_string(what.offset) + ", with " +
         (what.ticks ? counted(*what.ticks, "tick") : "ticks that cannot be counted") +
         ": it is left out; split the file there to keep both";
}

}  // namespace tickreel::files

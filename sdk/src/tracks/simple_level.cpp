#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "../record/writer_thread.hpp"
#include "tickreel/describe/kept_sentence.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::detail {

recorder_options options_for_rows(recorder_options options, const schema& described,
                                  std::size_t state_bytes) {
  const recorder_options usual;
  options.schema = to_bytes(described);
  if (options.codec.codec == usual.codec.codec && options.codec.level == usual.codec.level)
    options.codec.level = 1;
  // Blocks of changes continue until then: a seek decodes the rows since the last keyframe, and without a chunk they are
  // lost up to the next one. As long as a block of an archive.
  const cadence_options usual_cadence = usual.cadence;
  if (options.cadence.keyframe_interval_ticks == usual_cadence.keyframe_interval_ticks &&
      options.cadence.keyframe_interval_ms == usual_cadence.keyframe_interval_ms) {
    options.cadence = {.keyframe_interval_ticks = 0, .keyframe_interval_ms = 10'000};
  }
  // Programs that simulate do not pace their ticks.
  constexpr std::size_t ring_memory_bytes = 8u << 20;
  if (options.ring_ticks == usual.ring_ticks) {
    options.ring_ticks = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(ring_memory_bytes / (state_bytes + 64), usual.ring_ticks, 65536));
    options.ring_ticks = std::bit_floor(options.ring_ticks);
  }
  // Encoding a block needs its memory again, and readers open it whole.
  constexpr std::uint32_t max_block_bytes = 24u << 20;
  constexpr std::uint32_t rows_wanted = 256;
  if (options.seal_bytes == usual.seal_bytes) {
    const std::uint64_t wanted = std::uint64_t{described.row_bytes()} * rows_wanted;
    options.seal_bytes =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, usual.seal_bytes, max_block_bytes));
  }
  return options;
}

result<std::size_t> refresh(tracks::row_reader& rows, reel::feed* from, std::chrono::milliseconds wait) {
  using clock = std::chrono::steady_clock;
  constexpr auto look_interval = std::chrono::milliseconds(5);
  if (from != nullptr) {
    const auto came = from->pump(wait);
    // Earlier records belong to the recording, whatever failed later.
    auto more = rows.refresh();
    if (!came) return fail(came.error());
    return more;
  }
  for (const auto until = clock::now() + wait;;) {
    auto more = rows.refresh();
    const auto left = until - clock::now();
    if (!more || *more != 0 || left <= clock::duration::zero()) return more;
    if (rows.contents().end == reel::reel_end::closed) return more;
    rest_for(std::chrono::duration_cast<std::chrono::microseconds>(
        std::min<clock::duration>(left, look_interval)));
  }
}

namespace {

// Names without duplicates, as many as fit into a sentence.
class name_list {
 public:
  void add(std::string_view name) {
    constexpr std::size_t max_bytes = 300;
    if (name == last_ || is_full_) return;
    last_ = name;
    if (!text_.empty()) text_ += ", ";
    is_full_ = text_.size() + name.size() > max_bytes;
    text_ += is_full_ ? "..." : name;
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  std::string_view last_;
  bool is_full_ = false;
};

}  // namespace

const char* why_unreadable(const layout_match& match, std::string_view name,
                           std::span<const value_layout> wanted, const schema& recorded) {
  if (const layout_difference* const changed = match.unreadable()) {
    return kept_sentence(describe(*changed), "a member was recorded as another type than it has now");
  }
  if (!match.is_empty()) return nullptr;
  name_list expected;
  for (const value_layout& one : wanted) {
    expected.add(std::string_view(one.name).substr(0, one.name.find_first_of(".[?#")));
  }
  name_list there;
  for (const schema_field& one : recorded.root().fields) there.add(one.name);
  return kept_sentence("no member of '" + std::string(name) + "' (" + expected.text() +
                           ") is in the recording, which holds '" + recorded.root().name + "' (" +
                           there.text() + ")",
                       "no member of the struct is in the recording");
}

}  // namespace tickreel::detail

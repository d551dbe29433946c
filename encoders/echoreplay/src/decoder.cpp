#include "tickreel/echoreplay/decoder.hpp"

namespace tickreel::echoreplay {

result<void> decoder::decode(frame_kind, byte_span frame) {
  columns_ = {};
  text_ = as_text(frame);
  while (text_.ends_with('\n') || text_.ends_with('\r')) text_.remove_suffix(1);
  const auto columns = split_line(text_);
  if (!columns) return fail(columns.error());
  if (const auto parsed = parse_line(text_, parser_, *state_, listener_); !parsed)
    return fail(parsed.error());
  columns_ = *columns;
  if (state_->bones == echo::bones_kind::absent) columns_.bones = {};
  return {};
}

}  // namespace tickreel::echoreplay

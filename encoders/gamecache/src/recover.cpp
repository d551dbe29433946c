#include "tickreel/gamecache/recover.hpp"

#include "item_codec.hpp"

namespace tickreel::gamecache {

result<recovered_file> recover_file(byte_span file, const limits& most) {
  const auto like = recognise(file, file.size());
  if (!like) return fail(error_code::not_recognised, 0);
  const bool flagged = like->layout == layout::flagged;
  recovered_file out;
  out.cache.layout = like->layout;
  byte_reader in(file);
  if (flagged) out.cache.stored_version = in.u32();
  const std::uint32_t count = in.u32();
  if (flagged) out.cache.next_age = in.u32();
  if (!in.ok()) return in.failure("the header");
  const bool unfinished = !flagged && count == 0 && !in.at_end();
  if (!unfinished) out.promised = count;
  const std::uint32_t version = flagged ? normalised_version(out.cache.stored_version) : 0;
  out.kept_bytes = in.position();
  while (!in.at_end() && (unfinished || out.cache.items.size() < count)) {
    if (out.cache.items.size() == most.items) {
      return fail(error_code::over_limit, in.offset(), "{} items", static_cast<std::int64_t>(most.items));
    }
    item next;
    const auto filled = flagged ? read_flagged_item(in, version, most, next) : read_flat_item(in, most, next);
    if (!filled) {
      out.stopped = filled.error();
      return out;
    }
    out.cache.items.push_back(std::move(next));
    out.kept_bytes = in.position();
  }
  if (out.promised && out.cache.items.size() < *out.promised) {
    out.stopped = error{error_code::truncated, file.size(), "the file ends between two items", {0, 0}, 0};
  } else if (!in.at_end()) {
    out.stopped = error{error_code::malformed,
                        in.offset(),
                        "{} trailing byte{s} after the last item",
                        {static_cast<std::int64_t>(in.remaining()), 0},
                        0};
  }
  return out;
}

}  // namespace tickreel::gamecache

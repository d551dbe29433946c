#include "tickreel/butter/decoder.hpp"

#include <optional>

#include "frame_decode.hpp"
#include "header.hpp"

namespace tickreel::butter {

struct decoder::memory {
  file_header header;
  bool has_header = false;
  file_facts facts;
  // Two alternating frames: differences refer to the one before.
  echo::state frames[2];
  std::size_t current = 0;
  bool has_before = false;
  std::optional<known_writer> repair;
  bool bones = true;
  bool bones_wanted = true;
  std::optional<std::uint8_t> skipped_bones;
};

decoder::decoder(const reader_options& options) : memory_(std::make_unique<memory>()) {
  if (options.repair) memory_->repair.emplace();
  memory_->bones = memory_->bones_wanted = options.bones;
}
decoder::decoder(decoder&&) noexcept = default;
decoder& decoder::operator=(decoder&&) noexcept = default;
decoder::~decoder() = default;

result<void> decoder::apply_header(byte_span header) {
  byte_reader in(header);
  auto head = read_header(in);
  if (!head) return fail(head.error());
  if (!in.at_end()) return in.failure("the encoder's header");
  memory_->header = std::move(head->values);
  memory_->has_header = true;
  memory_->facts = facts_of(memory_->header);
  return {};
}

result<void> decoder::decode(frame_kind kind, byte_span frame) {
  memory& self = *memory_;
  if (kind == frame_kind::keyframe) {
    self.has_before = false;
    self.bones = self.bones_wanted;
    if (self.repair) *self.repair = {};
  } else if (!self.has_before) {
    return fail(error_code::missing_keyframe);
  }
  if (!self.has_header) return fail(error_code::missing_keyframe, error::no_offset, "no header came before");
  byte_reader in(frame);
  const echo::state* const before = self.has_before ? &self.frames[self.current] : nullptr;
  frame_decode work{
      self.facts, in, before, before, self.frames[1 - self.current], self.repair ? &*self.repair : nullptr};
  work.skips_bones = !self.bones;
  work.skipped_before = self.skipped_bones;
  self.has_before = false;
  if (!work.decode()) {
    return fail(in.failure().value().code, in.offset(), work.problem, 0,
                static_cast<std::int64_t>(in.position()));
  }
  if (!in.at_end()) return fail(error_code::malformed, in.offset(), "trailing bytes after a frame");
  self.current = 1 - self.current;
  self.skipped_bones = work.skipped;
  self.has_before = true;
  return {};
}

void decoder::set_bones(bool wanted) noexcept {
  memory_->bones_wanted = wanted;
}

const echo::state& decoder::state() const noexcept {
  return memory_->frames[memory_->current];
}

}  // namespace tickreel::butter

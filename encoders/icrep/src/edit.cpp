#include "tickreel/icrep/edit.hpp"

#include <algorithm>

#include "edit_sections.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/icrep/embedded.hpp"

namespace tickreel::icrep {

namespace {

digest digest_of(std::uint64_t sync_hash) noexcept {
  digest out{};
  tickreel::detail::store<std::endian::little>(out.data(), sync_hash);
  return out;
}

// The content before a tick, from the file.
class gathered_content {
 public:
  result<void> read(const reader& from) {
    return from.sealed_items([this](content_stream stream, std::uint64_t tick, const digest& hash) {
      items_[static_cast<std::size_t>(stream)].push_back({tick, hash});
    });
  }
  const content_mark& before(std::uint64_t tick) {
    return pass([tick](const item& one) { return one.tick < tick; });
  }
  const content_mark& all() {
    return pass([](const item&) { return true; });
  }

 private:
  struct item {
    std::uint64_t tick = 0;
    digest hash{};
  };
  template <class Wanted>
  const content_mark& pass(Wanted wanted) {
    for (std::size_t stream = 0; stream < content_streams; ++stream) {
      const auto& items = items_[stream];
      for (std::size_t next = mark_.counts[stream]; next < items.size() && wanted(items[next]); ++next) {
        mark_.add(static_cast<content_stream>(stream), items[next].hash);
      }
    }
    return mark_;
  }

  std::array<std::vector<item>, content_streams> items_;
  content_mark mark_;
};

// Signs the file like a relay that saw the match: tick by tick.
class signing {
 public:
  signing(const reader& from, std::span<const std::byte, 32> key_seed, const sim_core_snapshot& start,
          const sign_options& options)
      : from_(from),
        interval_(std::max(options.interval_ticks, 1u)),
        signer_(key_seed, {from.facts().replay_id, start.map_hash, start.game_seed}) {}

  result<void> run(bool hashes_core) {
    if (auto done = content_.read(from_); !done) return done;
    order_cursor frames = from_.orders();
    tick_frame frame;
    std::size_t keyframe = 0;
    std::uint64_t expected = 0;
    const auto sign_keyframes = [&](std::uint64_t end) -> result<void> {
      for (; hashes_core && keyframe < from_.keyframes().size() && from_.keyframes()[keyframe].tick < end;
           ++keyframe) {
        const auto state = from_.snapshot(keyframe);
        if (!state) return fail(state.error());
        if (auto done = sign(state->core.tick, core_hash(state->core)); !done) return done;
      }
      return {};
    };
    while (frames.next(frame)) {
      if (auto done = sign_keyframes(frame.tick); !done) return done;
      skipped_ += frame.tick - expected;
      expected = frame.tick + 1;
      if (auto done = sign_keyframes(expected); !done) return done;
      if (frame.tick % interval_ != 0 || frame.state_hash == 0 || is_signed(frame.tick)) continue;
      if (auto done = sign(frame.tick, digest_of(frame.state_hash)); !done) return done;
    }
    if (auto done = sign_keyframes(from_.total_ticks()); !done) return done;
    if (expected < from_.total_ticks()) skipped_ += from_.total_ticks() - expected;
    const digest& last = from_.header().final_state_hash;
    if (signer_.chain().chain.empty() && last == digest{}) {
      return fail(error_code::unsupported_operation, error::no_offset,
                  "the recording holds no state hash that could be signed");
    }
    (void)content_.all();
    return sign(from_.total_ticks(), last);
  }
  void seal_end(const recording_end& end) { signer_.seal_end(content_.all(), end); }

  [[nodiscard]] const chain_signer& signer() const noexcept { return signer_; }
  [[nodiscard]] std::uint64_t skipped_in_all() const noexcept { return skipped_in_all_; }

 private:
  bool is_signed(std::uint64_t tick) const {
    return !signer_.chain().chain.empty() && signer_.chain().chain.back().tick == tick;
  }
  result<void> sign(std::uint64_t tick, const digest& state_hash) {
    skipped_in_all_ += skipped_;
    const auto skipped = static_cast<std::uint32_t>(std::min<std::uint64_t>(skipped_, UINT32_MAX));
    skipped_ = 0;
    return signer_.add(tick, state_hash, skipped, content_.before(tick));
  }

  const reader& from_;
  std::uint32_t interval_;
  std::uint64_t skipped_ = 0;
  std::uint64_t skipped_in_all_ = 0;
  gathered_content content_;
  chain_signer signer_;
};

}  // namespace

namespace {

// The file without signatures, with streams in the form that a seal requires; other programs write them
// differently.
result<byte_vector> bare_file(const reader& from, byte_span file, const limits& most) {
  file_sections sections = sections_of(from, file);
  sections.signature = {};
  const auto resources = with_seal(sections.embedded, nullptr);
  if (!resources) return fail(resources.error());
  sections.embedded = *resources;
  auto bare = encode_file(sections);
  if (!bare) return bare;
  reader_options reading;
  reading.most = most;
  const auto opened = open_finished(*bare, reading);
  if (!opened) return fail(opened.error());
  // A signature of a damaged file would be meaningless.
  if (auto sound = refuse_damage(opened->verify()); !sound) return fail(sound.error());
  const auto nothing = [](content_stream, std::uint64_t, const digest&) {};
  if (opened->sealed_items(nothing)) return bare;
  recompress_options how;
  how.most = most;
  return recompress_file(*bare, how);
}

}  // namespace

result<signed_file> sign_file(byte_span file, std::span<const std::byte, 32> key_seed,
                              const sign_options& options) {
  reader_options reading;
  reading.most = options.most;
  const auto given = open_finished(file, reading);
  if (!given) return fail(given.error());
  // Signatures in their place would hide that the content was changed after it was signed.
  if (const auto existing = given->verify_signatures(); existing.why) {
    return fail(error_code::checksum_mismatch, existing.why->offset,
                "the existing signatures are not valid; 'tickreel recover' makes a copy without them");
  }
  if (given->header().is_signed && !options.replace) {
    return fail(error_code::wrong_state, given->header().signature.offset, "the recording is signed already");
  }
  const auto bare = bare_file(*given, file, options.most);
  if (!bare) return fail(bare.error());
  const auto from = open_finished(*bare, reading);
  if (!from) return fail(from.error());
  const auto start = from->snapshot(0);
  if (!start) return fail(start.error());

  signing work(*from, key_seed, start->core, options);
  const bool hashes_core = from->facts().hashes_core();
  if (auto done = work.run(hashes_core); !done) return fail(done.error());
  metadata facts = from->facts();
  facts.is_signed = true;
  const std::string json = to_json(facts);
  const file_header& header = from->header();
  const auto resources = with_seal(from->embedded_section(), &work.signer().seal());
  if (!resources) return fail(resources.error());
  work.seal_end({header.total_ticks, header.final_state_hash, header.lost_frame_count,
                 header.incomplete || header.lost_frame_count != 0, sha256(as_bytes(json)),
                 sha256(without_seal(*resources))});
  const auto embedded = with_seal(*resources, &work.signer().seal());
  if (!embedded) return fail(embedded.error());
  const byte_vector chain_section = work.signer().section();
  file_sections sections = sections_of(*from, *bare);
  sections.metadata_json = json;
  sections.signature = chain_section;
  sections.embedded = *embedded;
  auto made = encode_file(sections);
  if (!made) return fail(made.error());
  const signature_chain& chain = work.signer().chain();
  return signed_file{std::move(*made), chain.relay_public_key, chain.chain.size(), work.skipped_in_all(),
                     hashes_core};
}

signature_report verify_signatures_of(const reader& from, const public_key& expected) {
  signature_report report = from.verify_signatures();
  if (report.signer && *report.signer != expected && !report.why) {
    report.state = signature_state::tampered;
    report.why = error{error_code::checksum_mismatch, from.header().signature.offset,
                       "signed with another key than the one expected"};
  }
  return report;
}

result<silent_file> strip_voice(byte_span file, const limits& most) {
  reader_options reading;
  reading.most = most;
  const auto from = open_finished(file, reading);
  if (!from) return fail(from.error());
  silent_file out;
  out.had_voice = from->header().has_voice;
  if (!out.had_voice) {
    const byte_span whole = without_trailing_bytes(file, from->header());
    out.file.assign(whole.begin(), whole.end());
    return out;
  }
  file_sections sections = sections_of(*from, file);
  sections.voice = {};
  // States stay signed; completeness is no longer signed.
  const auto embedded = with_seal(sections.embedded, nullptr);
  if (!embedded) return fail(embedded.error());
  out.dropped_seal = embedded->size() != sections.embedded.size();
  sections.embedded = *embedded;
  auto made = encode_file(sections);
  if (!made) return fail(made.error());
  out.file = std::move(*made);
  return out;
}

}  // namespace tickreel::icrep

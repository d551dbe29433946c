#include "tickreel/npc/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tickreel/npc/actor_stream.hpp"
#include "tickreel/reel/file.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace tickreel::npc {

namespace {

// Between two writes.
constexpr std::size_t piece_bytes = 64 * 1024;

std::string text_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

// Blocks to bytes, with the sums that people want to see.
template <class Block>
class block_sink {
 public:
  explicit block_sink(const std::function<result<void>(byte_span)>& use) : use_(&use) {
    done_.kind = Block::kind;
    byte_writer out(buffer_);
    begun_ = writer_.begin(out);
    filled_ = out.size();
  }

  result<void> add(const Block& block) {
    if (!begun_) return begun_;
    if (buffer_.size() - filled_ < Block::wire_bytes) {
      if (auto flushed = flush(); !flushed) return flushed;
    }
    byte_writer out(mutable_byte_span(buffer_).subspan(filled_));
    if (auto appended = writer_.append(block, out); !appended) return appended;
    filled_ += out.size();
    const vec3 here = {block.position_m.x, block.position_m.y, block.position_m.z};
    if (done_.blocks > 0) done_.length_m += distance(last_, here);
    last_ = here;
    const auto& velocity = block.velocity_m_per_20ms;
    const vec3 speed = {velocity.x, velocity.y, velocity.z};
    done_.top_mps = std::max(done_.top_mps, length(speed) * samp_rec::m_per_s_per_unit);
    done_.duration_ms = block.time_ms;
    ++done_.blocks;
    return {};
  }

  result<built_file> finish() {
    if (!begun_) return fail(begun_.error());
    if (auto flushed = flush(); !flushed) return fail(flushed.error());
    done_.bytes = writer_.bytes();
    return done_;
  }

 private:
  result<void> flush() {
    auto given = (*use_)(byte_span(buffer_).first(filled_));
    filled_ = 0;
    return given;
  }

  const std::function<result<void>(byte_span)>* use_;
  std::array<std::byte, piece_bytes> buffer_{};
  std::size_t filled_ = 0;
  samp_rec::writer<Block> writer_;
  result<void> begun_;
  vec3 last_;
  built_file done_;
};

template <class Block>
result<built_file> write_blocks(const plan& part, const timeline& when,
                                const std::function<result<void>(byte_span)>& use) {
  actor_stream stream(part, when);
  block_sink<Block> sink(use);
  Block block;
  while (stream.next(block)) {
    if (auto added = sink.add(block); !added) return fail(added.error());
  }
  return sink.finish();
}

result<built_file> write_recorded(const recorded& what, const std::function<result<void>(byte_span)>& use) {
  return recorded::visit(what, [&](const auto& blocks) -> result<built_file> {
    block_sink<typename std::decay_t<decltype(blocks)>::value_type> sink(use);
    for (const auto& each : blocks) {
      if (auto added = sink.add(each); !added) return fail(added.error());
    }
    return sink.finish();
  });
}

std::uint64_t expected_blocks(const plan& part, const timeline& when) {
  return static_cast<std::uint64_t>(when.duration_s / part.traits().step_s);
}

}  // namespace

result<built_file> write_actor(const plan& part, const timeline& when,
                               const std::function<result<void>(byte_span)>& use) {
  return part.options().kind == body::on_foot ? write_blocks<samp_rec::on_foot_block>(part, when, use)
                                              : write_blocks<samp_rec::vehicle_block>(part, when, use);
}

tl::expected<std::vector<built_file>, build_problem> build(production& what,
                                                           const std::filesystem::path& folder,
                                                           const build_options& options) {
  const auto refuse = [](std::filesystem::path file, error why, std::string text = {}) {
    return tl::unexpected<build_problem>(build_problem{std::move(file), why, std::move(text)});
  };
  std::vector<plan*> parts;
  for (const scripted_actor& each : what.actors) parts.push_back(each.part.get());
  const auto when = schedule(parts);
  if (!when) return refuse({}, error{error_code::invalid_argument}, when.error().text);

  std::uint64_t blocks = 0;
  std::uint64_t total_ms = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    blocks += expected_blocks(*parts[i], (*when)[i]);
    total_ms += static_cast<std::uint64_t>((*when)[i].duration_s * 1000);
  }
  if (blocks > options.blocks) {
    return refuse(
        {}, error{error_code::over_limit},
        fmt::format("the script makes about {} blocks; at most {} are made at once", blocks, options.blocks));
  }
  const auto file_of = [&](const std::string& name) { return folder / (name + ".rec"); };
  std::vector<std::filesystem::path> files;
  for (const plan* each : parts) files.push_back(file_of(each->options().name));
  for (const saved_recording& each : what.saved) files.push_back(file_of(each.name));
  std::error_code ignored;
  for (const auto& each : files) {
    if (!options.overwrite && std::filesystem::exists(each, ignored))
      return refuse(each, error{error_code::already_exists});
  }

  std::vector<built_file> made;
  std::uint64_t done_ms = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto file = published_file::create(text_of(files[i]), options.overwrite);
    if (!file) return refuse(files[i], file.error());
    std::uint64_t written = 0;
    const auto append = [&](byte_span piece) -> result<void> {
      if (options.cancelled && options.cancelled()) return fail(error_code::interrupted);
      written += piece.size();
      if (options.progress && i < parts.size() && (*when)[i].duration_s > 0) {
        const double share =
            static_cast<double>(written) / (static_cast<double>(expected_blocks(*parts[i], (*when)[i]) + 1) *
                                            samp_rec::vehicle_block::wire_bytes);
        options.progress(
            done_ms + static_cast<std::uint64_t>((*when)[i].duration_s * 1000 * std::min(share, 1.0)),
            total_ms);
      }
      return file->append(piece);
    };
    auto written_file = i < parts.size() ? write_actor(*parts[i], (*when)[i], append)
                                         : write_recorded(*what.saved[i - parts.size()].what, append);
    if (!written_file) return refuse(files[i], written_file.error());
    if (auto committed = file->commit(); !committed) return refuse(files[i], committed.error());
    if (i < parts.size()) done_ms += static_cast<std::uint64_t>((*when)[i].duration_s * 1000);
    written_file->file = files[i];
    written_file->name = i < parts.size() ? parts[i]->options().name : what.saved[i - parts.size()].name;
    made.push_back(std::move(*written_file));
  }
  return made;
}

}  // namespace tickreel::npc

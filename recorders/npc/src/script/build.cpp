#include "tickreel/npc/build.hpp"
#include "tickreel/io/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/npc/actor_stream.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace tickreel::npc {

namespace {

// Between two writes.
constexpr std::size_t piece_bytes = 64 * 1024;

// Encodes blocks to bytes, and computes their totals.
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

// `time_ms` is the time of the failure.
template <class Block>
result<built_file> write_blocks(const plan& part, const timeline& when,
                                const std::function<result<void>(byte_span)>& use, std::uint64_t& time_ms) {
  actor_stream stream(part, when);
  block_sink<Block> sink(use);
  Block block;
  while (stream.next(block)) {
    time_ms = block.time_ms;
    if (auto added = sink.add(block); !added) return fail(added.error());
  }
  return sink.finish();
}

result<built_file> write_actor_until(const plan& part, const timeline& when,
                                     const std::function<result<void>(byte_span)>& use,
                                     std::uint64_t& time_ms) {
  return part.options().kind == body::on_foot
             ? write_blocks<samp_rec::on_foot_block>(part, when, use, time_ms)
             : write_blocks<samp_rec::vehicle_block>(part, when, use, time_ms);
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
  return static_cast<std::uint64_t>((when.duration_s - when.begin_s) / part.traits().step_s);
}

std::uint64_t duration_ms(const timeline& when) {
  return static_cast<std::uint64_t>((when.duration_s - when.begin_s) * 1000);
}

tl::unexpected<build_problem> refused(file_path file, error why, std::string text = {}, int line = 0) {
  return tl::unexpected<build_problem>(build_problem{std::move(file), why, std::move(text), line});
}

// The writer's error, assigned to the current direction.
tl::unexpected<build_problem> refused_block(const plan& part, const timeline& when, const file_path& file,
                                            error why, std::uint64_t time_ms) {
  std::size_t index = 0;
  const double now_ms = when.begin_s * 1000 + static_cast<double>(time_ms);
  while (index + 1 < when.starts_s.size() && when.starts_s[index + 1] * 1000 <= now_ms) ++index;
  return refused(file, why,
                 fmt::format("{}, {:.1f} s after its start: {}", part.options().name,
                             static_cast<double>(time_ms) / 1000, describe(why)),
                 part.line_of(index));
}

// The timeline of all actors, if the script does not exceed the limits.
tl::expected<std::vector<timeline>, build_problem> plan_times(const std::vector<plan*>& parts,
                                                              const std::vector<saved_recording>& saved,
                                                              const build_options& options) {
  auto when = schedule(parts);
  if (!when) return refused({}, error{error_code::invalid_argument}, when.error().text, when.error().line);
  std::uint64_t blocks = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) blocks += expected_blocks(*parts[i], (*when)[i]);
  for (const saved_recording& each : saved) blocks += each.what->blocks();
  if (blocks > options.blocks) {
    return refused(
        {}, error{error_code::over_limit},
        fmt::format("the script creates about {} blocks; the limit is {}", blocks, options.blocks));
  }
  return std::move(*when);
}

// Of the actors, then of saved recordings. None may exist unless overwriting is allowed: nothing is written
// if the last of many cannot be.
tl::expected<std::vector<file_path>, build_problem> choose_files(const production& what,
                                                                 const file_path& folder,
                                                                 const build_options& options) {
  std::vector<file_path> files;
  const auto add = [&, in = filesystem_path(folder)](const std::string& name) {
    files.emplace_back(in / filesystem_path(name + ".rec"));
  };
  for (const scripted_actor& each : what.actors) add(each.part->options().name);
  for (const saved_recording& each : what.saved) add(each.name);
  for (const auto& each : files) {
    if (!options.overwrite && path_exists(each)) return refused(each, error{error_code::already_exists});
  }
  return files;
}

}  // namespace

result<built_file> write_actor(const plan& part, const timeline& when,
                               const std::function<result<void>(byte_span)>& use) {
  std::uint64_t time_ms = 0;
  return write_actor_until(part, when, use, time_ms);
}

tl::expected<std::vector<built_file>, build_problem> build(production& what, const file_path& folder,
                                                           const build_options& options) {
  std::vector<plan*> parts;
  for (const scripted_actor& each : what.actors) parts.push_back(each.part.get());
  const auto when = plan_times(parts, what.saved, options);
  if (!when) return tl::unexpected(when.error());
  const auto files = choose_files(what, folder, options);
  if (!files) return tl::unexpected(files.error());

  std::vector<built_file> made;
  const auto stopped = [&](tl::unexpected<build_problem> why) {
    why.value().written = made.size();
    return why;
  };
  std::uint64_t total_ms = 0;
  std::uint64_t done_ms = 0;
  for (const timeline& each : *when) total_ms += duration_ms(each);
  for (std::size_t i = 0; i < files->size(); ++i) {
    const file_path& name = (*files)[i];
    const bool is_actor = i < parts.size();
    auto file = published_file::create(name, options.overwrite);
    if (!file) return stopped(refused(name, file.error()));
    std::uint64_t written = 0;
    const auto append = [&](byte_span piece) -> result<void> {
      if (options.cancelled && options.cancelled()) return fail(error_code::interrupted);
      written += piece.size();
      if (options.progress && is_actor && duration_ms((*when)[i]) > 0) {
        const double share =
            static_cast<double>(written) / (static_cast<double>(expected_blocks(*parts[i], (*when)[i]) + 1) *
                                            samp_rec::vehicle_block::wire_bytes);
        options.progress(done_ms + static_cast<std::uint64_t>(static_cast<double>(duration_ms((*when)[i])) *
                                                              std::min(share, 1.0)),
                         total_ms);
      }
      return file->append(piece);
    };
    std::uint64_t time_ms = 0;
    auto wrote = is_actor ? write_actor_until(*parts[i], (*when)[i], append, time_ms)
                          : write_recorded(*what.saved[i - parts.size()].what, append);
    if (!wrote && is_actor && wrote.error().code == error_code::invalid_argument)
      return stopped(refused_block(*parts[i], (*when)[i], name, wrote.error(), time_ms));
    if (!wrote) return stopped(refused(name, wrote.error()));
    if (auto committed = file->commit(); !committed) return stopped(refused(name, committed.error()));
    if (is_actor) done_ms += duration_ms((*when)[i]);
    wrote->file = name;
    wrote->name = is_actor ? parts[i]->options().name : what.saved[i - parts.size()].name;
    made.push_back(std::move(*wrote));
  }
  return made;
}

}  // namespace tickreel::npc

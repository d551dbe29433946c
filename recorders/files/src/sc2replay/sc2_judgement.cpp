// Verifies a replay.
#include <algorithm>
#include <array>
#include <cmath>

#include "sc2_facts.hpp"
#include "sc2_problem.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/mpq/attributes.hpp"
#include "tickreel/sc2replay/layout.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

constexpr std::array<std::string_view, 3> streams = {"replay.game.events", "replay.message.events",
                                                     "replay.tracker.events"};

// The prefix of findings that a copy inherits from its source.
constexpr std::string_view incomplete_copy = "incomplete copy: ";

// The last event is at the end of the game, apart from events of the game itself: up to 75 ticks in real
// replays. Tracker events come every 160 ticks, so with them, a header that claims a minute more of game time
// is wrong; without them, users may have been idle.
constexpr std::uint64_t silence_limit_ticks = 960;
constexpr std::uint64_t silence_limit_without_trackers = 4800;
// A header that ends ten seconds before the last event is wrong too.
constexpr std::uint64_t late_limit_ticks = 160;

void judge_stream(const sc2_stream_end& stream, const sc2replay::header& header, verification& out) {
  const std::uint64_t game_end = header.loops;
  const std::string member(stream.member);
  if (stream.stopped) {
    std::string text = problem_text_without_offset({stream.member, *stream.stopped});
    if (is_newer_than_known(header)) {
      text += "; base build " + std::to_string(header.base_build) +
              " is newer than the supported layouts, which end with " +
              std::to_string(sc2replay::newest_known_base_build);
    }
    out.findings.push_back({severity::error, stream.stopped->offset, std::move(text)});
  }
  if (stream.late_events == 0) return;
  const bool contradicts = stream.last_tick > game_end + late_limit_ticks;
  out.findings.push_back({contradicts ? severity::error : severity::warning, stream.first_late_offset,
                          member + ": " + counted(stream.late_events, "event is", "events are") +
                              " after the end of the game (offset in the member)"});
}

// The game encodes every header in the same way, so a damaged one seldom encodes to its own bytes.
void judge_encoding(const mpq::archive& archive, const sc2replay::header& header, verification& out) {
  const auto report = [&out](std::uint64_t offset, const char* what) {
    out.findings.push_back({severity::error, offset, what});
  };
  for (const mpq::frame_fault& each : archive.frame_faults()) report(each.offset, each.what);
  // Later builds may have more fields.
  if (is_newer_than_known(header)) return;
  const mpq::archive_shape shape = archive.shape();
  if (shape.user_data_room != mpq::usual_user_data_room) {
    report(4, "the file does not reserve the header size that every replay has");
  }
  sc2replay::header usual = header;
  usual.signature = header.encoding == sc2replay::header_encoding::beta
                        ? sc2replay::header::beta_signature()
                        : sc2replay::header::default_signature();
  usual.flags = sc2replay::header{}.flags;
  usual.type = sc2replay::header{}.type;
  const auto written = sc2replay::write_header(usual);
  if (!written || !std::ranges::equal(*written, archive.user_data())) {
    report(mpq::prefix_bytes, "the header is not written as the game writes it");
  }
  if (header.build < header.base_build) {
    report(mpq::prefix_bytes, "the header's build is below its base build");
  }
}

// From 3.4 on the metadata repeat the header's version, and from 2.5 on the users' options do.
void judge_versions(const sc2replay::replay& of, const sc2_activity& activity, verification& out) {
  const sc2replay::header& header = of.header;
  const auto report = [&out](std::string_view fact, const std::string& own, std::string_view member,
                             const std::string& other) {
    out.findings.push_back(
        {severity::error, error::no_offset,
         "the header names " + std::string(fact) + ' ' + own + ", and " + std::string(member) + ' ' + other});
  };
  // A resumed game may contain the options of an older build.
  if (of.resumptions.empty() && !activity.builds.empty() && !activity.builds.contains(header.build)) {
    report("build", std::to_string(header.build), "replay.game.events",
           std::to_string(*activity.builds.begin()));
  }
  if (!of.metadata) return;
  const auto compare = [&](std::string_view fact, const std::string& own, const std::string& other) {
    if (!other.empty() && own != other) report(fact, own, "replay.gamemetadata.json", other);
  };
  compare("version", sc2replay::version_text(header), of.metadata->game_version);
  if (header.data_build) {
    compare("data build", std::to_string(*header.data_build), of.metadata->data_build);
  }
  if (header.root_key) {
    std::string data_version = of.metadata->data_version;
    std::ranges::transform(data_version, data_version.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'F' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    compare("data version", text::to_hex(*header.root_key), data_version);
  }
  // Whole seconds of game time.
  constexpr double duration_error_s = 2;
  const double seconds = header.loops / sc2replay::loops_per_game_second;
  if (of.resumptions.empty() && of.metadata->duration_seconds &&
      std::abs(*of.metadata->duration_seconds - seconds) > duration_error_s) {
    report("a length of", counted(header.loops, "tick"), "replay.gamemetadata.json",
           std::to_string(std::llround(*of.metadata->duration_seconds)) + " s of game time");
  }
}

// The header's base build selects the layout of every stream. The metadata repeat it, and from 2.0 on the
// streams do; a resumed game may contain the events of an older build.
void judge_base_build(const sc2replay::replay& of, const sc2_activity& activity, verification& out) {
  const std::string own = std::to_string(of.base_build());
  const auto report = [&](std::string_view member, const std::string& other) {
    out.findings.push_back({severity::error, error::no_offset,
                            "the header names base build " + own + ", and " + std::string(member) + " " +
                                other + ": events may be read with the wrong layouts"});
  };
  const auto& builds = activity.base_builds;
  const bool has_builds = of.base_build() >= sc2replay::first_base_build_with_users;
  if (has_builds && !builds.empty() && of.resumptions.empty() && !builds.contains(of.base_build())) {
    report("replay.game.events", std::to_string(*builds.begin()));
  }
  constexpr std::string_view prefix = "Base";
  if (of.metadata && of.metadata->base_build.starts_with(prefix) &&
      of.metadata->base_build.substr(prefix.size()) != own) {
    report("replay.gamemetadata.json", of.metadata->base_build.substr(prefix.size()));
  }
}

}  // namespace

bool is_newer_than_known(const sc2replay::header& of) noexcept {
  return of.base_build > sc2replay::newest_known_base_build;
}

verification judge_other_members(const mpq::archive& archive, const sc2replay::replay& of) {
  verification out;
  judge_encoding(archive, of.header, out);
  auto kept = mpq::read_attributes(archive);
  if (!kept) {
    out.findings.push_back({severity::error, kept.error().offset,
                            "the archive's checksums cannot be read: " + describe(kept.error())});
    kept.emplace();
  }
  if (archive.find("(listfile)") != nullptr && !archive.has_list()) {
    out.findings.push_back(
        {severity::error, error::no_offset, "(listfile): the list of members cannot be read"});
  }
  if (!kept->crc32) {
    out.findings.push_back({severity::note, error::no_offset, "the archive keeps no checksums"});
  }
  if (archive.nameless() > 0) {
    // One of them may be "(attributes)", without which no checksum can be compared.
    out.findings.push_back({severity::error, error::no_offset,
                            "members without a name in the archive: " + std::to_string(archive.nameless())});
  }
  if (archive.broken_entries() > 0) {
    out.findings.push_back(
        {severity::error, error::no_offset,
         "entries of the hash table that refer to no member: " + std::to_string(archive.broken_entries())});
  }
  for (const std::string& each : archive.removed()) {
    out.findings.push_back(
        {severity::warning, error::no_offset, each + ": the archive's list names it, and its tables do not"});
  }
  for (const std::string& each : sc2replay::read_losses(archive)) {
    out.findings.push_back({severity::warning, error::no_offset, std::string(incomplete_copy) + each});
    out.content_left_out = true;
  }
  for (const std::string& each : archive.lost()) {
    // Known members are among the replay's problems.
    if (std::ranges::find(sc2replay::known_members(), each) != sc2replay::known_members().end()) continue;
    out.findings.push_back(
        {severity::error, error::no_offset, each + ": the archive's tables do not refer to it"});
  }
  using sc2replay::member_problem;
  byte_vector bytes;
  for (const mpq::member& each : archive.members()) {
    const bool elsewhere = std::ranges::find(streams, each.name) != streams.end() ||
                           std::ranges::find(of.looked_at, each.name) != of.looked_at.end();
    if (elsewhere) continue;
    if (auto read = archive.read(each.name, bytes); !read) {
      const error& why = read.error();
      const std::uint64_t offset = why.offset == error::no_offset ? each.offset : why.offset;
      out.findings.push_back(
          {severity::error, offset,
           problem_text_without_offset({each.name, why, member_problem::kind::unpacking})});
      continue;
    }
    std::optional<std::uint32_t> wanted;
    if (each.block < kept->rows.size()) wanted = kept->rows[each.block].crc32;
    if (bytes.size() != each.bytes) {
      // If the archive has checksums but none of this member, the content cannot be verified.
      const severity level = kept->crc32 && !wanted ? severity::error : severity::warning;
      out.findings.push_back({level, each.offset,
                              each.name + ": has " + counted(bytes.size(), "byte") +
                                  ", and the archive declares " + std::to_string(each.bytes)});
    }
    if (wanted && *wanted != crc32(bytes)) {
      out.findings.push_back(
          {severity::error, each.offset, each.name + ": its content does not have the archive's checksum"});
    }
  }
  return out;
}

void judge_sc2(const sc2replay::replay& of, const sc2_activity& activity, verification& out) {
  out.ticks = of.header.loops;
  for (const sc2replay::member_problem& each : of.problems) {
    std::uint64_t offset = each.what.offset;
    const auto member = std::ranges::find(of.members, each.member, &mpq::member::name);
    if (offset == error::no_offset && member != of.members.end()) offset = member->offset;
    out.findings.push_back({each.damages(of.base_build()) ? severity::error : severity::warning, offset,
                            problem_text_without_offset(each)});
  }
  judge_base_build(of, activity, out);
  judge_versions(of, activity, out);
  for (const std::string_view each : of.stripped) {
    out.findings.push_back(
        {severity::note, error::no_offset, std::string(each) + ": missing; a replay is complete without it"});
  }
  const std::uint64_t end = of.header.loops;
  for (const sc2_stream_end* each : {&activity.game, &activity.tracker, &activity.messages}) {
    judge_stream(*each, of.header, out);
  }
  const std::uint64_t last = std::max(activity.game.last_tick, activity.tracker.last_tick);
  const std::uint64_t silence =
      activity.tracker.events > 0 ? silence_limit_ticks : silence_limit_without_trackers;
  if (activity.game.events > 0 && !activity.game.stopped && end > last + silence) {
    out.findings.push_back({severity::error, error::no_offset,
                            "the header declares " + counted(end, "tick") + ", and the last event is at " +
                                std::to_string(last)});
  }
}

namespace {

constexpr std::string_view before_offset = ", at offset ";

// Whether one of `losses` has the subject of `message`, which is a member's name or what the replay lacks. The
// rest of the sentence may be that of another version of this program, with an offset in the copied replay.
bool is_stated(std::span<const std::string> losses, std::string_view message) {
  const std::string_view subject =
      message.substr(0, std::min(message.find(": "), message.find(before_offset)));
  return std::ranges::any_of(losses, [&](std::string_view loss) {
    if (!loss.starts_with(subject)) return false;
    loss.remove_prefix(subject.size());
    return loss.empty() || loss.starts_with(": ") || loss.starts_with(before_offset);
  });
}

}  // namespace

void accept_stated_losses(std::span<const std::string> losses, verification& judgement) {
  for (finding& each : judgement.findings) {
    if (each.level == severity::error && is_stated(losses, each.message)) each.level = severity::warning;
  }
}

bool is_marked_copy(const verification& judgement) {
  return judgement.ok() && std::ranges::any_of(judgement.findings, [](const finding& each) {
           return each.message.starts_with(incomplete_copy);
         });
}

result<std::vector<std::string>> losses_of_replay(byte_span file, const monitor& watch) {
  const auto archive = sc2replay::open_archive(file);
  if (!archive) return std::vector<std::string>();
  auto replay = sc2replay::replay::open_without_events(*archive);
  if (!replay) return fail(replay.error());
  verification judgement = judge_other_members(*archive, *replay);
  replay->unpack_events(*archive);
  const sc2_activity activity = activity_of(*replay, watch);
  if (watch.stop()) return fail(error_code::interrupted);
  judge_sc2(*replay, activity, judgement);
  return problems_of(judgement);
}

namespace {

std::vector<std::string> losses_to_write(std::span<const std::string> losses) {
  std::vector<std::string> lines;
  for (const std::string& each : losses) {
    lines.push_back(each.starts_with(incomplete_copy) ? each.substr(incomplete_copy.size()) : each);
  }
  return lines;
}

}  // namespace

result<byte_vector> mark_losses(byte_vector file, std::vector<std::string>& losses, const monitor& watch) {
  if (losses.empty()) return file;
  auto copy = sc2replay::add_losses(file, losses_to_write(losses));
  if (!copy) return copy;
  // Also those that only the copy shows, for example of a replay whose tables were not readable.
  const auto of_copy = losses_of_replay(*copy, watch);
  if (!of_copy) return fail(of_copy.error());
  const std::size_t known = losses.size();
  for (const std::string& each : *of_copy) {
    const std::string_view message = std::string_view(each).substr(0, each.rfind(before_offset));
    if (!each.starts_with(incomplete_copy) && !is_stated(losses, message)) losses.push_back(each);
  }
  if (losses.size() == known) return copy;
  return sc2replay::add_losses(file, losses_to_write(losses));
}

std::vector<std::string> problems_of(const verification& judgement) {
  std::vector<std::string> out;
  for (const finding& each : judgement.findings) {
    if (each.level != severity::error && !each.message.starts_with(incomplete_copy)) continue;
    out.push_back(each.message);
    if (each.offset != error::no_offset) out.back() += ", at offset " + std::to_string(each.offset);
  }
  return out;
}

}  // namespace tickreel::files

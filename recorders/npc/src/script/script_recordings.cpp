// recordings.NAME: existing recordings, cut, joined, rotated; each function returns a new one.
#include <algorithm>
#include <cmath>

#include "script_world.hpp"
#include "tickreel/samp_rec/edit.hpp"
#include "tickreel/samp_rec/fault.hpp"

namespace tickreel::npc {

namespace {

namespace edit = samp_rec;

gives keep(call& of, std::shared_ptr<const recorded> made) {
  world& all = of.all();
  all.recorded_blocks += made->blocks();
  if (all.recorded_blocks > all.options.limits.recorded_blocks) {
    return of.fail("makes the script's recordings longer than {} blocks in all",
                   all.options.limits.recorded_blocks);
  }
  if (!sandbox::of(of.state()).spend(static_cast<double>(made->blocks()) * 10))
    return of.fail("would take too many steps");
  const char* fault = recorded::visit(*made, [](const auto& blocks) -> const char* {
    for (const auto& each : blocks) {
      if (const auto found = fault_of(each); found != samp_rec::block_fault::none)
        return samp_rec::sentence(found);
    }
    return nullptr;
  });
  if (fault != nullptr) {
    // Without the prefix "block {}: ".
    return of.fail("creates a recording that no reader accepts: {}",
                   std::string_view(fault).substr(std::string_view("block {}: ").size()));
  }
  all.recordings.push_back(std::move(made));
  of.result_handle = {static_cast<std::uint32_t>(all.recordings.size() - 1), 0};
  return gives::recording;
}

// Applies `change` to a copy of the blocks.
template <class Change>
gives changed(call& of, const recorded& from, Change&& change) {
  auto made = std::make_shared<recorded>(from);
  recorded::visit(*made, [&](auto& blocks) { change(blocks); });
  return keep(of, std::move(made));
}

// Fails if a result of that duration would be longer than any recording of an actor. A long source may keep its
// duration.
bool is_too_long(call& of, double duration_s, double source_s) {
  const double limit_s = of.all().options.limits.plan.duration_s;
  if (duration_s <= limit_s || duration_s <= source_s) return false;
  of.fail("would make a recording of more than {:.0f} hours", limit_s / 3600);
  return true;
}

std::uint32_t milliseconds(call& of, int index, std::string_view what) {
  const double seconds = of.number(index, what);
  if (!of.failed() && (seconds < 0 || seconds > 4e6)) of.fail("expects {} to be a time in seconds", what);
  return of.failed() ? 0 : static_cast<std::uint32_t>(std::llround(seconds * 1000));
}

edit::vector3 to_float(vec3 from) {
  return {static_cast<float>(from.x), static_cast<float>(from.y), static_cast<float>(from.z)};
}

template <class Blocks>
using block_of = typename Blocks::value_type;

gives cut(call& of) {
  const auto from = of.recording(1, "self");
  const std::uint32_t begin = milliseconds(of, 2, "the start");
  const std::uint32_t end = milliseconds(of, 3, "the end");
  if (of.failed()) return gives::nothing;
  if (end <= begin) return of.fail("expects the end after the start");
  return changed(of, *from, [&](auto& blocks) {
    using block = block_of<std::decay_t<decltype(blocks)>>;
    if (blocks.empty()) return;
    const std::uint32_t first = blocks.front().time_ms;
    blocks =
        edit::cut<block>(blocks, first + begin, first + end, {.start_at_zero = true, .exact_ends = true});
  });
}

gives join(call& of) {
  const auto first = of.recording(1, "self");
  const auto second = of.recording(2, "the other recording");
  edit::join_options how;
  of.fields(3, [&](std::string_view key, int at) {
    if (key == "blend") return how.blend_ms = milliseconds(of, at, key), true;
    if (key == "here") return how.rebase = of.truth(at, true), true;
    return false;
  });
  if (of.failed()) return gives::nothing;
  if (first->kind != second->kind) return of.fail("cannot join a recording on foot and one of a vehicle");
  const double parts_s = first->duration_s() + second->duration_s() + (how.blend_ms + how.step_ms) / 1000.0;
  if (is_too_long(of, parts_s, 0)) return gives::nothing;
  auto made = std::make_shared<recorded>();
  made->kind = first->kind;
  made->vehicle = edit::join<edit::vehicle_block>(first->vehicle, second->vehicle, how);
  made->on_foot = edit::join<edit::on_foot_block>(first->on_foot, second->on_foot, how);
  return keep(of, std::move(made));
}

gives reversed(call& of) {
  const auto from = of.recording(1, "self");
  bool backwards = false;
  bool train = false;
  of.fields(2, [&](std::string_view key, int at) {
    if (key == "backwards") return backwards = of.truth(at, true), true;
    if (key == "train") return train = of.truth(at, true), true;
    return false;
  });
  if (of.failed()) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) {
    using block = block_of<std::decay_t<decltype(blocks)>>;
    blocks = edit::reversed<block>(
        blocks, backwards ? edit::reverse_style::backwards : edit::reverse_style::turned_round,
        train ? edit::special_view::train_speed : edit::special_view::raw);
  });
}

gives retimed(call& of) {
  const auto from = of.recording(1, "self");
  const double factor = of.number(2, "the factor");
  if (!of.failed() && (factor < 0.01 || factor > 100)) return of.fail("expects a factor from 0.01 to 100");
  if (of.failed() || is_too_long(of, from->duration_s() * factor, from->duration_s())) return gives::nothing;
  return changed(of, *from,
                 [&](auto& blocks) { edit::retime(std::span(blocks), factor, edit::special_view::raw); });
}

gives lasting(call& of) {
  const auto from = of.recording(1, "self");
  const std::uint32_t duration = milliseconds(of, 2, "the duration");
  if (of.failed()) return gives::nothing;
  if (duration == 0) return of.fail("expects a duration above 0");
  if (is_too_long(of, duration / 1000.0, from->duration_s())) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) {
    edit::retime_to(std::span(blocks), duration, edit::special_view::raw);
  });
}

gives shifted(call& of) {
  const auto from = of.recording(1, "self");
  const vec3 by = {of.number(2, "x"), of.number(3, "y"), of.has(4) ? of.number(4, "z") : 0};
  if (of.failed()) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) { edit::shift(std::span(blocks), to_float(by)); });
}

// The default pivot is the start of the recording.
edit::vector3 pivot(call& of, const recorded& from, int index) {
  if (of.has(index))
    return to_float({of.number(index, "the pivot's x"), of.number(index + 1, "the pivot's y"), 0});
  return from.empty() ? edit::vector3{} : to_float(first_place(from).position);
}

gives rotated_about(call& of) {
  const auto from = of.recording(1, "self");
  const double angle = of.number(2, "the angle");
  if (of.failed()) return gives::nothing;
  const edit::vector3 centre = pivot(of, *from, 3);
  if (of.failed()) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) { edit::rotate_about_z(std::span(blocks), angle, centre); });
}

gives mirrored(call& of) {
  const auto from = of.recording(1, "self");
  const double heading = of.has(2) ? of.number(2, "the plane's heading") : 0;
  if (of.failed()) return gives::nothing;
  const edit::vector3 centre = pivot(of, *from, 3);
  if (of.failed()) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) { edit::mirror(std::span(blocks), heading, centre); });
}

gives smoothed(call& of) {
  const auto from = of.recording(1, "self");
  const std::uint32_t radius = of.has(2) ? milliseconds(of, 2, "the radius") : 200;
  if (!of.failed() && radius > 10'000) return of.fail("expects at most 10 seconds");
  if (of.failed()) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) {
    using block = block_of<std::decay_t<decltype(blocks)>>;
    blocks = edit::smoothed<block>(blocks, radius);
  });
}

gives resampled(call& of) {
  const auto from = of.recording(1, "self");
  edit::resample_options how;
  if (of.has(2)) how.step_ms = static_cast<std::uint32_t>(of.whole(2, "the step in milliseconds", 5, 10'000));
  if (of.failed()) return gives::nothing;
  const double most = from->duration_s() * 1000 / how.step_ms;
  if (most > static_cast<double>(of.all().options.limits.recorded_blocks))
    return of.fail("would make too many blocks");
  return changed(of, *from, [&](auto& blocks) {
    using block = block_of<std::decay_t<decltype(blocks)>>;
    blocks = edit::resampled<block>(blocks, how);
  });
}

gives repeated(call& of) {
  const auto from = of.recording(1, "self");
  const double times = of.whole(2, "the times", 1, 10'000);
  if (of.failed()) return gives::nothing;
  if (times * static_cast<double>(from->blocks()) >
      static_cast<double>(of.all().options.limits.recorded_blocks)) {
    return of.fail("would make too many blocks");
  }
  if (is_too_long(of, from->duration_s() * times, from->duration_s())) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) {
    using block = block_of<std::decay_t<decltype(blocks)>>;
    blocks = edit::repeated<block>(blocks, static_cast<std::uint32_t>(times));
  });
}

gives starting_at(call& of) {
  const auto from = of.recording(1, "self");
  const vec3 start = {of.number(2, "x"), of.number(3, "y"), of.number(4, "z")};
  const double heading = of.number(5, "the heading");
  if (of.failed()) return gives::nothing;
  return changed(of, *from, [&](auto& blocks) { edit::rebase(std::span(blocks), to_float(start), heading); });
}

gives duration(call& of) {
  const auto from = of.recording(1, "self");
  if (of.failed()) return gives::nothing;
  of.results[0] = from->duration_s();
  return gives::number;
}

gives blocks(call& of) {
  const auto from = of.recording(1, "self");
  if (of.failed()) return gives::nothing;
  of.results[0] = static_cast<double>(from->blocks());
  return gives::integer;
}

gives place(call& of, place_and_heading (*which)(const recorded&) noexcept) {
  const auto from = of.recording(1, "self");
  if (of.failed()) return gives::nothing;
  if (from->empty()) return of.fail("got a recording without blocks");
  const place_and_heading found = which(*from);
  of.results[0] = found.position.x;
  of.results[1] = found.position.y;
  of.results[2] = found.position.z;
  of.results[3] = found.heading_deg;
  of.result_count = 4;
  return gives::numbers;
}
gives first(call& of) {
  return place(of, first_place);
}
gives last(call& of) {
  return place(of, last_place);
}

}  // namespace

std::shared_ptr<const recorded> rebased(call& of, const recorded& what, vec3 start, double heading_deg) {
  auto made = std::make_shared<recorded>(what);
  recorded::visit(*made, [&](auto& all) { edit::rebase(std::span(all), to_float(start), heading_deg); });
  return keep(of, made) == gives::recording ? made : nullptr;
}

void limit_saved(call& of) {
  world& all = of.all();
  const script_limits& limits = all.options.limits;
  auto& saved = all.made.saved;
  for (; all.saved < saved.size(); ++all.saved) {
    const std::size_t more = saved[all.saved].what->blocks();
    const bool too_many = all.saved >= limits.saved;
    if (!too_many && more <= limits.saved_blocks - all.saved_blocks) {
      all.saved_blocks += more;
      continue;
    }
    // A script may catch the error and continue.
    saved.resize(all.saved);
    if (too_many) {
      of.fail("would be recording {} that is saved; a script saves at most {}", all.saved + 1, limits.saved);
    } else {
      of.fail("makes what the script saves longer than {} blocks in all", limits.saved_blocks);
    }
    return;
  }
}

std::span<const named_function> recording_methods() noexcept {
  static constexpr named_function all[] = {
      {"cut", bound<cut>},
      {"join", bound<join>},
      {"reversed", bound<reversed>},
      {"retimed", bound<retimed>},
      {"lasting", bound<lasting>},
      {"shifted", bound<shifted>},
      {"rotated", bound<rotated_about>},
      {"mirrored", bound<mirrored>},
      {"smoothed", bound<smoothed>},
      {"resampled", bound<resampled>},
      {"repeated", bound<repeated>},
      {"starting_at", bound<starting_at>},
      {"duration", bound<duration>},
      {"blocks", bound<blocks>},
      {"first", bound<first>},
      {"last", bound<last>},
  };
  return all;
}

void add_recording_type(lua_State* L) {
  add_type(L, recording_type, {recording_methods()});
}

}  // namespace tickreel::npc

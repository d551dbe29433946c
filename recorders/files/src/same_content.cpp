#include "tickreel/files/same_content.hpp"

#include <optional>
#include <string>

#include "tickreel/codec/codec.hpp"

namespace tickreel::files {

namespace {

// Everything of a tick that a reader is given, but where it stands in the file.
result<bool> next_tick(recording& from, std::string& text) {
  text.clear();
  const auto more = from.next();
  if (!more || !*more) return more;
  const tick_position& where = from.position();
  text += std::to_string(where.tick) + ' ' + std::to_string(where.time_ms) + ' ';
  from.append_state(text);
  return true;
}

result<bool> have_same_ticks(recording& copy, recording& original, const monitor& watch) {
  std::string one;
  std::string other;
  for (std::uint64_t count = 0;; ++count) {
    if (count % 256 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = next_tick(copy, one);
    if (!more) return fail(more.error());
    const auto more_there = next_tick(original, other);
    if (!more_there) return fail(more_there.error());
    if (one != other || *more != *more_there) return false;
    if (!*more) break;
  }
  const auto behind = copy.lines_behind();
  const auto behind_there = original.lines_behind();
  if (!behind) return fail(behind.error());
  if (!behind_there) return fail(behind_there.error());
  return *behind == *behind_there && copy.lines_before() == original.lines_before() &&
         copy.losses().size() == original.losses().size();
}

// A hash over all, in their order; nothing where the format has none.
result<std::optional<std::uint64_t>> hash_of_events(recording& from, const monitor& watch) {
  std::string text;
  std::uint64_t hash = 0;
  const auto count = from.events(
      {},
      [&](std::string_view line) {
        text.assign(line);
        text += '\n' + std::to_string(hash);
        hash = xxh3_64(as_bytes(text));
        return true;
      },
      watch);
  if (!count && count.error().code == error_code::unsupported_operation) return std::nullopt;
  if (!count) return fail(count.error());
  return hash;
}

result<std::size_t> count_errors(recording& in, const monitor& watch) {
  const auto told = in.verify(watch);
  if (!told) return fail(told.error());
  std::size_t errors = 0;
  for (const finding& each : told->findings) errors += each.level == severity::error ? 1u : 0u;
  return errors;
}

}  // namespace

result<bool> has_same_content(const file_path& copy, const file_path& original, const monitor& watch) {
  auto one = open(copy);
  if (!one) return fail(one.error());
  auto other = open(original);
  if (!other) return fail(other.error());
  const auto ticks = have_same_ticks(**one, **other, watch);
  if (!ticks || !*ticks) return ticks;
  for (auto* each : {&*one, &*other}) {
    if (auto back = (**each).rewind(); !back) return fail(back.error());
  }
  const auto events = hash_of_events(**one, watch);
  if (!events) return fail(events.error());
  const auto events_there = hash_of_events(**other, watch);
  if (!events_there) return fail(events_there.error());
  if (*events != *events_there) return false;
  for (auto* each : {&*one, &*other}) {
    if (auto back = (**each).rewind(); !back) return fail(back.error());
  }
  const auto errors = count_errors(**one, watch);
  if (!errors) return fail(errors.error());
  const auto errors_there = count_errors(**other, watch);
  if (!errors_there) return fail(errors_there.error());
  return *errors <= *errors_there;
}

}  // namespace tickreel::files

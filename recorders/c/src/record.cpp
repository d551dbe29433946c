// Recording structs that are described at run time.
#include <chrono>
#include <memory>
#include <variant>
#include <vector>

#include "handle.hpp"
#include "tickreel/struct_recording.hpp"

using namespace tickreel;

struct tickreel_struct {
  std::shared_ptr<const native_struct> of;
  std::shared_ptr<const native_event> event;  // null if it is too large for one
};

namespace {

// The log of an engine.
struct log_hook {
  tickreel_log_function log = nullptr;
  void* user = nullptr;
};
// That of the recorder which called it on this thread, while it runs.
thread_local const log_hook* running_log = nullptr;

void call_log(void* self, const error* what) noexcept {
  const auto& hook = *static_cast<const log_hook*>(self);
  const std::string sentence = what == nullptr ? std::string() : c::sentence_of(*what);
  const auto* const outer = std::exchange(running_log, &hook);
  if (what == nullptr) {
    hook.log(hook.user, TICKREEL_OK, "writing works again");
  } else {
    const auto code = static_cast<std::int32_t>(what->code);
    hook.log(hook.user, code, sentence.empty() ? tickreel_code_name(code) : sentence.c_str());
  }
  running_log = outer;
}

}  // namespace

struct tickreel_recorder {
  // Called by the writer thread of `out`.
  log_hook log;
  // The recorded kinds of events. `out` uses them until its writer thread has ended.
  std::vector<std::shared_ptr<const native_event>> events;
  std::variant<std::monostate, struct_recording<loss_policy::drop_newest>,
               struct_recording<loss_policy::drop_oldest>, struct_recording<loss_policy::block>>
      out;
  bool is_compact = false;

  // Whether the caller is the function that the writer waits for.
  [[nodiscard]] bool is_logging() const noexcept { return running_log == &log; }

  template <class Use>
  auto with(Use&& use) {
    using value = decltype(use(std::get<1>(out)));
    switch (out.index()) {
      case 2:
        return use(*std::get_if<2>(&out));
      case 3:
        return use(*std::get_if<3>(&out));
      default:
        return out.index() == 1 ? use(*std::get_if<1>(&out)) : value();
    }
  }
  template <class Use>
  auto with(Use&& use) const {
    return const_cast<tickreel_recorder*>(this)->with([&](const auto& one) { return use(one); });
  }
};

namespace {

constexpr std::uint32_t max_fields = 64;

result<void> read_type(const tickreel_field& from, native_field& to) {
  const auto number = [&](type_kind kind, std::uint32_t bytes) {
    to.kind = kind;
    to.bytes = bytes;
    return result<void>();
  };
  switch (from.type) {
    case TICKREEL_FLOAT32:
      return number(type_kind::floating, 4);
    case TICKREEL_FLOAT64:
      return number(type_kind::floating, 8);
    case TICKREEL_INT8:
      return number(type_kind::signed_integer, 1);
    case TICKREEL_INT16:
      return number(type_kind::signed_integer, 2);
    case TICKREEL_INT32:
      return number(type_kind::signed_integer, 4);
    case TICKREEL_INT64:
      return number(type_kind::signed_integer, 8);
    case TICKREEL_UINT8:
      return number(type_kind::unsigned_integer, 1);
    case TICKREEL_UINT16:
      return number(type_kind::unsigned_integer, 2);
    case TICKREEL_UINT32:
      return number(type_kind::unsigned_integer, 4);
    case TICKREEL_UINT64:
      return number(type_kind::unsigned_integer, 8);
    case TICKREEL_BOOL:
      return number(type_kind::boolean, 1);
    case TICKREEL_TEXT:
      return number(type_kind::text, from.text_bytes);
    case TICKREEL_STRUCT:
      to.kind = type_kind::structure;
      if (from.of == nullptr) return c::fail_argument("a member of type TICKREEL_STRUCT needs `of`");
      to.of = from.of->of;
      return {};
    default:
      return fail(error_code::invalid_argument, error::no_offset, "type {} of a member", from.type);
  }
}

result<native_field> read_field(const tickreel_field& from) {
  native_field to;
  to.name = c::view_of(from.name);
  if (auto typed = read_type(from, to); !typed) return fail(typed.error());
  const bool is_signed = to.kind == type_kind::signed_integer;
  const bool is_integer = is_signed || to.kind == type_kind::unsigned_integer;
  if ((from.fraction_bits != 0 && !is_signed) || (from.enumerator_count != 0 && !is_integer)) {
    return c::fail_argument("fraction_bits are for signed integers, and enumerators for integers");
  }
  to.offset = from.offset;
  to.count = from.count;
  to.stride = from.stride;
  to.is_optional = (from.flags & TICKREEL_OPTIONAL) != 0;
  to.is_entities = (from.flags & TICKREEL_ENTITIES) != 0;
  if ((from.flags & ~std::uint32_t{TICKREEL_OPTIONAL | TICKREEL_ENTITIES}) != 0) {
    return c::fail_argument("unknown flags of a member");
  }
  to.flag_offset = from.flag_offset;
  if (from.fraction_bits != 0) {
    to.kind = type_kind::fixed_point;
    to.fraction_bits = from.fraction_bits;
  }
  if (from.enumerator_count > schema_limits{}.max_enumerators)
    return c::fail_argument("too many enumerators");
  if (from.enumerator_count != 0) {
    if (from.enumerators == nullptr) return c::fail_argument("enumerators are missing");
    to.kind = type_kind::enumeration;
    to.is_signed = is_signed;
    for (std::uint32_t i = 0; i < from.enumerator_count; ++i) {
      to.enumerators.push_back(
          {std::string(c::view_of(from.enumerators[i].name)), from.enumerators[i].value});
    }
  }
  if (from.precision < 0 || from.precision > TICKREEL_TOLERANCE || from.relation < 0 ||
      from.relation > TICKREEL_INTEGRAL_OF || from.decimals > 255) {
    return c::fail_argument("unknown precision or relation of a member");
  }
  to.declared.kept = static_cast<precision>(from.precision);
  if (from.precision == TICKREEL_DECIMALS) to.declared.places = static_cast<std::uint8_t>(from.decimals);
  if (from.precision == TICKREEL_TOLERANCE) to.declared.most = from.tolerance;
  to.declared.how = static_cast<relation>(from.relation);
  to.declared.first = c::view_of(from.first);
  to.declared.second = c::view_of(from.second);
  to.declared.unit = c::view_of(from.unit);
  to.declared.ticks_per_second = from.relation_rate;
  return to;
}

result<recorder_options> read_options(const tickreel_record_options& from) {
  recorder_options to;
  if (from.loss_policy < TICKREEL_DROP_NEWEST || from.loss_policy > TICKREEL_BLOCK) {
    return c::fail_argument("unknown loss_policy");
  }
  to.ticks_per_second = from.ticks_per_second;
  to.start_time_us = from.start_time_us;
  if (from.ring_ticks != 0) to.ring_ticks = from.ring_ticks;
  if (from.seal_interval_ms != 0) to.seal_interval_ms = from.seal_interval_ms;
  if (from.is_pumped != 0) to.mode = threading::pumped;
  to.sync_each_chunk = from.leaves_sync == 0;
  to.memory_bytes = from.memory_bytes;
  if (from.metadata_count > 65'536 || (from.metadata_count != 0 && from.metadata == nullptr)) {
    return c::fail_argument("metadata");
  }
  for (std::uint32_t i = 0; i < from.metadata_count; ++i) {
    const std::string_view value = c::view_of(from.metadata[i].value);
    const byte_span bytes = as_bytes(value);
    to.metadata.push_back({std::string(c::view_of(from.metadata[i].key)), {bytes.begin(), bytes.end()}});
  }
  return to;
}

// Passes the bytes of a reel to the caller's function.
class receiver final : public reel::sink {
 public:
  receiver(tickreel_bytes_function receive, void* user) noexcept : receive_(receive), user_(user) {}
  result<void> accept_header(byte_span bytes) override { return pass(bytes); }
  result<void> accept_record(const reel::record_info&, byte_span bytes) override { return pass(bytes); }

 private:
  result<void> pass(byte_span bytes) {
    if (receive_(user_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) == 0) return {};
    return fail(error_code::io_failed, error::no_offset, "the receiver did not take the bytes of the reel");
  }

  tickreel_bytes_function receive_;
  void* user_;
};

result<tracks::slot_memory> read_memory(const tickreel_record_options& from) {
  if ((from.allocate == nullptr) != (from.release == nullptr)) {
    return c::fail_argument("`allocate` and `release` belong together");
  }
  if (from.allocate == nullptr) return tracks::slot_memory();
  return tracks::slot_memory{from.allocate, from.release, from.memory_user};
}

template <loss_policy Policy>
result<std::unique_ptr<tickreel_recorder>> open_recorder(const char* path, const tickreel_struct& of,
                                                         const tickreel_record_options& given) {
  auto options = read_options(given);
  if (!options) return fail(options.error());
  const auto memory = read_memory(given);
  if (!memory) return fail(memory.error());
  auto made = std::make_unique<tickreel_recorder>();
  made->log = {given.log, given.log_user};
  if (given.log != nullptr) options->observer = {&call_log, &made->log};
  std::vector<std::unique_ptr<reel::sink>> sinks;
  if (given.receive != nullptr)
    sinks.push_back(std::make_unique<receiver>(given.receive, given.receive_user));
  auto opened =
      struct_recording<Policy>::open(file_path(c::view_of(path)), of.of, *options, std::move(sinks), *memory);
  if (!opened) return fail(opened.error());
  made->is_compact = given.is_compact != 0;
  made->out.template emplace<struct_recording<Policy>>(std::move(*opened));
  // So that the first event of each kind allocates nothing.
  made->events.reserve(tracks::max_event_kinds);
  return made;
}

tickreel_counters to_c(const recorder_counters& from) noexcept {
  tickreel_counters to{};
  to.pushed = from.pushed;
  to.dropped = from.dropped;
  to.refused = from.refused;
  to.written = from.written;
  to.lost = from.lost;
  to.events = from.events;
  to.events_lost = from.events_lost;
  to.raw_bytes = from.raw_bytes;
  to.stored_bytes = from.stored_bytes;
  to.receiver_failed = from.failed_sinks;
  to.is_whole = from.dropped == 0 && from.lost == 0 && from.refused == 0 && from.events_lost == 0 &&
                from.failed_syncs == 0 && from.failed_sinks == 0;
  return to;
}

}  // namespace

int32_t tickreel_describe(const char* name, uint32_t bytes, const tickreel_field* fields,
                          uint32_t field_count, tickreel_struct** out) {
  return c::guarded([&]() -> result<void> {
    if (name == nullptr || fields == nullptr || out == nullptr) return c::fail_argument("a pointer is NULL");
    *out = nullptr;
    if (field_count == 0 || field_count > max_fields) return c::fail_argument("a struct has 1 to 64 members");
    std::vector<native_field> members;
    // A caller of another version has elements of another size.
    const std::size_t stride = fields->struct_bytes;
    for (std::uint32_t i = 0; i < field_count; ++i) {
      const auto* const at =
          reinterpret_cast<const tickreel_field*>(reinterpret_cast<const char*>(fields) + i * stride);
      const auto field = c::read_struct(at);
      if (!field) return fail(field.error());
      if (at->struct_bytes != stride) return c::fail_argument("struct_bytes of the members differ");
      auto member = read_field(*field);
      if (!member) return fail(member.error());
      members.push_back(std::move(*member));
    }
    auto described = native_struct::create(name, bytes, members);
    if (!described) return fail(described.error());
    auto made = std::make_unique<tickreel_struct>();
    made->of = *described;
    if (auto event = native_event::create(*described)) made->event = std::move(*event);
    *out = made.release();
    return {};
  });
}

void tickreel_struct_free(tickreel_struct* of) {
  delete of;
}

int32_t tickreel_record(const char* path, const tickreel_struct* of, const tickreel_record_options* options,
                        tickreel_recorder** out) {
  return c::guarded([&]() -> result<void> {
    if (of == nullptr || out == nullptr) return c::fail_argument("a pointer is NULL");
    *out = nullptr;
    const auto given = c::read_struct(options);
    if (!given) return fail(given.error());
    if (path == nullptr && given->receive == nullptr)
      return c::fail_argument("neither a path nor a function that receives the bytes");
    if (path == nullptr && given->is_compact != 0)
      return c::fail_argument("only a reel in a file becomes compact");
    auto made = given->loss_policy == TICKREEL_BLOCK ? open_recorder<loss_policy::block>(path, *of, *given)
                : given->loss_policy == TICKREEL_DROP_OLDEST
                    ? open_recorder<loss_policy::drop_oldest>(path, *of, *given)
                    : open_recorder<loss_policy::drop_newest>(path, *of, *given);
    if (!made) return fail(made.error());
    *out = made->release();
    return {};
  });
}

int32_t tickreel_push(tickreel_recorder* recorder, const void* state) {
  if (recorder == nullptr || state == nullptr) return 0;
  return recorder->with([&](auto& out) { return out.push(state); }) ? 1 : 0;
}

int32_t tickreel_push_at(tickreel_recorder* recorder, uint64_t tick, int64_t time_us, const void* state) {
  if (recorder == nullptr || state == nullptr) return 0;
  return recorder->with([&](auto& out) { return out.push(frame_stamp{tick, time_us}, state); }) ? 1 : 0;
}

int32_t tickreel_event(tickreel_recorder* recorder, const tickreel_struct* of, const void* event) {
  if (recorder == nullptr || of == nullptr || event == nullptr) return 0;
  auto& known = recorder->events;
  if (std::ranges::find(known, of->event) == known.end()) {
    if (of->event == nullptr || known.size() == known.capacity()) {
      recorder->with([](auto& out) { return out.refuse_event(); });
      return 0;
    }
    known.push_back(of->event);
  }
  return recorder->with([&](auto& out) { return out.event(*of->event, event); }) ? 1 : 0;
}

uint64_t tickreel_pump(tickreel_recorder* recorder) {
  if (recorder == nullptr || recorder->is_logging()) return 0;
  return recorder->with([](auto& out) { return std::uint64_t{out.pump()}; });
}

int32_t tickreel_save_last(const tickreel_recorder* recorder, uint64_t milliseconds, const char* path,
                           tickreel_saved* out) {
  return c::guarded([&]() -> result<void> {
    if (recorder == nullptr || path == nullptr) return c::fail_argument("a pointer is NULL");
    if (auto usable = c::check_struct(out); !usable) return usable;
    // Longer than any recording.
    constexpr std::uint64_t max_ms = std::uint64_t{1} << 50;
    const std::chrono::milliseconds time(std::min(milliseconds, max_ms));
    const auto saved = recorder->with(
        [&](const auto& one) -> result<saved_part> { return one.save_last(time, file_path(path)); });
    if (!saved) return fail(saved.error());
    tickreel_saved to{};
    to.first_tick = saved->first.tick;
    to.last_tick = saved->last.tick;
    to.ticks = saved->ticks;
    to.lost_ticks = saved->lost_ticks;
    to.bytes = saved->bytes;
    return c::write_struct(to, out);
  });
}

int32_t tickreel_recorder_counters(const tickreel_recorder* recorder, tickreel_counters* out) {
  return c::guarded([&]() -> result<void> {
    if (recorder == nullptr || out == nullptr) return c::fail_argument("a pointer is NULL");
    return c::write_struct(to_c(recorder->with([](const auto& one) { return one.counters(); })), out);
  });
}

int32_t tickreel_recorder_failure(const tickreel_recorder* recorder) {
  return c::guarded([&]() -> result<void> {
    if (recorder == nullptr) return c::fail_argument("a pointer is NULL");
    const auto failed = recorder->with([](const auto& one) { return one.failure(); });
    if (failed) return fail(*failed);
    return {};
  });
}

int32_t tickreel_close(tickreel_recorder* recorder, tickreel_counters* out) {
  return c::guarded([&]() -> result<void> {
    if (recorder == nullptr) return c::fail_argument("a pointer is NULL");
    if (auto usable = c::check_struct(out); !usable) return usable;
    if (recorder->is_logging()) {
      return fail(error_code::wrong_state, error::no_offset, "the recorder waits for the log that closes it");
    }
    const auto closed = recorder->with(
        [&](auto& one) -> result<close_report> { return one.close({.compact = recorder->is_compact}); });
    // Also after a failure.
    const auto counters = recorder->with([](const auto& one) { return one.counters(); });
    if (auto written = c::write_struct(to_c(closed ? closed->counters : counters), out); !written)
      return written;
    if (!closed) return fail(closed.error());
    return {};
  });
}

void tickreel_recorder_free(tickreel_recorder* recorder) {
  if (recorder != nullptr && !recorder->is_logging()) delete recorder;
}

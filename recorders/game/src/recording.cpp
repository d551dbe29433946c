#include "tickreel/game/recording.hpp"

#include <chrono>
#include <functional>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "keyframe_notes.hpp"
#include "match_writer.hpp"
#include "tickreel/record/ring.hpp"

namespace tickreel::game {

namespace {

constexpr std::uint32_t orders_per_tick_limit = 4096;  // icrep::limits
constexpr std::size_t order_bytes_limit = 1u << 20;
constexpr std::uint32_t wait_limit_ms = 5;  // of the format's design
// The writer looks again after a nap: the game makes no system call to wake it. An eighth of a tick at 15 a
// second, and far less than the queue holds.
constexpr auto nap = std::chrono::milliseconds(4);
constexpr std::size_t prepared_frame_bytes = 256;

struct queue_item {
  bool is_keyframe = false;
  bool whole = false;
  std::uint64_t tick = 0;
  std::uint64_t state_hash = 0;
  byte_vector bytes;
};

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

}  // namespace

struct recording::state {
  state(match_writer writer, const recording_options& chosen)
      : options(chosen),
        queue(chosen.queue_items),
        events(chosen.event_queue_items),
        output(std::move(writer)) {
    prepare();
  }

  recording_options options;

  // The game's side.
  std::optional<std::uint64_t> tick;
  std::uint64_t tick_hash = 0;
  std::uint32_t orders_in_tick = 0;
  byte_vector orders;
  byte_vector notes;
  bool keyframe_open = false;
  bool notes_are_whole = true;
  bool changes_only = false;
  bool whole_wanted = true;
  bool entity_named = false;
  std::uint64_t next_keyframe = 0;
  std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> texts;
  std::vector<std::string_view> text_list;  // the keys of `texts` by number
  std::size_t texts_told = 0;
  std::string last_archetype;
  std::uint32_t last_archetype_id = no_archetype;
  bool ended = false;

  // Between both.
  spsc_ring<queue_item> queue;
  spsc_ring<std::optional<analysis::event>> events;
  std::atomic<std::uint64_t> queued_bytes{0};
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> keyframes{0};
  std::atomic<std::uint64_t> lost_ticks{0};
  std::atomic<std::uint64_t> lost_keyframes{0};
  std::atomic<std::uint64_t> lost_events{0};
  std::atomic<bool> stopping{false};

  // The writer's side.
  std::unique_ptr<writer_losses> losses;
  match_writer output;
  std::thread thread;

  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) noexcept {
    counter.fetch_add(by, std::memory_order_relaxed);
  }

  // Every slot's memory once, so that ordinary ticks find theirs.
  void prepare() {
    orders.reserve(order_bytes_limit / 16);
    for (std::size_t i = 0; i < queue.capacity(); ++i) {
      queue_item* slot = queue.begin_push();
      slot->bytes.reserve(prepared_frame_bytes);
      queue.commit_push();
    }
    while (queue.front() != nullptr) queue.pop();
  }

  [[nodiscard]] queue_item* find_room(std::size_t bytes) noexcept {
    const auto try_once = [&]() -> queue_item* {
      if (queued_bytes.load(std::memory_order_relaxed) + bytes > options.queue_bytes) return nullptr;
      return queue.begin_push();
    };
    queue_item* slot = try_once();
    if (slot != nullptr || options.wait_limit_ms == 0) return slot;
    const auto until = std::chrono::steady_clock::now() +
                       std::chrono::milliseconds(std::min(options.wait_limit_ms, wait_limit_ms));
    while (slot == nullptr && std::chrono::steady_clock::now() < until) {
      std::this_thread::yield();
      slot = try_once();
    }
    return slot;
  }

  // Swaps `bytes` into the queue; they are emptied either way.
  bool push(bool is_keyframe, byte_vector& bytes) noexcept {
    queue_item* const slot = find_room(bytes.size());
    if (slot != nullptr) {
      slot->is_keyframe = is_keyframe;
      slot->whole = notes_are_whole;
      slot->tick = *tick;
      slot->state_hash = tick_hash;
      slot->bytes.swap(bytes);
      queued_bytes.fetch_add(slot->bytes.size(), std::memory_order_relaxed);
      queue.commit_push();
    }
    bytes.clear();
    return slot != nullptr;
  }

  void close_tick() noexcept {
    if (!tick) return;
    if (keyframe_open) {
      keyframe_open = false;
      const std::size_t told = text_list.size();
      for (std::size_t i = texts_told; i < told; ++i) {
        notes.push_back(static_cast<std::byte>(note::text));
        append_numbers(notes, static_cast<std::uint32_t>(text_list[i].size()));
        append_bytes(notes, as_bytes(text_list[i]));
      }
      if (push(true, notes)) {
        add(keyframes);
        texts_told = told;
        whole_wanted = !changes_only;
        next_keyframe = (*tick / options.keyframe_interval_ticks + 1) * options.keyframe_interval_ticks;
      } else {
        add(lost_keyframes);
        whole_wanted = true;
        // A recording without any keyframe can't be played: try again at once.
        next_keyframe = keyframes.load(std::memory_order_relaxed) == 0
                            ? *tick + 1
                            : (*tick / options.keyframe_interval_ticks + 1) * options.keyframe_interval_ticks;
      }
    }
    add(push(false, orders) ? ticks : lost_ticks);
  }

  // One round of the writer.
  bool write_some() noexcept {
    bool any = false;
    while (std::optional<analysis::event>* happened = events.front()) {
      output.event(**happened);
      events.pop();
      any = true;
    }
    while (queue_item* item = queue.front()) {
      if (item->is_keyframe) {
        output.keyframe(item->tick, item->state_hash, item->bytes, item->whole);
      } else {
        output.frame(item->tick, item->state_hash, item->bytes);
      }
      queued_bytes.fetch_sub(item->bytes.size(), std::memory_order_relaxed);
      queue.pop();
      any = true;
    }
    output.tend();
    return any;
  }

  void run() noexcept {
    while (!stopping.load(std::memory_order_acquire)) {
      if (!write_some()) std::this_thread::sleep_for(nap);
    }
  }

  void stop_thread() noexcept {
    if (!thread.joinable()) return;
    stopping.store(true, std::memory_order_release);
    thread.join();
  }

  void put(note kind) noexcept { notes.push_back(static_cast<std::byte>(kind)); }
  void put_bytes(byte_span bytes) noexcept {
    append_numbers(notes, static_cast<std::uint32_t>(bytes.size()));
    append_bytes(notes, bytes);
  }
};

recording::recording(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
recording::recording(recording&&) noexcept = default;
recording& recording::operator=(recording&& other) noexcept {
  if (this != &other) {
    if (state_) state_->stop_thread();
    state_ = std::move(other.state_);
  }
  return *this;
}
recording::~recording() {
  if (!state_) return;
  state_->stop_thread();
  if (!state_->ended) (void)state_->write_some();
}

result<recording> recording::begin(std::string_view path, const match& about, const world_layout& layout,
                                   const recording_options& options) {
  if (options.keyframe_interval_ticks == 0 || options.full_keyframe_every == 0 || options.queue_items == 0 ||
      options.event_queue_items == 0 || options.wait_limit_ms > wait_limit_ms ||
      about.ticks_per_second == 0) {
    return fail(error_code::invalid_argument, error::no_offset, "recording options");
  }
  auto losses = std::make_unique<writer_losses>();
  auto writer = match_writer::begin(path, about, layout, options, *losses);
  if (!writer) return fail(writer.error());
  auto made = std::make_unique<state>(std::move(*writer), options);
  made->losses = std::move(losses);
  recording out(std::move(made));
  // The world's own archetype has number 0.
  if (!layout.world.empty()) (void)out.intern("world");
  if (options.mode == threading::own_thread) {
    try {
      out.state_->thread = std::thread([owned = out.state_.get()] { owned->run(); });
    } catch (const std::system_error& refused) {
      return fail(from_system_error(refused.code().value(), "starting the writer thread"));
    }
  }
  return out;
}

result<bool> recording::tick(std::uint64_t number, std::uint64_t state_hash) noexcept {
  state& self = *state_;
  if (self.ended) return fail(error_code::wrong_state, error::no_offset, "the recording has ended");
  if (self.tick && number <= *self.tick) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {} after tick {}",
                static_cast<std::int64_t>(number), static_cast<std::int64_t>(*self.tick));
  }
  self.close_tick();
  const std::uint64_t expected = self.tick ? *self.tick + 1 : 0;
  if (number > expected) state::add(self.lost_ticks, number - expected);
  self.tick = number;
  self.tick_hash = state_hash;
  self.orders_in_tick = 0;
  self.keyframe_open = number >= self.next_keyframe;
  self.notes_are_whole = self.whole_wanted;
  self.entity_named = false;
  return self.keyframe_open;
}

result<void> recording::order(std::uint32_t player, std::uint16_t type, byte_span payload,
                              std::uint32_t sub_tick_us) noexcept {
  state& self = *state_;
  if (!self.tick || self.ended) return fail(error_code::wrong_state, error::no_offset, "no tick has begun");
  if (self.orders_in_tick == orders_per_tick_limit ||
      self.orders.size() + payload.size() > order_bytes_limit) {
    return fail(error_code::over_limit, error::no_offset, "orders in tick {}",
                static_cast<std::int64_t>(*self.tick));
  }
  ++self.orders_in_tick;
  append_numbers(self.orders, player, sub_tick_us, type, static_cast<std::uint32_t>(payload.size()));
  append_bytes(self.orders, payload);
  return {};
}

bool recording::event(const analysis::event& happened) noexcept {
  state& self = *state_;
  auto* const slot = self.ended ? nullptr : self.events.begin_push();
  if (slot == nullptr) {
    state::add(self.lost_events);
    return false;
  }
  slot->emplace(happened);
  self.events.commit_push();
  return true;
}

bool recording::wants_whole_world() const noexcept {
  return state_->notes_are_whole;
}

void recording::changes_only(bool chosen) noexcept {
  state_->changes_only = chosen;
  if (!chosen) state_->whole_wanted = true;
}

void recording::entity(analysis::unit_tag tag, std::string_view archetype) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  std::uint32_t id = no_archetype;
  if (!archetype.empty()) {
    if (archetype != self.last_archetype) {
      self.last_archetype_id = intern(archetype).id;
      self.last_archetype = archetype;
    }
    id = self.last_archetype_id;
  }
  self.put(note::entity);
  append_numbers(self.notes, tag.index, tag.generation, id);
  self.entity_named = true;
}

void recording::component(std::uint32_t slot, byte_span bytes) noexcept {
  state& self = *state_;
  if (!self.keyframe_open || !self.entity_named || slot >= 64) return;
  append_numbers(self.notes, static_cast<std::uint8_t>(note::component), static_cast<std::uint8_t>(slot),
                 static_cast<std::uint32_t>(bytes.size()));
  append_bytes(self.notes, bytes);
}

void recording::remove(analysis::unit_tag tag) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  self.put(note::remove);
  append_numbers(self.notes, tag.index, tag.generation);
  self.entity_named = false;
}

void recording::player_field(std::uint32_t player, std::uint32_t slot, byte_span bytes) noexcept {
  state& self = *state_;
  if (!self.keyframe_open || slot >= 32) return;
  self.put(note::player);
  append_numbers(self.notes, player, static_cast<std::uint8_t>(slot));
  self.put_bytes(bytes);
}

void recording::singleton(std::uint32_t slot, byte_span bytes) noexcept {
  state& self = *state_;
  if (!self.keyframe_open || slot == 0 || slot >= 64) return;
  self.put(note::singleton);
  append_numbers(self.notes, static_cast<std::uint8_t>(slot));
  self.put_bytes(bytes);
}

void recording::generator(byte_span random_state) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  self.put(note::generator);
  self.put_bytes(random_state);
}

void recording::cell(icrep::cell_position at, std::string_view terrain, std::int32_t amount) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  const std::uint32_t id = intern(terrain).id;
  self.put(note::cell);
  append_numbers(self.notes, at.x, at.y, at.z, id, amount);
}

interned_text recording::intern(std::string_view text) noexcept {
  state& self = *state_;
  if (const auto known = self.texts.find(text); known != self.texts.end()) return {known->second};
  const auto id = static_cast<std::uint32_t>(self.text_list.size());
  const auto placed = self.texts.emplace(std::string(text), id).first;
  self.text_list.push_back(placed->first);
  return {id};
}

bool recording::pump() noexcept {
  return state_->options.mode == threading::pumped && !state_->ended && state_->write_some();
}

result<end_report> recording::end(const match_result& how) noexcept {
  state& self = *state_;
  if (self.ended) return fail(error_code::wrong_state, error::no_offset, "the recording has ended");
  // From here on nothing is in a hurry, so what is left finds room.
  if (self.options.mode == threading::pumped) {
    (void)self.write_some();
  } else {
    self.stop_thread();
    (void)self.write_some();
  }
  self.close_tick();
  if (how.outcome && self.tick) {
    analysis::event ended;
    auto& content = ended.what.emplace<analysis::match_ended>();
    content.tick = *self.tick;
    content.outcome = *how.outcome;
    (void)event(ended);
  }
  (void)self.write_some();
  self.ended = true;
  auto report = self.output.finish(how, self.lost_ticks.load(), self.lost_keyframes.load());
  if (report) report->counters = counters();
  return report;
}

recording_counters recording::counters() const noexcept {
  const state& self = *state_;
  recording_counters out;
  out.ticks = self.ticks.load();
  out.keyframes = self.keyframes.load();
  out.lost_ticks = self.lost_ticks.load() + self.losses->ticks.load();
  out.lost_keyframes = self.lost_keyframes.load() + self.losses->keyframes.load();
  out.lost_events = self.lost_events.load() + self.losses->events.load();
  out.failed_writes = self.losses->failed_writes.load();
  return out;
}

}  // namespace tickreel::game

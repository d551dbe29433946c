#include "tickreel/game/recording.hpp"

#include <array>
#include <chrono>
#include <cstring>
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

// A tick or a keyframe on its way to the writer.
struct queue_item {
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
        keyframe_queue(chosen.queue_items),
        spare_notes(4),
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
  // The texts met last, by where they lie: most archetypes are literals. Saves hashing them.
  std::array<std::uint32_t, 16> recent_texts = [] {
    std::array<std::uint32_t, 16> none;
    none.fill(no_archetype);
    return none;
  }();
  bool ended = false;

  // Between both.
  // Of queue_items together. A tick comes behind the keyframe of the same tick. Keyframes are large and few,
  // so their memory goes back to the game instead of staying in every place of the queue.
  spsc_ring<queue_item> queue;
  spsc_ring<queue_item> keyframe_queue;
  spsc_ring<byte_vector> spare_notes;
  std::atomic<std::uint64_t> queued_items{0};
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

  [[nodiscard]] queue_item* find_room(spsc_ring<queue_item>& into, std::size_t bytes) noexcept {
    const auto try_once = [&]() -> queue_item* {
      if (queued_items.load(std::memory_order_relaxed) >= options.queue_items) return nullptr;
      if (queued_bytes.load(std::memory_order_relaxed) + bytes > options.queue_bytes) return nullptr;
      return into.begin_push();
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
  bool push(spsc_ring<queue_item>& into, byte_vector& bytes) noexcept {
    queue_item* const slot = find_room(into, bytes.size());
    if (slot != nullptr) {
      slot->whole = notes_are_whole;
      slot->tick = *tick;
      slot->state_hash = tick_hash;
      slot->bytes.swap(bytes);
      queued_bytes.fetch_add(slot->bytes.size(), std::memory_order_relaxed);
      queued_items.fetch_add(1, std::memory_order_relaxed);
      into.commit_push();
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
      if (push(keyframe_queue, notes)) {
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
    add(push(queue, orders) ? ticks : lost_ticks);
  }

  void taken(std::size_t bytes) noexcept {
    queued_bytes.fetch_sub(bytes, std::memory_order_relaxed);
    queued_items.fetch_sub(1, std::memory_order_relaxed);
  }

  // Those up to `last_tick`.
  bool write_keyframes(std::uint64_t last_tick) noexcept {
    bool any = false;
    for (queue_item* item = keyframe_queue.front(); item != nullptr && item->tick <= last_tick;
         item = keyframe_queue.front()) {
      output.keyframe(item->tick, item->state_hash, item->bytes, item->whole);
      taken(item->bytes.size());
      if (byte_vector* spare = spare_notes.begin_push()) {
        *spare = std::move(item->bytes);
        spare_notes.commit_push();
      }
      item->bytes = {};
      keyframe_queue.pop();
      any = true;
    }
    return any;
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
      write_keyframes(item->tick);
      output.frame(item->tick, item->state_hash, item->bytes);
      taken(item->bytes.size());
      queue.pop();
      any = true;
    }
    any = write_keyframes(std::numeric_limits<std::uint64_t>::max()) || any;
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
  if (byte_vector* spare = self.keyframe_open ? self.spare_notes.front() : nullptr) {
    // The larger of both.
    if (spare->capacity() > self.notes.capacity()) self.notes.swap(*spare);
    self.notes.clear();
    self.spare_notes.pop();
  }
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
  const std::uint32_t id = archetype.empty() ? no_archetype : intern(archetype).id;
  append_numbers(self.notes, static_cast<std::uint8_t>(note::entity), tag.index, tag.generation, id);
  self.entity_named = true;
}

void recording::component(std::uint32_t slot, byte_span bytes) noexcept {
  state& self = *state_;
  if (!self.keyframe_open || !self.entity_named || slot >= 64) return;
  // This is most of what a keyframe costs, so memory is grown once for all of it.
  constexpr std::size_t head_bytes = 6;
  const std::size_t at = self.notes.size();
  self.notes.resize(at + head_bytes + bytes.size());
  std::byte* const to = self.notes.data() + at;
  to[0] = static_cast<std::byte>(note::component);
  to[1] = static_cast<std::byte>(slot);
  detail::store<std::endian::little>(to + 2, static_cast<std::uint32_t>(bytes.size()));
  if (!bytes.empty()) std::memcpy(to + head_bytes, bytes.data(), bytes.size());
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
  const std::size_t place = std::hash<const char*>{}(text.data()) / 4 % self.recent_texts.size();
  std::uint32_t& recent = self.recent_texts[place];
  if (recent != no_archetype && self.text_list[recent] == text) return {recent};
  if (const auto known = self.texts.find(text); known != self.texts.end()) {
    recent = known->second;
    return {known->second};
  }
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

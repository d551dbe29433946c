#include "chunk_prefetcher.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t max_threads = 3;
constexpr std::size_t passes_before = 2;
constexpr std::size_t as_many_as_there_are = static_cast<std::size_t>(-1);

std::atomic<std::size_t> wanted_threads = as_many_as_there_are;

std::size_t threads_to_spare() noexcept {
  if (const std::size_t wanted = wanted_threads; wanted != as_many_as_there_are) return wanted;
  const std::size_t processors = std::thread::hardware_concurrency();
  return processors < 2 ? 0 : std::min(processors - 1, max_threads);
}

// The threads shared by all prefetchers; they stop with the last prefetcher.
class shared_threads {
 public:
  // Null without spare processors, or if the system creates no thread.
  static std::shared_ptr<shared_threads> get() {
    static std::mutex only_one;
    static std::weak_ptr<shared_threads> those;
    const std::size_t count = threads_to_spare();
    if (count == 0) return nullptr;
    const std::lock_guard lock(only_one);
    if (auto there = those.lock(); there && there->count_ == count) return there;
    auto made = std::make_shared<shared_threads>(count);
    // A pool with fewer threads would work, but the number of threads would be unknown.
    if (!made->pool_.start()) return nullptr;
    those = made;
    return made;
  }

  explicit shared_threads(std::size_t count) : count_(count), pool_(count) {}

  void add(std::function<void()> job) {
    const std::lock_guard lock(mutex_);
    pool_.add(std::move(job));
  }

 private:
  const std::size_t count_;
  std::mutex mutex_;
  workers::worker_pool pool_;
};

enum class read_stage : std::uint8_t { unused, waiting, under_way, done };

// A chunk, from its request until it is taken.
struct slot {
  explicit slot(const byte_source& source) : from(source) {}

  std::size_t chunk = 0;
  chunk_prefetcher::place where;
  read_stage at = read_stage::unused;
  bool is_sound = false;
  // Used by the thread that decompresses.
  byte_source from;
  decompressor codecs;
  byte_vector content;

  // Failed allocations also return false, so that the reader reports the error: no exception may leave a
  // thread, and no slot may stay in progress.
  bool unpack(codec_id codec) noexcept {
    try {
      const auto stored = from.view(where.offset, where.bytes);
      return stored && stored->size() == where.bytes &&
             codecs.decompress(codec, *stored, chunk_prefetcher::max_chunk_bytes, content).has_value();
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
};

// State shared by the reader and the threads. A job whose chunk was forgotten finds no waiting slot and
// returns.
class queue {
 public:
  queue(const byte_source& from, codec_id codec)
      : codec_(codec), slots_{slot(from), slot(from), slot(from), slot(from), slot(from)} {}

  // False if the chunk is already requested. Waits while its slot is in use.
  bool begin(std::size_t chunk, chunk_prefetcher::place where) {
    std::unique_lock lock(mutex_);
    slot& mine = slot_of(chunk);
    if (mine.at != read_stage::unused && mine.chunk == chunk) return false;
    // In use by a request from before a jump.
    changed_.wait(lock, [&] { return mine.at != read_stage::under_way; });
    mine.chunk = chunk;
    mine.where = where;
    mine.at = read_stage::waiting;
    return true;
  }

  bool take(std::size_t chunk, byte_vector& out) {
    std::unique_lock lock(mutex_);
    slot& mine = slot_of(chunk);
    if (mine.at == read_stage::unused || mine.chunk != chunk) return false;
    if (mine.at == read_stage::waiting) {
      mine.at = read_stage::unused;
      return false;
    }
    while (mine.at == read_stage::under_way) {
      if (!work(lock)) changed_.wait(lock, [&] { return mine.at == read_stage::done; });
    }
    mine.at = read_stage::unused;
    if (mine.is_sound) out.swap(mine.content);
    return mine.is_sound;
  }

  // Decompresses the waiting chunk that is needed first.
  void work() {
    std::unique_lock lock(mutex_);
    (void)work(lock);
  }

  // Drops the requests that no thread has started.
  void forget() {
    const std::lock_guard lock(mutex_);
    for (slot& each : slots_) {
      if (each.at != read_stage::under_way) each.at = read_stage::unused;
    }
  }

  // Waits until no thread reads the source; remaining jobs find nothing to do.
  void close() {
    forget();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return std::ranges::none_of(slots_, [](const slot& each) { return each.at == read_stage::under_way; });
    });
  }

 private:
  slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }

  bool work(std::unique_lock<std::mutex>& lock) {
    slot* first = nullptr;
    for (slot& each : slots_) {
      if (each.at == read_stage::waiting && (first == nullptr || each.chunk < first->chunk)) first = &each;
    }
    if (first == nullptr) return false;
    first->at = read_stage::under_way;
    lock.unlock();
    const bool is_sound = first->unpack(codec_);
    lock.lock();
    first->is_sound = is_sound;
    first->at = read_stage::done;
    changed_.notify_all();
    return true;
  }

  const codec_id codec_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // One more slot than prefetched chunks: the requested chunk has one too.
  std::array<slot, chunk_prefetcher::max_chunks + 1> slots_;
};

}  // namespace

struct chunk_prefetcher::internals {
  byte_source from;
  codec_id codec;
  std::size_t count;
  std::function<place(std::size_t)> place_of;
  std::size_t next = 0;
  std::size_t passed = 0;  // chunks requested in sequence, without a jump
  bool has_none = false;   // no threads are available
  std::shared_ptr<shared_threads> threads = nullptr;
  std::shared_ptr<queue> chunks = nullptr;

  bool is_possible() {
    if (has_none) return false;
    if (chunks != nullptr) return true;
    if (codec != codec_id::none && !from.is_distant()) threads = shared_threads::get();
    has_none = threads == nullptr;
    if (!has_none) chunks = std::make_shared<queue>(from, codec);
    return !has_none;
  }

  bool take(std::size_t chunk, byte_vector& out) {
    if (chunk != next) {
      passed = 0;
      if (chunks != nullptr) chunks->forget();
    }
    next = chunk + 1;
    if (passed < passes_before) {
      ++passed;
      return false;
    }
    if (!is_possible()) return false;
    const std::size_t end = count - chunk > max_chunks ? chunk + max_chunks + 1 : count;
    for (std::size_t each = chunk + 1; each < end; ++each) {
      const place where = place_of(each);
      if (where.bytes == 0 || where.bytes > max_chunk_bytes) continue;
      if (chunks->begin(each, where)) threads->add([mine = chunks] { mine->work(); });
    }
    return chunks->take(chunk, out);
  }
};

chunk_prefetcher::chunk_prefetcher(const byte_source& from, codec_id codec, std::size_t count,
                                   std::function<place(std::size_t)> place_of)
    : internals_(new internals{from, codec, count, std::move(place_of)}) {}

chunk_prefetcher::~chunk_prefetcher() {
  if (internals_->chunks != nullptr) internals_->chunks->close();
}

bool chunk_prefetcher::take(std::size_t chunk, byte_vector& out) {
  return internals_->take(chunk, out);
}

void set_prefetch_threads(std::optional<std::size_t> threads) noexcept {
  wanted_threads = threads.value_or(as_many_as_there_are);
}

}  // namespace tickreel::files

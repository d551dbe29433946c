// Chunks that worker threads prefetch: every query of a recording returns the same as without prefetching.
#include <atomic>
#include <cstring>
#include <iostream>
#include <thread>

#include "all_contents.hpp"
#include "chunk_prefetcher.hpp"
#include "every_format.hpp"
#include "random.hpp"
#include "sanitized.hpp"
#include "tickreel/files/recover.hpp"
#include "without_threads.hpp"

BOOST_AUTO_TEST_SUITE(files_ahead_tests)
BOOST_AUTO_TEST_SUITE(ahead_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using files::chunk_prefetcher;

struct scoped_prefetch_threads {
  explicit scoped_prefetch_threads(std::size_t count) { files::set_prefetch_threads(count); }
  ~scoped_prefetch_threads() { files::set_prefetch_threads(std::nullopt); }
  scoped_prefetch_threads(const scoped_prefetch_threads&) = delete;
  scoped_prefetch_threads& operator=(const scoped_prefetch_threads&) = delete;
};

std::string contents_with(std::size_t threads, const std::filesystem::path& path) {
  const scoped_prefetch_threads so_many(threads);
  return all_contents(files::open(path));
}

// From the file, and from memory.
void check(const std::filesystem::path& path) {
  const std::string without = contents_with(0, path);
  for (const std::size_t threads : {1u, 3u}) check_equal(without, contents_with(threads, path));
  const byte_vector bytes = read_file(path);
  const scoped_prefetch_threads two(2);
  check_equal(without, all_contents(files::open(byte_span(bytes))));
}

// Matches of 18 chunks each. With sanitizers there is one match.
std::vector<std::filesystem::path> matches_of_many_chunks(const scratch_folder& folder) {
  std::vector<std::filesystem::path> out;
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    for (const bool bones : {false, true}) {
      if (is_sanitized && (codec != codec_id::zstd || bones)) continue;
      files::convert_options options;
      options.codec = codec_options{.codec = codec};
      options.keyframe_interval_ticks = 10;
      out.push_back(folder.path() / (std::string(name(codec)) + (bones ? "-bones" : "") + ".butter"));
      write_match(out.back(), options, short_match(bones));
    }
  }
  return out;
}

// Chunks of numbers, compressed one after the other.
struct packed_numbers {
  byte_vector file;
  std::vector<chunk_prefetcher::place> places;
  std::vector<byte_vector> content;

  explicit packed_numbers(std::size_t count, std::size_t numbers = 1000) {
    auto to = compressor::create({.codec = codec_id::gzip});
    BOOST_REQUIRE(to);
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
      content.emplace_back(numbers * 4);
      for (std::size_t i = 0; i < numbers; ++i) {
        const auto value = static_cast<std::uint32_t>(chunk * 7919 + i * i);
        std::memcpy(content.back().data() + i * 4, &value, 4);
      }
      byte_vector packed;
      BOOST_REQUIRE(to->compress(content.back(), packed));
      places.push_back({file.size(), static_cast<std::uint32_t>(packed.size())});
      file.insert(file.end(), packed.begin(), packed.end());
    }
  }
  [[nodiscard]] chunk_prefetcher reader(const std::vector<chunk_prefetcher::place>& of) const {
    return {byte_source(file), codec_id::gzip, of.size(), [&of](std::size_t chunk) { return of[chunk]; }};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_format_returns_the_same) {
  const scratch_folder folder;
  auto all = matches_of_many_chunks(folder);
  if (!is_sanitized) {
    for (const auto& each : fixtures(folder)) all.push_back(each);
  }
  for (const auto& path : all) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      check(path);
    }
  }
}

BOOST_AUTO_TEST_CASE(real_recordings_return_the_same) {
  for (const auto& each : shared_files("butter", ".butter")) {
    BOOST_TEST_CONTEXT(each.filename().string()) {
      check(each);
    }
    if (is_sanitized) break;
  }
}

// Damage is reported at the same position, with the same results before and after it.
BOOST_AUTO_TEST_CASE(any_damage_gives_the_same_result) {
  auto random = seeded_random("chunks ahead of damage");
  const scratch_folder folder;
  const auto damaged = folder.path() / "damaged.butter";
  for (const auto& path : matches_of_many_chunks(folder)) {
    const byte_vector whole = read_file(path);
    for (int round = 0; round < 8; ++round) {
      byte_vector changed = whole;
      if (round % 2 == 0) changed.resize(random() % whole.size());
      for (std::uint64_t i = round % 2 == 0 ? 0 : 1 + random() % 4; i-- > 0;) {
        changed[random() % changed.size()] ^= static_cast<std::byte>(1u << random() % 8);
      }
      write_file(damaged, changed);
      BOOST_TEST_CONTEXT(path.filename().string() << ", round " << round) {
        check(damaged);
      }
    }
  }
}

// Writers of files read them in the same way.
BOOST_AUTO_TEST_CASE(conversions_give_the_same_bytes) {
  const scratch_folder folder;
  for (const auto& path : matches_of_many_chunks(folder)) {
    for (const char* to : {"plain.echoreplay", "other.butter", "match.reel", "rescued.butter"}) {
      std::vector<byte_vector> made;
      for (const std::size_t threads : {0u, 2u}) {
        const scoped_prefetch_threads so_many(threads);
        files::convert_options options;
        options.overwrite = true;
        if (std::string_view(to).starts_with("plain")) options.codec = codec_options{.codec = codec_id::none};
        if (std::string_view(to).starts_with("rescued")) {
          BOOST_REQUIRE(files::recover(path, folder.path() / to, {.overwrite = true}));
        } else {
          BOOST_REQUIRE(files::convert(path, folder.path() / to, options));
        }
        made.push_back(read_file(folder.path() / to));
      }
      // The header of a reel contains its creation time.
      if (std::string_view(to).ends_with(".reel")) {
        BOOST_TEST(made[0].size() == made[1].size());
      } else {
        BOOST_TEST((made[0] == made[1]), path << " -> " << to);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_chunk_is_prefetched_once_in_order) {
  const packed_numbers numbers(40);
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const scoped_prefetch_threads so_many(threads);
    chunk_prefetcher ahead = numbers.reader(numbers.places);
    byte_vector out;
    for (std::size_t chunk = 0; chunk < numbers.content.size(); ++chunk) {
      if (ahead.take(chunk, out)) {
        BOOST_TEST(chunk >= 2u);
        BOOST_TEST_REQUIRE((out == numbers.content[chunk]), chunk);
      }
    }
  }
}

// Repeats until one of them was ready in time: a reader decompresses chunks itself that no worker has started.
BOOST_AUTO_TEST_CASE(a_worker_decompresses) {
  const scoped_prefetch_threads one(1);
  const packed_numbers numbers(40);
  std::size_t ready = 0;
  for (int round = 0; ready == 0 && round < 100000; ++round) {
    chunk_prefetcher ahead = numbers.reader(numbers.places);
    byte_vector out;
    for (std::size_t chunk = 0; chunk < numbers.content.size(); ++chunk) {
      ready += ahead.take(chunk, out) ? 1u : 0u;
      std::this_thread::yield();
    }
  }
  BOOST_TEST(ready > 0u);
}

BOOST_AUTO_TEST_CASE(jumps_and_early_ends) {
  auto random = seeded_random("chunks ahead of jumps");
  const packed_numbers numbers(40);
  for (int round = 0; round < 60; ++round) {
    const scoped_prefetch_threads some(1 + random() % 3);
    chunk_prefetcher ahead = numbers.reader(numbers.places);
    byte_vector out;
    std::size_t chunk = 0;
    // Ends at any point while workers run.
    for (std::uint64_t step = random() % 120; step-- > 0;) {
      if (random() % 8 == 0) chunk = random() % numbers.content.size();
      if (ahead.take(chunk, out)) BOOST_TEST_REQUIRE((out == numbers.content[chunk]), chunk);
      chunk = (chunk + 1) % numbers.content.size();
    }
  }
}

BOOST_AUTO_TEST_CASE(unreliable_chunks_are_left_to_the_reader) {
  const scoped_prefetch_threads two(2);
  packed_numbers numbers(30);
  auto places = numbers.places;
  numbers.file[static_cast<std::size_t>(places[10].offset) + places[10].bytes / 2] ^= std::byte{4};
  places[15].bytes = 0;
  places[20].bytes = chunk_prefetcher::max_chunk_bytes + 1;
  places[25].offset = numbers.file.size() - 3;
  for (int round = 0; round < 20; ++round) {
    chunk_prefetcher ahead = numbers.reader(places);
    byte_vector out;
    for (std::size_t chunk = 0; chunk < places.size(); ++chunk) {
      if (!ahead.take(chunk, out)) continue;
      BOOST_TEST((chunk % 5 != 0 || chunk < 10));
      BOOST_TEST_REQUIRE((out == numbers.content[chunk]), chunk);
    }
  }
}

// A few bytes that claim to be very many.
BOOST_AUTO_TEST_CASE(large_chunks_are_left_to_the_reader) {
  const scoped_prefetch_threads two(2);
  const packed_numbers numbers(4, chunk_prefetcher::max_chunk_bytes / 4 + 1);
  chunk_prefetcher ahead = numbers.reader(numbers.places);
  byte_vector out;
  for (std::size_t chunk = 0; chunk < numbers.places.size(); ++chunk) BOOST_TEST(!ahead.take(chunk, out));
}

BOOST_AUTO_TEST_CASE(many_concurrent_readers) {
  const scoped_prefetch_threads two(2);
  const packed_numbers numbers(40);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (int each = 0; each < 4; ++each) {
    readers.emplace_back([&numbers, &wrong] {
      for (int round = 0; round < 5; ++round) {
        chunk_prefetcher ahead = numbers.reader(numbers.places);
        byte_vector out;
        for (std::size_t chunk = 0; chunk < numbers.content.size(); ++chunk) {
          if (ahead.take(chunk, out) && out != numbers.content[chunk]) ++wrong;
        }
      }
    });
  }
  for (std::thread& each : readers) each.join();
  BOOST_TEST(wrong == 0);
}

#if defined(__linux__) && !defined(__SANITIZE_THREAD__)
BOOST_AUTO_TEST_CASE(without_threads_the_results_are_the_same) {
  const packed_numbers numbers(20);
  const int answer = run_without_threads([&] {
    const scoped_prefetch_threads two(2);
    chunk_prefetcher ahead = numbers.reader(numbers.places);
    byte_vector out;
    for (std::size_t chunk = 0; chunk < numbers.content.size(); ++chunk) {
      if (ahead.take(chunk, out)) return 1;
    }
    return 0;
  });
  if (answer == there_are_threads) {
    std::cout << "LEFT OUT: this system does not keep to a limit of threads\n";
    return;
  }
  BOOST_TEST(answer == 0);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

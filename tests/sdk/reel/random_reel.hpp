// Reels with random records, and the records that a reader must find in them.
#pragma once

#include <random>
#include <vector>

#include "collecting_sink.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::test {

struct written_record {
  reel::record_info info;
  byte_vector payload;
};

struct written_reel {
  byte_vector bytes;
  std::uint64_t header_bytes = 0;
  std::vector<written_record> records;  // without index and end
};

// Lists all records except index and end, without their payload.
class listing_sink final : public reel::sink {
 public:
  explicit listing_sink(std::vector<written_record>& records) : records_(records) {}
  result<void> accept_header(byte_span) override { return {}; }
  result<void> accept_record(const reel::record_info& info, byte_span) override {
    const bool is_content = info.kind != reel::record_kind::index && info.kind != reel::record_kind::end;
    if (is_content) records_.push_back({info, {}});
    return {};
  }

 private:
  std::vector<written_record>& records_;
};

inline byte_vector random_bytes(std::mt19937_64& random, std::size_t limit) {
  byte_vector bytes(random() % (limit + 1));
  // A small alphabet half of the time, so that compression helps only sometimes.
  const unsigned alphabet = random() % 2 == 0 ? 4 : 256;
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % alphabet);
  return bytes;
}

// A chunk payload of `frames` frames starting at `first`; sets `first` to the last.
inline byte_vector chunk_payload(std::mt19937_64& random, std::uint32_t frames, bool keyframe,
                                 frame_stamp& first) {
  byte_vector payload(frames * 64u);
  byte_writer to(payload);
  for (std::uint32_t i = 0; i < frames; ++i) {
    const std::uint64_t ticks = i == 0 ? 0 : 1 + random() % 3;
    const std::int64_t time = i == 0 ? 0 : static_cast<std::int64_t>(random() % 20'000) - 1000;
    const byte_vector bytes = random_bytes(random, 30);
    write_leb128(to, ticks);
    write_leb128(to, zigzag_encode(time));
    write_leb128(to, bytes.size() * 2 + (i == 0 && keyframe ? 1 : 0));
    to.bytes(bytes);
    first.tick += ticks;
    first.time_us += time;
  }
  payload.resize(to.size());
  return payload;
}

// With `records` records, plus those that the writer repeats.
inline written_reel random_reel(std::mt19937_64& random, std::size_t records, bool finish,
                                codec_options codec = {}, std::uint16_t version = reel::format_version) {
  written_reel made;
  reel::header head;
  head.version = version;
  head.encoder_name = "random";
  head.encoder_version = static_cast<std::uint32_t>(random());
  head.start_time_us = static_cast<std::int64_t>(random() >> 1);
  head.schema = random_bytes(random, 40);
  head.metadata.push_back({"key", random_bytes(random, 20)});
  auto writer = writer_to(made.bytes, head, codec);
  writer->add_sink(std::make_unique<listing_sink>(made.records));
  made.header_bytes = made.bytes.size();
  frame_stamp stamp{random() % 1000, 0};
  for (std::size_t i = 0; i < records; ++i) {
    written_record record;
    result<reel::record_info> done;
    switch (i == 0 ? 9 : random() % 10) {
      case 0: {
        const byte_vector bytes = random_bytes(random, 50);
        done = writer->append_event(stamp, static_cast<std::uint32_t>(random()), bytes, random() % 3 == 0);
        break;
      }
      case 1:
        done = writer->append_gap({1 + random() % 100, reel::gap_reason::ring_full}, stamp, stamp);
        break;
      case 2: {
        reel::record_info about;
        about.kind = reel::record_kind::header_update;
        record.payload = random_bytes(random, 200);
        done = writer->append(about, record.payload);
        break;
      }
      default: {
        const bool keyframe = i == 0 || random() % 3 == 0;
        reel::record_info about;
        about.frames = 1 + static_cast<std::uint32_t>(random() % 10);
        about.flags = keyframe ? reel::starts_with_keyframe : 0;
        stamp.tick += 1;
        about.first_tick = stamp.tick;
        about.first_time_us = stamp.time_us;
        record.payload = chunk_payload(random, about.frames, keyframe, stamp);
        about.last_tick = stamp.tick;
        about.last_time_us = stamp.time_us;
        done = writer->append(about, record.payload);
      }
    }
    // After it, the writer may have repeated events.
    made.records[done->sequence].payload = std::move(record.payload);
  }
  if (finish) (void)writer->finish();
  return made;
}

// Calls use(item) for each item of the recording; returns what was lost.
template <class Use>
auto walk_through(reel::reader& reader, Use&& use) {
  reel::frame_stream walk(reader);
  reel::item next;
  for (;;) {
    const auto more = walk.next(next);
    BOOST_REQUIRE(more);
    if (!*more) return walk.totals();
    use(next);
  }
}

inline std::uint64_t end_of(const reel::record_info& info) {
  const std::uint64_t head = info.ticks_before ? 72 : 60;  // docs/formats/reel.md: head, payload, hash
  return info.offset + head + info.stored_bytes + 8;
}

}  // namespace tickreel::test

// A whole capture: its container, its records, and what its writer makes of the ticks. The first byte selects
// whether the rest is one record after a header or a file.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tickreel/tape/capture.hpp"
#include "tickreel/tape/container.hpp"
#include "tickreel/tape/encoder.hpp"
#include "tickreel/tape/round_trip.hpp"

namespace {

using namespace tickreel;

// The tick as a reader returns it after the writer.
void write_and_read(const echo::state& tick, bool is_tape, echo::state& back) {
  byte_vector header;
  byte_vector frame;
  tape::tape_encoder tape_records;
  tape::nevrcap_encoder nevrcap_records;
  if (is_tape) {
    tape_records.append_header(tick, header);
    tape_records.append_frame(tick, true, frame);
  } else {
    nevrcap_records.append_header(tick, header);
    nevrcap_records.append_frame(tick, frame);
  }
  const auto content = [](const byte_vector& record) {
    std::size_t at = 0;
    while ((std::to_integer<unsigned>(record[at]) & 0x80) != 0) ++at;
    return byte_span(record).subspan(at + 1);
  };
  tape::capture_decoder decoder;
  if (!decoder.begin(content(header))) std::abort();
  if (!decoder.read(content(frame), back)) std::abort();
}

// What was read must be writable, and its own records readable. A second copy is the same as the first.
void write_again(const echo::state& tick) {
  static const auto with_slots = std::make_unique<echo::state>();
  static const auto first = std::make_unique<echo::state>();
  static const auto second = std::make_unique<echo::state>();
  for (const bool is_tape : {true, false}) {
    echo::copy_state(*with_slots, tick);
    if (is_tape) tape::number_slots(*with_slots);
    write_and_read(*with_slots, is_tape, *first);
    write_and_read(*first, is_tape, *second);
    tape::round_trip same;
    same.compare(*first, *second, 0);
    if (!same.is_exact()) {
      for (const std::string& each : same.sentences()) std::fprintf(stderr, "%s\n", each.c_str());
      std::abort();
    }
  }
}

void read_file(byte_span input) {
  static const auto tick = std::make_unique<echo::state>();
  auto reader = tape::record_reader::open(
      [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
        if (offset >= input.size()) return byte_span{};
        const byte_span rest = input.subspan(static_cast<std::size_t>(offset));
        return rest.first(std::min(count, rest.size()));
      },
      input.size());
  if (!reader) return;
  byte_span record;
  const auto first = reader->next(record);
  if (!first || !*first) return;
  tape::capture_decoder decoder;
  if (!decoder.begin(record)) return;
  for (int count = 0; count < 1000; ++count) {
    const auto more = reader->next(record);
    if (!more || !*more) return;
    const auto part = decoder.read(record, *tick);
    if (part && *part == tape::capture_decoder::part::tick) write_again(*tick);
    if (!part && !decoder.may_continue()) return;
  }
}

void read_record(byte_span header, byte_span record) {
  static const auto tick = std::make_unique<echo::state>();
  tape::capture_decoder decoder;
  if (!decoder.begin(header)) std::abort();
  const auto part = decoder.read(record, *tick);
  if (part && *part == tape::capture_decoder::part::tick) write_again(*tick);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const byte_span rest = std::as_bytes(std::span(data + 1, size - 1));
  static const echo::state empty;
  switch (data[0] % 4) {
    case 0:
      read_file(rest);
      break;
    case 1: {
      byte_vector header;
      tape::tape_encoder().append_header(empty, header);
      read_record(byte_span(header).subspan(1), rest);
      break;
    }
    case 2: {
      byte_vector header;
      tape::nevrcap_encoder().append_header(empty, header);
      read_record(byte_span(header).subspan(1), rest);
      break;
    }
    default:
      (void)tape::read_seek_table(
          [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
            if (offset >= rest.size()) return byte_span{};
            const byte_span part = rest.subspan(static_cast<std::size_t>(offset));
            return part.first(std::min(count, part.size()));
          },
          rest.size());
  }
  return 0;
}

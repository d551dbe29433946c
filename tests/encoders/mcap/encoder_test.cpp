// The bytes of an .mcap file.
#include "tickreel/mcap/encoder.hpp"

#include <boost/test/unit_test.hpp>

#include "hex.hpp"
#include "mcap_reader.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_mcap_tests)
BOOST_AUTO_TEST_SUITE(encoder_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

mcap::encoder encoder_of(const mcap::encoder_options& options) {
  auto made = mcap::encoder::create(options);
  BOOST_REQUIRE(made);
  return std::move(*made);
}

// One channel, a chunk of one message, a metadata record. @mcap/core 2.2.2 reads it.
constexpr const char* tiny_file =
    "894d434150300d0a01090000000000000000000000010000007406b000000000000000080706050403020108070605040302"
    "018800000000000000d9f8fda0000000008800000000000000033a00000000000000010001000000410a0000006a736f6e73"
    "6368656d61210000007b2274797065223a226f626a656374222c2270726f70657274696573223a7b7d7d0416000000000000"
    "0001000100020000002f61040000006a736f6e00000000051d00000000000000010000000000080706050403020108070605"
    "040302017b2278223a317d071600000000000000010010000000080706050403020162000000000000000c13000000000000"
    "00010000006d0a000000010000006b01000000760f04000000000000004956a417033a00000000000000010001000000410a"
    "0000006a736f6e736368656d61210000007b2274797065223a226f626a656374222c2270726f70657274696573223a7b7d7d"
    "04160000000000000001000100020000002f61040000006a736f6e000000000b380000000000000001000000000000000100"
    "01000000000000000100000001000000080706050403020108070605040302010a00000001000100000000000000084a0000"
    "0000000000080706050403020108070605040302011a00000000000000b9000000000000000a0000000100d3000000000000"
    "001f0000000000000000000000880000000000000088000000000000000d1500000000000000f2000000000000001c000000"
    "00000000010000006d0e1100000000000000031b0100000000000043000000000000000e1100000000000000045e01000000"
    "0000001f000000000000000e11000000000000000b7d0100000000000041000000000000000e110000000000000008be0100"
    "000000000053000000000000000e11000000000000000d11020000000000001e000000000000000214000000000000001b01"
    "0000000000002f02000000000000a7cdb676894d434150300d0a";

}  // namespace

BOOST_AUTO_TEST_CASE(golden_bytes) {
  mcap::encoder encoder = encoder_of({.codec = {.codec = codec_id::none}});
  byte_vector out;
  encoder.begin("t", out);
  const std::uint16_t channel =
      encoder.add_channel({"/a", "A", R"({"type":"object","properties":{}})"}).value();
  BOOST_REQUIRE(encoder.add_message(channel, 0x0102030405060708, as_bytes("{\"x\":1}"), out));
  const mcap::entry facts[] = {{"k", "v"}};
  BOOST_REQUIRE(encoder.add_metadata("m", facts, out));
  BOOST_REQUIRE(encoder.finish(out));
  BOOST_TEST(to_hex(out) == to_hex(from_hex(tiny_file)));
  const mcap_content read = mcap_reader::read(out);
  BOOST_TEST(read.messages.size() == 1u);
  BOOST_TEST(read.metadata.at("k") == "v");
}

BOOST_AUTO_TEST_CASE(a_file_without_messages_is_valid) {
  mcap::encoder encoder = encoder_of({});
  byte_vector out;
  encoder.begin("t", out);
  BOOST_REQUIRE(encoder.finish(out));
  BOOST_TEST(mcap_reader::read(out).messages.size() == 0u);
}

BOOST_AUTO_TEST_CASE(random_messages_are_read_back) {
  auto random = seeded_random("mcap random messages");
  for (const codec_id codec : {codec_id::none, codec_id::zstd}) {
    if (!is_available(codec)) continue;
    mcap::encoder encoder = encoder_of({.codec = {.codec = codec}, .chunk_bytes = 1 + random() % 5000});
    byte_vector file;
    byte_vector out;
    const auto keep = [&] {
      file.insert(file.end(), out.begin(), out.end());
      out.clear();
    };
    encoder.begin("t", out);
    std::vector<std::uint16_t> channels;
    std::vector<mcap_message> written;
    std::map<std::string, std::uint32_t> counts;
    for (int message = 0; message < 500; ++message) {
      if (channels.size() < 3 && random() % 20 == 0) {
        channels.push_back(encoder.add_channel({"/" + std::to_string(channels.size()), "S", "{}"}).value());
      }
      if (channels.empty()) continue;
      const std::size_t at = random() % channels.size();
      // Times may fall.
      mcap_message one{.topic = "/" + std::to_string(at),
                       .time_ns = random() % 1000,
                       .data = std::string(random() % 400, 'x')};
      one.sequence = counts[one.topic]++;
      BOOST_REQUIRE(encoder.add_message(channels[at], one.time_ns, as_bytes(one.data), out));
      written.push_back(std::move(one));
      keep();
    }
    BOOST_REQUIRE(encoder.finish(out));
    keep();
    const mcap_content read = mcap_reader::read(file);
    BOOST_REQUIRE(read.messages.size() == written.size());
    BOOST_TEST(read.chunks > 10u);
    for (std::size_t at = 0; at < written.size(); ++at) {
      BOOST_TEST(read.messages[at].topic == written[at].topic);
      BOOST_TEST(read.messages[at].sequence == written[at].sequence);
      BOOST_TEST(read.messages[at].time_ns == written[at].time_ns);
      BOOST_TEST(read.messages[at].data == written[at].data);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_attachment_of_another_length_is_rejected) {
  for (const char* bytes : {"ab", "abcd"}) {
    mcap::encoder encoder = encoder_of({});
    byte_vector out;
    encoder.begin("t", out);
    BOOST_REQUIRE(encoder.begin_attachment({.name = "f", .bytes = 3}, out));
    encoder.add_attachment_bytes(as_bytes(std::string_view(bytes)), out);
    const auto ended = encoder.end_attachment(out);
    BOOST_REQUIRE(!ended);
    BOOST_TEST((ended.error().code == error_code::invalid_argument));
  }
}

BOOST_AUTO_TEST_CASE(other_codecs_are_rejected) {
  for (const codec_id codec : {codec_id::gzip, codec_id::lz4}) {
    const auto made = mcap::encoder::create({.codec = {.codec = codec}});
    BOOST_REQUIRE(!made);
    BOOST_TEST((made.error().code == error_code::invalid_argument));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// Reads .mcap files: valid, truncated, damaged and hostile ones.
#include "tickreel/mcap/reader.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>

#include "mcap_bytes.hpp"
#include "random.hpp"
#include "tickreel/mcap/encoder.hpp"

BOOST_AUTO_TEST_SUITE(encoders_mcap_tests)
BOOST_AUTO_TEST_SUITE(reader_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct read_content {
  std::vector<std::string> items;  // each message, metadata and attachment
  std::vector<error> damage;
  std::uint64_t missing = 0;
  std::uint64_t unknown = 0;
  bool is_complete = false;
};

mcap::read_function memory(std::string_view file) {
  return [file](std::uint64_t offset, std::size_t count) -> result<byte_span> {
    if (offset >= file.size()) return byte_span{};
    return as_bytes(file.substr(static_cast<std::size_t>(offset), count));
  };
}

std::string text_of(const mcap::reader& from, const mcap::item& found) {
  if (found.kind == mcap::item_kind::message) {
    const mcap::stored_channel& of = *from.find_channel(found.message.channel);
    return of.topic + ' ' + of.encoding + ' ' + std::to_string(found.message.sequence) + ' ' +
           std::to_string(found.message.time_ns) + ' ' + std::to_string(found.message.publish_time_ns) + ' ' +
           std::string(as_text(found.message.data));
  }
  std::string out(found.name);
  for (const auto& [key, value] : found.entries) out += ' ' + std::string(key) + '=' + std::string(value);
  return out + ' ' + std::to_string(found.content_bytes);
}

// Empty if the beginning is not that of a file.
std::optional<read_content> read(std::string_view file, const mcap::read_limits& limits = {}) {
  auto from = mcap::reader::open(memory(file), file.size(), limits);
  if (!from) return std::nullopt;
  read_content out;
  mcap::item found;
  for (;;) {
    const auto more = from->next(found);
    BOOST_REQUIRE(more);
    if (!*more) break;
    if (found.kind == mcap::item_kind::damage) {
      out.damage.push_back(found.why);
    } else if (found.kind == mcap::item_kind::unknown) {
      ++out.unknown;
    } else {
      out.items.push_back(text_of(*from, found));
    }
  }
  out.missing = from->missing_messages();
  out.is_complete = from->is_complete();
  return out;
}

// Two channels, several chunks, metadata, an attachment.
std::string encoded(codec_id codec, std::size_t messages, std::vector<std::string>* written = nullptr) {
  auto encoder = mcap::encoder::create({.codec = {.codec = codec}, .chunk_bytes = 150});
  BOOST_REQUIRE(encoder);
  byte_vector out;
  encoder->begin("t", out);
  const std::uint16_t channels[] = {encoder->add_channel({"/a", "A", "{}"}).value(),
                                    encoder->add_channel({"/b", "B", "{}"}).value()};
  for (std::size_t at = 0; at < messages; ++at) {
    const std::string data = "{\"x\":" + std::to_string(at * at) + "}";
    const std::uint64_t time_ns = at % 3 == 2 ? 5 : at;
    BOOST_REQUIRE(encoder->add_message(channels[at % 2], time_ns, as_bytes(data), out));
    if (written == nullptr) continue;
    written->push_back((at % 2 == 0 ? "/a json " : "/b json ") + std::to_string(at / 2) + ' ' +
                       std::to_string(time_ns) + ' ' + std::to_string(time_ns) + ' ' + data);
  }
  const mcap::entry entries[] = {{"k", "v"}, {"l", ""}};
  BOOST_REQUIRE(encoder->add_metadata("m", entries, out));
  if (written != nullptr) written->push_back("m k=v l= 0");
  BOOST_REQUIRE(encoder->begin_attachment({.name = "f", .media_type = "x/y", .time_ns = 9, .bytes = 7}, out));
  for (const char* part : {"abc", "", "defg"}) encoder->add_attachment_bytes(as_bytes(part), out);
  BOOST_REQUIRE(encoder->end_attachment(out));
  if (written != nullptr) written->push_back("f 7");
  BOOST_REQUIRE(encoder->finish(out));
  return std::string(as_text(out));
}

// Each kind of content that has a CRC.
std::string other_file() {
  mcap_bytes file;
  file.add(mcap_bytes::schema(3, "S") + mcap_bytes::channel(1, "/a", "json", 3));
  file.add(mcap_bytes::message(1, 10, "{\"x\":1}"));
  file.add(mcap_bytes::attachment("note", "hello"));
  file.add(mcap_bytes::chunk(mcap_bytes::channel(2, "/b", "cdr") + mcap_bytes::message(2, 20, "\x01\x02"),
                             codec_id::lz4));
  file.add(mcap_bytes::record(0x90, "private"));
  return file.finish();
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_the_encoder_writes_is_read) {
  for (const codec_id codec : {codec_id::none, codec_id::zstd}) {
    for (const std::size_t messages : {0u, 1u, 40u}) {
      std::vector<std::string> written;
      const std::string file = encoded(codec, messages, &written);
      const auto content = read(file);
      BOOST_REQUIRE(content);
      BOOST_TEST((content->items == written));
      BOOST_TEST(content->damage.empty());
      BOOST_TEST(content->is_complete);
      BOOST_TEST(content->missing == 0u);
      BOOST_TEST((mcap::find_end(memory(file + "more"), file.size() + 4) == file.size()));
    }
  }
}

BOOST_AUTO_TEST_CASE(other_layouts_are_read) {
  const auto content = read(other_file());
  BOOST_REQUIRE(content);
  const std::vector<std::string> expected = {"/a json 7 10 10 {\"x\":1}", "note 5",
                                             "/b cdr 7 20 20 \x01\x02"};
  BOOST_TEST((content->items == expected));
  BOOST_TEST(content->unknown == 1u);
  BOOST_TEST(content->damage.empty());
  // CRCs of 0 are not known.
  mcap_bytes plain;
  plain.add(mcap_bytes::chunk(mcap_bytes::channel(2, "/b") + mcap_bytes::message(2, 20, "1"), codec_id::none,
                              false));
  const auto unchecked = read(plain.finish(false));
  BOOST_REQUIRE(unchecked);
  BOOST_TEST(unchecked->items.size() == 1u);
  BOOST_TEST(unchecked->damage.empty());
}

// The specification: a schema with the number 0 is invalid, and readers ignore it. A channel with that number has none.
BOOST_AUTO_TEST_CASE(a_schema_with_the_number_0_is_ignored) {
  mcap_bytes file;
  const std::string schemas = mcap_bytes::schema(0, "one") + mcap_bytes::schema(0, "other");
  file.add(schemas + mcap_bytes::channel(1, "/a"));
  file.add(mcap_bytes::chunk(schemas + mcap_bytes::message(1, 10, "1")));
  const std::string whole = file.finish();
  const auto content = read(whole);
  BOOST_REQUIRE(content);
  BOOST_TEST(content->items == std::vector<std::string>{"/a json 7 10 10 1"});
  BOOST_TEST(content->damage.empty());
  auto from = mcap::reader::open(memory(whole), whole.size());
  BOOST_REQUIRE(from);
  mcap::item item;
  for (auto more = from->next(item); more && *more; more = from->next(item))
    BOOST_TEST(from->find_schema(0) == nullptr);
  // Its content must be that of a schema.
  mcap_bytes broken;
  broken.add(mcap_bytes::record(0x03, mcap_bytes::number(0, 2) + "x"));
  BOOST_TEST(!read(broken.finish())->damage.empty());
}

BOOST_AUTO_TEST_CASE(fields_of_later_versions_are_ignored) {
  for (const std::string_view more :
       {std::string_view("!"), std::string_view("four"), std::string_view("a longer field")}) {
    mcap_bytes file;
    file.add(mcap_bytes::extended(mcap_bytes::schema(3, "S"), more));
    file.add(mcap_bytes::extended(mcap_bytes::channel(1, "/a", "json", 3), more));
    file.add(mcap_bytes::extended(mcap_bytes::chunk(mcap_bytes::message(1, 10, "[1]"), codec_id::lz4), more));
    file.add(mcap_bytes::extended(mcap_bytes::attachment("note", "hello"), more));
    file.add(mcap_bytes::extended(mcap_bytes::attachment("empty", ""), more));
    file.add(mcap_bytes::message(1, 20, "[2]"));
    const std::string whole = file.finish();
    const auto content = read(whole);
    BOOST_REQUIRE(content);
    const std::vector<std::string> expected = {"/a json 7 10 10 [1]", "note 5", "empty 0",
                                               "/a json 7 20 20 [2]"};
    BOOST_TEST((content->items == expected));
    BOOST_TEST(content->damage.empty());
    BOOST_TEST(content->is_complete);
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      const auto part = read(std::string_view(whole).substr(0, cut));
      if (part) BOOST_TEST(!part->damage.empty(), cut);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_cut_is_reported_and_keeps_what_is_before) {
  for (const std::string& file : {encoded(codec_id::zstd, 12), encoded(codec_id::none, 12), other_file()}) {
    const auto whole = read(file);
    for (std::size_t size = 0; size < file.size(); ++size) {
      const auto part = read(std::string_view(file).substr(0, size));
      if (!part) continue;
      BOOST_TEST_CONTEXT(size << " of " << file.size()) {
        BOOST_TEST(!part->damage.empty());
        BOOST_TEST(!part->is_complete);
        BOOST_REQUIRE(part->items.size() <= whole->items.size());
        BOOST_TEST(std::equal(part->items.begin(), part->items.end(), whole->items.begin()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_changed_bit_gives_other_content_without_a_report) {
  for (const std::string& file : {encoded(codec_id::zstd, 12), encoded(codec_id::none, 12), other_file()}) {
    const auto whole = read(file);
    std::size_t silent = 0;
    for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
      std::string changed = file;
      changed[bit / 8] = static_cast<char>(static_cast<unsigned char>(changed[bit / 8]) ^ (1u << bit % 8));
      const auto content = read(changed);
      if (!content) continue;
      if (content->damage.empty()) ++silent;
      BOOST_TEST((!content->damage.empty() || content->items == whole->items), "bit " << bit);
    }
    BOOST_TEST(silent == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_chunk_costs_only_its_own_messages) {
  std::vector<std::string> written;
  const std::string file = encoded(codec_id::none, 40, &written);
  const std::size_t at = file.find("\"x\":100}");
  BOOST_REQUIRE(at != std::string::npos);
  std::string changed = file;
  changed[at + 1] = 'y';
  const auto content = read(changed);
  BOOST_REQUIRE(content);
  BOOST_TEST(content->missing > 0u);
  BOOST_TEST(content->items.size() + content->missing == written.size());
  BOOST_TEST((content->damage.front().code == error_code::checksum_mismatch));
  // The chunk's length: the next one is found with the summary. The header is before the first chunk.
  const std::size_t first_chunk = mcap::magic.size() + 9 + 4 + 4 + 1;
  BOOST_REQUIRE(file[first_chunk] == '\x06');
  changed = file;
  changed[first_chunk + 8] = '\x7f';
  const auto found = read(changed);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->items.size() > written.size() / 2);
  BOOST_TEST(found->items.size() + found->missing == written.size());
  BOOST_TEST(found->items.back() == "f 7");
}

BOOST_AUTO_TEST_CASE(hostile_sizes_cost_no_memory) {
  const std::string message = mcap_bytes::channel(1, "/a") + mcap_bytes::message(1, 1, "{}");
  const std::string all = mcap_bytes::number(~std::uint64_t{0}, 8);
  // A record, a chunk's content, a text, and a chunk that claims more than it has.
  const std::string records[] = {
      mcap_bytes::number(5, 1) + all,
      mcap_bytes::record(0x06, all + all + all + mcap_bytes::number(1, 4) + mcap_bytes::text("zstd") + all),
      mcap_bytes::record(0x0C, all),
      mcap_bytes::record(0x04, all),
      mcap_bytes::record(0x09, all + all + all + all),
      mcap_bytes::record(0x06, all + all + mcap_bytes::number(1u << 30, 8) + mcap_bytes::number(1, 4) +
                                   mcap_bytes::text("zstd") + mcap_bytes::number(4, 8) + "abcd"),
      mcap_bytes::chunk(mcap_bytes::number(5, 1) + all + "more than that"),
      mcap_bytes::chunk(mcap_bytes::chunk(message)),
      mcap_bytes::record(0x05, "short"),
      mcap_bytes::message(9, 1, "of an unknown channel"),
      mcap_bytes::channel(1, "/other topic"),
      mcap_bytes::channel(8, "/a", "json", 5),
      mcap_bytes::record(0x0B, mcap_bytes::number(99, 8)),
  };
  for (const std::string& record : records) {
    const auto content = read(mcap_bytes().add(message + record).finish());
    BOOST_REQUIRE(content);
    BOOST_TEST(content->items.size() == 1u);
    BOOST_TEST(!content->damage.empty());
  }
  // A valid frame whose content is larger than the limit.
  const std::string large =
      mcap_bytes::channel(1, "/a") + mcap_bytes::message(1, 1, std::string(1u << 20, ' '));
  const std::string file = mcap_bytes().add(mcap_bytes::chunk(large, codec_id::zstd)).finish();
  BOOST_TEST(read(file)->damage.empty());
  const auto limited = read(file, {.max_record_bytes = 1u << 16});
  BOOST_REQUIRE(limited);
  BOOST_TEST(limited->items.empty());
  BOOST_TEST((limited->damage.front().code == error_code::over_limit));
  // Schemas and channels.
  mcap_bytes many;
  for (int id = 1; id < 100; ++id) many.add(mcap_bytes::channel(id, std::string(1000, 't')));
  const auto channels = read(many.finish(), {.max_channel_bytes = 10'000});
  BOOST_REQUIRE(channels);
  BOOST_TEST(channels->damage.size() > 50u);
}

BOOST_AUTO_TEST_CASE(a_wrong_length_names_its_record) {
  // Without an index. The file has its footer, or ends before it.
  const std::string first = mcap_bytes::channel(1, "/a") + mcap_bytes::message(1, 1, "{}");
  for (const std::uint64_t length : {std::uint64_t{1} << 20, ~std::uint64_t{0}}) {
    const std::string wrong = mcap_bytes::number(5, 1) + mcap_bytes::number(length, 8) + "content";
    mcap_bytes file;
    file.add(first);
    const std::size_t offset = file.unfinished().size();
    file.add(wrong + mcap_bytes::message(1, 2, "{}"));
    const std::string number = length >> 63 != 0 ? "more than 9223372036854775807 bytes" : "1048576 bytes";
    for (const bool is_finished : {false, true}) {
      const auto content = read(is_finished ? file.finish() : file.unfinished());
      BOOST_REQUIRE(content);
      BOOST_REQUIRE(content->damage.size() == 1u);
      const error& why = content->damage.front();
      BOOST_TEST((why.code == (is_finished ? error_code::malformed : error_code::truncated)));
      BOOST_TEST(why.offset == offset);
      const std::string said = describe(why);
      BOOST_TEST(said.find("a record of kind 5") != std::string::npos, said);
      BOOST_TEST(said.find(number) != std::string::npos, said);
      BOOST_TEST(said.find("footer") == (is_finished ? std::string::npos : said.find("footer")), said);
      BOOST_TEST(content->items.size() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(sizes_have_no_sign) {
  const std::string all = mcap_bytes::number(~std::uint64_t{0}, 8);
  const std::string chunk = mcap_bytes::record(
      0x06, all + all + all + mcap_bytes::number(1, 4) + mcap_bytes::text("zstd") + mcap_bytes::number(0, 8));
  for (const std::string& record : {chunk, mcap_bytes::record(0x0B, all)}) {
    const auto content = read(mcap_bytes().add(record).finish());
    BOOST_REQUIRE((content && !content->damage.empty()));
    const std::string said = describe(content->damage.front());
    BOOST_TEST(said.find("more than 9223372036854775807") != std::string::npos, said);
    BOOST_TEST(said.find('-') == std::string::npos, said);
  }
}

BOOST_AUTO_TEST_CASE(other_codecs_are_reported) {
  const std::string chunk = mcap_bytes::record(
      0x06, mcap_bytes::number(0, 8) + mcap_bytes::number(0, 8) + mcap_bytes::number(4, 8) +
                mcap_bytes::number(0, 4) + mcap_bytes::text("bz2") + mcap_bytes::number(4, 8) + "abcd");
  const auto content = read(mcap_bytes().add(chunk).finish());
  BOOST_REQUIRE(content);
  BOOST_REQUIRE(content->damage.size() == 1u);
  BOOST_TEST((content->damage.front().code == error_code::unsupported_codec));
}

BOOST_AUTO_TEST_CASE(metadata_is_found_by_its_index) {
  const std::string file = encoded(codec_id::zstd, 40);
  auto from = mcap::reader::open(memory(file), file.size());
  BOOST_REQUIRE(from);
  mcap::item found;
  BOOST_TEST(from->find_metadata("m", found).value());
  BOOST_TEST(found.entries.at(0).second == "v");
  BOOST_TEST(!from->find_metadata("n", found).value());
}

BOOST_AUTO_TEST_CASE(copies_keep_each_member) {
  auto encoder = mcap::encoder::create({});
  byte_vector out;
  encoder->begin("t", out);
  const std::string map = mcap_bytes::text("key") + mcap_bytes::text("value");
  mcap::channel plain{.topic = "/p", .schema_name = {}, .schema = {}};
  plain.encoding = "protobuf";
  plain.has_schema = false;
  plain.metadata = as_bytes(map);
  const auto number = encoder->add_channel(plain);
  BOOST_REQUIRE(number);
  BOOST_REQUIRE(encoder->add_message({*number, 12, 5, 4, as_bytes("abc")}, out));
  BOOST_REQUIRE(encoder->finish(out));
  const std::string file(as_text(out));
  auto from = mcap::reader::open(memory(file), file.size());
  mcap::item found;
  BOOST_REQUIRE(from->next(found).value());
  BOOST_TEST(text_of(*from, found) == "/p protobuf 12 5 4 abc");
  BOOST_TEST(from->find_channel(*number)->metadata == map);
  BOOST_TEST(from->find_channel(*number)->schema == 0u);
  BOOST_TEST(!from->next(found).value());
  // Channels have 16 bits.
  for (std::size_t at = 1; at < 65535; ++at) BOOST_REQUIRE(encoder->add_channel({"/", "", ""}));
  const auto refused = encoder->add_channel({"/", "", ""});
  BOOST_TEST((!refused && refused.error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#include "tickreel/query/table_file.hpp"

#include <optional>
#include <set>
#include <utility>

#include "column_units.hpp"
#include "row_group.hpp"
#include "table_kind.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"
#include "tickreel/version.hpp"

namespace tickreel::query {

namespace {

// Blocks are written and read once, so a fast level serves.
constexpr codec_options of_blocks{.codec = codec_id::automatic, .level = 1};

struct stored_block {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
  std::size_t raw_bytes = 0;
};

std::string repaired(std::string_view text) {
  std::string out;
  text::append_repaired(text, out);
  return out;
}

// [{"file":..,"failure":..,"lost":[..]}], of files with losses or failures.
std::string losses_json(const report& about) {
  std::string out;
  text::json_writer json(out);
  json.begin_array();
  for (const file_note& each : about.files) {
    json.begin_object();
    files::add_file_member(each.file, json);
    if (each.failure) json.member("failure", describe(*each.failure));
    json.key("lost").array(each.losses).end_object();
  }
  json.end_array();
  return out;
}

// {"name":"m/s",..}, of columns that have one.
std::string names_json(const std::vector<std::string>& names, const std::vector<column_unit>& units,
                       std::string column_unit::* member) {
  std::string out;
  text::json_writer json(out);
  json.begin_object();
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (!(units[at].*member).empty()) json.member(names[at], units[at].*member);
  }
  json.end_object();
  return out;
}

}  // namespace

struct table_file::state {
  state(published_file published, file_path path) : output(std::move(published)), name(std::move(path)) {}

  result<void> store_block();
  result<byte_span> read_block(const file& from, const stored_block& which);
  result<void> append_output();
  result<void> add_group(table_writer& writer, byte_span block);

  published_file output;
  file_path name;
  std::vector<std::string> names;
  std::string twice;
  const table_kind* kind = nullptr;
  codec_options of_values;
  std::vector<value_kinds> kinds;
  row_group rows{0};
  // Full blocks, compressed, in a file beside the output; the last block is in memory.
  std::optional<published_file> beside;
  std::optional<compressor> codec;
  std::vector<stored_block> blocks;
  byte_vector raw;
  byte_vector packed;

  std::vector<columns::column_values> values;
  std::uint64_t fixed_texts = 0;
  decompressor unpack;
  byte_vector out;
};

result<void> table_file::state::store_block() {
  if (!beside) {
    auto made = published_file::create(name.utf8() + ".chunks", true);
    if (!made) return fail(made.error());
    auto fast = compressor::create(of_blocks);
    if (!fast) return fail(fast.error());
    beside.emplace(std::move(*made));
    codec.emplace(std::move(*fast));
  }
  rows.store(raw);
  rows.clear();
  if (auto done = codec->compress(raw, packed); !done) return done;
  blocks.push_back({beside->size(), packed.size(), raw.size()});
  return beside->append(packed);
}

result<byte_span> table_file::state::read_block(const file& from, const stored_block& which) {
  packed.resize(which.bytes);
  const auto count = from.read_at(packed, which.offset);
  if (!count) return fail(count.error());
  if (*count != which.bytes)
    return fail(error_code::truncated, which.offset, "the temporary file of the rows");
  if (auto done = unpack.decompress(codec->codec(), packed, which.raw_bytes, raw); !done)
    return fail(done.error());
  return byte_span(raw);
}

result<void> table_file::state::append_output() {
  const auto written = output.append(out);
  out.clear();
  return written;
}

result<void> table_file::state::add_group(table_writer& writer, byte_span block) {
  if (auto loaded = load_group(block, values, fixed_texts); !loaded) return loaded;
  if (auto added = writer.add_group(values, out); !added) return added;
  return append_output();
}

table_file::table_file(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
table_file::table_file(table_file&&) noexcept = default;
table_file& table_file::operator=(table_file&&) noexcept = default;
table_file::~table_file() = default;

result<table_file> table_file::create(const file_path& output, std::string_view format, bool overwrite,
                                      std::optional<codec_options> codec) {
  const table_kind* const kind = find_table_kind(format);
  if (kind == nullptr) {
    return fail(error_code::invalid_argument, error::no_offset,
                "the name of a table ends with .parquet or .arrow");
  }
  if (codec && !kind->takes(codec->codec)) {
    return fail(error_code::invalid_argument, error::no_offset, kind->takes_codecs);
  }
  auto made = published_file::create(output, overwrite);
  if (!made) return fail(made.error());
  auto all = std::make_unique<state>(std::move(*made), output);
  const codec_id usual = kind->format->usual_codec;
  all->kind = kind;
  all->of_values = codec.value_or(codec_options{.codec = is_available(usual) ? usual : codec_id::none});
  return table_file(std::move(all));
}

const std::string& table_file::name_used_twice() const noexcept {
  return state_->twice;
}

result<void> table_file::columns(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& each : names) {
    if (each.empty() || !text::is_utf8(each)) {
      return fail(error_code::invalid_argument, error::no_offset,
                  "a file needs names of columns that are UTF-8 and not empty: AS gives a column "
                  "another name");
    }
    if (seen.insert(each).second) continue;
    state_->twice = each;
    return fail(error_code::invalid_argument, error::no_offset, "two columns have the same name");
  }
  state_->names = names;
  state_->kinds.resize(names.size());
  state_->rows = row_group(names.size());
  return {};
}

result<void> table_file::row(const std::vector<value>& values) {
  state_->rows.add(values, state_->kinds);
  return state_->rows.is_full() ? state_->store_block() : result<void>();
}

result<std::uint64_t> table_file::commit(std::string_view sql, const report& about,
                                         std::vector<std::string>& notes,
                                         const std::function<bool()>& cancelled) {
  state& all = *state_;
  std::vector<columns::column> columns;
  const std::vector<column_unit> units = units_of(about, all.names, {}, notes);
  for (std::size_t at = 0; at < all.names.size(); ++at) {
    const std::string_view declared =
        at < about.columns.size() ? std::string_view(about.columns[at].type) : std::string_view();
    const columns::column_type type = all.kinds[at].type(declared);
    columns.push_back({all.names[at], type, units[at].unit, units[at].meaning});
    all.values.emplace_back(type);
    if (!all.kinds[at].is_mixed()) continue;
    notes.push_back("column \"" + all.names[at] + "\" is a text, because it has " +
                    (all.kinds[at].has_texts ? "texts and numbers" : "reals and integers above 2^53"));
  }
  std::vector<columns::key_value> facts = {
      {"tickreel.version", std::string(version_text)},
      {"tickreel.statement", repaired(sql)},
      {"tickreel.losses", repaired(losses_json(about))},
      {"tickreel.units", names_json(all.names, units, &column_unit::unit)},
      {"tickreel.meanings", names_json(all.names, units, &column_unit::meaning)}};
  auto writer = all.kind->create(std::move(columns), std::move(facts), all.of_values, all.out);
  if (!writer) return fail(writer.error());
  if (all.beside) {
    const auto from = file::open_for_reading(all.beside->temporary_path());
    if (!from) return fail(from.error());
    for (const stored_block& each : all.blocks) {
      if (cancelled && cancelled()) return fail(error_code::interrupted);
      const auto block = all.read_block(*from, each);
      if (!block) return fail(block.error());
      if (auto added = all.add_group(**writer, *block); !added) return fail(added.error());
    }
  }
  if (!all.rows.is_empty()) {
    all.rows.store(all.raw);
    if (auto added = all.add_group(**writer, all.raw); !added) return fail(added.error());
  }
  if (all.fixed_texts != 0) {
    notes.push_back(counted(all.fixed_texts, "text") + " not UTF-8: U+FFFD replaces the other bytes");
  }
  if (auto ended = (*writer)->finish(all.out); !ended) return fail(ended.error());
  if (auto written = all.append_output(); !written) return fail(written.error());
  const std::uint64_t bytes = all.output.size();
  if (auto committed = all.output.commit(); !committed) return fail(committed.error());
  return bytes;
}

}  // namespace tickreel::query

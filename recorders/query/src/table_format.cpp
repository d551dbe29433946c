#include "tickreel/query/table_format.hpp"

#include <algorithm>
#include <string>

#include "table_kind.hpp"
#include "tickreel/arrow/file_writer.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/parquet/file_writer.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/query/table_file.hpp"

namespace tickreel::query {

namespace {

template <class Encoder>
class encoder_of final : public table_writer {
 public:
  explicit encoder_of(Encoder encoder) : encoder_(std::move(encoder)) {}
  result<void> add_group(std::span<const columns::column_values> values, byte_vector& out) override {
    return encoder_.add_group(values, out);
  }
  result<void> finish(byte_vector& out) override { return encoder_.finish(out); }

  static result<std::unique_ptr<table_writer>> create(std::vector<columns::column> columns,
                                                      std::vector<columns::key_value> facts,
                                                      const codec_options& codec, byte_vector& out) {
    auto made = Encoder::create(std::move(columns), std::move(facts), codec, out);
    if (!made) return fail(made.error());
    return std::make_unique<encoder_of>(std::move(*made));
  }

 private:
  Encoder encoder_;
};

template <const std::string_view& Magic>
files::claim claims(const files::probe& file) noexcept {
  return as_text(file.head).starts_with(Magic) ? files::claim::certain : files::claim::no;
}

result<std::unique_ptr<files::recording>> open(const byte_source& /*from*/,
                                               const files::open_options& /*how*/) {
  return fail(
      error_code::unsupported_operation, error::no_offset,
      "Tickreel only writes .parquet and .arrow files: open it with DuckDB, pandas or polars, or use the "
      "recording that it was converted from");
}

result<files::conversion_report> convert_ticks(const table_kind& kind, const file_path& from,
                                               const file_path& output,
                                               const files::conversion_options& how) {
  if (is_same_file(from, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  if (!how.range.is_all()) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "only whole recordings become a table; for a part, use 'tickreel query' with WHERE tick "
                "BETWEEN ... AND ... and --output");
  }
  if (how.keyframe_interval_ticks) {
    return fail(error_code::unsupported_operation, error::no_offset, "a table has no keyframes");
  }
  auto file = table_file::create(output, kind.format->name, how.overwrite, how.codec);
  if (!file) return fail(file.error());
  const std::vector<query::input> inputs = {{.file = from.utf8()}};
  const options limits{.max_duration_ms = 0, .cancelled = how.watch.cancelled};
  std::string problem;
  const auto sql = select_all("ticks", inputs, limits, problem);
  if (!sql) return fail(sql.error());
  result<void> written;
  receiver to;
  to.columns = [&](const std::vector<std::string>& names) {
    written = file->columns(names);
    return written.has_value();
  };
  to.row = [&](const std::vector<value>& row) {
    written = file->row(row);
    return written.has_value();
  };
  report about;
  if (auto done = run(*sql, inputs, limits, to, about, problem); !done) return fail(done.error());
  if (!written) return fail(written.error());
  files::conversion_report out;
  for (const file_note& each : about.files) {
    if (each.failure) return fail(*each.failure);
    out.lost = each.losses;
  }
  const auto bytes = file->commit(*sql, about, out.left_out, how.watch.cancelled);
  if (!bytes) return fail(bytes.error());
  out.ticks = about.rows;
  out.bytes = *bytes;
  out.files = {output};
  return out;
}

enum class kind_number : std::uint8_t { parquet, arrow };

template <kind_number Kind>
result<files::conversion_report> convert(const file_path& from, const file_path& output,
                                         const files::conversion_options& how) {
  return convert_ticks(table_kinds()[static_cast<std::size_t>(Kind)], from, output, how);
}

constexpr files::conversion parquet_conversions[] = {
    {.from = files::any_recording, .to = "parquet", .run = &convert<kind_number::parquet>}};
constexpr files::conversion arrow_conversions[] = {
    {.from = files::any_recording, .to = "arrow", .run = &convert<kind_number::arrow>}};

constexpr codec_id parquet_codecs[] = {codec_id::none, codec_id::gzip, codec_id::zstd};
constexpr codec_id arrow_codecs[] = {codec_id::none, codec_id::zstd};

constexpr files::format parquet_format{
    .name = "parquet",
    .extension = ".parquet",
    .title = "Parquet table",
    .looks_like = "a table for data tools, with PAR1 at its start",
    .claims = &claims<parquet::magic>,
    .open = &open,
    .usual_codec = codec_id::zstd,
    .codecs = parquet_codecs,
    .is_only_written = true,
    .conversions = parquet_conversions,
};

// Without compression, so that readers map the file instead of copying it.
constexpr files::format arrow_format{
    .name = "arrow",
    .extension = ".arrow",
    .title = "Arrow table",
    .looks_like = "a table for data tools, with ARROW1 at its start",
    .claims = &claims<arrow::padded_magic>,
    .open = &open,
    .usual_codec = codec_id::none,
    .codecs = arrow_codecs,
    .is_only_written = true,
    .conversions = arrow_conversions,
};

// By kind_number.
constexpr table_kind kinds[] = {
    {&parquet_format, "a .parquet takes none, gzip and zstd", &encoder_of<parquet::file_writer>::create},
    {&arrow_format, "an .arrow takes none and zstd", &encoder_of<arrow::file_writer>::create}};

}  // namespace

bool table_kind::takes(codec_id codec) const noexcept {
  return std::ranges::find(format->codecs, resolve(codec)) != format->codecs.end();
}

std::span<const table_kind> table_kinds() noexcept {
  return kinds;
}

const table_kind* find_table_kind(std::string_view format) noexcept {
  const auto* const found =
      std::ranges::find_if(kinds, [&](const table_kind& each) { return each.format->name == format; });
  return found == std::end(kinds) ? nullptr : found;
}

bool is_table_format(std::string_view name) noexcept {
  return find_table_kind(name) != nullptr;
}

void register_table_formats() {
  for (const table_kind& each : kinds) (void)files::register_format(*each.format);
}

}  // namespace tickreel::query

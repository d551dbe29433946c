#include "tickreel/query/parquet_format.hpp"

#include <string>

#include "tickreel/io/folder.hpp"
#include "tickreel/parquet/file_writer.hpp"
#include "tickreel/query/parquet_file.hpp"
#include "tickreel/query/query.hpp"

namespace tickreel::query {

namespace {

files::claim claims(const files::probe& file) noexcept {
  return as_text(file.head).starts_with(parquet::magic) ? files::claim::certain : files::claim::no;
}

result<std::unique_ptr<files::recording>> open(const byte_source& /*from*/,
                                               const files::open_options& /*how*/) {
  return fail(
      error_code::unsupported_operation, error::no_offset,
      "Tickreel only writes .parquet files: open it with DuckDB, pandas or polars, or use the recording that "
      "it was converted from");
}

result<files::conversion_report> convert_ticks(const file_path& from, const file_path& output,
                                               const files::conversion_options& how) {
  if (is_same_file(from, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  if (!how.range.is_all()) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "only whole recordings become a .parquet; for a part, use 'tickreel query' with WHERE tick "
                "BETWEEN ... AND ... and --output");
  }
  if (how.keyframe_interval_ticks) {
    return fail(error_code::unsupported_operation, error::no_offset, "a Parquet file has no keyframes");
  }
  auto file = parquet_file::create(output, how.overwrite, how.codec);
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

constexpr files::conversion parquet_conversions[] = {
    {.from = files::any_recording, .to = "parquet", .run = &convert_ticks}};

constexpr codec_id parquet_codecs[] = {codec_id::none, codec_id::gzip, codec_id::zstd};

}  // namespace

constexpr files::format parquet_format{
    .name = "parquet",
    .extension = ".parquet",
    .looks_like = "a table for data tools, with PAR1 at its start",
    .claims = &claims,
    .open = &open,
    .usual_codec = codec_id::zstd,
    .codecs = parquet_codecs,
    .is_only_written = true,
    .conversions = parquet_conversions,
};

void register_parquet_format() {
  (void)files::register_format(parquet_format);
}

}  // namespace tickreel::query

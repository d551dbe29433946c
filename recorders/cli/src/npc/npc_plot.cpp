// tickreel npc plot: pictures of recordings.
#include <memory>

#include "console/checks.hpp"
#include "npc_input.hpp"
#include "npc_verbs.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/npc/plot.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct plot_arguments {
  std::vector<std::string> files;
  std::string picture;
  std::string page;
  std::string title;
  bool force = false;
  bool json = false;
};

bool write_text(const std::string& path, const std::string& text, bool overwrite) {
  auto out = published_file::create(path, overwrite);
  result<void> written = out ? out->append(as_bytes(text)) : result<void>(fail(out.error()));
  if (written) written = out->commit();
  if (!written) report_error(path, written.error());
  return written.has_value();
}

// The recordings' names, as many as fit above a picture.
std::string title_of(const std::vector<npc::plot_track>& tracks) {
  constexpr std::size_t longest = 56;
  std::string title;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (i > 0 && title.size() + tracks[i].name.size() > longest)
      return title + fmt::format(" and {} more", tracks.size() - i);
    title += (i == 0 ? "" : ", ") + tracks[i].name;
  }
  return title;
}

int run(const plot_arguments& arguments) {
  if (arguments.picture.empty() && arguments.page.empty())
    return report_usage("say where to: -o PICTURE.svg or --html PAGE");
  std::vector<npc::plot_track> tracks;
  int code = done;
  for (const std::string& file : rec_files(arguments.files)) {
    auto read = read_rec(file, samp_rec::strictness::lenient);
    if (!read) {
      report_error(file, read.error());
      return failed;
    }
    if (report_loss(file, *read)) code = done_with_loss;
    tracks.push_back(
        npc::track_of(blocks_of(std::move(*read)), file_path(filesystem_path(file).stem()).utf8()));
  }
  if (tracks.empty()) {
    report_error("no .rec in what was given");
    return failed;
  }
  const std::string title = arguments.title.empty() ? title_of(tracks) : arguments.title;
  std::vector<std::string> made;
  if (!arguments.picture.empty()) {
    if (!write_text(arguments.picture, npc::svg_of(tracks, title), arguments.force)) return failed;
    made.push_back(arguments.picture);
  }
  if (!arguments.page.empty()) {
    if (!write_text(arguments.page, npc::html_of(tracks, title), arguments.force)) return failed;
    made.push_back(arguments.page);
  }
  if (arguments.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("recordings", std::uint64_t{tracks.size()}).key("outputs").begin_array();
    for (const std::string& each : made) json.value(each);
    json.end_array().end_object();
    standard_output().write_line(text);
  } else {
    for (const std::string& each : made) standard_output().write_line(printable(each));
  }
  return code;
}

}  // namespace

void add_npc_plot(CLI::App& npc_app, verb_list& verbs) {
  auto arguments = std::make_shared<plot_arguments>();
  CLI::App* app = npc_app.add_subcommand("plot", "Draws recordings");
  app->add_option("FILE", arguments->files, "Recordings, or folders of them")->required();
  app->add_option("-o,--out", arguments->picture,
                  "An SVG: the way from above by speed, speed and height by time")
      ->check(file_to_write());
  app->add_option("--html", arguments->page, "A page with a slider that plays all of them together")
      ->check(file_to_write());
  app->add_option("--title", arguments->title, "What stands above; else the recordings' names");
  app->add_flag("--force", arguments->force, "Overwrite the picture");
  app->add_flag("--json", arguments->json, "One JSON object instead of text");
  app->footer(
      "Examples:\n"
      "  tickreel npc plot guard.rec -o guard.svg\n"
      "  tickreel npc plot lead.rec truck.rec rear.rec -o convoy.svg --html convoy.html");
  verbs.push_back({app, [arguments] { return run(*arguments); }});
}

}  // namespace tickreel::cli

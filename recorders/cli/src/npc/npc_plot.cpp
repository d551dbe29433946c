// tickreel npc plot: pictures of recordings.
#include <memory>

#include "console/checks.hpp"
#include "console/world_map.hpp"
#include "npc_input.hpp"
#include "npc_verbs.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/npc/plot.hpp"
#include "tickreel/text/base64.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct plot_arguments {
  std::vector<std::string> files;
  std::string picture;
  std::string page;
  std::string title;
  map_arguments map;
  bool force = false;
  bool json = false;
};

// The recordings' names, as many as fit above the picture.
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

// The picture of the world below the map. Returns false, with a message, if it is not a picture.
bool read_map(const plot_arguments& arguments, npc::plot_map_image& image) {
  const auto bytes = read_map_file(arguments.map);
  if (!bytes) return report_error(arguments.map.file, bytes.error(), false), false;
  const std::string_view type = picture_type(bytes->bytes());
  if (type.empty()) return report_no_picture(arguments.map, bytes->bytes()), false;
  image.data_uri = fmt::format("data:{};base64,", type);
  text::append_base64(bytes->bytes(), image.data_uri);
  if (const auto& edges = arguments.map.edges; !edges.empty()) {
    image.west_m = edges[0], image.south_m = edges[1], image.east_m = edges[2], image.north_m = edges[3];
  }
  return true;
}

int run(const plot_arguments& arguments) {
  if (arguments.picture.empty() && arguments.page.empty())
    return report_usage("name an output: -o PICTURE.svg or --html PAGE");
  if (const int problem = refuse_edges(arguments.map); problem != done) return problem;
  const std::vector<std::string> files = rec_files(arguments.files);
  std::vector<std::string> outputs;
  for (const std::string& each : {arguments.picture, arguments.page}) {
    if (!each.empty()) outputs.push_back(each);
  }
  if (const int problem = refuse_shared_outputs(outputs, files); problem != done) return problem;
  if (const int problem = refuse_existing(outputs, arguments.force); problem != done) return problem;
  npc::plot_map_image image;
  if (!arguments.map.file.empty() && !read_map(arguments, image)) return failed;
  const npc::plot_map_image* const under = arguments.map.file.empty() ? nullptr : &image;
  std::vector<npc::plot_track> tracks;
  int code = done;
  for (const std::string& file : files) {
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
    report_error("found no .rec");
    return failed;
  }
  const std::string title = arguments.title.empty() ? title_of(tracks) : arguments.title;
  if (!arguments.picture.empty() &&
      !write_file(arguments.picture, npc::svg_of(tracks, title, under), arguments.force)) {
    return failed;
  }
  if (!arguments.page.empty() &&
      !write_file(arguments.page, npc::html_of(tracks, title, under), arguments.force)) {
    return failed;
  }
  if (arguments.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("recordings", std::uint64_t{tracks.size()});
    json.key("outputs").array(outputs).end_object();
    standard_output().write_line(text);
  } else {
    for (const std::string& each : outputs) standard_output().write_line(printable(each));
  }
  return code;
}

}  // namespace

void add_npc_plot(command& npc_app) {
  auto arguments = std::make_shared<plot_arguments>();
  command& app = npc_app.add_subcommand("plot", "Draws recordings");
  app.add_option("FILE", arguments->files, "Recordings, or folders with recordings").required();
  app.add_option("-o,--out", arguments->picture,
                 "An SVG: the path from above coloured by speed, and speed and height over time")
      .check(file_to_write());
  app.add_option("--html", arguments->page, "A page with a slider that plays all of them together")
      .check(file_to_write());
  app.add_option("--title", arguments->title, "Title (default: the recordings' names)");
  add_map_options(app, arguments->map,
                  "A picture of the world below the path (PNG, JPEG, WebP), which is embedded",
                  "WEST SOUTH EAST NORTH: its edges in metres (-3000 -3000 3000 3000)");
  app.add_flag("--force", arguments->force, "Overwrite an existing picture");
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.examples = {"tickreel npc plot guard.rec -o guard.svg",
                  "tickreel npc plot lead.rec truck.rec rear.rec -o convoy.svg --html convoy.html"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli

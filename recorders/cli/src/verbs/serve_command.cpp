// tickreel serve: serves a recording or a simulated match like a running Echo VR.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "console/checks.hpp"
#include "console/confine.hpp"
#include "console/console.hpp"
#include "console/listen_arguments.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo_vr/api_server.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/trailing_bytes.hpp"

namespace tickreel::cli {

namespace {

struct serve_arguments {
  std::string file;
  bool simulate = false;
  echo_vr::simulation_options simulation;
  std::string mode = "arena";
  echo_vr::serve_options serving;
  bool stay = false;
  bool repair = false;
};

result<std::unique_ptr<files::echo_source>> open_source(const serve_arguments& arguments) {
  if (!arguments.simulate) return files::open_echo(arguments.file, {.repair = arguments.repair});
  echo_vr::simulation_options simulation = arguments.simulation;
  simulation.mode = arguments.mode == "combat" ? echo::mode::combat : echo::mode::arena;
  return std::make_unique<echo_vr::simulated_source>(simulation);
}

// On a terminal, shows the current tick and the clients.
void show_status(const echo_vr::serve_status& status) {
  if (!errors_are_terminal()) return;
  show_transient(fmt::format("{}  {}  tick {}  {}  {}", status.map.empty() ? "menu" : printable(status.map),
                             status.clock, status.ticks, counted(status.clients, "client"),
                             counted(status.requests, "request")));
}

int run(const serve_arguments& arguments) {
  if (arguments.simulate == !arguments.file.empty()) {
    return report_usage("serve needs either a FILE or --simulate");
  }
  const std::string what = arguments.simulate ? "the simulator" : arguments.file;
  auto source = open_source(arguments);
  if (!source) {
    report_error(what, source.error());
    return failed;
  }
  confine_to_folders_of({arguments.file});
  bool failed_to_listen = false;
  auto server = echo_vr::api_server::start(std::move(*source), arguments.serving, &failed_to_listen);
  if (!server) {
    const echo_vr::target where{arguments.serving.address, arguments.serving.port};
    if (failed_to_listen) return report_port(echo_vr::to_text(where), server.error(), "--port");
    report_error(what, server.error());
    return failed;
  }
  standard_output().write_line(fmt::format("serving {} at http://{}", printable(what),
                                           echo_vr::to_text({arguments.serving.address, server->port()})));
  standard_output().flush();
  while (!stop_requested()) {
    using namespace std::chrono_literals;
    std::this_thread::sleep_for(100ms);
    const echo_vr::serve_status status = server->status();
    show_status(status);
    if (status.finished && !arguments.stay) break;
  }
  if (errors_are_terminal()) show_transient({});
  server->stop();
  if (const auto ended = server->source_result(); !ended) {
    report_error(what, ended.error());
    return failed;
  }
  const echo_vr::serve_status status = server->status();
  standard_output().write_line(fmt::format("{} shown, {} answered", counted(status.ticks, "tick"),
                                           counted(status.requests, "request")));
  std::vector<std::string> losses = server->losses();
  // As `cat`, which reports them only after the last tick.
  if (!arguments.simulate && status.rounds > 0) {
    if (const auto checked = files::add_trailing_bytes(arguments.file, losses); !checked) {
      report_error(what, checked.error());
      return failed;
    }
  }
  for (const std::string& each : losses) report_note(what, each);
  return losses.empty() ? done : done_with_loss;
}

}  // namespace

void add_serve(command& program) {
  auto arguments = std::make_shared<serve_arguments>();
  command& app = program.add_subcommand("serve", "Serves a recording like a running Echo VR");
  app.add_option("FILE", arguments->file, "A recording of Echo VR");
  app.add_flag("--simulate", arguments->simulate, "Serve a simulated match instead of a file");
  app.add_option("--seed", arguments->simulation.seed, "Seed of the simulated match (1)")
      .check(whole_number());
  app.add_option("--mode", arguments->mode, "Mode of the simulated match: arena (default) or combat")
      .check(one_of({"arena", "combat"}));
  app.add_option("--players", arguments->simulation.players_per_team, "Players per simulated team (4)")
      .check(between(1, 5));
  app.add_option("--match-seconds", arguments->simulation.match_seconds,
                 "Length of the simulated match (600)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(1.0, 86'400.0));
  app.add_flag("--bones,!--no-bones", arguments->simulation.bones,
               "Whether simulated players have skeletons");
  app.add_option("--port", arguments->serving.port, "Port to listen on (6721); 0: any free port")
      .check(between(0, 65535));
  app.add_option("--bind", arguments->serving.address,
                 "Address to listen on: 127.0.0.1 (default); 0.0.0.0 serves the whole network");
  add_host_names(app, arguments->serving.names);
  app.add_option("--speed", arguments->serving.speed, "Playback speed (1)")
      .check(finite_number())
      .check(between(0.001, 1000.0));
  app.add_flag("--loop", arguments->serving.loop, "Restart at the end");
  app.add_flag("--stay", arguments->stay, "At the end, behave like a game in its menu instead of ending");
  app.add_flag("--wait", arguments->serving.wait_for_client, "Start playback with the first request");
  app.add_flag("--repair", arguments->repair, "Reverse known defects of the .butter writer where possible");
  app.only_with("--simulate", {"--seed", "--mode", "--players", "--match-seconds", "--bones"});
  app.never_with("--simulate", {"--repair"});
  app.notes = "Test it with: curl http://127.0.0.1:6721/session";
  app.examples = {"tickreel serve match.butter --speed 2",
                  "tickreel serve --simulate --seed 7 --players 5 --loop"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli

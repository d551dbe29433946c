// tickreel keygen: makes a key pair for signatures.
#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/verb.hpp"
#include "tickreel/files/key_file.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct keygen_arguments {
  std::string file;
  bool force = false;
  bool json = false;
};

int run(const keygen_arguments& arguments) {
  const std::string public_file = arguments.file + ".pub";
  // Half of a key pair is useless.
  if (const int problem = refuse_existing({arguments.file, public_file}, arguments.force); problem != done) {
    return problem;
  }
  const auto made = files::make_key_pair();
  if (!made) {
    report_error(arguments.file, made.error());
    return failed;
  }
  if (const auto written = files::write_secret_key(arguments.file, made->seed, arguments.force); !written) {
    report_error(arguments.file, written.error());
    return failed;
  }
  if (const auto written = files::write_public_key(public_file, made->public_key, arguments.force);
      !written) {
    report_error(public_file, written.error());
    return failed;
  }
  const std::string digits = files::key_text(made->public_key);
  if (arguments.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("secret_key_file", arguments.file).member("public_key_file", public_file);
    json.member("public_key", digits).end_object();
    standard_output().write_line(text);
  } else {
    standard_output().write(fmt::format("{}: the secret key; keep it private\n{}: {}\n",
                                        printable(arguments.file), printable(public_file), digits));
  }
  return done;
}

}  // namespace

void add_keygen(command& program) {
  auto arguments = std::make_shared<keygen_arguments>();
  command& app = program.add_subcommand("keygen", "Makes a key to sign recordings with");
  app.add_option("KEYFILE", arguments->file, "File of the secret key; the public key is KEYFILE.pub")
      .required()
      .check(file_to_write());
  app.add_flag("--force", arguments->force, "Overwrite both files; the old key is lost");
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.notes = "An Ed25519 key. Give the public file to people who check recordings.";
  app.examples = {"tickreel keygen relay.key"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli

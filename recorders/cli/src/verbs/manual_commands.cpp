// tickreel completion and tickreel man: the program's options for shells and for man(1).
#include <memory>
#include <string>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/option_text.hpp"
#include "console/verb.hpp"

namespace tickreel::cli {

void add_completion(command& program) {
  auto shell = std::make_shared<std::string>();
  command& app = program.add_subcommand("completion", "Prints a completion script for a shell");
  app.add_option("SHELL", *shell, "bash, zsh or fish").required().check(one_of({"bash", "fish", "zsh"}));
  app.examples = {"tickreel completion bash > ~/.local/share/bash-completion/completions/tickreel",
                  "tickreel completion zsh > ~/.zfunc/_tickreel    (with ~/.zfunc in fpath)",
                  "tickreel completion fish > ~/.config/fish/completions/tickreel.fish"};
  app.run = [&program, shell] {
    standard_output().write(*shell == "bash"  ? bash_completion(program)
                            : *shell == "zsh" ? zsh_completion(program)
                                              : fish_completion(program));
    return done;
  };
}

void add_man(command& program) {
  auto as_markdown = std::make_shared<bool>(false);
  command& app = program.add_subcommand("man", "Prints the manual page, with every option");
  app.add_flag("--markdown", *as_markdown, "Tables in Markdown instead: docs/options.md");
  app.examples = {"tickreel man | man -l -", "tickreel man > ~/.local/share/man/man1/tickreel.1"};
  app.run = [&program, as_markdown] {
    standard_output().write(*as_markdown ? markdown_tables(program) : manual_page(program));
    return done;
  };
}

}  // namespace tickreel::cli

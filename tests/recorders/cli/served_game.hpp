// A game to record: the program's own simulation, in another process.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "eventually.hpp"
#include "run_program.hpp"

#ifndef _WIN32

namespace tickreel::test {

// `tickreel serve` on a free port, or another verb that prints its address; stopped at the end.
class served {
 public:
  explicit served(const std::vector<std::string>& more,
                  std::vector<std::string> words = {"serve", "--port", "0"}) {
    words.insert(words.end(), more.begin(), more.end());
    BOOST_REQUIRE(run_line(program_line(words) + " > " + shell_word(log_) + " 2>&1 & echo $! > " +
                           shell_word(pid_)) == 0);
    // "serving X at http://127.0.0.1:PORT"
    const bool serves = eventually([&] {
      const std::string said = text_of_file(log_);
      const std::size_t at = said.find("http://");
      if (at == std::string::npos || !said.ends_with('\n')) return false;
      address_ = said.substr(at + 7, said.find('\n', at) - at - 7);
      return true;
    });
    BOOST_REQUIRE_MESSAGE(serves, "no address in the output: " + text_of_file(log_));
  }
  ~served() { run_line("kill $(cat " + shell_word(pid_) + ") 2> /dev/null"); }

  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] std::string process() const {
    const std::string number = text_of_file(pid_);
    return number.substr(0, number.find('\n'));
  }

 private:
  scratch_folder folder_;
  std::string log_ = folder_ / "log";
  std::string pid_ = folder_ / "pid";
  std::string address_;
};

inline std::size_t count_of(std::string_view what, std::string_view in) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = in.find(what, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

// Whether a reader of a running recording gets this tick; the next one if its poll was lost, which `seek` reports.
inline bool shows_tick(const std::string& file, int tick) {
  return !run({"seek", file, "--tick", std::to_string(tick)}).out.empty();
}

// Records for two seconds; for longer where a busy machine polls or answers too seldom to show what the test is about.
// `words`: called before each attempt, for servers that count what one recording asks of them.
template <typename Enough, typename Words>
outcome record_until(Enough enough, Words words) {
  for (int seconds = 2;; seconds *= 2) {
    std::vector<std::string> line = {"record",     "echo",       "--no-config",          "--json",
                                     "--no-bones", "--duration", std::to_string(seconds)};
    const std::vector<std::string> more = words();
    line.insert(line.end(), more.begin(), more.end());
    outcome said = run(line);
    if (seconds > 60 || enough(said)) return said;
  }
}

}  // namespace tickreel::test

#endif

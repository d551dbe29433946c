#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "format_lists.hpp"
#include "shell_word.hpp"
#include "stop_signal.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/failed_step.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/windows_names.hpp"
#include "tickreel/text/shown.hpp"
#include "tickreel/text/utf8.hpp"
#include "verb.hpp"

#ifdef _WIN32
#include <io.h>

#include "windows_api.hpp"
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace tickreel::cli {

namespace {

bool is_terminal(std::FILE* stream) {
#ifdef _WIN32
  return _isatty(_fileno(stream)) != 0;
#else
  return isatty(fileno(stream)) != 0;
#endif
}

// Columns of the terminal on standard error; 80 if unknown.
std::size_t columns_of_errors() {
#ifdef _WIN32
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info) != 0 && info.dwSize.X > 1) {
    return static_cast<std::size_t>(info.dwSize.X);
  }
#else
  winsize size{};
  if (ioctl(fileno(stderr), TIOCGWINSZ, &size) == 0 && size.ws_col > 1) return size.ws_col;
#endif
  return 80;
}

// Flushed first, so that the order is kept where both streams go to one terminal.
void print_error(const std::string& text) {
  (void)standard_output().flush();
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string known_formats() {
  std::string text = "known formats:";
  for (const files::format& each : files::formats()) {
    text += fmt::format("\n    {:<12}{}", each.name, each.looks_like);
  }
  return text;
}

// Remedies for errors of a broker or a store, which differ from those of files.
std::string advice_on_address(const std::string& address, const error& what) {
  if (address.starts_with("nats://") || address.starts_with("tls://")) {
    const bool nobody = std::string_view(what.detail) == "no broker answers at this address";
    if (what.code == error_code::name_not_resolved)
      return "check the spelling of the host name, and that this machine can resolve it";
    if (nobody) return "check the host and the port, and that nats-server is running";
  }
  if (what.code != error_code::permission_denied) return {};
  if (address.starts_with("s3://")) {
    return "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and their permissions in the store";
  }
  return {};
}

// The `recover` command for a damaged file, with an output name that does not exist yet. Empty if nothing can
// be recovered.
std::string recover_advice(const std::string& file) {
  const auto of = files::detect(file);
  if (!of || (*of)->recover == nullptr) return {};
  // Nothing can be recovered from a reel without its header, or from a file that holds only a magic number;
  // an unnamed input has no output name.
  constexpr std::uint64_t least_bytes = 64;
  const auto chosen = files::recovered_name(file);
  const auto found = status_of(file);
  if (!chosen || !found || found->bytes < least_bytes) return {};
  const std::string_view saves =
      (*of)->has_records ? "recovers the readable part" : "recovers the readable part, if there is one";
  std::filesystem::path name = filesystem_path(*chosen);
  if (!path_exists(name)) {
    return fmt::format("'tickreel recover {}' {}", shell_word(file), saves);
  }
  const std::filesystem::path stem = name.stem();
  const std::filesystem::path extension = name.extension();
  for (int number = 2; path_exists(name); ++number) {
    name.replace_filename(stem);
    name += '-' + std::to_string(number);
    name += extension;
  }
  return fmt::format("'tickreel recover {} -o {}' {}", shell_word(file), shell_word(file_path(name).utf8()),
                     saves);
}

bool is_too_large(const error& what) noexcept {
  return what.system_error == EFBIG;
}

// A remedy for the error; empty if the reason already contains one.
std::string advice(const std::string& file, const error& what) {
  if (file.find("://") != std::string::npos) return advice_on_address(file, what);
  const bool names_folder = is_folder(file);
  // The argument was probably meant to be a file.
  if (names_folder && what.code == error_code::invalid_argument) {
    return "name the files in it; 'tickreel library scan' finds all recordings in a folder";
  }
  switch (what.code) {
    case error_code::truncated:
    case error_code::corrupt_compression:
    case error_code::checksum_mismatch:
    case error_code::malformed:
      return names_folder ? std::string() : recover_advice(file);
    case error_code::not_found:
      if (file == "-") {
        return "recordings need random access, which the standard input does not have; save it to a file "
               "first";
      }
      if (const auto folder = filesystem_path(file).parent_path(); !folder.empty() && !path_exists(folder)) {
        return fmt::format("the folder {} does not exist", file_path(folder).utf8());
      }
      return {};
    case error_code::not_recognised:
      return known_formats();
    case error_code::already_exists:
      return "choose another name, or overwrite it with --force";
    case error_code::unsupported_codec:
      return codecs_of_outputs();
    case error_code::out_of_range:
      return fmt::format("'tickreel info {}' reports its length", shell_word(file));
    case error_code::missing_keyframe:
      return "this file contains nothing to show";
    case error_code::in_use:
      // Only Windows refuses this.
      if (failed_while(renaming_step, what)) {
        return "another program has the file open: close it, or choose another name";
      }
      return "wait until the recorder has finished, or stop it with Ctrl-C";
    case error_code::io_failed:
      return is_too_large(what) ? "the file would be larger than the limit for files, see 'ulimit -f'" : "";
    case error_code::no_space:
      return "free some space and try again; the input is untouched";
    case error_code::permission_denied:
      return names_folder ? "choose another folder, or check the permissions of this one"
                          : "check the permissions of the file and its folder";
    case error_code::interrupted:
      return what.detail[0] == '\0' ? "nothing was written" : "";
    default:
      return {};
  }
}

}  // namespace

bool output::write(std::string_view text) {
  if (!ok()) return false;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) errno_ = errno != 0 ? errno : EIO;
  return ok();
}

bool output::flush() {
  if (!ok()) return false;
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) errno_ = errno != 0 ? errno : EIO;
  return ok();
}

output& standard_output() {
  static output the_output;
  return the_output;
}

int finish_output(int code) {
  output& out = standard_output();
  if (out.flush() || out.failure() == EPIPE) return code;
  report_error(fmt::format("writing to the standard output failed: {}", std::strerror(out.failure())));
  return failed;
}

namespace {
std::atomic<bool> interruption_is_reported = false;
}

void report_interruption() {
  if (!interruption_is_reported.exchange(true)) report_error("interrupted");
}

void report_error(const file_path& file, const error& what, bool with_advice) {
  if (what.code == error_code::interrupted) interruption_is_reported = true;
  // A full disk has nothing to do with the file.
  with_advice = with_advice || what.code == error_code::no_space;
  const std::string name = file.utf8();
  error without_offset = what;
  without_offset.offset = error::no_offset;
  std::string text = fmt::format("tickreel: {}: ", printable(name));
  if (what.offset != error::no_offset) text += fmt::format("at offset {}: ", what.offset);
  text += describe(without_offset);
  text += '\n';
  if (const std::string next = advice(name, what); with_advice && !next.empty())
    text += fmt::format("  {}\n", next);
  print_error(text);
}

void report_error(std::string_view what) {
  print_error(fmt::format("tickreel: {}\n", what));
}

namespace {

bool can_be_opened(const file_path& path) {
  return file::open_for_reading(path).has_value();
}

}  // namespace

file_path file_of(const error& what, const file_path& input, const file_path& output) {
  if (failed_while(opening_step, what) && can_be_opened(input)) return output;
  if (failed_while(renaming_step, what) || is_too_large(what)) return output;
  // A name that Windows would interpret as a device or a different file.
  if (is_windows_objection(what) && can_be_opened(input)) return output;
  switch (what.code) {
    case error_code::already_exists:
    case error_code::no_space:
    case error_code::unsupported_codec:
      return output;
    case error_code::not_found:
    case error_code::permission_denied:
      // If the input can be opened, the output was the file that was refused.
      return can_be_opened(input) ? output : input;
    default:
      return input;
  }
}

namespace {

std::string& running_verb() {
  static std::string the_verb;
  return the_verb;
}

}  // namespace

void set_running_verb(std::string verb) {
  running_verb() = std::move(verb);
}

int report_port(std::string_view where, const error& what, std::string_view option) {
  report_error(fmt::format("{}: {}", where, describe(what)));
  if (what.code == error_code::address_in_use) {
    report_advice(fmt::format("choose another port with {}", option));
  } else if (what.code == error_code::permission_denied) {
    report_advice(fmt::format("ports below 1024 need special rights; choose another port with {}", option));
  }
  return failed;
}

int report_usage(std::string_view what) {
  const std::string& verb = running_verb();
  const std::string where = verb.empty() || what.starts_with(verb) ? "" : verb + ": ";
  print_error(fmt::format("tickreel: {}{}\n  'tickreel {}{}--help' shows the usage\n", where, what, verb,
                          verb.empty() ? "" : " "));
  return wrong_usage;
}

void report_advice(std::string_view what) {
  print_error(fmt::format("  {}\n", what));
}

void report_note(const file_path& file, std::string_view what) {
  print_error(fmt::format("tickreel: {}: {}\n", printable(file.utf8()), printable(what)));
}

int report_losses(const file_path& file, const std::vector<std::string>& losses) {
  for (const std::string& each : losses) report_note(file, each);
  return losses.empty() ? done : done_with_loss;
}

void show_transient(std::string_view line) {
  // The last column stays empty: some terminals wrap as soon as it is written.
  const std::size_t room = columns_of_errors() - 1;
  std::size_t letters = 0;
  std::size_t end = 0;
  for (; end < line.size(); ++end) {
    const bool begins_letter = (static_cast<unsigned char>(line[end]) & 0xC0u) != 0x80u;
    if (begins_letter && letters++ == room) break;
  }
  const std::string text = fmt::format("\r\x1b[K{}", line.substr(0, end));
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

int refuse_shared_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (const std::string& output : outputs) {
    if (std::ranges::any_of(inputs, [&](const std::string& each) { return is_same_file(output, each); })) {
      return report_usage(printable(output) + ": input and output are the same file");
    }
    const auto is_here = [&](const std::string& other) {
      return &other != &output && (other == output || is_same_file(other, output));
    };
    if (std::ranges::any_of(outputs, is_here))
      return report_usage(printable(output) + ": two outputs are the same file");
  }
  return done;
}

int refuse_existing(const std::vector<std::string>& outputs, bool overwrite) {
  if (overwrite) return done;
  for (const std::string& each : outputs) {
    if (!path_exists(each)) continue;
    report_error(each, error{error_code::already_exists});
    return failed;
  }
  return done;
}

bool write_file(const std::string& path, std::string_view text, bool overwrite) {
  auto out = published_file::create(path, overwrite);
  result<void> written = out ? out->append(as_bytes(text)) : result<void>(fail(out.error()));
  if (written) written = out->commit();
  if (!written) report_error(path, written.error());
  return written.has_value();
}

bool errors_are_terminal() {
  return is_terminal(stderr);
}

std::string bytes_text(std::uint64_t bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? counted(bytes, "byte") : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string duration_text(std::int64_t milliseconds) {
  // Rounded before it is split: 59.96 seconds are a minute.
  const std::uint64_t all = milliseconds < 0 ? 0 - static_cast<std::uint64_t>(milliseconds)
                                             : static_cast<std::uint64_t>(milliseconds);
  const std::uint64_t tenths = all / 100 + (all % 100 > 50 ? 1 : 0);
  const std::uint64_t minutes = tenths / 600;
  const std::string seconds = fmt::format("{:02}.{}", tenths / 10 % 60, tenths % 10);
  const char* sign = milliseconds < 0 && tenths != 0 ? "-" : "";
  if (minutes >= 60) return fmt::format("{}{}:{:02}:{}", sign, minutes / 60, minutes % 60, seconds);
  return fmt::format("{}{}:{}", sign, minutes, seconds);
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0u) != 0x80u; }));
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const text::character next = text::first_character(text);
    const auto bytes = text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
    // U+0080 to U+009F are control characters, too. Bytes that are not UTF-8 stay, because file names may
    // contain them.
    const bool is_control = next.valid && (next.code < 0x20 || (next.code >= 0x7F && next.code < 0xA0));
    if (!is_control && !text::is_bidi_control(next.code)) {
      out += bytes;
      continue;
    }
    for (const char each : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(each));
  }
  return out;
}

void progress_bar::show(std::uint64_t done_bytes, std::uint64_t total) {
  using namespace std::chrono_literals;
  const auto now = clock::now();
  if (!errors_are_terminal() || total == 0 || now - started_ < 500ms || now - shown_ < 100ms) return;
  shown_ = now;
  visible_ = true;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const double share = static_cast<double>(done_bytes) / static_cast<double>(total);
  const double rate = static_cast<double>(done_bytes) / seconds;
  const double left = share > 0 ? seconds * (1 - share) / share : 0;
  constexpr int width = 24;
  const int filled = static_cast<int>(share * width + 0.5);
  show_transient(fmt::format("{} [{:=<{}}{: <{}}] {:3.0f} %  {}/s  {} left", what_, "", filled, "",
                             width - filled, share * 100, bytes_text(static_cast<std::uint64_t>(rate)),
                             duration_text(static_cast<std::int64_t>(left * 1000))));
}

void progress_bar::clear() {
  if (visible_) show_transient({});
  visible_ = false;
}

files::monitor progress_bar::monitor() {
  return {[this](std::uint64_t done_bytes, std::uint64_t total) { show(done_bytes, total); }, stop_requested};
}

}  // namespace tickreel::cli

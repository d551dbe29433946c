#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "tickreel/files/format.hpp"
#include "tickreel/icrep/digest.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/text/base64.hpp"
#include "tickreel/text/markup.hpp"
#include "tickreel/viewer/page.hpp"

namespace tickreel::viewer {

namespace {

// Nothing in a script may look like its end tag or a comment of the page. Both can only occur in string
// literals, where the backslash has no effect.
std::string inside_element(std::string_view script) {
  const auto dangerous = [&](std::size_t at) {
    const std::string_view rest = script.substr(at + 1, 7);
    if (rest.starts_with("!--")) return true;
    const std::string_view tag = rest.starts_with('/') ? rest.substr(1) : rest;
    return tag.size() >= 6 && std::equal(tag.begin(), tag.begin() + 6, "script",
                                         [](char a, char b) { return static_cast<char>(a | 0x20) == b; });
  };
  std::string out;
  out.reserve(script.size());
  for (std::size_t at = 0; at < script.size(); ++at) {
    out += script[at];
    if (script[at] == '<' && dangerous(at)) out += '\\';
  }
  return out;
}

std::string hash_of(std::string_view text) {
  const icrep::digest digest = icrep::sha256(as_bytes(text));
  std::string out = "'sha256-";
  text::append_base64({digest.data(), digest.size()}, out);
  return out + "'";
}

bool replace_once(std::string& in, std::string_view what, std::string_view with) {
  const std::size_t at = in.find(what);
  if (at == std::string::npos) return false;
  in.replace(at, what.size(), with);
  return true;
}

std::string data_element(std::string_view id, std::string_view bytes,
                         std::initializer_list<std::pair<std::string_view, std::string_view>> more = {}) {
  std::string out = fmt::format("<script type=\"application/octet-stream;base64\" id=\"{}\"", id);
  for (const auto& [key, value] : more)
    out += fmt::format(" data-{}=\"{}\"", key, text::escaped_markup(value));
  out += '>';
  text::append_base64(as_bytes(bytes), out);
  return out + "</script>\n";
}

// The one of the page's readers that supports the format.
result<std::string_view> reader_for(const file_path& recording) {
  const auto reader = files::page_reader_of(recording);
  if (!reader) return fail(reader.error());
  const std::string_view module = files::module_of(*reader);
  if (module.empty()) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "the viewer's page has no reader for this format");
  }
  return module;
}

// The page up to the recording's text, and the rest after it.
struct page_halves {
  std::string before;
  std::string tail;
};

result<page_halves> halves_of(const page& from, std::string_view reader, std::string_view recording_name,
                              const single_file_options& options) {
  constexpr std::string_view policy_begins = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
  constexpr std::string_view style_link = "<link rel=\"stylesheet\" href=\"app.css\">";
  constexpr std::string_view script_link = "<script src=\"app.js\"></script>";
  std::string html = from.find("index.html")->bytes;
  const std::string script = inside_element(from.find("app.js")->bytes);
  // A style sheet has no string literals that could contain an end tag.
  const std::string& style = from.find("app.css")->bytes;
  const auto unfit = [](const char* why) {
    return fail(error_code::invalid_argument, error::no_offset, why);
  };
  if (style.find("</") != std::string::npos) return unfit("the page's style contains an end tag");
  const std::size_t policy = html.find(policy_begins);
  const std::size_t policy_end =
      policy == std::string::npos ? policy : html.find('"', policy + policy_begins.size());
  if (policy_end == std::string::npos) return unfit("the page has no content security policy");
  const std::string own_policy = fmt::format(
      "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {}; worker-src blob:; img-src blob: "
      "data:; "
      "base-uri 'none'; form-action 'none'",
      hash_of(script), hash_of(style));
  html.replace(policy + policy_begins.size(), policy_end - policy - policy_begins.size(), own_policy);
  if (!replace_once(html, style_link, "<style>" + style + "</style>"))
    return unfit("the page does not load app.css");
  const std::size_t at = html.find(script_link);
  if (at == std::string::npos) return unfit("the page does not load app.js");
  page_halves out;
  out.before = html.substr(0, at) + data_element("reader", from.find(reader)->bytes) +
               data_element("worker", from.find("worker.js")->bytes);
  if (options.map != nullptr) {
    const auto& [name, edges, doubt, picture] = *options.map;
    out.before += data_element("map", picture, {{"name", name}, {"edges", edges}, {"doubt", doubt}});
  }
  out.before +=
      fmt::format("<script type=\"application/octet-stream;base64\" id=\"recording\" data-name=\"{}\"{}>",
                  text::escaped_markup(recording_name), options.spoiler_free ? " data-spoiler-free" : "");
  out.tail = "</script>\n<script>" + script + "</script>" + html.substr(at + script_link.size());
  return out;
}

}  // namespace

result<std::uint64_t> write_single_file(const page& from, const file_path& recording, const file_path& to,
                                        const single_file_options& options) {
  const auto opened = file::open_for_reading(recording);
  if (!opened) return fail(opened.error());
  const auto size = opened->size();
  if (!size) return fail(size.error());
  if (*size > options.max_bytes) {
    return fail(error_code::over_limit, error::no_offset, "browsers hold several copies of such a page",
                static_cast<std::int64_t>(*size), static_cast<std::int64_t>(options.max_bytes));
  }
  const auto reader = reader_for(recording);
  if (!reader) return fail(reader.error());
  const auto halves =
      halves_of(from, *reader, file_path(filesystem_path(recording).filename()).utf8(), options);
  if (!halves) return fail(halves.error());
  auto out = published_file::create(to, options.overwrite);
  if (!out) return fail(out.error());
  if (auto written = out->append(as_bytes(halves->before)); !written) return fail(written.error());
  byte_vector piece(3u * 256 * 1024);  // complete groups of base64
  std::string text;
  for (std::uint64_t at = 0; at < *size;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), *size - at));
    const auto got = opened->read_at({piece.data(), wanted}, at);
    if (!got) return fail(got.error());
    if (*got != wanted) return fail(error_code::truncated, at, "the recording became shorter meanwhile");
    at += *got;
    text.clear();
    text::append_base64({piece.data(), wanted}, text);
    if (auto written = out->append(as_bytes(text)); !written) return fail(written.error());
  }
  if (auto written = out->append(as_bytes(halves->tail)); !written) return fail(written.error());
  const std::uint64_t bytes = out->size();
  if (auto done = out->commit(); !done) return fail(done.error());
  return bytes;
}

}  // namespace tickreel::viewer

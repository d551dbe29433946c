// Anonymises Echo VR recordings: replaces every text that may name a person through one table.
#include <sodium.h>

#include <array>
#include <map>
#include <string>

#include "byte_stream.hpp"
#include "echo_access.hpp"
#include "echo_input.hpp"
#include "open_file.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

// Values of the game that mean no player.
bool names_nobody(std::string_view name) {
  return name.empty() || name == "[INVALID]";
}

constexpr std::array<std::string_view, echo::max_teams> team_names = {"BLUE TEAM", "ORANGE TEAM",
                                                                      "SPECTATORS"};

// The new identities. A person is identified by the user id and by every name seen with it; without an id, by
// the name.
class new_identities {
 public:
  explicit new_identities(std::string salt) : salt_(std::move(salt)) {}

  struct person {
    std::string name;
    std::uint64_t userid = 0;
  };

  const person& of(std::uint64_t userid, std::string_view name) {
    if (userid == 0) return of(name);
    const auto [place, is_new] = by_id_.try_emplace(userid);
    if (is_new) place->second = make("id " + std::to_string(userid));
    if (!names_nobody(name)) by_name_.insert_or_assign(std::string(name), place->second);
    return place->second;
  }
  const person& of(std::string_view name) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
    return by_name_.emplace(name, make("name " + std::string(name))).first->second;
  }
  // A new session id. Ids of different matches stay different.
  std::string session(std::string_view id) {
    const auto [place, is_new] = sessions_.try_emplace(std::string(id));
    if (is_new) {
      const std::uint64_t number = salt_.empty() ? sessions_.size() : hash("session " + std::string(id));
      std::string digits(12, '0');
      for (std::size_t i = 0; i < digits.size(); ++i) {
        digits[digits.size() - 1 - i] = "0123456789ABCDEF"[number >> (4 * i) & 15u];
      }
      place->second = "00000000-0000-0000-0000-" + digits;
    }
    return place->second;
  }
  [[nodiscard]] std::size_t count() const noexcept { return made_; }

 private:
  person make(const std::string& identity) {
    ++made_;
    if (salt_.empty()) return {"Player " + std::to_string(made_), made_};
    const std::uint64_t number = hash(identity);
    // Ten digits: among a thousand players, two share a name with one of ten thousand salts.
    constexpr std::uint64_t names = 10'000'000'000;
    return {"Player " + std::to_string(number % names), number >> 1};
  }

  // A caller without the salt cannot find the identity by hashing known ones.
  [[nodiscard]] std::uint64_t hash(const std::string& identity) const {
    std::array<unsigned char, crypto_generichash_BYTES> key{};
    (void)crypto_generichash(key.data(), key.size(), reinterpret_cast<const unsigned char*>(salt_.data()),
                             salt_.size(), nullptr, 0);
    std::array<unsigned char, crypto_generichash_BYTES> out{};
    (void)crypto_generichash(out.data(), out.size(), reinterpret_cast<const unsigned char*>(identity.data()),
                             identity.size(), key.data(), key.size());
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i) number = number << 8 | out[i];
    return number;
  }

  std::string salt_;
  std::size_t made_ = 0;
  std::map<std::uint64_t, person> by_id_;
  std::map<std::string, person, std::less<>> by_name_;
  std::map<std::string, std::string, std::less<>> sessions_;
};

// The ticks of another source with new names. The game's text is composed from known fields, so that no
// unknown field is copied.
class anonymous_source final : public echo_source {
 public:
  anonymous_source(echo_input& from, new_identities& people) : from_(from), people_(people) {}

  result<bool> next(echo::state& out) override {
    session_.clear();
    bones_.clear();
    auto more = from_.next(out);
    if (!more) return more;
    // In an .echoreplay these are skipped lines and reported as such.
    if (from_.restores_text()) note_text(*more ? from_.text_before() : from_.text_after());
    if (!*more) return more;
    rename(out);
    if (!from_.keeps_source_text()) return true;
    echo::append_session_json(out, echo::json_shape::api, echo::number_style::shortest, session_);
    if (out.bones != echo::bones_kind::absent) {
      echo::append_bones_json(out, echo::json_shape::api, echo::number_style::shortest, bones_);
    }
    return true;
  }
  std::string_view session_json() const noexcept override { return session_; }
  std::string_view bones_json() const noexcept override { return bones_; }
  bool keeps_source_text() const noexcept override { return from_.keeps_source_text(); }
  bool is_doubtful() const noexcept override { return from_.is_doubtful(); }
  std::optional<std::uint64_t> tick_number() const noexcept override { return from_.tick_number(); }
  loss_count lost_to_date() const noexcept override { return from_.lost_to_date(); }
  bool numbers_losses() const noexcept override { return from_.numbers_losses(); }
  result<void> rewind() override {
    texts_ = 0;
    return from_.rewind();
  }
  std::uint64_t bytes_done() const noexcept override { return from_.bytes_done(); }
  std::uint64_t bytes_total() const noexcept override { return from_.bytes_total(); }

  // Content that a state cannot store may contain a name, so it is counted and not quoted.
  source_losses losses() const override {
    source_losses all = from_.losses();
    const std::uint64_t unknown = all.left_out.total() + all.unrecorded.total();
    all.left_out.clear();
    all.unrecorded.clear();
    if (unknown != 0) {
      all.places.push_back(
          counted(unknown, "value") +
          " that no tick can store, or that the recorder left out: omitted, because names may be inside");
    }
    if (texts_ != 0) {
      all.places.push_back(counted(texts_, "text") + " between ticks: left out, because names may be inside");
    }
    return all;
  }
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

 private:
  void note_text(std::string_view text) noexcept {
    // Empty lines are ignored.
    if (text.find_first_not_of("\r\n") != std::string_view::npos) ++texts_;
  }
  template <std::size_t Size>
  void replace(echo::text<Size>& text, std::string_view instead) {
    if (text.view() == instead) return;
    text.assign(instead);
    ++changes_;
  }
  template <std::size_t Size>
  void replace_name(echo::text<Size>& text) {
    if (!names_nobody(text.view())) replace(text, people_.of(text.view()).name);
  }

  void rename(echo::state& tick) {
    echo::session& match = tick.match;
    // Active players first: their names are identified by their ids.
    for (std::size_t i = 0; i < match.player_count && i < tick.players.size(); ++i) {
      echo::player& player = tick.players[i];
      if (player.userid == 0 && names_nobody(player.name.view())) continue;
      const new_identities::person& now = people_.of(player.userid, player.name.view());
      if (!names_nobody(player.name.view())) replace(player.name, now.name);
      if (player.userid != 0 && player.userid != now.userid) {
        player.userid = now.userid;
        ++changes_;
      }
    }
    replace_name(match.client_name);
    replace_name(match.rules_changed_by);
    replace_name(match.last_score.person_scored);
    replace_name(match.last_score.assist_scored);
    if (!match.err_description.empty()) replace(match.err_description, "");
    if (!match.sessionid.empty()) replace(match.sessionid, people_.session(match.sessionid.view()));
    if (!match.sessionip.empty()) replace(match.sessionip, "0.0.0.0");
    for (std::size_t i = 0; i < match.team_count && i < echo::max_teams; ++i) {
      if (!match.teams[i].name.empty()) replace(match.teams[i].name, team_names[i]);
    }
  }

  echo_input& from_;
  new_identities& people_;
  std::string session_;
  std::string bones_;
  std::uint64_t changes_ = 0;
  std::uint64_t texts_ = 0;
};

bool is_plain_text(const byte_source& from) {
  std::byte head[2] = {};
  const auto count = from.read_at(head, 0);
  return count && as_text(head) != "PK";
}

}  // namespace

result<edit_report> anonymise_echo(const file_path& input, const file_path& output,
                                   const edit_options& options) {
  const auto from = open_file(input);
  if (!from) return fail(from.error());
  const auto format = detect(*from);
  if (!format) return fail(format.error());
  auto opened = open_echo_input(*from, {.repair = false, .tolerant = true});
  if (!opened && opened.error().code == error_code::unsupported_operation) {
    return fail(error_code::unsupported_operation, error::no_offset, (*format)->edit_advice);
  }
  if (!opened) return fail(opened.error());
  new_identities people(options.salt);
  anonymous_source renamed(**opened, people);
  convert_options how;
  how.to = (*format)->name;
  if ((*format)->as_echo_output.text == stored_text::as_ticks && is_plain_text(*from))
    how.codec = codec_options{.codec = codec_id::none};
  how.overwrite = options.overwrite;
  how.watch = options.watch;
  const auto done = convert(renamed, output, how);
  if (!done) return fail(done.error());
  edit_report report;
  report.bytes = done->bytes;
  report.changes = renamed.changes();
  report.lost = sentences(done->losses);
  report.facts.push_back({"ticks", static_cast<std::int64_t>(done->ticks)});
  report.facts.push_back({"people", static_cast<std::int64_t>(people.count())});
  for (std::size_t each = 1; each < done->files.size(); ++each) {
    report.notes.push_back("the session or the map changes: it continues in " + done->files[each].utf8());
  }
  return report;
}

}  // namespace tickreel::files

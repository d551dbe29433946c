// SQL over recordings. Also adds the formats that are only written to the list of formats.
#include "tickreel/query/query.hpp"

#include "handle.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/query/row_json.hpp"
#include "tickreel/query/table_format.hpp"
#include "tickreel/text/json.hpp"

using namespace tickreel;

namespace {

// While the library is loaded: no other thread reads the list of formats then.
[[maybe_unused]] const bool writes_tables = (query::register_table_formats(), true);

constexpr std::uint32_t max_inputs = 1u << 20;

// Without a limit of memory, which would be that of every user of SQLite in the process.
query::options query_limits() {
  query::options out;
  out.max_duration_ms = 0;
  out.max_memory_bytes = 0;
  out.opens_all_files = true;
  return out;
}

void write_report(const query::report& about, std::string& answer) {
  answer.clear();
  text::json_writer json(answer);
  json.begin_object().member("rows", about.rows).key("files").begin_array();
  for (const query::file_note& each : about.files) {
    json.begin_object();
    files::add_file_member(each.file, json);
    if (each.failure) json.member("error", describe(*each.failure));
    json.key("lost").array(each.losses).end_object();
  }
  json.end_array().key("notes").array(about.notes).end_object();
}

// Passes rows to the caller, each as an object.
struct row_caller {
  tickreel_json_function row;
  void* user;
  std::vector<std::string> names = {};
  std::optional<std::string> twice = {};
  std::string json = {};

  query::receiver as_receiver() {
    query::receiver to;
    to.columns = [this](const std::vector<std::string>& all) {
      names = all;
      twice = query::name_used_twice(all);
      return !twice;
    };
    to.row = [this](const std::vector<query::value>& values) {
      json.clear();
      query::append_row(names, values, json);
      return row(user, json.c_str(), json.size()) == 0;
    };
    return to;
  }
};

// `wrong` becomes a sentence that no error has.
result<void> run_query(std::string sql, const std::vector<query::input>& inputs, row_caller& to,
                       query::report& about, std::string& wrong) {
  if (query::is_table(sql)) {
    auto all = query::select_all(sql, inputs, query_limits(), wrong);
    if (!all) return fail(all.error());
    sql = std::move(*all);
  }
  if (auto done = query::run(sql, inputs, query_limits(), to.as_receiver(), about, wrong); !done) return done;
  if (to.twice) {
    wrong = "two columns are called \"" + *to.twice + "\"; AS gives a column another name";
    return c::fail_argument("");
  }
  // After all rows of the others.
  for (const query::file_note& each : about.files) {
    if (!each.failure) continue;
    wrong = each.file + ": " + describe(*each.failure);
    return fail(*each.failure);
  }
  return {};
}

}  // namespace

int32_t tickreel_query(const char* sql, const char* const* inputs, uint32_t count, tickreel_json_function row,
                       void* user, tickreel_text* json) {
  std::string wrong;
  const std::int32_t code = c::guarded([&]() -> result<void> {
    if (json != nullptr) *json = {"", 0};
    if (sql == nullptr || row == nullptr || inputs == nullptr) return c::fail_argument("a pointer is NULL");
    if (count == 0 || count > max_inputs) return c::fail_argument("1 to 1048576 inputs");
    std::vector<query::input> all;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (inputs[i] == nullptr) return c::fail_argument("a pointer is NULL");
      all.push_back({inputs[i]});
    }
    row_caller to{row, user};
    query::report about;
    const auto done = run_query(sql, all, to, about, wrong);
    thread_local std::string answer;
    write_report(about, answer);
    if (json != nullptr) *json = c::text_of(answer);
    return done;
  });
  return code == TICKREEL_OK || wrong.empty()
             ? code
             : c::set_failure(static_cast<error_code>(code), std::move(wrong));
}

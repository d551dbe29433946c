#include <string>

#include "../support/exit_on_error.hpp"
#include "peer.hpp"
#include "tickreel/arrow/file_writer.hpp"

namespace tickreel::bench {
namespace {

// Appends the numbers of a described struct to one column each; without columns, their descriptions.
class columns_of {
 public:
  explicit columns_of(std::vector<columns::column>& names) : names_(&names) {}
  explicit columns_of(std::vector<columns::column_values>& values) : values_(&values) {}

  template <class Value>
  void add(const std::string& name, const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) {
      constexpr bool is_real = std::is_floating_point_v<Value>;
      if (names_ != nullptr) {
        names_->push_back({name, is_real ? columns::column_type::real : columns::column_type::integer});
      } else if constexpr (is_real) {
        (*values_)[next_++].add(static_cast<double>(value));
      } else {
        (*values_)[next_++].add(static_cast<std::int64_t>(value));
      }
    } else if constexpr (described<Value>) {
      visit_fields(value, [&](std::string_view field, const auto& of) {
        add(names_ ? name + std::string(field) : name, of);
      });
    } else {
      for (std::size_t i = 0; i < value.size(); ++i) add(names_ ? name + std::to_string(i) : name, value[i]);
    }
  }

 private:
  std::vector<columns::column>* names_ = nullptr;
  std::vector<columns::column_values>* values_ = nullptr;
  std::size_t next_ = 0;
};

// Passes each object of a tick with its members.
template <class State, class Visit>
void visit_objects(const State& tick, Visit&& visit) {
  for (std::size_t i = 0; i < State::count; ++i) {
    if constexpr (requires { tick.bodies; }) {
      visit(i, tick.bodies[i], std::array<float, 0>{});
    } else {
      visit(i, tick.placements[i], tick.conditions[i]);
    }
  }
}

template <class State>
class arrow_table final : public peer<State> {
 public:
  explicit arrow_table(const std::string& path) : file_(path), to_(must(open())) {}
  void record(const State& tick) override {
    visit_objects(tick, [&](std::size_t object, const auto& first, const auto& second) {
      columns_of row(values_);
      row.add(none_, tick_);
      row.add(none_, static_cast<std::int64_t>(object));
      row.add(none_, first);
      row.add(none_, second);
    });
    ++tick_;
    if (values_[0].rows() >= rows_per_batch) flush();
  }
  void finish() override {
    flush();
    must(to_.finish(out_));
    file_.write(out_.data(), out_.size());
    file_.close();
  }

 private:
  static constexpr std::size_t rows_per_batch = 64u << 10;

  result<arrow::file_writer> open() {
    std::vector<columns::column> names;
    columns_of row(names);
    row.add("tick", std::int64_t{});
    row.add("object", std::int64_t{});
    const auto one = std::make_unique<State>();
    if constexpr (requires { one->bodies; }) {
      row.add("", one->bodies[0]);
    } else {
      row.add("", one->placements[0]);
      row.add("", one->conditions[0]);
    }
    for (const columns::column& each : names) values_.emplace_back(each.type);
    return arrow::file_writer::create(std::move(names), {}, {.codec = codec_id::zstd}, out_);
  }
  void flush() {
    must(to_.add_group(values_, out_));
    file_.write(out_.data(), out_.size());
    out_.clear();
    for (columns::column_values& each : values_) each.clear();
  }

  plain_file file_;
  std::vector<columns::column_values> values_;
  byte_vector out_;
  arrow::file_writer to_;
  std::int64_t tick_ = 0;
  const std::string none_;
};

}  // namespace

template <class State>
std::unique_ptr<peer<State>> make_arrow(const std::string& path) {
  return std::make_unique<arrow_table<State>>(path);
}
template std::unique_ptr<peer<shooter_state>> make_arrow(const std::string&);
template std::unique_ptr<peer<strategy_state>> make_arrow(const std::string&);
template std::unique_ptr<peer<physics_state>> make_arrow(const std::string&);

}  // namespace tickreel::bench

// Compiles bit_packed.txt into the tables that layout.cpp includes:
//
//   sc2_compile_layouts bit_packed.txt layout_tables.inc layout_slots.inc
//
// bit_packed.txt says what it looks like. Each event becomes one list of operations for each range of base
// builds in which it looks the same. Each single value of a game event or message gets a slot, the same in
// all builds, whose number layout_slots.inc names after its path.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t no_end = std::uint64_t{1} << 32;

struct builds {
  std::uint64_t first = 0;
  std::uint64_t end = no_end;
};

struct type;

struct field {
  unsigned number = 0;  // of an alternative
  std::string name;
  std::unique_ptr<type> what;
  builds when;
};

struct type {
  char kind = 'z';  // u i b s x m z as in the text; ? [ { <
  unsigned bits = 0;
  unsigned extra = 0;
  std::unique_ptr<type> held;
  std::vector<field> fields;
};

struct event {
  std::string stream;
  field what;
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "sc2_compile_layouts: %s\n", why.c_str());
  std::exit(1);
}

class parser {
 public:
  explicit parser(std::string text) : text_(std::move(text)) {}

  std::vector<event> events() {
    std::vector<event> all;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      event next;
      next.stream = word();
      next.what.number = number();
      next.what.name = word();
      if (!is_range()) refuse(next.what.name + " lacks its builds");
      next.what.when = range({});
      next.what.what = a_type(next.what.when);
      all.push_back(std::move(next));
    }
    return all;
  }

 private:
  void skip_space() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == ';') {
        ++at_;
      } else {
        return;
      }
    }
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] static bool digit(char c) { return c >= '0' && c <= '9'; }

  std::string word() {
    skip_space();
    const std::size_t start = at_;
    while (std::islower(static_cast<unsigned char>(peek())) || digit(peek()) || peek() == '_') ++at_;
    if (at_ == start) refuse("expected a name at " + text_.substr(start, 40));
    return text_.substr(start, at_ - start);
  }
  unsigned number() {
    skip_space();
    unsigned value = 0;
    if (!digit(peek())) refuse("expected a number at " + text_.substr(at_, 40));
    for (; digit(peek()); ++at_) value = value * 10 + static_cast<unsigned>(peek() - '0');
    return value;
  }
  void expect(char wanted) {
    skip_space();
    if (peek() != wanted) refuse(std::string("expected ") + wanted + " at " + text_.substr(at_, 40));
    ++at_;
  }

  [[nodiscard]] bool is_range() {
    skip_space();
    std::size_t ahead = at_;
    while (ahead < text_.size() && digit(text_[ahead])) ++ahead;
    return text_.compare(ahead, 2, "..") == 0;
  }
  builds range(const builds& outer) {
    builds said = outer;
    if (digit(peek())) said.first = number();
    at_ += 2;
    if (digit(peek())) said.end = number();
    return said;
  }

  // A type precedes its builds, but its content needs them: they are found by looking ahead.
  std::unique_ptr<type> a_type(const builds& when) {
    skip_space();
    auto what = std::make_unique<type>();
    what->kind = text_[at_++];
    switch (what->kind) {
      case '?':
        what->held = a_type(when);
        break;
      case '[':
        what->bits = number();
        expect(']');
        what->held = a_type(when);
        break;
      case '{':
        for (skip_space(); peek() != '}'; skip_space()) what->fields.push_back(a_field(when, false));
        ++at_;
        break;
      case '<':
        what->bits = number();
        expect('>');
        expect('(');
        for (skip_space(); peek() != ')'; skip_space()) what->fields.push_back(a_field(when, true));
        ++at_;
        break;
      case 'u':
      case 'i':
      case 's':
      case 'x':
      case 'm':
        what->bits = number();
        if (peek() == '+') {
          ++at_;
          what->extra = number();
        }
        break;
      case 'b':
      case 'z':
        break;
      default:
        refuse("unknown type at " + text_.substr(at_ - 1, 40));
    }
    return what;
  }
  field a_field(const builds& outer, bool alternative) {
    field next;
    if (alternative) next.number = number();
    next.name = word();
    const std::size_t start = at_;
    next.what = a_type(outer);
    if (!is_range()) {
      next.when = outer;
      return next;
    }
    next.when = range(outer);
    const std::size_t end = at_;
    at_ = start;
    next.what = a_type(next.when);
    at_ = end;
    return next;
  }

  std::string text_;
  std::size_t at_ = 0;
};

class compiler {
 public:
  void add(const event& which) {
    std::set<std::uint64_t> borders{which.what.when.first, which.what.when.end};
    collect(*which.what.what, borders);
    for (auto border = borders.begin(); std::next(border) != borders.end(); ++border) {
      if (*border < which.what.when.first || *std::next(border) > which.what.when.end) {
        refuse(which.what.name + ": a field outlives its event");
      }
      add(which, {*border, *std::next(border)});
    }
  }

  void write(const char* tables, const char* slots) const {
    std::ofstream out(tables, std::ios::binary);
    out << "constexpr std::string_view compiled_names[] = {\n";
    for (const std::string& name : names_) out << "    \"" << name << "\",\n";
    out << "};\nconstexpr layout_op compiled_ops[] = {\n" << ops_;
    for (const auto& [stream, rows] : rows_)
      out << "};\nconstexpr layout compiled_" << stream << "[] = {\n" << rows;
    out << "};\nconstexpr std::size_t compiled_list_limit = " << list_limit_ << ";\n";
    std::ofstream named(slots, std::ios::binary);
    for (const auto& [event, paths] : slots_) {
      named << "namespace slots::" << event << " {\n";
      for (std::size_t i = 0; i < paths.size(); ++i) {
        named << "inline constexpr unsigned " << paths[i] << " = " << i << ";\n";
      }
      named << "}\n";
    }
    for (std::ofstream* each : {&out, &named}) {
      each->close();
      if (!*each) refuse("cannot write");
    }
  }

 private:
  static void collect(const type& what, std::set<std::uint64_t>& borders) {
    if (what.held) collect(*what.held, borders);
    for (const field& each : what.fields) {
      borders.insert({each.when.first, each.when.end});
      collect(*each.what, borders);
    }
  }

  void add(const event& which, const builds& when) {
    const std::size_t first = op_count_;
    list_size_ = 0;
    has_slots_ = which.stream == "game" || which.stream == "message";
    slot_names_ = &slots_[which.stream + "::" + which.what.name];
    for (const field& each : which.what.what->fields) {
      if (each.when.first <= when.first && when.end <= each.when.end) {
        ops_ += ops_of(*each.what, when, each.name, each.name);
      }
    }
    list_limit_ = std::max(list_limit_, list_size_);
    const auto as_text = [](std::uint64_t value) {
      return std::to_string(std::min(value, no_end - 1)) + "u";
    };
    rows_[which.stream] += "    {\"" + which.what.name + "\", " + std::to_string(which.what.number) + ", " +
                           as_text(when.first) + ", " + as_text(when.end) + ", {&compiled_ops[" +
                           std::to_string(first) + "], " + std::to_string(op_count_ - first) + "}},\n";
  }

  // The text of the operations. `path` names the slot; none below arrays.
  std::string ops_of(const type& what, const builds& when, const std::string& name, const std::string& path) {
    ++op_count_;
    const std::size_t before = op_count_;
    std::string inner;
    unsigned bits = what.bits;
    std::string slot = "layout_op::no_slot";
    const char* kind = "";
    switch (what.kind) {
      case 'u':
        kind = "number";
        break;
      case 'i':
        kind = "signed_number";
        break;
      case 'b':
        kind = "flag";
        bits = 1;
        break;
      case 's':
        kind = "blob";
        break;
      case 'x':
        kind = "bytes";
        break;
      case 'm':
        kind = "bit_array";
        break;
      case 'z':
        kind = "nothing";
        break;
      case '?':
        kind = "optional";
        inner = ops_of(*what.held, when, "", path);
        break;
      case '[':
        kind = "array";
        inner = ops_of(*what.held, when, "", "");
        break;
      case '{':
      case '<':
        kind = what.kind == '{' ? "structure" : "choice";
        for (const field& each : what.fields) {
          if (each.when.first > when.first || when.end > each.when.end) continue;
          const std::string below = path.empty() ? "" : path + "_" + each.name;
          if (what.kind == '{') {
            inner += ops_of(*each.what, when, each.name, below);
          } else {
            ++op_count_;
            const std::size_t start = op_count_;
            const std::string body = ops_of(*each.what, when, "", below);
            inner +=
                op("alternative", 0, "layout_op::no_slot", each.number, each.name, op_count_ - start) + body;
          }
        }
        break;
    }
    const bool single = std::string("uibsxm<").find(what.kind) != std::string::npos;
    if (has_slots_ && !path.empty() && (single || is_list(what, when))) slot = std::to_string(slot_of(path));
    return op(kind, bits, slot, what.extra, name, op_count_ - before) + inner;
  }

  // An array of numbers, or of structs of numbers: kept whole. Counts what it can hold.
  bool is_list(const type& what, const builds& when) {
    if (what.kind != '[') return false;
    const auto is_number = [](const type& each) {
      return each.kind == 'u' || each.kind == 'i' || each.kind == 'b';
    };
    std::size_t values = is_number(*what.held) ? 1 : 0;
    if (what.held->kind == '{') {
      for (const field& each : what.held->fields) {
        if (!is_number(*each.what)) return false;
        if (each.when.first <= when.first && when.end <= each.when.end) ++values;
      }
    }
    if (values == 0) return false;
    list_size_ += ((std::size_t{1} << what.bits) - 1) * values;
    return true;
  }

  std::size_t slot_of(const std::string& path) {
    const auto found = std::find(slot_names_->begin(), slot_names_->end(), path);
    const auto slot = static_cast<std::size_t>(found - slot_names_->begin());
    if (found == slot_names_->end()) slot_names_->push_back(path);
    if (slot >= 64) refuse(path + " has no slot left");
    return slot;
  }

  std::string op(const char* kind, unsigned bits, const std::string& slot, unsigned extra,
                 const std::string& name, std::size_t size) {
    std::string name_index = "layout_op::no_name";
    if (!name.empty()) {
      const auto found = std::find(names_.begin(), names_.end(), name);
      name_index = std::to_string(found - names_.begin());
      if (found == names_.end()) names_.push_back(name);
    }
    return std::string("    {layout_kind::") + kind + ", " + std::to_string(bits) + ", " + slot + ", " +
           std::to_string(extra) + ", " + name_index + ", " + std::to_string(size) + "},\n";
  }

  std::string ops_;
  std::map<std::string, std::string> rows_;  // by stream
  std::vector<std::string> names_;
  std::map<std::string, std::vector<std::string>> slots_;
  std::vector<std::string>* slot_names_ = nullptr;
  bool has_slots_ = false;
  std::size_t op_count_ = 0;
  std::size_t list_size_ = 0;
  std::size_t list_limit_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) refuse("usage: sc2_compile_layouts bit_packed.txt layout_tables.inc layout_slots.inc");
  std::ifstream in(argv[1], std::ios::binary);
  if (!in) refuse(std::string("cannot read ") + argv[1]);
  std::vector<event> events =
      parser({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}).events();
  compiler to;
  for (const event& each : events) to.add(each);
  to.write(argv[2], argv[3]);
}

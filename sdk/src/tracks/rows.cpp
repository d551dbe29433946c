#include "tickreel/tracks/rows.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tickreel/describe/kept_sentence.hpp"

namespace tickreel::tracks {

namespace {

struct related {
  const schema_declaration* declared;
  std::string owner;  // the path of the struct with the other members
  std::string name;   // of the declared member
  std::size_t first_column;
  std::size_t columns;
};

class shape_maker {
 public:
  explicit shape_maker(const schema& from) : from_(from) {
    for (const schema_type& type : from.types) {
      for (const schema_field& field : type.fields) {
        has_relations_ |= field.declared.how != tickreel::relation::none;
        for (const std::string* named : {&field.declared.first, &field.declared.second}) {
          if (!named->empty()) named_.insert(*named);
        }
      }
    }
  }

  result<shape> make() {
    out_.row_bytes = from_.row_bytes();
    add(static_cast<std::uint32_t>(from_.types.size() - 1), {}, 0, {});
    for (const related& each : relations_) {
      if (!relate(each)) {
        return fail(error_code::invalid_argument, error::no_offset, misfit(each));
      }
    }
    if (auto sound = out_.validate(); !sound) return fail(sound.error());
    return std::move(out_);
  }

 private:
  void add(std::uint32_t place, const std::string& path, std::uint32_t offset,
           const schema_declaration& kept) {
    const schema_type& type = from_.types[place];
    switch (type.kind) {
      case type_kind::structure:
        for (const schema_field& field : type.fields) {
          const std::size_t first = out_.columns.size();
          std::string member;
          if (has_relations_) member = path.empty() ? field.name : path + "." + field.name;
          const bool has_own = field.declared.kept != precision::exact;
          add(field.type, member, offset, has_own ? field.declared : kept);
          // An optional's content has the same name, but is only a part of it.
          set_span(member, first);
          add_relation(field, path, first);
          offset += from_.types[field.type].bytes;
        }
        return;
      case type_kind::optional:
        add_column(path + "?", value_kind::boolean, offset, 1, kept);
        return add(type.element, path, offset + 1, kept);
      case type_kind::array: {
        const bool begins = begin_records(offset, from_.types[type.element].bytes, type.count);
        for (std::uint32_t i = 0; i < type.count; ++i) {
          const std::string one = element_of(path, i);
          const std::size_t first = out_.columns.size();
          add(type.element, one, offset, kept);
          set_span(one, first);
          offset += from_.types[type.element].bytes;
        }
        if (begins) end_records();
        return;
      }
      case type_kind::entities: {
        const bool begins = begin_records(offset, 4 + from_.types[type.element].bytes, type.count);
        for (std::uint32_t i = 0; i < type.count; ++i) {
          const std::string one = element_of(path, i);
          add_column(one + "#", value_kind::unsigned_integer, offset, 4, kept);
          add(type.element, one, offset + 4, kept);
          offset += 4 + from_.types[type.element].bytes;
        }
        if (begins) end_records();
        return;
      }
      default:
        add_column(path, kind_of(type), offset, type.bytes, kept);
    }
  }

  [[nodiscard]] std::string element_of(const std::string& path, std::uint32_t number) const {
    return has_relations_ ? path + "[" + std::to_string(number) + "]" : std::string();
  }
  // Few of thousands of columns belong to a member that a relation names: only those are found by name.
  [[nodiscard]] bool is_named(std::string_view path) const {
    if (named_.empty()) return false;
    for (;;) {
      if (named_.contains(path)) return true;
      const std::size_t point = path.find('.');
      if (point == std::string_view::npos) return false;
      path.remove_prefix(point + 1);
    }
  }
  // The member or element has the columns from `first` on.
  void set_span(const std::string& path, std::size_t first) {
    if (is_named(path)) spans_.insert_or_assign(path, std::pair(first, out_.columns.size() - first));
  }

  // Directions of an array are those of its elements, such as the bones of a skeleton.
  void add_relation(const schema_field& field, const std::string& owner, std::size_t first) {
    const tickreel::relation how = field.declared.how;
    if (how == tickreel::relation::none) return;
    const std::size_t columns = out_.columns.size() - first;
    const bool is_vector = how == tickreel::relation::unit_vector;
    const bool is_direction = is_vector || how == tickreel::relation::rotation;
    const bool is_whole = is_vector ? columns == 3 : columns == 4 || columns == 9;
    const schema_type& type = from_.types[field.type];
    const std::size_t count =
        is_direction && !is_whole && type.kind == type_kind::array && type.count != 0 ? type.count : 1;
    for (std::size_t i = 0; i < count; ++i) {
      relations_.push_back(
          {&field.declared, owner, field.name, first + i * (columns / count), columns / count});
    }
  }

  // An array of large elements is not one of records: their own arrays are.
  [[nodiscard]] bool begin_records(std::uint32_t offset, std::uint32_t record_bytes, std::uint32_t count) {
    constexpr std::uint32_t max_record_bytes = 1024;
    if (in_records_ || count == 0 || record_bytes == 0 || record_bytes > max_record_bytes) return false;
    in_records_ = true;
    out_.records.push_back({offset, record_bytes, count, static_cast<std::uint32_t>(out_.columns.size()), 0});
    return true;
  }
  void end_records() noexcept {
    in_records_ = false;
    record_array& ended = out_.records.back();
    ended.columns = (static_cast<std::uint32_t>(out_.columns.size()) - ended.first_column) / ended.count;
    joins_ = false;
  }
  void add_single(std::uint32_t offset, std::uint32_t bytes) {
    if (!joins_) {
      out_.records.push_back({offset, 0, 1, static_cast<std::uint32_t>(out_.columns.size()), 0});
      joins_ = true;
    }
    out_.records.back().record_bytes += bytes;
    ++out_.records.back().columns;
  }

  void add_column(const std::string& path, value_kind kind, std::uint32_t offset, std::uint32_t bytes,
                  const schema_declaration& kept) {
    column made{kind, offset, bytes, {}};
    if (kind == value_kind::floating && kept.kept == precision::decimals) {
      made.declared.decimals = static_cast<std::int8_t>(std::min<int>(kept.places, 9));
    }
    if (kind == value_kind::floating && kept.kept == precision::tolerance) {
      // Below the coder's smallest step a value is stored exactly.
      made.declared.tolerance = kept.most < 1e-9 ? 0 : std::min(kept.most, 1e9);
    }
    if (!in_records_) add_single(offset, bytes);
    if (is_named(path)) spans_.emplace(path, std::pair(out_.columns.size(), std::size_t{1}));
    out_.columns.push_back(made);
  }

  // The columns of a member, given by the path of its struct; empty if there is no such member.
  [[nodiscard]] std::pair<std::size_t, std::size_t> columns_of(const std::string& owner,
                                                               const std::string& name) const {
    const std::string path = owner.empty() ? name : owner + "." + name;
    const auto there = spans_.find(path);
    return there != spans_.end() ? there->second : std::pair<std::size_t, std::size_t>{0, 0};
  }

  void set(std::size_t column, tracks::relation kind, std::array<std::size_t, max_references> of) {
    out_.columns[column].declared.kind = kind;
    for (std::size_t i = 0; i < of.size(); ++i) {
      out_.columns[column].declared.of[i] = static_cast<std::uint32_t>(of[i]);
    }
  }
  // Three columns each, given by their first ones.
  void relate_cross(std::size_t own, std::size_t u, std::size_t v) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t a = (i + 1) % 3;
      const std::size_t b = (i + 2) % 3;
      set(own + i, tracks::relation::cross, {u + a, u + b, v + a, v + b});
    }
  }
  void relate_orthogonal(std::size_t own, std::size_t f) {
    set(own + 1, tracks::relation::orthogonal_second, {f, f + 1, f + 2, own});
    set(own + 2, tracks::relation::orthogonal_third, {f, f + 1, f + 2, own, own + 1});
  }

  [[nodiscard]] bool relate(const related& what) {
    const auto others = [&](const std::string& name) { return columns_of(what.owner, name); };
    const std::size_t own = what.first_column;
    const auto are_floats = [&](const std::pair<std::size_t, std::size_t>& columns, std::size_t count) {
      if (columns.second != count) return false;
      const auto first = out_.columns.begin() + static_cast<std::ptrdiff_t>(columns.first);
      return std::all_of(first, first + static_cast<std::ptrdiff_t>(count),
                         [](const column& each) { return each.kind == value_kind::floating; });
    };
    const auto is_vector = [&](const std::pair<std::size_t, std::size_t>& columns) {
      return are_floats(columns, 3);
    };
    switch (what.declared->how) {
      case tickreel::relation::none:
        return true;
      case tickreel::relation::same_as:
      case tickreel::relation::relative_to: {
        const auto [first, count] = others(what.declared->first);
        if (count == 0 || count != what.columns) return false;
        const bool same = what.declared->how == tickreel::relation::same_as;
        for (std::size_t i = 0; i < count; ++i) {
          const column& a = out_.columns[own + i];
          const column& b = out_.columns[first + i];
          if (a.kind != b.kind || a.size_bytes != b.size_bytes) return false;
          // Declarations of inner members take precedence.
          if (a.declared.kind != tracks::relation::none) continue;
          set(own + i, same ? tracks::relation::same_as : tracks::relation::relative_to, {first + i});
        }
        return true;
      }
      case tickreel::relation::integral_of: {
        const auto velocity = others(what.declared->first);
        if (!are_floats({own, what.columns}, velocity.second) || !are_floats(velocity, velocity.second) ||
            velocity.second == 0)
          return false;
        for (std::size_t i = 0; i < velocity.second; ++i) {
          set(own + i, tracks::relation::integral_of, {velocity.first + i});
          out_.columns[own + i].declared.ticks_per_second = what.declared->ticks_per_second;
        }
        return true;
      }
      case tickreel::relation::unit_vector:
        if (!is_vector({own, what.columns})) return false;
        set(own + 2, tracks::relation::unit_vector, {own, own + 1});
        return true;
      case tickreel::relation::cross: {
        const auto u = others(what.declared->first);
        const auto v = others(what.declared->second);
        if (!is_vector({own, what.columns}) || !is_vector(u) || !is_vector(v)) return false;
        relate_cross(own, u.first, v.first);
        return true;
      }
      case tickreel::relation::orthogonal: {
        const auto f = others(what.declared->first);
        if (!is_vector({own, what.columns}) || !is_vector(f)) return false;
        relate_orthogonal(own, f.first);
        return true;
      }
      case tickreel::relation::rotation:
        if (are_floats({own, what.columns}, 4)) {
          set(own + 3, tracks::relation::unit_quaternion, {own, own + 1, own + 2});
          return true;
        }
        if (!are_floats({own, what.columns}, 9)) return false;
        set(own + 2, tracks::relation::unit_vector, {own, own + 1});
        relate_orthogonal(own + 3, own);
        relate_cross(own + 6, own, own + 3);
        return true;
    }
    return false;
  }

  // With its members by name instead of column numbers.
  [[nodiscard]] static const char* misfit(const related& what) {
    constexpr const char* unnamed =
        "a declared relation names a member that there is not, or of another shape";
    const std::string owner = what.owner.empty() ? std::string() : what.owner + ".";
    std::string text = "the relation declared for \"" + owner + what.name + "\"";
    for (const std::string* each : {&what.declared->first, &what.declared->second}) {
      if (!each->empty())
        text += (each == &what.declared->first ? " names \"" : " and \"") + owner + *each + "\"";
    }
    text += what.declared->first.empty() ? " is for another shape of member"
                                         : ": there is no such member, or it has another shape";
    return tickreel::detail::kept_sentence(std::move(text), unnamed);
  }

  const schema& from_;
  bool has_relations_ = false;                  // without any, nothing needs the names of columns
  std::unordered_set<std::string_view> named_;  // members, as relations name them
  shape out_;
  bool in_records_ = false;
  bool joins_ = false;  // the next column that is in no array joins the last record
  // The first column of each member and element, and their number.
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> spans_;
  std::vector<related> relations_;
};

}  // namespace

result<shape> shape_of(const schema& described) {
  if (described.types.empty() || described.root().kind != type_kind::structure) {
    return fail(error_code::invalid_argument, error::no_offset, "a row is a struct");
  }
  return shape_maker(described).make();
}

std::uint32_t rows_within(std::uint32_t row_bytes, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t max_rows = 4096;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bytes / std::max(row_bytes, 1u), 1, max_rows));
}

}  // namespace tickreel::tracks

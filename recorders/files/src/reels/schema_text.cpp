#include "schema_text.hpp"

#include <cmath>
#include <iterator>
#include <string_view>

#include "tickreel/counted.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

// A schema from outside may repeat structs and names so often that its text would have no useful limit.
constexpr std::size_t max_text = 1u << 20;
constexpr std::size_t max_json = 16u << 20;

std::string_view name(relation how) noexcept {
  constexpr std::string_view names[] = {"none",  "same_as",    "relative_to", "unit_vector",
                                        "cross", "orthogonal", "rotation",    "integral_of"};
  const auto place = static_cast<std::size_t>(how);
  return place < std::size(names) ? names[place] : "unknown";
}

// The stored value; of an unsigned 64-bit value, its bits.
template <class Use>
void with_number(const schema_type& type, const enumerator& each, const Use& use) {
  if (type.is_signed) {
    use(each.value);
  } else {
    use(static_cast<std::uint64_t>(each.value));
  }
}

void append_number(double value, std::string& out) {
  if (std::isfinite(value)) {
    text::json_writer(out).value(value);
  } else {
    out += std::isnan(value) ? "nan" : "inf";
  }
}

void append_declaration(const schema_declaration& stated, std::string& out) {
  if (stated.kept == precision::decimals) out.append(", ").append(counted(stated.places, "decimal"));
  if (stated.kept == precision::tolerance) {
    out += ", within ";
    append_number(stated.most, out);
  }
  if (!stated.unit.empty()) out.append(" in ").append(stated.unit);
  if (stated.how == relation::none) return;
  out.append(", ").append(name(stated.how));
  if (stated.first.empty()) return;
  out.append("(").append(stated.first);
  if (!stated.second.empty()) out.append(", ").append(stated.second);
  if (stated.how == relation::integral_of) {
    out.append(", ").append(counted(stated.ticks_per_second, "tick")).append(" per second");
  }
  out += ')';
}

class text_writer {
 public:
  text_writer(const schema& described, std::string& out) : described_(described), out_(out) {}

  void type(const schema_type& of, unsigned levels) {
    if (out_.size() > max_text) {
      out_ += "...";
      return;
    }
    const std::string bits = std::to_string(8 * of.bytes);
    const std::string count = std::to_string(of.count);
    const auto element = [&] { type(described_.types[of.element], levels); };
    switch (of.kind) {
      case type_kind::unsigned_integer:
        out_.append("u").append(bits);
        return;
      case type_kind::signed_integer:
        out_.append("i").append(bits);
        return;
      case type_kind::floating:
        out_.append("f").append(bits);
        return;
      case type_kind::boolean:
        out_ += "bool";
        return;
      case type_kind::fixed_point:
        out_.append("fixed point with ")
            .append(counted(of.count, "fraction bit"))
            .append(" of ")
            .append(bits);
        return;
      case type_kind::text:
        out_.append("text[").append(count).append("]");
        return;
      case type_kind::interned:
        out_ += "interned text";
        return;
      case type_kind::optional:
        out_ += "optional ";
        return element();
      case type_kind::array:
        out_.append("array[").append(count).append("] of ");
        return element();
      case type_kind::entities:
        out_.append("entities[").append(count).append("] of ");
        return element();
      case type_kind::enumeration:
        return enumeration(of);
      case type_kind::structure:
        return structure(of, levels);
    }
  }

 private:
  void enumeration(const schema_type& of) {
    out_ += "enumeration";
    for (std::size_t i = 0; i < of.enumerators.size(); ++i) {
      const enumerator& each = of.enumerators[i];
      out_.append(i == 0 ? " (" : ", ").append(each.name).append(" = ");
      with_number(of, each, [this](auto number) { out_ += std::to_string(number); });
    }
    if (!of.enumerators.empty()) out_ += ')';
  }

  void structure(const schema_type& of, unsigned levels) {
    out_.append(of.name).append(" {");
    if (levels == 0) {
      out_.append(counted(of.fields.size(), "member")).append("}");
      return;
    }
    for (std::size_t i = 0; i < of.fields.size(); ++i) {
      const schema_field& field = of.fields[i];
      out_.append(i == 0 ? "" : ", ").append(field.name).append(": ");
      type(described_.types[field.type], levels - 1);
      append_declaration(field.declared, out_);
    }
    out_ += '}';
  }

  const schema& described_;
  std::string& out_;
};

class json_fields {
 public:
  json_fields(const schema& described, std::string& out) : described_(described), out_(out), json_(out) {}

  void type(const schema_type& of) {
    json_.begin_object();
    members(of);
    json_.end_object();
  }

 private:
  // Members of the object that describes a type; nothing once the text exceeds its limit.
  void members(const schema_type& of) {
    if (out_.size() > max_json) return;
    const auto kind = [&](std::string_view text) { json_.member("type", text); };
    const auto number = [&](const char* letter) {
      kind(std::string(letter).append(std::to_string(8 * of.bytes)));
    };
    const auto element = [&](bool with_count) {
      if (with_count) json_.member("count", of.count);
      json_.key("of");
      type(described_.types[of.element]);
    };
    switch (of.kind) {
      case type_kind::unsigned_integer:
        return number("u");
      case type_kind::signed_integer:
        return number("i");
      case type_kind::floating:
        return number("f");
      case type_kind::boolean:
        return kind("bool");
      case type_kind::fixed_point:
        kind("fixed_point");
        json_.member("bits", 8 * of.bytes).member("fraction_bits", of.count);
        return;
      case type_kind::text:
        kind("text");
        json_.member("bytes", of.count);
        return;
      case type_kind::interned:
        return kind("interned_text");
      case type_kind::optional:
        kind("optional");
        return element(false);
      case type_kind::array:
        kind("array");
        return element(true);
      case type_kind::entities:
        kind("entities");
        return element(true);
      case type_kind::enumeration:
        return enumeration(of);
      case type_kind::structure:
        return structure(of);
    }
  }

  void enumeration(const schema_type& of) {
    json_.member("type", "enumeration").member("bits", 8 * of.bytes).key("values").begin_array();
    for (const enumerator& each : of.enumerators) {
      if (out_.size() > max_json) break;
      json_.begin_object().member("name", each.name);
      with_number(of, each, [this](auto number) { json_.member("value", number); });
      json_.end_object();
    }
    json_.end_array();
  }

  void structure(const schema_type& of) {
    json_.member("type", "struct").member("struct", of.name).key("members").begin_array();
    for (const schema_field& field : of.fields) {
      if (out_.size() > max_json) break;
      json_.begin_object().member("name", field.name);
      declaration(field.declared);
      members(described_.types[field.type]);
      json_.end_object();
    }
    json_.end_array();
  }

  void declaration(const schema_declaration& stated) {
    if (stated.kept == precision::decimals) json_.member("decimals", stated.places);
    if (stated.kept == precision::tolerance) json_.member("tolerance", stated.most);
    if (!stated.unit.empty()) json_.member("unit", stated.unit);
    if (stated.how == relation::none) return;
    json_.member("relation", name(stated.how));
    if (!stated.first.empty()) {
      json_.key("to").begin_array().value(stated.first);
      if (!stated.second.empty()) json_.value(stated.second);
      json_.end_array();
    }
    if (stated.how == relation::integral_of) json_.member("ticks_per_second", stated.ticks_per_second);
  }

  const schema& described_;
  std::string& out_;
  text::json_writer json_;
};

}  // namespace

std::string fields_text(const schema& described, unsigned levels) {
  std::string out;
  text_writer(described, out).type(described.root(), levels);
  return out;
}

std::string fields_json(const schema& described) {
  std::string out;
  json_fields(described, out).type(described.root());
  return out;
}

}  // namespace tickreel::files

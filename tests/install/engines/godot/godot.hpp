// The declarations of godot-cpp 4.2 that the sample uses. tests/install/amalgamated makes its headers, which include this file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using GDExtensionBool = std::uint8_t;
using GDExtensionInterfaceFunctionPtr = void (*)();
using GDExtensionInterfaceGetProcAddress = GDExtensionInterfaceFunctionPtr (*)(const char*);
using GDExtensionClassLibraryPtr = void*;
struct GDExtensionInitialization {};
#define GDE_EXPORT __attribute__((visibility("default")))

namespace godot {

using real_t = float;

class CharString {
 public:
  explicit CharString(std::string text) : text_(std::move(text)) {}
  const char* get_data() const { return text_.c_str(); }

 private:
  std::string text_;
};
class String {
 public:
  String() = default;
  String(const char* text) : text_(text) {}
  static String utf8(const char* text) { return text; }
  CharString utf8() const { return CharString(text_); }

 private:
  std::string text_;
};
struct Variant {
  enum Type { NIL, BOOL, INT, FLOAT, STRING };
};
struct PropertyInfo {
  PropertyInfo(Variant::Type type, const char* name) : type(type), name(name) {}
  Variant::Type type;
  String name;
};

struct Vector3 {
  real_t x = 0, y = 0, z = 0;
};
struct Quaternion {
  real_t x = 0, y = 0, z = 0, w = 1;
};
struct Basis {
  Quaternion get_rotation_quaternion() const { return turned; }
  Quaternion turned;
};
struct Transform3D {
  Basis basis;
  Vector3 origin;
};

class Object {
 public:
  virtual ~Object() = default;
  // Without run-time type information, as in godot-cpp.
  virtual bool is_class(const char* name) const { return std::string(name) == "Object"; }
  template <class T>
  static T* cast_to(Object* object) {
    return object != nullptr && object->is_class(T::get_class_static()) ? static_cast<T*>(object) : nullptr;
  }
};
#define GDCLASS(name, base)                                        \
 public:                                                           \
  static const char* get_class_static() {                          \
    return #name;                                                  \
  }                                                                \
  static void initialize_class() {                                 \
    _bind_methods();                                               \
  }                                                                \
  bool is_class(const char* wanted) const override {               \
    return std::string(wanted) == #name || base::is_class(wanted); \
  }                                                                \
                                                                   \
 private:

class Node : public Object {
 public:
  static const char* get_class_static() { return "Node"; }
  bool is_class(const char* name) const override {
    return std::string(name) == "Node" || Object::is_class(name);
  }
  virtual void _ready() {}
  virtual void _process(double) {}
  virtual void _physics_process(double) {}
  virtual void _enter_tree() {}
  virtual void _exit_tree() {}
  Node* get_parent() const { return parent; }
  void add_child(Node* child) { child->parent = this; }

 private:
  Node* parent = nullptr;
};
class Node3D : public Node {
  GDCLASS(Node3D, Node)
  static void _bind_methods() {}

 public:
  void set_global_transform(const Transform3D& transform) { global = transform; }
  Transform3D get_global_transform() const { return global; }

 private:
  Transform3D global;
};

class Engine {
 public:
  static Engine* get_singleton() {
    static Engine only;
    return &only;
  }
  bool is_editor_hint() const { return editor; }
  std::int32_t get_physics_ticks_per_second() const { return 60; }
  bool editor = false;
};
class ProjectSettings {
 public:
  static ProjectSettings* get_singleton() {
    static ProjectSettings only;
    return &only;
  }
  // user:// is the folder where the program runs.
  String globalize_path(const String& path) const {
    const std::string text = path.utf8().get_data();
    return (text.rfind("user://", 0) == 0 ? text.substr(7) : text).c_str();
  }
};
struct UtilityFunctions {
  template <class... Parts>
  static void push_error(const Parts&... parts) {
    ++errors;
    (std::printf("%s", String(parts).utf8().get_data()), ...);
    std::puts("");
  }
  static inline int errors = 0;
};

struct MethodDefinition {
  const char* name;
};
template <class... Arguments>
MethodDefinition D_METHOD(const char* name, Arguments...) {
  return {name};
}
class ClassDB {
 public:
  template <class T, class Result, class... Arguments>
  static void bind_method(MethodDefinition definition, Result (T::*)(Arguments...)) {
    methods.push_back(definition.name);
  }
  template <class T, class Result, class... Arguments>
  static void bind_method(MethodDefinition definition, Result (T::*)(Arguments...) const) {
    methods.push_back(definition.name);
  }
  static void add_property(const char*, const PropertyInfo&, const char* setter, const char* getter) {
    for (const char* name : {setter, getter}) {
      for (const std::string& each : methods) found += each == name ? 1 : 0;
    }
  }
  template <class T>
  static void register_class() {
    T::initialize_class();
    classes.push_back(T::get_class_static());
  }
  static inline std::vector<std::string> methods, classes;
  // Accessors of properties that were bound before.
  static inline int found = 0;
};
#define ADD_PROPERTY(property, setter, getter) \
  ::godot::ClassDB::add_property(get_class_static(), property, setter, getter)

enum ModuleInitializationLevel {
  MODULE_INITIALIZATION_LEVEL_CORE,
  MODULE_INITIALIZATION_LEVEL_SERVERS,
  MODULE_INITIALIZATION_LEVEL_SCENE,
  MODULE_INITIALIZATION_LEVEL_EDITOR
};
class GDExtensionBinding {
 public:
  using Callback = void (*)(ModuleInitializationLevel);
  class InitObject {
   public:
    InitObject(GDExtensionInterfaceGetProcAddress, GDExtensionClassLibraryPtr, GDExtensionInitialization*) {}
    void register_initializer(Callback callback) const { initializer = callback; }
    void register_terminator(Callback callback) const { terminator = callback; }
    void set_minimum_library_initialization_level(ModuleInitializationLevel) const {}
    GDExtensionBool init() const { return 1; }
  };
  static inline Callback initializer = nullptr, terminator = nullptr;
};

}  // namespace godot

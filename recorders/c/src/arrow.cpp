// Exports columns by the Arrow C Data Interface and C Stream Interface.
#include <array>

#include "columns.hpp"

using namespace tickreel;

namespace {

using table_pointer = std::shared_ptr<const c::column_table>;

const char* format_of(std::int32_t type) noexcept {
  switch (type) {
    case TICKREEL_COLUMN_BOOL:
      return "b";
    case TICKREEL_COLUMN_INT64:
      return "l";
    case TICKREEL_COLUMN_UINT64:
      return "L";
    case TICKREEL_COLUMN_FLOAT64:
      return "g";
    case TICKREEL_COLUMN_TEXT:
      return "U";
    default:
      return "n";
  }
}

struct schema_owner {
  table_pointer table;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

// The consumer may move children out of their parent, so each releases itself.
void release_child_schema(ArrowSchema* one) {
  delete static_cast<table_pointer*>(one->private_data);
  one->release = nullptr;
}

void release_schema(ArrowSchema* one) {
  auto* const owner = static_cast<schema_owner*>(one->private_data);
  for (ArrowSchema* const child : owner->pointers) {
    if (child->release != nullptr) child->release(child);
  }
  delete owner;
  one->release = nullptr;
}

void export_schema(const table_pointer& table, ArrowSchema& out) {
  auto owner = std::make_unique<schema_owner>();
  const std::size_t count = table->columns.size();
  owner->children.resize(count);
  owner->pointers.reserve(count);
  for (ArrowSchema& each : owner->children) owner->pointers.push_back(&each);
  std::vector<std::unique_ptr<table_pointer>> shares;
  for (std::size_t i = 0; i < count; ++i) shares.push_back(std::make_unique<table_pointer>(table));
  for (std::size_t i = 0; i < count; ++i) {
    ArrowSchema& child = owner->children[i];
    child = {};
    child.format = format_of(table->columns[i].type);
    child.name = table->columns[i].name.c_str();
    child.flags = ARROW_FLAG_NULLABLE;
    child.release = &release_child_schema;
    child.private_data = shares[i].release();
  }
  owner->table = table;
  out = {};
  out.format = "+s";
  out.name = "";
  out.n_children = static_cast<std::int64_t>(count);
  out.children = owner->pointers.data();
  out.release = &release_schema;
  out.private_data = owner.release();
}

struct array_owner {
  table_pointer table;
  std::array<const void*, 3> buffers{};
  std::vector<std::uint8_t> bits;  // of BOOL
};

struct batch_owner {
  std::array<const void*, 1> buffers{};
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

void release_child_array(ArrowArray* one) {
  delete static_cast<array_owner*>(one->private_data);
  one->release = nullptr;
}

void release_array(ArrowArray* one) {
  auto* const owner = static_cast<batch_owner*>(one->private_data);
  for (ArrowArray* const child : owner->pointers) {
    if (child->release != nullptr) child->release(child);
  }
  delete owner;
  one->release = nullptr;
}

std::unique_ptr<array_owner> own_column(const table_pointer& table, std::size_t number,
                                        std::uint64_t rows_end) {
  const c::column& from = table->columns[number];
  auto owner = std::make_unique<array_owner>();
  owner->table = table;
  owner->buffers[0] = from.validity.empty() ? nullptr : from.validity.data();
  owner->buffers[1] = from.values();
  if (from.type == TICKREEL_COLUMN_TEXT) {
    owner->buffers[1] = from.offsets.data();
    owner->buffers[2] = from.values();
  } else if (from.type == TICKREEL_COLUMN_BOOL) {
    owner->bits.resize(static_cast<std::size_t>((rows_end + 7) / 8 + 1));
    for (std::size_t i = 0; i < rows_end; ++i) {
      if (from.truths[i] != 0)
        owner->bits[i / 8] = static_cast<std::uint8_t>(owner->bits[i / 8] | (1u << (i % 8)));
    }
    owner->buffers[1] = owner->bits.data();
  }
  return owner;
}

// Rows from `begin` to `end`, which share the columns' memory.
void export_array(const table_pointer& table, std::uint64_t begin, std::uint64_t end, ArrowArray& out) {
  const std::size_t count = table->columns.size();
  auto owner = std::make_unique<batch_owner>();
  owner->children.resize(count);
  owner->pointers.reserve(count);
  for (ArrowArray& each : owner->children) owner->pointers.push_back(&each);
  std::vector<std::unique_ptr<array_owner>> shares;
  for (std::size_t i = 0; i < count; ++i) shares.push_back(own_column(table, i, end));
  for (std::size_t i = 0; i < count; ++i) {
    const c::column& from = table->columns[i];
    ArrowArray& child = owner->children[i];
    child = {};
    child.length = static_cast<std::int64_t>(end - begin);
    const bool is_all = begin == 0 && end == from.count;
    child.null_count = from.null_count == 0 ? 0 : is_all ? static_cast<std::int64_t>(from.null_count) : -1;
    if (from.type == TICKREEL_COLUMN_EMPTY) {
      child.null_count = child.length;
    } else {
      child.n_buffers = from.type == TICKREEL_COLUMN_TEXT ? 3 : 2;
      child.buffers = shares[i]->buffers.data();
    }
    child.offset = static_cast<std::int64_t>(begin);
    child.release = &release_child_array;
    child.private_data = shares[i].release();
  }
  out = {};
  out.length = static_cast<std::int64_t>(end - begin);
  out.n_buffers = 1;
  out.n_children = static_cast<std::int64_t>(count);
  out.buffers = owner->buffers.data();
  out.children = owner->pointers.data();
  out.release = &release_array;
  out.private_data = owner.release();
}

struct stream_state {
  table_pointer table;
  std::uint64_t next = 0;
  std::uint64_t batch_rows = 0;
};

constexpr int not_enough_memory = 12;  // ENOMEM

int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const std::int32_t code = c::guarded([&]() -> result<void> {
    export_schema(static_cast<stream_state*>(stream->private_data)->table, *out);
    return {};
  });
  return code == TICKREEL_OK ? 0 : not_enough_memory;
}

int stream_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& self = *static_cast<stream_state*>(stream->private_data);
  if (self.next == self.table->ticks) {
    out->release = nullptr;
    return 0;
  }
  const std::uint64_t end = self.next + std::min(self.batch_rows, self.table->ticks - self.next);
  const std::int32_t code = c::guarded([&]() -> result<void> {
    export_array(self.table, self.next, end, *out);
    return {};
  });
  if (code != TICKREEL_OK) return not_enough_memory;
  self.next = end;
  return 0;
}

const char* stream_error(ArrowArrayStream*) {
  return tickreel_error();
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<stream_state*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

int32_t tickreel_columns_to_arrow(const tickreel_columns* columns, struct ArrowSchema* schema,
                                  struct ArrowArray* array) {
  return c::guarded([&]() -> result<void> {
    if (columns == nullptr) return c::fail_argument("a pointer is NULL");
    if (schema != nullptr) export_schema(columns->table, *schema);
    try {
      if (array != nullptr) export_array(columns->table, 0, columns->table->ticks, *array);
    } catch (...) {
      if (schema != nullptr) schema->release(schema);
      throw;
    }
    return {};
  });
}

int32_t tickreel_columns_to_stream(const tickreel_columns* columns, uint64_t batch_rows,
                                   struct ArrowArrayStream* stream) {
  return c::guarded([&]() -> result<void> {
    if (columns == nullptr || stream == nullptr) return c::fail_argument("a pointer is NULL");
    constexpr std::uint64_t usual_rows = 65'536;
    auto state = std::make_unique<stream_state>();
    state->table = columns->table;
    state->batch_rows = batch_rows == 0 ? usual_rows : batch_rows;
    stream->get_schema = &stream_schema;
    stream->get_next = &stream_next;
    stream->get_last_error = &stream_error;
    stream->release = &release_stream;
    stream->private_data = state.release();
    return {};
  });
}

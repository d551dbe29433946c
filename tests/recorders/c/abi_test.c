/* The C ABI from C99: records structs that are described at run time, reads them back, and makes every mistake that a
   caller can make. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct vec {
  float x, y, z;
} vec;
typedef struct unit {
  uint32_t generation;
  vec at;
} unit;
typedef struct world {
  vec ball;
  uint8_t mode;
  uint8_t has_target;
  uint16_t padding;
  int32_t target;
  double heat;
  int32_t height; /* in 1/256 */
  char name[12];
  uint8_t is_day;
  vec path[3];
  unit units[4];
  uint64_t large;
} world;
typedef struct goal {
  int32_t player;
  float speed;
} goal;

static tickreel_field field(const char* name, int32_t type, size_t offset) {
  tickreel_field one;
  memset(&one, 0, sizeof one);
  one.struct_bytes = (uint32_t)sizeof one;
  one.name = name;
  one.type = type;
  one.offset = (uint32_t)offset;
  return one;
}

static tickreel_struct* describe_vec(void) {
  tickreel_field fields[3];
  tickreel_struct* out = NULL;
  fields[0] = field("x", TICKREEL_FLOAT32, offsetof(vec, x));
  fields[1] = field("y", TICKREEL_FLOAT32, offsetof(vec, y));
  fields[2] = field("z", TICKREEL_FLOAT32, offsetof(vec, z));
  fields[0].unit = "m";
  fields[2].precision = TICKREEL_DECIMALS;
  fields[2].decimals = 3;
  CHECK(tickreel_describe("vec", sizeof(vec), fields, 3, &out) == TICKREEL_OK);
  return out;
}

static tickreel_struct* describe_unit(const tickreel_struct* vec_type) {
  tickreel_field at = field("at", TICKREEL_STRUCT, offsetof(unit, at));
  tickreel_struct* out = NULL;
  at.of = vec_type;
  CHECK(tickreel_describe("unit", sizeof(unit), &at, 1, &out) == TICKREEL_OK);
  return out;
}

static tickreel_struct* describe_world(void) {
  static const tickreel_enumerator modes[] = {{"idle", 0}, {"playing", 7}};
  tickreel_struct* const vec_type = describe_vec();
  tickreel_struct* const unit_type = describe_unit(vec_type);
  tickreel_struct* out = NULL;
  tickreel_field fields[10];
  fields[0] = field("ball", TICKREEL_STRUCT, offsetof(world, ball));
  fields[0].of = vec_type;
  fields[1] = field("mode", TICKREEL_UINT8, offsetof(world, mode));
  fields[1].enumerators = modes;
  fields[1].enumerator_count = 2;
  fields[2] = field("target", TICKREEL_INT32, offsetof(world, target));
  fields[2].flags = TICKREEL_OPTIONAL;
  fields[2].flag_offset = offsetof(world, has_target);
  fields[3] = field("heat", TICKREEL_FLOAT64, offsetof(world, heat));
  fields[3].precision = TICKREEL_TOLERANCE;
  fields[3].tolerance = 0.01;
  fields[4] = field("height", TICKREEL_INT32, offsetof(world, height));
  fields[4].fraction_bits = 8;
  fields[5] = field("name", TICKREEL_TEXT, offsetof(world, name));
  fields[5].text_bytes = 12;
  fields[6] = field("is_day", TICKREEL_BOOL, offsetof(world, is_day));
  fields[7] = field("path", TICKREEL_STRUCT, offsetof(world, path));
  fields[7].of = vec_type;
  fields[7].count = 3;
  fields[8] = field("units", TICKREEL_STRUCT, offsetof(world, units));
  fields[8].of = unit_type;
  fields[8].count = 4;
  fields[8].flags = TICKREEL_ENTITIES;
  fields[8].flag_offset = offsetof(unit, generation);
  fields[9] = field("large", TICKREEL_UINT64, offsetof(world, large));
  CHECK(tickreel_describe("world", sizeof(world), fields, 10, &out) == TICKREEL_OK);
  /* What the description needs is copied. */
  tickreel_struct_free(unit_type);
  tickreel_struct_free(vec_type);
  return out;
}

static tickreel_struct* describe_goal(void) {
  tickreel_field fields[2];
  tickreel_struct* out = NULL;
  fields[0] = field("player", TICKREEL_INT32, offsetof(goal, player));
  fields[1] = field("speed", TICKREEL_FLOAT32, offsetof(goal, speed));
  CHECK(tickreel_describe("goal", sizeof(goal), fields, 2, &out) == TICKREEL_OK);
  return out;
}

static world world_at(int tick) {
  world now;
  memset(&now, 0, sizeof now);
  now.ball.x = (float)tick * 0.25f;
  now.ball.z = -1.5f;
  now.mode = tick < 5 ? 0 : 7;
  now.has_target = tick % 2 == 1 ? 200 : 0;
  now.target = tick;
  now.heat = 20 + tick;
  now.height = 256 * tick + 128;
  memcpy(now.name, tick == 9 ? "twelve bytes" : "ann\0\0\0\0\0\0\0\0", 12);
  now.is_day = tick < 3 ? 2 : 0;
  now.path[2].y = (float)tick;
  now.units[1].generation = 1;
  now.units[1].at.x = 8;
  now.large = UINT64_MAX - 9 + (uint64_t)tick;
  return now;
}

static int has(tickreel_text text, const char* part) {
  if (strstr(text.data, part) != NULL) return 1;
  printf("'%s' lacks '%s'\n", text.data, part);
  return 0;
}

static void record_world(const char* path, int32_t policy) {
  tickreel_struct* const world_type = describe_world();
  tickreel_struct* const goal_type = describe_goal();
  tickreel_entry metadata = {"map", "arena"};
  tickreel_record_options options;
  tickreel_recorder* out = NULL;
  tickreel_counters counters;
  int tick;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  options.loss_policy = policy;
  options.ticks_per_second = 50;
  options.metadata = &metadata;
  options.metadata_count = 1;
  CHECK(tickreel_record(path, world_type, &options, &out) == TICKREEL_OK);
  for (tick = 0; tick < 10; ++tick) {
    const world now = world_at(tick);
    CHECK(tickreel_push(out, &now) == 1);
    if (tick == 4) {
      const goal scored = {3, 12.5f};
      CHECK(tickreel_event(out, goal_type, &scored) == 1);
    }
  }
  /* The recorder keeps both. */
  tickreel_struct_free(world_type);
  tickreel_struct_free(goal_type);
  {
    const world now = world_at(0);
    CHECK(tickreel_push_at(out, 3, 0, &now) == 0); /* does not rise */
    CHECK(tickreel_push_at(out, 20, 400000, &now) == 1);
  }
  CHECK(tickreel_recorder_failure(out) == TICKREEL_OK);
  memset(&counters, 0, sizeof counters);
  counters.struct_bytes = sizeof counters;
  CHECK(tickreel_close(out, &counters) == TICKREEL_OK);
  CHECK(counters.pushed == 11 && counters.written == 11 && counters.refused == 1);
  CHECK(counters.events == 3); /* one, and the description of its struct twice */
  CHECK(counters.is_whole == 0); /* one call was refused */
  CHECK(tickreel_close(out, NULL) == TICKREEL_WRONG_STATE);
  CHECK(tickreel_recorder_counters(out, &counters) == TICKREEL_OK && counters.written == 11);
  tickreel_recorder_free(out);
}

/* A recorder that is freed without being closed writes what it has, although its structs were freed before. */
static void free_without_closing(const char* path) {
  tickreel_struct* const world_type = describe_world();
  tickreel_struct* const goal_type = describe_goal();
  const world now = world_at(1);
  const goal scored = {3, 12.5f};
  tickreel_counters counters;
  tickreel_recorder* out = NULL;
  CHECK(tickreel_record(path, world_type, NULL, &out) == TICKREEL_OK);
  CHECK(tickreel_push(out, &now) == 1);
  CHECK(tickreel_event(out, goal_type, &scored) == 1);
  tickreel_struct_free(goal_type);
  tickreel_struct_free(world_type);
  /* struct_bytes is not set: nothing is closed. */
  memset(&counters, 0, sizeof counters);
  CHECK(tickreel_close(out, &counters) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_push(out, &now) == 1);
  tickreel_recorder_free(out);
}

typedef struct received {
  uint8_t bytes[1 << 16];
  size_t size;
  int calls;
  int fails_at; /* 0: never */
} received;

static int32_t keep_bytes(void* user, const uint8_t* bytes, size_t size) {
  received* const to = (received*)user;
  if (++to->calls == to->fails_at || size > sizeof to->bytes - to->size) return 1;
  memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
  return 0;
}

/* `path` may be NULL. Returns the code of tickreel_close(). */
static int32_t record_goals(const char* path, received* to, tickreel_counters* counters) {
  tickreel_struct* const goal_type = describe_goal();
  tickreel_record_options options;
  tickreel_recorder* out = NULL;
  int32_t code;
  int tick;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  options.ticks_per_second = 50;
  options.is_pumped = 1;
  options.receive = &keep_bytes;
  options.receive_user = to;
  CHECK(tickreel_record(path, goal_type, &options, &out) == TICKREEL_OK);
  for (tick = 0; tick < 20; ++tick) {
    const goal now = {tick, 0.5f};
    CHECK(tickreel_push(out, &now) == 1);
    tickreel_pump(out);
  }
  memset(counters, 0, sizeof *counters);
  counters->struct_bytes = sizeof *counters;
  code = tickreel_close(out, counters); /* filled after a failure, too */
  tickreel_recorder_free(out);
  tickreel_struct_free(goal_type);
  return code;
}

static void receive_bytes(const char* path) {
  static received all, beside, refused;
  static uint8_t file[1 << 16];
  tickreel_counters counters;
  tickreel_recording* in = NULL;
  FILE* from;
  int ticks = 0;
  CHECK(record_goals(NULL, &all, &counters) == TICKREEL_OK);
  CHECK(counters.is_whole == 1 && counters.receiver_failed == 0 && counters.stored_bytes == all.size);
  CHECK(tickreel_open_memory(all.bytes, all.size, NULL, &in) == TICKREEL_OK);
  while (in != NULL && tickreel_next(in, NULL) == TICKREEL_OK) ++ticks;
  CHECK(ticks == 20);
  tickreel_recording_free(in);
  /* A file has the same bytes. */
  CHECK(record_goals(path, &beside, &counters) == TICKREEL_OK && counters.is_whole == 1);
  from = fopen(path, "rb");
  CHECK(from != NULL && fread(file, 1, sizeof file, from) == beside.size);
  CHECK(memcmp(file, beside.bytes, beside.size) == 0);
  if (from != NULL) fclose(from);
  remove(path);
  /* The file goes on without a receiver that fails. */
  refused.fails_at = 2;
  CHECK(record_goals(path, &refused, &counters) == TICKREEL_OK);
  CHECK(refused.calls == 2 && counters.written == 20 && counters.receiver_failed == 1 && counters.is_whole == 0);
  memset(&refused, 0, sizeof refused);
  refused.fails_at = 2;
  CHECK(record_goals(NULL, &refused, &counters) != TICKREEL_OK);
  CHECK(counters.receiver_failed == 1 && counters.is_whole == 0);
  {
    tickreel_struct* const goal_type = describe_goal();
    tickreel_record_options options;
    tickreel_recorder* out = NULL;
    memset(&options, 0, sizeof options);
    options.struct_bytes = sizeof options;
    CHECK(tickreel_record(NULL, goal_type, &options, &out) == TICKREEL_INVALID_ARGUMENT && out == NULL);
    options.receive = &keep_bytes;
    options.receive_user = &refused;
    options.is_compact = 1; /* needs a file */
    CHECK(tickreel_record(NULL, goal_type, &options, &out) == TICKREEL_INVALID_ARGUMENT && out == NULL);
    tickreel_struct_free(goal_type);
  }
}

static int32_t keep_line(void* user, const char* json, size_t bytes) {
  char* const to = (char*)user;
  CHECK(strlen(json) == bytes);
  if (strlen(to) + bytes + 2 < 4096) {
    strcat(to, json);
    strcat(to, "\n");
  }
  return 0;
}
static int32_t stop_at_once(void* user, const char* json, size_t bytes) {
  (void)json;
  (void)bytes;
  ++*(int*)user;
  return 1;
}

static void read_world(tickreel_recording* in) {
  tickreel_text line;
  tickreel_tick at;
  char events[4096] = "";
  int ticks = 0;
  memset(&at, 0, sizeof at);
  at.struct_bytes = sizeof at;
  CHECK(strcmp(tickreel_format(in), "reel") == 0);
  CHECK(tickreel_info(in, &line) == TICKREEL_OK && has(line, "\"ticks\":11"));
  CHECK(tickreel_tick_json(in, &line) == TICKREEL_WRONG_STATE);
  while (tickreel_next(in, &at) == TICKREEL_OK) {
    CHECK(tickreel_tick_json(in, &line) == TICKREEL_OK);
    CHECK(strlen(line.data) == line.bytes);
    if (ticks == 0) {
      CHECK(has(line, "\"mode\":\"idle\"") && has(line, "\"target\":null") && has(line, "\"is_day\":true"));
      CHECK(has(line, "\"height\":0.5") && has(line, "\"name\":\"ann\""));
    }
    if (ticks == 9) {
      CHECK(at.tick == 9 && at.time_ms == 180);
      CHECK(has(line, "\"mode\":\"playing\"") && has(line, "\"target\":9") && has(line, "\"x\":2.25"));
      CHECK(has(line, "\"name\":\"twelve bytes\"") && has(line, "18446744073709551615"));
    }
    ++ticks;
  }
  CHECK(ticks == 11 && at.tick == 20 && at.time_ms == 400);
  CHECK(tickreel_next(in, NULL) == TICKREEL_END);
  CHECK(tickreel_losses(in, &line) == TICKREEL_OK && strcmp(line.data, "[]") == 0);
  CHECK(tickreel_seek(in, "7") == TICKREEL_OK);
  CHECK(tickreel_next(in, &at) == TICKREEL_OK && at.tick == 7);
  CHECK(tickreel_seek(in, "0.1s") == TICKREEL_OK);
  CHECK(tickreel_next(in, &at) == TICKREEL_OK && at.tick == 5);
  CHECK(tickreel_seek(in, "99") == TICKREEL_OUT_OF_RANGE);
  CHECK(tickreel_seek(in, "noon") == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_rewind(in) == TICKREEL_OK);
  CHECK(tickreel_next(in, &at) == TICKREEL_OK && at.tick == 0);

  CHECK(tickreel_events(in, NULL, &keep_line, events) == TICKREEL_OK);
  CHECK(strstr(events, "\"type\":\"goal\"") != NULL && strstr(events, "\"speed\":12.5") != NULL);
  CHECK(tickreel_event_types(in, &line) == TICKREEL_OK && has(line, "goal"));
  {
    const char* const types[] = {"goal"};
    const char* const unknown[] = {"gaol"};
    tickreel_event_query query;
    int calls = 0;
    memset(&query, 0, sizeof query);
    query.struct_bytes = sizeof query;
    query.types = types;
    query.type_count = 1;
    CHECK(tickreel_events(in, &query, &stop_at_once, &calls) == TICKREEL_OK && calls == 1);
    query.from = "5";
    CHECK(tickreel_events(in, &query, &stop_at_once, &calls) == TICKREEL_OK && calls == 1);
    query.types = unknown;
    CHECK(tickreel_events(in, &query, &stop_at_once, &calls) == TICKREEL_INVALID_ARGUMENT);
    query.types = types;
    query.from = "9";
    query.to = "3";
    CHECK(tickreel_events(in, &query, &stop_at_once, &calls) == TICKREEL_INVALID_ARGUMENT);
  }
  CHECK(tickreel_statistics(in, &line) == TICKREEL_UNSUPPORTED_OPERATION);
  CHECK(tickreel_verify(in, &line) == TICKREEL_OK && has(line, "\"ok\":true"));
  {
    int32_t growth = 0;
    CHECK(tickreel_extend(in, &growth) == TICKREEL_UNSUPPORTED_OPERATION); /* not opened with is_live */
  }
}

static void read_columns(tickreel_recording* in) {
  static const char* const paths[] = {"ball.x", "mode", "target", "is_day", "large", "none", "path", "ball.z"};
  tickreel_columns* columns = NULL;
  tickreel_column one;
  struct ArrowSchema schema;
  struct ArrowArray array;
  struct ArrowArrayStream stream;
  tickreel_text json;
  memset(&one, 0, sizeof one);
  one.struct_bytes = sizeof one;
  CHECK(tickreel_fields(in, &json) == TICKREEL_OK && has(json, "{\"path\":\"ball.x\",\"unit\":\"m\"}"));
  CHECK(tickreel_read_columns(in, paths, 8, &columns) == TICKREEL_OK);
  CHECK(tickreel_column_count(columns) == 10);
  CHECK(tickreel_column_at(columns, 0, &one) == TICKREEL_OK && strcmp(one.name, "tick") == 0);
  CHECK(one.type == TICKREEL_COLUMN_UINT64 && one.count == 11 && ((const uint64_t*)one.values)[10] == 20);
  CHECK(tickreel_column_at(columns, 1, &one) == TICKREEL_OK && ((const int64_t*)one.values)[9] == 180);
  CHECK(tickreel_column_at(columns, 2, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_FLOAT64);
  CHECK(one.validity == NULL && ((const double*)one.values)[9] == 2.25);
  CHECK(tickreel_column_at(columns, 3, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_TEXT);
  CHECK(one.offsets[1] == 4 && memcmp(one.values, "idle", 4) == 0);
  CHECK(tickreel_column_at(columns, 4, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_INT64);
  CHECK(one.null_count == 6 && one.validity != NULL && one.validity[0] == 0xAA && ((const int64_t*)one.values)[9] == 9);
  CHECK(tickreel_column_at(columns, 5, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_BOOL);
  CHECK(((const uint8_t*)one.values)[2] == 1 && ((const uint8_t*)one.values)[3] == 0);
  CHECK(tickreel_column_at(columns, 6, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_UINT64);
  CHECK(((const uint64_t*)one.values)[9] == UINT64_MAX);
  CHECK(tickreel_column_at(columns, 7, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_EMPTY && one.null_count == 11);
  CHECK(tickreel_column_at(columns, 8, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_TEXT);
  CHECK(memcmp(one.values, "[{\"x\":0,", 8) == 0);
  /* A float of whole numbers and fractions alike. */
  CHECK(tickreel_column_at(columns, 9, &one) == TICKREEL_OK && one.type == TICKREEL_COLUMN_FLOAT64);
  CHECK(tickreel_column_at(columns, 10, &one) == TICKREEL_OUT_OF_RANGE);

  memset(&schema, 0, sizeof schema);
  memset(&array, 0, sizeof array);
  CHECK(tickreel_columns_to_arrow(columns, &schema, &array) == TICKREEL_OK);
  CHECK(tickreel_columns_to_stream(columns, 4, &stream) == TICKREEL_OK);
  tickreel_columns_free(columns); /* what is exported keeps the memory */
  CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 10);
  CHECK(strcmp(schema.children[2]->name, "ball.x") == 0 && strcmp(schema.children[2]->format, "g") == 0);
  CHECK(array.length == 11 && array.n_children == 10);
  CHECK(((const double*)array.children[2]->buffers[1])[9] == 2.25);
  CHECK(((const uint8_t*)array.children[5]->buffers[1])[0] == 0x07);
  {
    /* A consumer may take one child and release the rest. */
    struct ArrowArray child = *array.children[2];
    array.children[2]->release = NULL;
    array.release(&array);
    CHECK(array.release == NULL && ((const double*)child.buffers[1])[9] == 2.25);
    child.release(&child);
  }
  schema.release(&schema);
  CHECK(schema.release == NULL);
  {
    int64_t rows = 0;
    int batches = 0;
    CHECK(stream.get_schema(&stream, &schema) == 0);
    schema.release(&schema);
    for (;;) {
      CHECK(stream.get_next(&stream, &array) == 0);
      if (array.release == NULL) break;
      CHECK(((const uint64_t*)array.children[0]->buffers[1])[array.children[0]->offset] == (uint64_t)rows);
      rows += array.length;
      ++batches;
      array.release(&array);
    }
    CHECK(rows == 11 && batches == 3);
    stream.release(&stream);
  }
  CHECK(tickreel_read_columns(in, (const char* const[]){"a..b"}, 1, &columns) == TICKREEL_INVALID_ARGUMENT);
}

static void follow_live(const char* path, const char* part) {
  tickreel_struct* const goal_type = describe_goal();
  tickreel_record_options options;
  tickreel_open_options live;
  tickreel_recorder* out = NULL;
  tickreel_recording* in = NULL;
  tickreel_saved saved;
  char lines[4096] = "";
  int32_t growth = 0;
  const goal now = {1, 2};
  memset(&options, 0, sizeof options);
  memset(&live, 0, sizeof live);
  memset(&saved, 0, sizeof saved);
  options.struct_bytes = sizeof options;
  options.is_pumped = 1;
  options.ticks_per_second = 10;
  live.struct_bytes = sizeof live;
  live.is_live = 1;
  saved.struct_bytes = sizeof saved;
  CHECK(tickreel_record(path, goal_type, &options, &out) == TICKREEL_OK);
  CHECK(tickreel_open(path, &live, &in) == TICKREEL_OK);
  CHECK(tickreel_follow(in, &keep_line, &keep_line, lines, &growth) == TICKREEL_OK);
  CHECK(lines[0] == 0);
  CHECK(tickreel_push(out, &now) == 1);
  CHECK(tickreel_pump(out) == 1);
  CHECK(tickreel_close(out, NULL) == TICKREEL_OK);
  CHECK(tickreel_follow(in, &keep_line, &keep_line, lines, &growth) == TICKREEL_OK && growth == TICKREEL_GREW);
  CHECK(strcmp(lines, "{\"tick\":0,\"time_ms\":0,\"player\":1,\"speed\":2}\n") == 0);
  CHECK(tickreel_follow(in, &keep_line, NULL, lines, &growth) == TICKREEL_OK && growth == TICKREEL_UNCHANGED);
  CHECK(tickreel_save_last(out, 1000, part, &saved) == TICKREEL_OK && saved.ticks == 1 && saved.bytes != 0);
  CHECK(tickreel_save_last(out, 1000, part, &saved) == TICKREEL_ALREADY_EXISTS);
  tickreel_recording_free(in);
  tickreel_recorder_free(out);
  tickreel_struct_free(goal_type);
}

static void make_mistakes(const char* path) {
  tickreel_field one = field("x", TICKREEL_FLOAT32, 0);
  tickreel_struct* type = NULL;
  tickreel_recording* in = NULL;
  tickreel_recorder* out = NULL;
  tickreel_record_options options;
  memset(&options, 0, sizeof options);
  CHECK(tickreel_describe(NULL, 4, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_describe("s", 3, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT && type == NULL);
  CHECK(strstr(tickreel_error(), "outside of the struct") != NULL);
  CHECK(tickreel_describe("s", 4, &one, 0, &type) == TICKREEL_INVALID_ARGUMENT);
  one.name = "x.y";
  CHECK(tickreel_describe("s", 4, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT);
  CHECK(strstr(tickreel_error(), "the name of member 0") != NULL);
  one.name = NULL;
  CHECK(tickreel_describe("s", 4, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT);
  CHECK(strstr(tickreel_error(), "member 0 has no name") != NULL);
  one.name = "x";
  one.type = 99;
  CHECK(tickreel_describe("s", 4, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT);
  one.type = TICKREEL_INT32;
  one.precision = TICKREEL_DECIMALS;
  CHECK(tickreel_describe("s", 4, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT);
  one.precision = 0;
  one.count = 0x40000000u;
  one.stride = 4;
  CHECK(tickreel_describe("s", 4, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT);
  one.count = 0;
  one.struct_bytes = 0;
  CHECK(tickreel_describe("s", 4, &one, 1, &type) == TICKREEL_INVALID_ARGUMENT);
  /* The struct of an older version ends before `unit`. */
  one.struct_bytes = (uint32_t)offsetof(tickreel_field, unit);
  one.unit = (const char*)1;
  CHECK(tickreel_describe("s", 4, &one, 1, &type) == TICKREEL_OK);
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_INVALID_ARGUMENT); /* no struct_bytes */
  CHECK(tickreel_record("/nowhere/at/all.reel", type, NULL, &out) == TICKREEL_NOT_FOUND && out == NULL);
  CHECK(strcmp(tickreel_code_name(TICKREEL_NOT_FOUND), "not_found") == 0);
  options.struct_bytes = sizeof options;
  options.loss_policy = 9;
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_INVALID_ARGUMENT);
  tickreel_struct_free(type);
  CHECK(tickreel_open("/nowhere/at/all.reel", NULL, &in) == TICKREEL_NOT_FOUND && in == NULL);
  CHECK(tickreel_open_memory("neither", 7, NULL, &in) == TICKREEL_NOT_RECOGNISED);
  CHECK(tickreel_next(NULL, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_push(NULL, &one) == 0 && tickreel_event(NULL, NULL, NULL) == 0);
  CHECK(strcmp(tickreel_code_name(-7), "unknown") == 0 && strcmp(tickreel_code_name(999), "unknown") == 0);
  tickreel_recording_free(NULL);
  tickreel_recorder_free(NULL);
  tickreel_struct_free(NULL);
  tickreel_columns_free(NULL);
}

static void use_files(const char* reel, const char* folder) {
  char csv[512], clip[512];
  tickreel_file_options options;
  tickreel_text json = {NULL, 0};
  tickreel_recording* in = NULL;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  sprintf(csv, "%s/world.csv", folder);
  sprintf(clip, "%s/clip.reel", folder);
  CHECK(tickreel_convert(reel, csv, NULL, &json) == TICKREEL_OK && has(json, "\"ticks\":11") && has(json, "\"lost\":[]"));
  CHECK(tickreel_convert(reel, csv, NULL, &json) == TICKREEL_ALREADY_EXISTS);
  options.from = "2";
  options.to = "4";
  CHECK(tickreel_convert(reel, clip, &options, NULL) == TICKREEL_OK);
  CHECK(tickreel_open(clip, NULL, &in) == TICKREEL_OK && tickreel_info(in, &json) == TICKREEL_OK);
  CHECK(has(json, "cut_from"));
  tickreel_recording_free(in);
  CHECK(tickreel_recover(reel, NULL, &options, NULL) == TICKREEL_INVALID_ARGUMENT);
  options.from = options.to = NULL;
  options.overwrites = 1;
  CHECK(tickreel_recover(reel, clip, &options, &json) == TICKREEL_OK && has(json, "\"ticks\":11"));
}

static void read_from_memory(const char* path) {
  FILE* const from = fopen(path, "rb");
  static char bytes[65536];
  tickreel_open_options options;
  tickreel_recording* in = NULL;
  size_t size;
  CHECK(from != NULL);
  size = fread(bytes, 1, sizeof bytes, from);
  fclose(from);
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  options.is_copied = 1;
  CHECK(tickreel_open_memory(bytes, size, &options, &in) == TICKREEL_OK);
  memset(bytes, 0, sizeof bytes);
  if (in != NULL) read_world(in);
  if (in != NULL) read_columns(in);
  tickreel_recording_free(in);
}

/* For the committed list: see check_abi. */
#define STRUCT(name) printf("size %s %u\n", #name, (unsigned)sizeof(name))
static void print_structs(void) {
  STRUCT(tickreel_text);
  STRUCT(tickreel_enumerator);
  STRUCT(tickreel_field);
  STRUCT(tickreel_entry);
  STRUCT(tickreel_record_options);
  STRUCT(tickreel_counters);
  STRUCT(tickreel_saved);
  STRUCT(tickreel_open_options);
  STRUCT(tickreel_tick);
  STRUCT(tickreel_event_query);
  STRUCT(tickreel_column);
  STRUCT(tickreel_file_options);
  STRUCT(struct ArrowSchema);
  STRUCT(struct ArrowArray);
  STRUCT(struct ArrowArrayStream);
}

int main(int count, char** arguments) {
  static const int32_t policies[] = {TICKREEL_DROP_NEWEST, TICKREEL_DROP_OLDEST, TICKREEL_BLOCK};
  char path[512], part[512];
  int i;
  if (count != 2) return 2;
  if (strcmp(arguments[1], "--structs") == 0) {
    print_structs();
    return 0;
  }
  for (i = 0; i < 3; ++i) {
    tickreel_recording* in = NULL;
    sprintf(path, "%.400s/world%d.reel", arguments[1], i);
    record_world(path, policies[i]);
    CHECK(tickreel_open(path, NULL, &in) == TICKREEL_OK);
    if (in != NULL) read_world(in);
    if (in != NULL) read_columns(in);
    tickreel_recording_free(in);
  }
  read_from_memory(path);
  use_files(path, arguments[1]);
  sprintf(path, "%.400s/live.reel", arguments[1]);
  sprintf(part, "%.400s/part.reel", arguments[1]);
  follow_live(path, part);
  sprintf(path, "%.400s/mistake.reel", arguments[1]);
  make_mistakes(path);
  sprintf(path, "%.400s/freed.reel", arguments[1]);
  free_without_closing(path);
  sprintf(path, "%.400s/received.reel", arguments[1]);
  receive_bytes(path);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

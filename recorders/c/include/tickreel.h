/* Records and reads games in C99, and by any language that calls C: libtickreel.so.0.
 *
 *   struct unit { float x, y; int32_t health; };
 *   const tickreel_field fields[] = {
 *     {.struct_bytes = sizeof(tickreel_field), .name = "x", .type = TICKREEL_FLOAT32, .offset = 0},
 *     ...
 *   };
 *   tickreel_struct* unit;
 *   tickreel_recorder* out;
 *   tickreel_describe("unit", sizeof(struct unit), fields, 3, &unit);
 *   tickreel_record("match.reel", unit, NULL, &out);
 *   tickreel_push(out, &now);                                   once per tick; never waits
 *   tickreel_close(out, NULL);
 *
 *   tickreel_recording* in;
 *   tickreel_open("match.butter", NULL, &in);                   any format
 *   while (tickreel_next(in, NULL) == TICKREEL_OK) tickreel_tick_json(in, &line);
 *
 * Results. A function returns TICKREEL_OK, TICKREEL_END, or a positive code; after a code tickreel_error() describes
 * the failure. Where it is stated, a function returns 1 or 0 instead. No function throws or ends the program.
 *
 * Structs. The first member of most structs that the caller fills or receives is `struct_bytes`: the caller sets it to the
 * sizeof() that it was compiled with, so that later versions can add members at the end. A NULL pointer to options
 * means the defaults, and so does each member that is 0.
 *
 * Texts are UTF-8 and end with a zero byte. A tickreel_text that a handle returns is valid until the next call with
 * that handle; one of a function without a handle until the next such call on the same thread.
 *
 * Threads. Calls with one handle must not overlap, except where it is stated. Different handles are independent.
 * A handle is NULL-safe only in the functions that free it.
 *
 * Hooks of an engine, all in tickreel_record_options: for threads is_pumped and tickreel_pump(), for the log `log`, for
 * memory `allocate` and `release`.
 */
#ifndef TICKREEL_H
#define TICKREEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(TICKREEL_BUILDS_LIBRARY)
#define TICKREEL_API __declspec(dllexport)
#elif defined(_WIN32)
#define TICKREEL_API __declspec(dllimport)
#elif defined(__GNUC__)
#define TICKREEL_API __attribute__((visibility("default")))
#else
#define TICKREEL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tickreel_struct tickreel_struct;
typedef struct tickreel_recorder tickreel_recorder;
typedef struct tickreel_recording tickreel_recording;
typedef struct tickreel_columns tickreel_columns;

typedef struct tickreel_text {
  const char* data;
  size_t bytes; /* without the zero byte */
} tickreel_text;

/* Codes, as tickreel_code_name() names them. Later versions may return others. */
enum {
  TICKREEL_OK = 0,
  TICKREEL_END = -1, /* no more ticks; not a failure */
  TICKREEL_TRUNCATED = 1,
  TICKREEL_MALFORMED = 5,
  TICKREEL_OVER_LIMIT = 6,
  TICKREEL_NOT_RECOGNISED = 11,
  TICKREEL_INVALID_ARGUMENT = 100,
  TICKREEL_WRONG_STATE = 102,
  TICKREEL_OUT_OF_RANGE = 103,
  TICKREEL_ALREADY_EXISTS = 104,
  TICKREEL_UNSUPPORTED_OPERATION = 105,
  TICKREEL_NOT_FOUND = 200,
  TICKREEL_NO_SPACE = 202,
  TICKREEL_IO_FAILED = 203,
  TICKREEL_OUT_OF_MEMORY = 205,
  TICKREEL_INTERRUPTED = 400
};

/* "0.3.0" */
TICKREEL_API const char* tickreel_version(void);
/* The last failure on this thread as a sentence: "the input ends early at offset 123: chunk 4 of 9". Valid until the
   next failure on this thread. */
TICKREEL_API const char* tickreel_error(void);
/* Its byte offset in the input; UINT64_MAX if there is none. */
TICKREEL_API uint64_t tickreel_error_offset(void);
/* "truncated"; "ok" and "end" for the two that are no failures. */
TICKREEL_API const char* tickreel_code_name(int32_t code);

/* ---- Record ---- */

enum {
  TICKREEL_FLOAT32 = 1,
  TICKREEL_FLOAT64 = 2,
  TICKREEL_INT8 = 3,
  TICKREEL_INT16 = 4,
  TICKREEL_INT32 = 5,
  TICKREEL_INT64 = 6,
  TICKREEL_UINT8 = 7,
  TICKREEL_UINT16 = 8,
  TICKREEL_UINT32 = 9,
  TICKREEL_UINT64 = 10,
  TICKREEL_BOOL = 11,  /* one byte */
  TICKREEL_TEXT = 12,  /* `text_bytes` characters in the struct, up to the first zero byte */
  TICKREEL_STRUCT = 13 /* `of` */
};

enum {
  TICKREEL_OPTIONAL = 1, /* the byte at flag_offset is 0 while the value is absent */
  TICKREEL_ENTITIES = 2  /* an array of structs, each with a uint32_t at flag_offset in the element: its generation,
                            odd while the place is in use; it rises by one with each change */
};

/* How members relate to others of the struct, which `first` and `second` name. Hints: they save bytes. */
enum {
  TICKREEL_SAME_AS = 1,     /* equal to first */
  TICKREEL_RELATIVE_TO = 2, /* near first */
  TICKREEL_UNIT_VECTOR = 3, /* three numbers */
  TICKREEL_CROSS = 4,       /* first x second */
  TICKREEL_ORTHOGONAL = 5,  /* a unit vector at right angles to first */
  TICKREEL_ROTATION = 6,    /* nine numbers, or a quaternion */
  TICKREEL_INTEGRAL_OF = 7  /* changes per tick by first / relation_rate */
};

/* How a float is stored. Otherwise bit for bit. */
enum {
  TICKREEL_DECIMALS = 1, /* exactly, and cheaper where it has at most `decimals` digits after the point */
  TICKREEL_TOLERANCE = 2 /* with an error of at most `tolerance` */
};

typedef struct tickreel_enumerator {
  const char* name;
  int64_t value;
} tickreel_enumerator;

typedef struct tickreel_field {
  uint32_t struct_bytes;
  int32_t type;
  const char* name; /* without any of .[]?# */
  uint32_t offset;  /* in the struct */
  uint32_t count;   /* 0: one value; otherwise an array */
  uint32_t stride;  /* between elements of the array; 0: without gaps */
  uint32_t text_bytes;
  const tickreel_struct* of;
  uint32_t flags;
  uint32_t flag_offset;
  uint32_t fraction_bits; /* of an integer that counts 1 / 2^fraction_bits; 0: an integer */
  uint32_t enumerator_count;
  const tickreel_enumerator* enumerators; /* of an integer with named values */
  int32_t precision;
  uint32_t decimals;
  double tolerance;
  int32_t relation;
  uint32_t relation_rate;
  const char* first;
  const char* second;
  const char* unit; /* for display: "m/s" */
} tickreel_field;

/* Describes a struct of `bytes` bytes. Everything is copied. Free it with tickreel_struct_free(), at any time:
   recorders keep what they need. Any thread may use it. */
TICKREEL_API int32_t tickreel_describe(const char* name, uint32_t bytes, const tickreel_field* fields,
                                       uint32_t field_count, tickreel_struct** out);
TICKREEL_API void tickreel_struct_free(tickreel_struct* of);

/* What happens to a tick if the ring is full. The file contains the count of lost ticks. */
enum {
  TICKREEL_DROP_NEWEST = 0,
  TICKREEL_DROP_OLDEST = 1,
  TICKREEL_BLOCK = 2 /* push waits; for tools, never for games */
};

typedef struct tickreel_entry {
  const char* key;
  const char* value;
} tickreel_entry;

/* Receives bytes; returns 0 to go on, anything else if it cannot take them. */
typedef int32_t (*tickreel_bytes_function)(void* user, const uint8_t* bytes, size_t size);
/* Called when writing to the file starts to fail, with a code and a sentence as of tickreel_error(), and with TICKREEL_OK
   when it works again. In between, each code of the system is reported once. While a disk is almost full, small records
   may still fit, so both can alternate, at most once per seal.
   On the writer thread, in tickreel_pump(), or in tickreel_close() and tickreel_recorder_free(), never in tickreel_push().
   No lock is held, and the writer waits. It must not throw, nor wait for the thread that closes. The sentence is valid until
   it returns. It may call tickreel_recorder_counters(), tickreel_recorder_failure() and tickreel_save_last() of its recorder.
   Refused are tickreel_close(), with TICKREEL_WRONG_STATE, and tickreel_pump(), with 0; tickreel_recorder_free() does
   nothing. */
typedef void (*tickreel_log_function)(void* user, int32_t code, const char* sentence);

/* Memory for the structs in the ring, to which tickreel_push() copies. Called once, in tickreel_record(), which fills it with
   zeros; NULL ends that with TICKREEL_OUT_OF_MEMORY and without a file. `alignment` is a power of two. */
typedef void* (*tickreel_allocate_function)(void* user, size_t bytes, size_t alignment);
/* Called once, in tickreel_recorder_free(), or in tickreel_record() if that fails. Neither function may throw. */
typedef void (*tickreel_release_function)(void* user, void* memory, size_t bytes);

typedef struct tickreel_record_options {
  uint32_t struct_bytes;
  int32_t loss_policy;
  double ticks_per_second;    /* 0: push takes the time of the clock */
  int64_t start_time_us;      /* since 1970 UTC; 0: now */
  uint32_t ring_ticks;        /* 0: 256, or as many more as fit into 8 MB */
  uint32_t seal_interval_ms;  /* a crash loses at most this; 0: 1000 */
  uint32_t is_pumped;         /* 1: no writer thread: the engine calls tickreel_pump() on a thread or in a job of its own */
  uint32_t leaves_sync;       /* 1: the operating system decides when data reaches the disk */
  const tickreel_entry* metadata;
  uint32_t metadata_count;
  uint32_t is_compact;        /* 1: tickreel_close() rewrites the reel for archives, which takes longer */
  /* NULL, or a receiver of the reel's bytes in their order, a record as soon as it is sealed. Called on the writer thread,
     by tickreel_pump() and tickreel_close(). If it fails it is not called again: `receiver_failed` is counted, and the file
     goes on. It must not call functions of this recorder. */
  tickreel_bytes_function receive;
  void* receive_user;
  tickreel_log_function log;  /* NULL: poll tickreel_recorder_failure() */
  void* log_user;
  /* Both or neither; NULL: operator new. They provide the copies of the struct in the ring: ring_ticks, rounded up to a
     power of two, and one more, each rounded up to an odd number of cache lines of 64 bytes. They do not provide the ring's
     numbers and times (80 bytes a tick), the 256 places for events (1 KiB each), and the memory of the writer: a chunk,
     compression, and the index, which grows. tickreel_push() and tickreel_event() never allocate. */
  tickreel_allocate_function allocate;
  tickreel_release_function release;
  void* memory_user;
  /* Limit of the memory that the recorder allocates, with the copies in the ring; 0: none. A smaller ring and smaller chunks
     meet it. TICKREEL_OVER_LIMIT if the struct needs more; tickreel_error() has the number. Events that wait and the index
     are not included. */
  uint64_t memory_bytes;
} tickreel_record_options;

typedef struct tickreel_counters {
  uint32_t struct_bytes;
  uint32_t is_whole; /* 1: nothing was dropped, lost or refused, and `receive` has everything */
  uint64_t pushed;   /* ticks accepted */
  uint64_t dropped;  /* ticks dropped because the ring was full */
  uint64_t refused;  /* calls with a tick that does not increase */
  uint64_t written;  /* ticks in the reel */
  uint64_t lost;     /* ticks accepted, but not written */
  uint64_t events; /* in the reel, with the descriptions of their structs */
  uint64_t events_lost;
  uint64_t raw_bytes;
  uint64_t stored_bytes; /* size of the reel */
  uint64_t receiver_failed; /* 1: `receive` does not have all of it */
} tickreel_counters;

/* Creates a reel, which must not exist. The recorder has one writer thread. With `receive`, `path` may be NULL: then
   there is no file. */
TICKREEL_API int32_t tickreel_record(const char* path, const tickreel_struct* of,
                                     const tickreel_record_options* options, tickreel_recorder** out);
/* Copies the struct at `state` into a ring: no allocation, lock or system call. 1; 0 if the tick was rejected, which
   is counted. One thread pushes. */
TICKREEL_API int32_t tickreel_push(tickreel_recorder* recorder, const void* state);
/* The same with the number of the tick, which rises, and its time since the start. Ticks of tickreel_push() after it
   are not before that time. */
TICKREEL_API int32_t tickreel_push_at(tickreel_recorder* recorder, uint64_t tick, int64_t time_us, const void* state);
/* Records an event at the tick that was pushed last: a described struct of at most 1024 bytes. 1; 0 if it was
   rejected, which is counted. On the thread that pushes. */
TICKREEL_API int32_t tickreel_event(tickreel_recorder* recorder, const tickreel_struct* of, const void* event);
/* The hook for the engine's own threads: with is_pumped the library starts none, and this writes what waits. Call it at
   least as often as ticks must reach the disk. One thread at a time, which need not be the pushing one. Returns the number
   of ticks. */
TICKREEL_API uint64_t tickreel_pump(tickreel_recorder* recorder);

typedef struct tickreel_saved {
  uint32_t struct_bytes;
  uint32_t reserved;
  uint64_t first_tick;
  uint64_t last_tick;
  uint64_t ticks;
  uint64_t lost_ticks;
  uint64_t bytes;
} tickreel_saved;

/* Writes the last `milliseconds` that are sealed into a new reel. Any thread, while another one pushes. */
TICKREEL_API int32_t tickreel_save_last(const tickreel_recorder* recorder, uint64_t milliseconds, const char* path,
                                        tickreel_saved* out);
/* Any thread, until tickreel_recorder_free(). */
TICKREEL_API int32_t tickreel_recorder_counters(const tickreel_recorder* recorder, tickreel_counters* out);
/* TICKREEL_OK, or the code of the last failure of the file; OK again as soon as writing works. Any thread. */
TICKREEL_API int32_t tickreel_recorder_failure(const tickreel_recorder* recorder);
/* Writes what waits and ends the reel. If that fails, the reel is as readable as after a crash. `out` may be NULL; it is
   filled after a failure, too. */
TICKREEL_API int32_t tickreel_close(tickreel_recorder* recorder, tickreel_counters* out);
/* Closes it if tickreel_close() was not called. */
TICKREEL_API void tickreel_recorder_free(tickreel_recorder* recorder);

/* ---- Read ---- */

typedef struct tickreel_open_options {
  uint32_t struct_bytes;
  uint32_t is_live;   /* 1: it is still being recorded: see tickreel_follow() */
  uint32_t is_repair; /* 1: reverses the defects of the known .butter writer */
  uint32_t is_copied; /* 1: tickreel_open_memory() copies the bytes */
} tickreel_open_options;

typedef struct tickreel_tick {
  uint32_t struct_bytes;
  uint32_t is_keyframe;
  uint64_t tick;
  int64_t time_ms; /* since the first tick */
  uint64_t offset; /* in the file */
} tickreel_tick;

/* The content decides the format. */
TICKREEL_API int32_t tickreel_open(const char* path, const tickreel_open_options* options, tickreel_recording** out);
/* Bytes that outlive the recording, unless is_copied. */
TICKREEL_API int32_t tickreel_open_memory(const void* bytes, size_t size, const tickreel_open_options* options,
                                          tickreel_recording** out);
TICKREEL_API void tickreel_recording_free(tickreel_recording* recording);

/* "butter", "echoreplay", "reel", "icrep", "rec", "sc2replay", "gamecache", "tape", "nevrcap", "mcap"; static storage. */
TICKREEL_API const char* tickreel_format(const tickreel_recording* recording);
/* The object of `tickreel info --json`. Reads every tick, and goes back to the first one. */
TICKREEL_API int32_t tickreel_info(tickreel_recording* recording, tickreel_text* json);

/* Goes to the next tick; TICKREEL_END after the last. `out` may be NULL. */
TICKREEL_API int32_t tickreel_next(tickreel_recording* recording, tickreel_tick* out);
/* The line that `tickreel cat` prints for that tick. */
TICKREEL_API int32_t tickreel_tick_json(tickreel_recording* recording, tickreel_text* json);
/* The lines, each with its newline, that `tickreel cat` prints before the first and after the last tick; empty if the
   ticks contain everything. tickreel_lines_after() goes to the end. */
TICKREEL_API int32_t tickreel_lines_before(tickreel_recording* recording, tickreel_text* lines);
TICKREEL_API int32_t tickreel_lines_after(tickreel_recording* recording, tickreel_text* lines);
TICKREEL_API int32_t tickreel_rewind(tickreel_recording* recording);
/* After it, tickreel_next() goes to the first tick that is not before that place: "120" (a tick), "90s", "1m30s", "08:30"
   (the game clock), "clock:08:30". TICKREEL_OUT_OF_RANGE if there is none. */
TICKREEL_API int32_t tickreel_seek(tickreel_recording* recording, const char* place);
/* A JSON array of sentences: what was lost up to the current tick. Empty if nothing is missing. */
TICKREEL_API int32_t tickreel_losses(tickreel_recording* recording, tickreel_text* json);

/* Called with one JSON object; returns 0 to go on, anything else to stop. */
typedef int32_t (*tickreel_json_function)(void* user, const char* json, size_t bytes);

typedef struct tickreel_event_query {
  uint32_t struct_bytes;
  uint32_t type_count;      /* 0: all */
  const char* const* types; /* in snake_case */
  const char* player;       /* a name or number; NULL: all */
  const char* from;         /* places, as `tickreel events` takes them; NULL: all */
  const char* to;
} tickreel_event_query;

/* What `tickreel events` prints, one call of `each` per event, in the order of the ticks. `query` may be NULL.
   Afterwards tickreel_losses() has what is missing; tickreel_rewind() goes back. */
TICKREEL_API int32_t tickreel_events(tickreel_recording* recording, const tickreel_event_query* query,
                                     tickreel_json_function each, void* user);
/* A JSON array of the types that this recording may have. */
TICKREEL_API int32_t tickreel_event_types(tickreel_recording* recording, tickreel_text* json);
/* A JSON array: the `matches` of `tickreel stats --json`, without "file". */
TICKREEL_API int32_t tickreel_statistics(tickreel_recording* recording, tickreel_text* json);
/* What `tickreel verify --json` prints. */
TICKREEL_API int32_t tickreel_verify(tickreel_recording* recording, tickreel_text* json);

enum { TICKREEL_UNCHANGED = 0, TICKREEL_GREW = 1, TICKREEL_REPLACED = 2 };

/* Of a recording that was opened with is_live: reads what was recorded since. Sets `growth`; after
   TICKREEL_REPLACED open it again. tickreel_next() continues after the current tick. TICKREEL_UNSUPPORTED_OPERATION for
   formats that are not written record by record. */
TICKREEL_API int32_t tickreel_extend(tickreel_recording* recording, int32_t* growth);
/* The same, and calls `tick` and `event` (each may be NULL) with the lines of what came since the last call; the first
   call begins at the first tick. */
TICKREEL_API int32_t tickreel_follow(tickreel_recording* recording, tickreel_json_function tick,
                                     tickreel_json_function event, void* user, int32_t* growth);

/* ---- Columns ---- */

enum {
  TICKREEL_COLUMN_EMPTY = 0, /* no tick has such a value */
  TICKREEL_COLUMN_BOOL = 1,  /* one byte per value, 0 or 1 */
  TICKREEL_COLUMN_INT64 = 2,
  TICKREEL_COLUMN_UINT64 = 3,
  TICKREEL_COLUMN_FLOAT64 = 4,
  TICKREEL_COLUMN_TEXT = 5 /* `offsets` into `values`, which is UTF-8 */
};

typedef struct tickreel_column {
  uint32_t struct_bytes;
  int32_t type;
  const char* name;
  uint64_t count;
  uint64_t null_count;
  const void* values;
  const uint8_t* validity; /* one bit per value, lowest first, 0: null; NULL if nothing is null */
  const int64_t* offsets;  /* count + 1 of them; TEXT alone */
} tickreel_column;

/* A JSON array of the numbers that ticks have: {"path":..,"unit":..,"meaning":..}. */
TICKREEL_API int32_t tickreel_fields(tickreel_recording* recording, tickreel_text* json);
/* Reads the values at `paths`, "teams[0].players[1].velocity[2]" as tickreel_fields() names them, from all ticks. The
   first two columns are `tick` and `time_ms`. Memory grows with the number of ticks. Values of an unreadable tick
   are repaired or null. Afterwards tickreel_losses() has what is missing, and counts such ticks. */
TICKREEL_API int32_t tickreel_read_columns(tickreel_recording* recording, const char* const* paths,
                                           uint32_t path_count, tickreel_columns** out);
TICKREEL_API uint32_t tickreel_column_count(const tickreel_columns* columns);
/* The pointers are valid until tickreel_columns_free(). */
TICKREEL_API int32_t tickreel_column_at(const tickreel_columns* columns, uint32_t number, tickreel_column* out);
TICKREEL_API void tickreel_columns_free(tickreel_columns* columns);

/* The Arrow C Data Interface and C Stream Interface, https://arrow.apache.org/docs/format/CDataInterface.html. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

/* A struct array with one child per column. Without a copy, but for the bits of BOOL columns. What is exported keeps
   the memory, also after tickreel_columns_free(). Either pointer may be NULL. */
TICKREEL_API int32_t tickreel_columns_to_arrow(const tickreel_columns* columns, struct ArrowSchema* schema,
                                               struct ArrowArray* array);
/* The same as a stream of batches of `batch_rows` ticks (0: 65536), which share the memory of the columns. */
TICKREEL_API int32_t tickreel_columns_to_stream(const tickreel_columns* columns, uint64_t batch_rows,
                                                struct ArrowArrayStream* stream);

/* ---- SQL ---- */

/* Runs one SELECT over recordings, or the name of a table for all of its columns, and calls `row` with the object that
   `tickreel query --json` prints for each row: docs/query.md. `inputs` are `count` files, not folders. Only reads; on
   threads of its own, too, but calls `row` on this one. There is no limit of time or memory: return 1 from `row` to stop.
   Sets `json` (which may be NULL), also if it fails, to {"rows":..,"files":[..],"notes":[..]} with an object for each file
   that lacks something: {"file":..,"error":..,"lost":[..]}. A file that cannot be read does not end the statement; its
   code is returned after the rows of the others. */
TICKREEL_API int32_t tickreel_query(const char* sql, const char* const* inputs, uint32_t count,
                                    tickreel_json_function row, void* user, tickreel_text* json);

/* ---- Files ---- */

typedef struct tickreel_file_options {
  uint32_t struct_bytes;
  uint32_t overwrites;           /* 1: the output may exist */
  const char* format;            /* NULL: the output's name decides */
  const char* from;              /* places, as `tickreel clip` takes them; NULL: all */
  const char* to;
  uint32_t keyframe_interval;    /* in ticks; 0: as the source has it */
  uint32_t reserved;
} tickreel_file_options;

/* Each sets `json` (which may be NULL) to a report: {"outputs":[..],"ticks":..,"bytes":..,"lost":[..],"left_out":[..]}.
   tickreel_convert() also writes ".parquet", which is not read. */
TICKREEL_API int32_t tickreel_convert(const char* input, const char* output, const tickreel_file_options* options,
                                      tickreel_text* json);
/* An empty or NULL `output`: a name beside the input. */
TICKREEL_API int32_t tickreel_recover(const char* input, const char* output, const tickreel_file_options* options,
                                      tickreel_text* json);

#ifdef __cplusplus
}
#endif

#endif

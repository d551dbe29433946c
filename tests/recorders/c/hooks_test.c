/* The hooks of tickreel_record_options from C99: the log while a disk is full and has space again, and the memory of the
   ring. A limit on the size of files, or a small tmpfs, is the disk. */
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

typedef struct noise {
  uint64_t words[64]; /* which no compression makes small */
} noise;

static noise random_noise(void) {
  static uint64_t state = 88172645463325252u;
  noise out;
  int i;
  for (i = 0; i < 64; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    out.words[i] = state;
  }
  return out;
}

static tickreel_struct* describe_noise(void) {
  tickreel_field words;
  tickreel_struct* out = NULL;
  memset(&words, 0, sizeof words);
  words.struct_bytes = sizeof words;
  words.name = "words";
  words.type = TICKREEL_UINT64;
  words.count = 64;
  CHECK(tickreel_describe("noise", sizeof(noise), &words, 1, &out) == TICKREEL_OK);
  return out;
}

static tickreel_record_options new_options(void) {
  tickreel_record_options options;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  options.ticks_per_second = 60;
  options.seal_interval_ms = 1;
  return options;
}

static int exists(const char* path) {
  struct stat about;
  return stat(path, &about) == 0;
}

static void limit_file_size(rlim_t bytes) {
  struct rlimit limit;
  CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* ---- Log ---- */

enum { MAX_LINES = 16 };
typedef struct engine_log {
  pthread_mutex_t lock;
  int lines;
  int32_t codes[MAX_LINES];
  char sentences[MAX_LINES][200];
  pthread_t thread;
  /* What the function tries with the recorder that calls it. */
  tickreel_recorder* recorder;
  char saved[512];
  int tries;
} engine_log;

static int lines_of(engine_log* log) {
  int lines;
  pthread_mutex_lock(&log->lock);
  lines = log->lines;
  pthread_mutex_unlock(&log->lock);
  return lines;
}

static void try_everything(engine_log* log, int32_t code) {
  tickreel_counters counters;
  memset(&counters, 0, sizeof counters);
  counters.struct_bytes = sizeof counters;
  CHECK(tickreel_recorder_counters(log->recorder, &counters) == TICKREEL_OK);
  CHECK(tickreel_recorder_failure(log->recorder) == code);
  CHECK(tickreel_pump(log->recorder) == 0);
  CHECK(tickreel_close(log->recorder, NULL) == TICKREEL_WRONG_STATE);
  tickreel_recorder_free(log->recorder);
  if (code == TICKREEL_OK) {
    /* The first write that works may be the record of the lost ticks alone. */
    const int32_t saved = tickreel_save_last(log->recorder, 1000, log->saved, NULL);
    CHECK(saved == TICKREEL_OK || saved == TICKREEL_OUT_OF_RANGE);
    CHECK(exists(log->saved) == (saved == TICKREEL_OK));
  }
  ++log->tries;
}

static void keep_line(void* user, int32_t code, const char* sentence) {
  engine_log* const log = (engine_log*)user;
  if (log->recorder != NULL) try_everything(log, code);
  pthread_mutex_lock(&log->lock);
  if (log->lines < MAX_LINES) {
    log->codes[log->lines] = code;
    sprintf(log->sentences[log->lines], "%.199s", sentence);
  }
  ++log->lines;
  log->thread = pthread_self();
  pthread_mutex_unlock(&log->lock);
}

/* Pushes, and pumps a pumped recorder, until the log has so many lines. The limit only ends a test that fails. */
static void push_until(tickreel_recorder* out, engine_log* log, int lines) {
  const time_t end = time(NULL) + 120;
  const struct timespec pause = {0, 1000000};
  while (lines_of(log) < lines && time(NULL) < end) {
    const noise now = random_noise();
    tickreel_push(out, &now);
    tickreel_pump(out);
    nanosleep(&pause, NULL);
  }
  CHECK(lines_of(log) == lines);
}

static void log_a_full_disk(const char* folder, int is_pumped) {
  tickreel_struct* const type = describe_noise();
  tickreel_record_options options = new_options();
  tickreel_recorder* out = NULL;
  tickreel_counters counters;
  engine_log log;
  char path[512];
  memset(&log, 0, sizeof log);
  pthread_mutex_init(&log.lock, NULL);
  sprintf(path, "%.400s/full%d.reel", folder, is_pumped);
  sprintf(log.saved, "%.400s/saved%d.reel", folder, is_pumped);
  options.is_pumped = (uint32_t)is_pumped;
  options.log = &keep_line;
  options.log_user = &log;
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OK);
  log.recorder = out;
  limit_file_size(100); /* which the header has already */
  push_until(out, &log, 1);
  CHECK(log.codes[0] == TICKREEL_IO_FAILED && strlen(log.sentences[0]) > 10);
  CHECK((pthread_equal(log.thread, pthread_self()) != 0) == is_pumped);
  /* Later seals fail as well, and say nothing. */
  memset(&counters, 0, sizeof counters);
  counters.struct_bytes = sizeof counters;
  {
    uint64_t lost = 0;
    const time_t end = time(NULL) + 120;
    CHECK(tickreel_recorder_counters(out, &counters) == TICKREEL_OK);
    lost = counters.lost;
    while (counters.lost < lost + 20 && time(NULL) < end) {
      const noise now = random_noise();
      tickreel_push(out, &now);
      tickreel_pump(out);
      CHECK(tickreel_recorder_counters(out, &counters) == TICKREEL_OK);
    }
  }
  CHECK(lines_of(&log) == 1);
  limit_file_size(0);
  push_until(out, &log, 2);
  CHECK(log.codes[1] == TICKREEL_OK && strcmp(log.sentences[1], "writing works again") == 0);
  CHECK(log.tries == 2);
  {
    const time_t end = time(NULL) + 120;
    while (!exists(log.saved) && time(NULL) < end) {
      const noise now = random_noise();
      tickreel_push(out, &now);
      tickreel_pump(out);
      (void)tickreel_save_last(out, 1000, log.saved, NULL);
    }
    CHECK(exists(log.saved));
  }
  CHECK(tickreel_close(out, &counters) == TICKREEL_OK && counters.lost != 0);
  CHECK(counters.written + counters.lost == counters.pushed);
  tickreel_recorder_free(out);
  tickreel_struct_free(type);
  CHECK(log.lines == 2);
  pthread_mutex_destroy(&log.lock);
}

/* The end fails: the log has it before tickreel_recorder_free() returns, which has no other way to report it. */
static void log_a_failing_end(const char* folder) {
  tickreel_struct* const type = describe_noise();
  tickreel_record_options options = new_options();
  tickreel_recorder* out = NULL;
  engine_log log;
  char path[512];
  const noise now = random_noise();
  memset(&log, 0, sizeof log);
  pthread_mutex_init(&log.lock, NULL);
  sprintf(path, "%.400s/end.reel", folder);
  options.is_pumped = 1;
  options.log = &keep_line;
  options.log_user = &log;
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OK);
  CHECK(tickreel_push(out, &now) == 1);
  limit_file_size(200);
  tickreel_recorder_free(out);
  limit_file_size(0);
  CHECK(log.lines == 1 && log.codes[0] == TICKREEL_IO_FAILED);
  tickreel_struct_free(type);
  pthread_mutex_destroy(&log.lock);
}

/* A caller that was compiled with the options of 0.2, and whatever follows them in its memory. */
static void record_with_old_options(const char* folder) {
  tickreel_struct* const type = describe_noise();
  tickreel_record_options options = new_options();
  tickreel_recorder* out = NULL;
  char path[512];
  const noise now = random_noise();
  sprintf(path, "%.400s/old.reel", folder);
  memset(&options, 0xAB, sizeof options);
  memset(&options, 0, offsetof(tickreel_record_options, log));
  options.struct_bytes = (uint32_t)offsetof(tickreel_record_options, log);
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OK);
  CHECK(tickreel_push(out, &now) == 1);
  CHECK(tickreel_close(out, NULL) == TICKREEL_OK);
  tickreel_recorder_free(out);
  tickreel_struct_free(type);
}

/* ---- Memory ---- */

typedef struct engine_heap {
  int allocations, releases;
  size_t bytes;
  char* block;
  char* memory;
  int is_empty, is_unaligned;
} engine_heap;

static void* take(void* user, size_t bytes, size_t alignment) {
  engine_heap* const heap = (engine_heap*)user;
  ++heap->allocations;
  heap->bytes = bytes;
  if (heap->is_empty) return NULL;
  heap->block = malloc(bytes + alignment + 1);
  CHECK(heap->block != NULL && alignment != 0 && (alignment & (alignment - 1)) == 0);
  heap->memory = heap->block + (alignment - (uintptr_t)heap->block % alignment) + (heap->is_unaligned ? 1 : 0);
  memset(heap->memory, 0x5A, bytes);
  return heap->memory;
}

static void give_back(void* user, void* memory, size_t bytes) {
  engine_heap* const heap = (engine_heap*)user;
  ++heap->releases;
  CHECK(memory == heap->memory && bytes == heap->bytes);
  free(heap->block);
}

static void use_own_memory(const char* folder) {
  static const int32_t policies[] = {TICKREEL_DROP_NEWEST, TICKREEL_DROP_OLDEST, TICKREEL_BLOCK};
  tickreel_struct* const type = describe_noise();
  char path[512];
  int i;
  for (i = 0; i < 3; ++i) {
    engine_heap heap;
    tickreel_record_options options = new_options();
    tickreel_recorder* out = NULL;
    const noise now = random_noise();
    memset(&heap, 0, sizeof heap);
    sprintf(path, "%.400s/memory%d.reel", folder, i);
    options.loss_policy = policies[i];
    options.ring_ticks = 100; /* becomes 128 */
    options.allocate = &take;
    options.release = &give_back;
    options.memory_user = &heap;
    CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OK);
    CHECK(heap.allocations == 1 && heap.releases == 0);
    CHECK(heap.bytes == 129 * 9 * 64); /* 512 bytes become 9 lines, an odd number */
    CHECK(tickreel_push(out, &now) == 1);
    CHECK(memcmp(heap.memory, &now, sizeof now) == 0);
    CHECK(tickreel_close(out, NULL) == TICKREEL_OK && heap.releases == 0);
    tickreel_recorder_free(out);
    CHECK(heap.allocations == 1 && heap.releases == 1);

    /* The file exists: nothing is kept. */
    CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_ALREADY_EXISTS && out == NULL);
    CHECK(heap.allocations == heap.releases);

    sprintf(path, "%.400s/none%d.reel", folder, i);
    heap.is_empty = 1;
    CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OUT_OF_MEMORY && out == NULL && !exists(path));
    heap.is_empty = 0;
    heap.is_unaligned = 1;
    heap.releases = heap.allocations = 0;
    CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_INVALID_ARGUMENT && !exists(path));
    CHECK(heap.allocations == 1 && heap.releases == 1);
    options.release = NULL;
    CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_INVALID_ARGUMENT && !exists(path));
    options.release = &give_back;
    options.allocate = NULL;
    CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_INVALID_ARGUMENT && !exists(path));
    CHECK(heap.allocations == 1 && heap.releases == 1);
  }
  tickreel_struct_free(type);
}

static void limit_memory(const char* folder) {
  tickreel_struct* const type = describe_noise();
  engine_heap heap;
  tickreel_record_options options = new_options();
  tickreel_recorder* out = NULL;
  const noise now = random_noise();
  char path[512];
  memset(&heap, 0, sizeof heap);
  sprintf(path, "%.400s/limited.reel", folder);
  options.ring_ticks = 4096;
  options.allocate = &take;
  options.release = &give_back;
  options.memory_user = &heap;
  options.memory_bytes = 1000;
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OVER_LIMIT && out == NULL && !exists(path));
  CHECK(strstr(tickreel_error(), "memory_bytes") != NULL && heap.allocations == heap.releases);
  options.memory_bytes = 1500000;
  memset(&heap, 0, sizeof heap);
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OK);
  CHECK(heap.bytes < 1500000); /* without the limit, 4097 * 9 * 64 */
  CHECK(tickreel_push(out, &now) == 1);
  CHECK(tickreel_close(out, NULL) == TICKREEL_OK);
  tickreel_recorder_free(out);
  tickreel_struct_free(type);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  signal(SIGXFSZ, SIG_IGN);
  log_a_full_disk(arguments[1], 0);
  log_a_full_disk(arguments[1], 1);
  log_a_failing_end(arguments[1]);
  record_with_old_options(arguments[1]);
  use_own_memory(arguments[1]);
  limit_memory(arguments[1]);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

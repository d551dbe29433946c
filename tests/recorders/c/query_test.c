/* SQL and Parquet from C99. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct lines {
  char text[8192];
  int count, stop_after;
} lines;

static int32_t keep(void* user, const char* json, size_t bytes) {
  lines* const to = (lines*)user;
  CHECK(strlen(json) == bytes);
  if (strlen(to->text) + bytes + 2 < sizeof to->text) {
    strcat(to->text, json);
    strcat(to->text, "\n");
  }
  return ++to->count == to->stop_after;
}

static void record_scores(const char* path) {
  tickreel_field score;
  tickreel_struct* type = NULL;
  tickreel_record_options options;
  tickreel_recorder* out = NULL;
  int32_t now;
  memset(&score, 0, sizeof score);
  score.struct_bytes = sizeof score;
  score.name = "score";
  score.type = TICKREEL_INT32;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  options.ticks_per_second = 10;
  CHECK(tickreel_describe("match", 4, &score, 1, &type) == TICKREEL_OK);
  CHECK(tickreel_record(path, type, &options, &out) == TICKREEL_OK);
  for (now = 0; now < 5; ++now) CHECK(tickreel_push(out, &now) == 1);
  CHECK(tickreel_close(out, NULL) == TICKREEL_OK);
  tickreel_recorder_free(out);
  tickreel_struct_free(type);
}

static void ask(const char* path, const char* folder) {
  const char* inputs[2];
  lines got;
  tickreel_text report;
  char other[512];
  inputs[0] = path;
  memset(&got, 0, sizeof got);
  CHECK(tickreel_query("SELECT tick, score, score * 0.5 AS half, NULL AS gone, 'a\"b' AS word FROM ticks WHERE tick > 2",
                       inputs, 1, &keep, &got, &report) == TICKREEL_OK);
  CHECK(strcmp(got.text, "{\"tick\":3,\"score\":3,\"half\":1.5,\"gone\":null,\"word\":\"a\\\"b\"}\n"
                         "{\"tick\":4,\"score\":4,\"half\":2,\"gone\":null,\"word\":\"a\\\"b\"}\n") == 0);
  CHECK(strcmp(report.data, "{\"rows\":2,\"files\":[],\"notes\":[]}") == 0 && strlen(report.data) == report.bytes);

  memset(&got, 0, sizeof got);
  got.stop_after = 2;
  CHECK(tickreel_query("ticks", inputs, 1, &keep, &got, NULL) == TICKREEL_OK && got.count == 2);
  CHECK(strstr(got.text, "\"score\":1") != NULL);

  /* The rows of the others, then the code of the file that cannot be read. */
  sprintf(other, "%.400s/none.reel", folder);
  inputs[1] = other;
  memset(&got, 0, sizeof got);
  CHECK(tickreel_query("SELECT count(*) AS n FROM ticks", inputs, 2, &keep, &got, &report) == TICKREEL_NOT_FOUND);
  CHECK(strcmp(got.text, "{\"n\":5}\n") == 0 && strstr(tickreel_error(), "none.reel: ") != NULL);
  CHECK(strstr(report.data, "none.reel\",\"error\":\"") != NULL && strstr(report.data, "\"lost\":[]") != NULL);
  /* Also of a statement that reads none. */
  CHECK(tickreel_query("SELECT 1 AS n", inputs, 2, &keep, &got, &report) == TICKREEL_NOT_FOUND);
}

static void make_mistakes(const char* path) {
  const char* inputs[2];
  lines got;
  tickreel_text report;
  inputs[0] = path;
  inputs[1] = NULL;
  memset(&got, 0, sizeof got);
  CHECK(tickreel_query("SELEC 1", inputs, 1, &keep, &got, &report) == TICKREEL_INVALID_ARGUMENT);
  CHECK(strstr(tickreel_error(), "syntax error") != NULL && report.data != NULL);
  CHECK(tickreel_query("DELETE FROM ticks", inputs, 1, &keep, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_query("ATTACH 'x' AS y", inputs, 1, &keep, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(strstr(tickreel_error(), "only SELECT") != NULL);
  CHECK(tickreel_query("SELECT 1 AS a, 2 AS a", inputs, 1, &keep, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(strstr(tickreel_error(), "\"a\"") != NULL && got.count == 0);
  CHECK(tickreel_query(NULL, inputs, 1, &keep, &got, &report) == TICKREEL_INVALID_ARGUMENT && report.bytes == 0);
  CHECK(tickreel_query("ticks", NULL, 1, &keep, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_query("ticks", inputs, 1, NULL, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_query("ticks", inputs, 0, &keep, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_query("ticks", inputs, 2, &keep, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
  CHECK(tickreel_query("ticks", inputs, UINT32_MAX, &keep, &got, NULL) == TICKREEL_INVALID_ARGUMENT);
}

static void write_a_table(const char* path, const char* folder) {
  char table[512], head[4] = "";
  tickreel_text report = {NULL, 0};
  tickreel_recording* in = NULL;
  tickreel_file_options options;
  FILE* file;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  sprintf(table, "%.400s/ticks.parquet", folder);
  CHECK(tickreel_convert(path, table, NULL, &report) == TICKREEL_OK);
  CHECK(report.data != NULL && strstr(report.data, "\"ticks\":5") != NULL);
  file = fopen(table, "rb");
  CHECK(file != NULL && fread(head, 1, 4, file) == 4 && memcmp(head, "PAR1", 4) == 0);
  if (file != NULL) fclose(file);
  CHECK(tickreel_convert(path, table, NULL, NULL) == TICKREEL_ALREADY_EXISTS);
  options.from = "1";
  options.overwrites = 1;
  CHECK(tickreel_convert(path, table, &options, NULL) == TICKREEL_UNSUPPORTED_OPERATION);
  CHECK(tickreel_open(table, NULL, &in) == TICKREEL_UNSUPPORTED_OPERATION && in == NULL);
}

int main(int count, char** arguments) {
  char path[512];
  if (count != 2) return 2;
  sprintf(path, "%.400s/scores.reel", arguments[1]);
  record_scores(path);
  ask(path, arguments[1]);
  make_mistakes(path);
  write_a_table(path, arguments[1]);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

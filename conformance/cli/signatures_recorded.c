// SPDX-License-Identifier: Apache-2.0
#include "cli/signatures_recorded.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/handed_in.h"
#include "judge/verdict.h"
#include "record/record.h"
#include "signature/signature_words.h"

enum { CALLS_MAX = 64, PARAMETERS_MAX = 24, RANK_MAX = 8, SIZES_MAX = 16, TYPES_MAX = 8 };

// A call of the function that succeeded.
typedef struct Called {
  const RecordEvent *event;
  RecordItem args[PARAMETERS_MAX];
  uint32_t count;
} Called;

typedef struct Function {
  const Recording *recording;
  Called calls[CALLS_MAX];  // the first ones with as many arguments as the first
  size_t call_count;
  int64_t extents[SIZES_MAX][CALLS_MAX];  // of a size, in each call
  size_t size_count;
} Function;

// --- Reading -------------------------------------------------------------------------------------

static bool is_text(const RecordItem *item, const char *text)
{
  return item->tag == RECORD_TEXT && item->text.size == strlen(text) &&
         memcmp(item->text.data, text, item->text.size) == 0;
}

static bool read_call(const RecordEvent *event, const char *name, Called *called)
{
  RecordItem item;
  uint32_t at = 0;
  *called = (Called){.event = event};
  if (!record_next(event, &at, &item) || !is_text(&item, name)) return false;
  if (!record_next(event, &at, &item) || item.tag != RECORD_INT || item.integer != 0) return false;
  while (record_next(event, &at, &item)) {
    if (called->count == PARAMETERS_MAX) return false;
    called->args[called->count++] = item;
  }
  return true;
}

static void read_calls(const Recording *recording, const char *name, Function *function)
{
  memset(function, 0, sizeof *function);
  function->recording = recording;
  for (size_t i = 0; i < recording->count && function->call_count < CALLS_MAX; ++i) {
    const RecordEvent *event = &recording->events[i];
    Called *called = &function->calls[function->call_count];
    if (event->kind != RECORD_MODULE || !read_call(event, name, called)) continue;
    if (called->count == function->calls[0].count) ++function->call_count;
  }
}

// Whether the call wrote to the tensor: its bytes are there, since they are not those that the call
// around it began with.
static bool is_written(const Function *function, const Called *called, const RecordItem *tensor)
{
  const Recording *recording = function->recording;
  size_t index = (size_t)(called->event - recording->events);
  if (!tensor->number || !tensor->tensor.data) return false;
  for (size_t i = index; i-- > 0 && recording->events[i].thread == called->event->thread;) {
    const RecordEvent *outer = &recording->events[i];
    if (outer->kind != RECORD_CALL || outer->end < index) continue;
    RecordItem item;
    for (uint32_t at = 0; record_next(outer, &at, &item);)
      if (item.tag == RECORD_TENSOR && item.number == tensor->number) return true;
    return false;
  }
  return false;
}

// --- Types ---------------------------------------------------------------------------------------

static const char *kind_of(const RecordItem *item)
{
  static const char *const kinds[RECORD_TAGS] = {
      [RECORD_INT] = "int",     [RECORD_BOOL] = "bool",     [RECORD_FLOAT] = "float",
      [RECORD_DTYPE] = "dtype", [RECORD_DEVICE] = "device", [RECORD_POINTER] = "pointer",
      [RECORD_TEXT] = "string", [RECORD_BYTES] = "bytes",   [RECORD_TENSOR] = "tensor",
      [RECORD_SHAPE] = "shape"};
  if (item->tag == RECORD_OBJECT && item->type_index == kTVMFFIFunction) return "function";
  return kinds[item->tag] ? kinds[item->tag] : "any";
}

// The kind of all calls that give a value; "any" if they differ, "none" if none gives one.
static const char *kind_of_all(const Function *function, uint32_t parameter, bool *optional)
{
  const char *kind = NULL;
  *optional = false;
  for (size_t i = 0; i < function->call_count; ++i) {
    const RecordItem *item = &function->calls[i].args[parameter];
    if (item->tag == RECORD_NONE) {
      *optional = true;
      continue;
    }
    if (kind && strcmp(kind, kind_of(item)) != 0) return "any";
    kind = kind_of(item);
  }
  return kind ? kind : "none";
}

static const RecordItem *first_of(const Function *function, uint32_t parameter)
{
  for (size_t i = 0; i < function->call_count; ++i)
    if (function->calls[i].args[parameter].tag != RECORD_NONE)
      return &function->calls[i].args[parameter];
  return &function->calls[0].args[parameter];
}

static json_t *dtypes_of(const Function *function, uint32_t parameter)
{
  json_t *types = json_array();
  for (size_t i = 0; i < function->call_count; ++i) {
    const RecordItem *item = &function->calls[i].args[parameter];
    const RecordTensor *tensor = &item->tensor;
    char text[32];
    bool there = false;
    if (item->tag != RECORD_TENSOR) continue;
    signature_dtype_text((DLDataType){tensor->code, tensor->bits, tensor->lanes}, text);
    for (size_t k = 0; k < json_array_size(types); ++k)
      there = there || strcmp(json_string_value(json_array_get(types, k)), text) == 0;
    if (!there && json_array_size(types) < TYPES_MAX)
      json_array_append_new(types, json_string(text));
  }
  if (json_array_size(types) != 1) return types;
  json_t *only = json_incref(json_array_get(types, 0));
  json_decref(types);
  return only;
}

// Extents that are equal in every call are one size. SIZES_MAX: it has no name.
static size_t size_of(Function *function, uint32_t parameter, int32_t axis)
{
  int64_t extents[CALLS_MAX] = {0};
  for (size_t i = 0; i < function->call_count; ++i) {
    const RecordItem *item = &function->calls[i].args[parameter];
    extents[i] = item->tag == RECORD_TENSOR ? item->tensor.shape[axis] : -1;
  }
  for (size_t size = 0; size < function->size_count; ++size)
    if (memcmp(function->extents[size], extents, sizeof extents) == 0) return size;
  if (function->size_count == SIZES_MAX) return SIZES_MAX;
  memcpy(function->extents[function->size_count], extents, sizeof extents);
  return function->size_count++;
}

static bool is_of_one_rank(const Function *function, uint32_t parameter, int32_t rank)
{
  for (size_t i = 0; i < function->call_count; ++i) {
    const RecordItem *item = &function->calls[i].args[parameter];
    if (item->tag == RECORD_TENSOR && item->tensor.ndim != rank) return false;
  }
  return true;
}

static void put_tensor(json_t *type, Function *function, uint32_t parameter)
{
  char shape[256] = "", name[16];
  int32_t rank = first_of(function, parameter)->tensor.ndim;
  json_object_set_new(type, "dtype", dtypes_of(function, parameter));
  bool same = rank <= RANK_MAX && is_of_one_rank(function, parameter, rank);
  for (int32_t axis = 0; same && axis < rank; ++axis) {
    size_t size = size_of(function, parameter, axis), used = strlen(shape);
    if (size == SIZES_MAX)
      snprintf(name, sizeof name, "_");
    else
      snprintf(name, sizeof name, "s%zu", size);
    snprintf(shape + used, sizeof shape - used, "%s%s", used ? ", " : "", name);
  }
  json_object_set_new(type, "shape", json_string(same ? shape : "..."));
  bool written = true;
  for (size_t i = 0; i < function->call_count; ++i)
    written =
        written && is_written(function, &function->calls[i], &function->calls[i].args[parameter]);
  if (written) json_object_set_new(type, "role", json_string("out"));
}

static void put_value(json_t *type, const RecordItem *item)
{
  double number;
  json_t *value = NULL;
  memcpy(&number, &item->bits, sizeof number);
  if (item->tag == RECORD_INT) value = json_integer(item->integer);
  if (item->tag == RECORD_BOOL) value = json_boolean(item->integer);
  if (item->tag == RECORD_FLOAT) value = json_real(number);  // NULL where it is not finite
  if (item->tag == RECORD_TEXT && item->text.size < 96)
    value = json_stringn(item->text.data, item->text.size);
  if (value) json_object_set_new(type, "value", value);
}

static json_t *parameter_of(Function *function, uint32_t parameter)
{
  char name[32];
  bool optional;
  const char *kind = kind_of_all(function, parameter, &optional);
  json_t *type = json_object();
  snprintf(name, sizeof name, "p%" PRIu32, parameter);
  json_object_set_new(type, "name", json_string(name));
  json_object_set_new(type, "kind", json_string(kind));
  if (optional && strcmp(kind, "none") != 0) json_object_set_new(type, "optional", json_true());
  if (strcmp(kind, "tensor") == 0)
    put_tensor(type, function, parameter);
  else if (strcmp(kind, "any") != 0)
    put_value(type, first_of(function, parameter));
  return type;
}

static json_t *sizes_of(const Function *function)
{
  json_t *sizes = json_object();
  for (size_t size = 0; size < function->size_count; ++size) {
    char name[32];
    json_t *values = json_array();
    for (size_t i = 0; i < function->call_count; ++i) {
      bool there = function->extents[size][i] < 0;
      for (size_t k = 0; k < i; ++k)
        there = there || function->extents[size][k] == function->extents[size][i];
      if (!there && json_array_size(values) < TYPES_MAX)
        json_array_append_new(values, json_integer(function->extents[size][i]));
    }
    snprintf(name, sizeof name, "s%zu", size);
    json_object_set_new(sizes, name, values);
  }
  return sizes;
}

// A guess: what was called is no promise.
static json_t *function_of(Function *function)
{
  json_t *whole = json_object(), *parameters = json_array();
  char text[96];
  snprintf(text, sizeof text, "as %zu recorded call%s had it", function->call_count,
           function->call_count == 1 ? "" : "s");
  for (uint32_t i = 0; i < function->calls[0].count; ++i)
    json_array_append_new(parameters, parameter_of(function, i));
  json_object_set_new(whole, "text", json_string(text));
  json_object_set_new(whole, "tentative", json_true());
  json_object_set_new(whole, "parameters", parameters);
  json_t *sizes = sizes_of(function);
  if (json_object_size(sizes))
    json_object_set_new(whole, "sizes", sizes);
  else
    json_decref(sizes);
  return whole;
}

// --- The file ------------------------------------------------------------------------------------

typedef struct Task {
  const char *path;
  const InspectReport *module;
} Task;

static json_t *functions_of(const Recording *recording, const InspectReport *module)
{
  static Function function;
  json_t *functions = json_object();
  for (unsigned i = 0; i < module->module_functions; ++i) {
    const char *name = module->functions[i].name;
    read_calls(recording, name, &function);
    if (function.call_count) json_object_set_new(functions, name, function_of(&function));
  }
  return functions;
}

// The file; nothing where there is nothing to say.
static void put_file(void *context, FILE *out)
{
  static char error[512];
  const Task *task = context;
  Recording *recording = record_load(task->path, error, sizeof error);
  handed_in_put_outcome(out, recording != NULL, error);
  if (!recording) return;
  json_t *root = json_object();
  json_object_set_new(root, "functions", functions_of(recording, task->module));
  if (json_object_size(json_object_get(root, "functions"))) {
    json_dumpf(root, out, JSON_INDENT(2));
    fputc('\n', out);
  }
  json_decref(root);
  record_free(recording);
}

int signatures_recorded(const char *path, const InspectReport *module, SandboxMode mode)
{
  char error[1024];
  Task task = {path, module};
  SandboxPolicy paths = {.paths = NULL};
  ReaderAnswer answer;
  ReaderRest rest;
  policy_add_path(&paths, path, SANDBOX_READ);
  bool read =
      handed_in_ask(path, mode, &paths, put_file, &task, &answer, &rest, error, sizeof error);
  policy_free(&paths);
  if (!read) {
    complain("%s", error);
    return EXIT_USAGE;
  }
  fwrite(rest.at, rest.size, 1, stdout);
  int code = rest.size ? complain_of_output("signature file") : EXIT_INCONCLUSIVE;
  if (!rest.size) complain("%s: its functions were not called in the recording", module->path);
  free(answer.bytes);
  return code;
}

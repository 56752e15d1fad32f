// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_expected.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "expression/expression_type.h"
#include "expression/npy.h"
#include "kernel/kernel_array.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_held.h"
#include "kernel/kernel_result.h"
#include "kernel/kernel_steady.h"
#include "plan/case.h"

enum { DEPTH_MAX = 8, WRONG_MAX = 8, WHAT_MAX = 96 };

// What is being judged, and what came of it so far.
typedef struct Judging {
  KernelCall *call;
  const Signature *signature;  // NULL: the kernel itself says what comes out
  SignatureRange tolerances;   // that hold for the call
  KernelOutcome outcome;
} Judging;

static void judge_value(Judging *judging, const TVMFFIAny *value, const ExpressionValue *expected,
                        const char *what, int depth);

static void leave_out(Judging *judging, const char *what, const char *problem)
{
  char *why = judging->outcome.why;
  if (!why[0]) snprintf(why, KERNEL_OUTCOME_WHY, "%.80s is not judged: %.220s", what, problem);
}

static void record(Judging *judging, bool right)
{
  ++judging->outcome.judged;
  judging->outcome.wrong += !right;
}

// --- How close -----------------------------------------------------------------------------------

static bool is_type_named(const char *name, DLDataType dtype)
{
  ExpressionType type;
  return dtype.lanes == 1 && expression_type_find(name, strlen(name), &type) &&
         type.code == dtype.code && type.bits == dtype.bits;
}

// What the signature states for this type; what it states for all of them is meant for floats.
static double tolerance_in_file(const Judging *judging, DLDataType dtype)
{
  double stated = KERNEL_TOLERANCE_OF_TYPE;
  bool whole = dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool;
  for (uint32_t i = 0; i < judging->tolerances.count; ++i) {
    const SignatureTolerance *tolerance =
        signature_tolerance(judging->signature, judging->tolerances.first + i);
    const char *name = signature_text(judging->signature, tolerance->dtype);
    if (is_type_named(name, dtype)) return tolerance->relative;
    if (!name[0] && !whole) stated = tolerance->relative;
  }
  return stated;
}

static double stated_tolerance(const Judging *judging, DLDataType dtype)
{
  const Kernel *kernel = judging->call->kernel;
  if (!judging->signature) return kernel->tolerance;
  const double least = kernel_least_tolerance(kernel, dtype);
  const double stated = tolerance_in_file(judging, dtype);
  return least > 0 ? fmax(kernel_tolerance_of(dtype, stated), least) : stated;
}

// --- Tensors -------------------------------------------------------------------------------------

// Whether the call was chosen for floats that few functions are written for.
static bool is_extreme(const Kernel *kernel)
{
  bool extreme = false;
  for (uint32_t i = 0; kernel->chosen && i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    extreme |= parameter->contents == KERNEL_HUGE || parameter->contents == KERNEL_SPECIAL;
    extreme |= parameter->kind == KERNEL_FLOAT && !(fabs(parameter->number) < 1e15);
  }
  return extreme;
}

static bool has_nan(const Kernel *kernel)
{
  for (uint32_t i = 0; kernel->chosen && i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].contents == KERNEL_SPECIAL) return true;
  return false;
}

static bool is_finite(const ExpressionValue *value)
{
  bool finite = true;
  for (size_t i = 0; value->elements && i < value->count; ++i)
    finite &= (bool)isfinite(value->elements[i]);
  return finite;
}

static void judge_array(Judging *judging, const char *what, const KernelArray *array,
                        const ExpressionValue *expected, double tolerance)
{
  ExpressionType type;
  if (array->count == 0) {
    leave_out(judging, what, "it has no elements");
    return;
  }
  if (array->dtype.lanes != 1 || !expression_type_of(array->dtype.code, array->dtype.bits, &type)) {
    leave_out(judging, what, "its elements are not numbers");
    return;
  }
  // How NaN spreads differs between right functions, and between them and a formula; so does what
  // is the largest of numbers and NaN.
  if (has_nan(judging->call->kernel) ||
      (is_extreme(judging->call->kernel) && !is_finite(expected))) {
    leave_out(judging, what, "the inputs hold NaN, or the formula gives NaN or infinity for them");
    return;
  }
  record(judging, expect_close(what, array, expected, tolerance));
}

static void judge_output(Judging *judging, const KernelTensor *tensor, const char *what,
                         const ExpressionValue *expected)
{
  if (!tensor->tensor || !tensor->on_host) {
    leave_out(judging, what, "its elements are not readable");
    return;
  }
  unsigned char *copy;
  const unsigned char *elements = kernel_tensor_elements(tensor, &copy);
  KernelArray array = {elements, tensor->tensor->dtype, tensor->rank, tensor->shape, tensor->count};
  judge_array(judging, what, &array, expected, stated_tolerance(judging, array.dtype));
  free(copy);
}

// A tensor that the function made, as a view of its own memory: NULL if its elements can't be read.
static unsigned char *read_result(const DLTensor *tensor, KernelTensor *view)
{
  int64_t stride = 1;
  bool compact = true;
  *view = (KernelTensor){.rank = tensor->ndim, .count = 1};
  view->element_bits = (size_t)tensor->dtype.bits * tensor->dtype.lanes;
  for (int32_t k = tensor->ndim; k-- > 0;) {
    view->shape[k] = tensor->shape[k];
    view->strides[k] = tensor->strides ? tensor->strides[k] : stride;
    compact &= tensor->shape[k] == 1 || view->strides[k] == stride;
    if (tensor->shape[k] < 0 ||
        (tensor->shape[k] && view->count > (1u << 24) / (size_t)tensor->shape[k]))
      return NULL;
    stride *= tensor->shape[k];
    view->count *= (size_t)tensor->shape[k];
  }
  view->first = (unsigned char *)tensor->data + tensor->byte_offset;
  size_t size = kernel_tensor_gather(view, NULL);
  unsigned char *bytes = malloc(size + 1);
  bool real = bytes && kernel_cuda_holds(tensor->device) && compact;
  if (tensor->device.device_type == kDLCPU && bytes) {
    if (view->count) kernel_tensor_gather(view, bytes);
    return bytes;
  }
  if (real && kernel_cuda_read(bytes, (uint64_t)(uintptr_t)view->first, size)) return bytes;
  free(bytes);
  return NULL;
}

static void judge_result_tensor(Judging *judging, const TVMFFIAny *value,
                                const ExpressionValue *expected, const char *what)
{
  const DLTensor *tensor = object_body(judging->call->iut, value->v_obj);
  KernelTensor view;
  char shape[160];
  if (tensor->ndim < 0 || tensor->ndim > KERNEL_RANK_MAX) {
    leave_out(judging, what, "it has more than 8 dimensions");
    return;
  }
  unsigned char *bytes = read_result(tensor, &view);
  if (!bytes) {
    leave_out(judging, what, "its elements are not readable");
    return;
  }
  KernelArray array = {bytes, tensor->dtype, view.rank, view.shape, view.count};
  // The shape is the function's own: nothing is broadcast to it but a number.
  if (expected->rank != 0 && expected->rank != view.rank) {
    snprintf(shape, sizeof shape, "%.80s has %d dimensions", what, (int)expected->rank);
    record(judging, expect_that(false, shape, "%d", (int)view.rank));
  } else {
    judge_array(judging, what, &array, expected, stated_tolerance(judging, array.dtype));
  }
  free(bytes);
}

// --- Other values --------------------------------------------------------------------------------

// A number that is worked out of tensors is as precise as the least precise of them.
static double number_tolerance(const Judging *judging, DLDataType dtype)
{
  const Kernel *kernel = judging->call->kernel;
  double tolerance = stated_tolerance(judging, dtype);
  if (tolerance >= 0 || dtype.code != kDLFloat) return tolerance;
  tolerance = kernel_tolerance_of(dtype, tolerance);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    if (parameter->kind != KERNEL_TENSOR || !parameter->typed) continue;
    tolerance = fmax(tolerance, kernel_tolerance_of(parameter->dtype, KERNEL_TOLERANCE_OF_TYPE));
  }
  return tolerance;
}

static void judge_number(Judging *judging, const TVMFFIAny *value, const ExpressionValue *expected,
                         const char *what)
{
  bool is_float = value->type_index == kTVMFFIFloat;
  DLDataType dtype = {is_float ? kDLFloat : kDLInt, 64, 1};
  if (value->type_index == kTVMFFIBool) dtype = (DLDataType){kDLBool, 8, 1};
  unsigned char byte = value->v_int64 != 0;
  KernelArray array = {(const unsigned char *)&value->v_int64, dtype, 0, NULL, 1};
  if (value->type_index == kTVMFFIBool) array.bytes = &byte;
  judge_array(judging, what, &array, expected, number_tolerance(judging, dtype));
}

static void judge_string(Judging *judging, const TVMFFIAny *value, const ExpressionValue *expected,
                         const char *what)
{
  TVMFFIByteArray text;
  if (!result_text(judging->call->iut, value, &text))
    record(judging, expect_that(false, "a string", "another value"));
  else
    record(judging, expect_memory(what, text.data, text.size, expected->string, expected->count));
}

static void judge_item(Judging *judging, const TVMFFIAny *container, TVMFFIAny key,
                       const ExpressionValue *expected, const char *what, int depth)
{
  Iut *iut = judging->call->iut;
  TVMFFIAny item;
  if (!expect_ok(iut, kernel_held_item(iut, container, key, &item))) {
    record(judging, false);
    return;
  }
  judge_value(judging, &item, expected, what, depth + 1);
  release_any(iut, &item);
}

static TVMFFIAny key_of(Judging *judging, const char *text)
{
  TVMFFIAny key = any_none();
  TVMFFIByteArray bytes = {text, strlen(text)};
  require(expect_ok(judging->call->iut, judging->call->iut->StringFromByteArray(&bytes, &key)));
  return key;
}

static void judge_entries(Judging *judging, const TVMFFIAny *value, const ExpressionValue *expected,
                          const char *what, int depth)
{
  const unsigned wrong = judging->outcome.wrong;
  for (size_t i = 0; i < expected->count && judging->outcome.wrong < wrong + WRONG_MAX; ++i) {
    char name[WHAT_MAX];
    TVMFFIAny key = key_of(judging, expected->items[i].key);
    snprintf(name, sizeof name, "%.48s[\"%.40s\"]", what, expected->items[i].key);
    judge_item(judging, value, key, &expected->items[i], name, depth);
    release_any(judging->call->iut, &key);
  }
}

// Item `i` of a tuple, or element `i` of an array of one dimension, as a value of its own.
static ExpressionValue item_of(const ExpressionValue *expected, size_t i)
{
  ExpressionValue item = {.kind = expected->kind, .count = 1, .borrowed = true};
  if (expected->kind == EXPRESSION_TUPLE) return expected->items[i];
  item.elements = &expected->elements[i];
  return item;
}

static void judge_sequence(Judging *judging, const TVMFFIAny *value,
                           const ExpressionValue *expected, const char *what, int depth)
{
  Iut *iut = judging->call->iut;
  int64_t size;
  char text[160];
  if (!expect_ok(iut, kernel_held_size(iut, value, &size))) {
    record(judging, false);
    return;
  }
  snprintf(text, sizeof text, "%.80s has %zu elements", what, expected->count);
  bool same = size == (int64_t)expected->count;
  record(judging, expect_that(same, text, "%lld", (long long)size));
  const unsigned wrong = judging->outcome.wrong;
  for (size_t i = 0; same && i < expected->count && judging->outcome.wrong < wrong + WRONG_MAX;
       ++i) {
    char name[WHAT_MAX];
    ExpressionValue item = item_of(expected, i);
    snprintf(name, sizeof name, "%.72s[%zu]", what, i);
    judge_item(judging, value, view_of_int((int64_t)i), &item, name, depth);
  }
}

static void judge_shape(Judging *judging, const TVMFFIAny *value, const ExpressionValue *expected,
                        const char *what)
{
  const TVMFFIShapeCell *cell = object_body(judging->call->iut, value->v_obj);
  int64_t extent = (int64_t)cell->size;
  char text[160];
  snprintf(text, sizeof text, "%.80s has %zu elements", what, expected->count);
  bool same = cell->size == expected->count;
  if (!same) {
    record(judging, expect_that(false, text, "%zu", cell->size));
    return;
  }
  for (size_t i = 0; i < expected->count; ++i)
    if (expected->kind == EXPRESSION_TUPLE && expected->items[i].count != 1) same = false;
  ExpressionValue numbers;
  if (!same || !expression_value_new(&numbers, EXPRESSION_INT, 1, &extent)) {
    leave_out(judging, what, "the formula gives no shape");
    return;
  }
  for (size_t i = 0; i < expected->count; ++i)
    if (item_of(expected, i).elements) numbers.elements[i] = item_of(expected, i).elements[0];
  KernelArray array = {(const unsigned char *)cell->data, {kDLInt, 64, 1}, 1, &extent, cell->size};
  judge_array(judging, what, &array, &numbers, 0);
  expression_value_free(&numbers);
}

static bool is_number(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIFloat || value->type_index == kTVMFFIInt ||
         value->type_index == kTVMFFIBool;
}

static void judge_other(Judging *judging, const TVMFFIAny *value, const char *what,
                        const char *wanted)
{
  char text[48], expected[160];
  abi_type_index_text(value->type_index, text);
  snprintf(expected, sizeof expected, "%.80s is %s", what, wanted);
  record(judging, expect_that(false, expected, "%s", text));
}

static void judge_value(Judging *judging, const TVMFFIAny *value, const ExpressionValue *expected,
                        const char *what, int depth)
{
  bool row = expected->kind == EXPRESSION_TUPLE ||
             (expected->kind >= EXPRESSION_BOOL && expected->kind <= EXPRESSION_FLOAT &&
              expected->rank == 1);
  bool array = expected->kind >= EXPRESSION_BOOL && expected->kind <= EXPRESSION_FLOAT;
  bool keyed = expected->kind == EXPRESSION_TUPLE && expected->count && expected->items[0].key;
  if (depth > DEPTH_MAX) return;
  if (expected->kind == EXPRESSION_NONE)
    record(judging, expect_type_index(value, kTVMFFINone));
  else if (expected->kind == EXPRESSION_STRING)
    judge_string(judging, value, expected, what);
  else if (value->type_index == kTVMFFITensor && array)
    judge_result_tensor(judging, value, expected, what);
  else if (is_number(value) && array && expected->count == 1)
    judge_number(judging, value, expected, what);
  else if (value->type_index == kTVMFFIShape && row && !keyed)
    judge_shape(judging, value, expected, what);
  else if (kernel_is_sequence(value) && row && !keyed)
    judge_sequence(judging, value, expected, what, depth);
  else if (kernel_is_map(value) && keyed)
    judge_entries(judging, value, expected, what, depth);
  else
    judge_other(judging, value, what, keyed ? "a map" : array ? "a tensor or a number" : "a tuple");
}

// --- What is expected ----------------------------------------------------------------------------

static bool value_of_npy(const char *path, DLDataType dtype, ExpressionValue *value, char *problem)
{
  NpyArray file;
  char reason[NPY_PROBLEM_MAX];
  if (!npy_read_file(path, &file, reason)) {
    snprintf(problem, KERNEL_OUTCOME_WHY, "%.120s: %.150s", path, reason);
    return false;
  }
  const DLDataType own = kernel_npy_dtype(&file, dtype);
  KernelArray array = {file.bytes, own, file.rank, file.shape, file.count};
  bool made = (file.kind != NPY_RAW || own.code == dtype.code) && kernel_array_value(&array, value);
  if (!made)
    snprintf(problem, KERNEL_OUTCOME_WHY, "%.120s: its elements are not those of the tensor", path);
  npy_free(&file);
  return made;
}

static bool value_of_formula(KernelCall *call, const char *text, ExpressionValue *value,
                             char *problem)
{
  ExpressionError error;
  ExpressionScope scope = {.lookup = kernel_value_before, .context = call};
  Expression *formula = expression_parse(text, &error);
  expect_at_work(true);
  bool worked = formula && expression_evaluate(formula, &scope, value, &error);
  expect_at_work(false);
  if (worked) value->keeps_zeros = expression_keeps_zeros(formula);
  expression_free(formula);
  if (!worked)
    snprintf(problem, KERNEL_OUTCOME_WHY, "\"%.100s\" at character %zu: %.180s", text,
             error.position, error.message);
  return worked;
}

// --- Of what -------------------------------------------------------------------------------------

// The tensor of a parameter, or within one, that is meant: "y", "parts[1]"; NULL if it is none.
static const KernelTensor *tensor_of(const KernelCall *call, const char *of)
{
  char name[64];
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (tensor->tensor && strcmp(kernel_tensor_name(call->kernel, i, name), of) == 0) return tensor;
  }
  return NULL;
}

// One step of "result[0].key": the key that comes next, and what is behind it. False at the end, or
// for what is no step.
static bool next_step(const char **path, bool *index, char key[64])
{
  const char *at = *path, *end;
  *index = *at == '[' && at[1] != '"' && at[1] != '\'';
  bool quoted = *at == '[' && !*index;
  if (*at != '[' && *at != '.') return false;
  at += quoted ? 2 : 1;
  end = at + strcspn(at, quoted ? "\"'" : *index ? "]" : ".[");
  if (end - at >= 64 || (quoted && (!*end || end[1] != ']')) || (*index && !*end)) return false;
  snprintf(key, 64, "%.*s", (int)(end - at), at);
  *path = end + (quoted ? 2 : *index ? 1 : 0);
  return true;
}

// The key of a step in the map: an integer where no text is it.
static TVMFFIAny key_in(Judging *judging, const TVMFFIAny *map, const char *step)
{
  TVMFFIAny key = key_of(judging, step);
  char *end;
  const long long number = strtoll(step, &end, 10);
  bool has = true;
  if (!*step || *end || kernel_held_has(judging->call->iut, map, key, &has) != 0 || has) return key;
  release_any(judging->call->iut, &key);
  return view_of_int(number);
}

static void judge_path(Judging *judging, const TVMFFIAny *value, const char *path,
                       ExpressionValue *expected, const char *what)
{
  Iut *iut = judging->call->iut;
  bool index, owned = false;
  char step[64];
  TVMFFIAny current = *value;
  for (int depth = 0; *path && depth < DEPTH_MAX; ++depth) {
    TVMFFIAny item, key;
    if (!next_step(&path, &index, step) ||
        !(index ? kernel_is_sequence(&current) : kernel_is_map(&current))) {
      judge_other(judging, &current, what, index ? "in an array" : "in a map");
      break;
    }
    key = index ? view_of_int(atoll(step)) : key_in(judging, &current, step);
    bool got = expect_ok(iut, kernel_held_item(iut, &current, key, &item));
    if (!index) release_any(iut, &key);
    if (owned) release_any(iut, &current);
    owned = got;
    if (!got) {
      record(judging, false);
      return;
    }
    current = item;
  }
  // A tuple of numbers, "[2, 1, 3]", is an array there.
  if (!*path && current.type_index == kTVMFFITensor) expression_value_make_array(expected);
  if (!*path) judge_value(judging, &current, expected, what, 0);
  if (owned) release_any(iut, &current);
}

// Whether "parts[2]" is meant, and the array of this call has no such element.
static bool is_beyond(const KernelCall *call, const char *of)
{
  const char *bracket = strchr(of, '[');
  char *end;
  if (!bracket || !isdigit((unsigned char)bracket[1])) return false;
  const unsigned long index = strtoul(bracket + 1, &end, 10);
  const size_t size = (size_t)(bracket - of);
  for (uint32_t i = 0; strcmp(end, "]") == 0 && i < call->kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &call->kernel->parameters[i];
    if (parameter->kind == KERNEL_ARRAY && strlen(parameter->name) == size &&
        memcmp(parameter->name, of, size) == 0)
      return index >= parameter->element_count;
  }
  return false;
}

// Whether "result[2]" is meant, and the file says that the array has fewer elements in this call.
static bool is_beyond_result(const KernelCall *call, const char *of)
{
  const KernelParameter *stated = &call->kernel->result;
  char *end;
  if (strncmp(of, "result[", 7) != 0 || !isdigit((unsigned char)of[7])) return false;
  const unsigned long index = strtoul(of + 7, &end, 10);
  return *end == ']' && stated->kind == KERNEL_ARRAY && !stated->any_length &&
         index >= stated->element_count;
}

static DLDataType type_of_result(const KernelCall *call, const TVMFFIAny *result)
{
  if (result->type_index != kTVMFFITensor) return (DLDataType){kDLOpaqueHandle, 0, 0};
  return ((const DLTensor *)object_body(call->iut, result->v_obj))->dtype;
}

static void judge_one(Judging *judging, const char *of, const char *formula, const char *npy)
{
  KernelCall *call = judging->call;
  const KernelTensor *tensor = tensor_of(call, of);
  char problem[KERNEL_OUTCOME_WHY], what[WHAT_MAX];
  ExpressionValue expected = {.kind = EXPRESSION_NONE};
  if (!tensor && (is_beyond(call, of) || is_beyond_result(call, of))) return;
  DLDataType dtype = tensor ? tensor->tensor->dtype : type_of_result(call, call->result);
  snprintf(what, sizeof what, "%s%.80s", tensor ? "" : "the ", of);
  if (!(npy[0] ? value_of_npy(npy, dtype, &expected, problem)
               : value_of_formula(call, formula, &expected, problem))) {
    leave_out(judging, what, problem);
    judging->outcome.misread = true;
    return;
  }
  const bool by_formula = judging->signature && !npy[0];
  const char *unsteady = by_formula ? kernel_formula_cancels(call, formula, &expected) : NULL;
  if (!unsteady && by_formula && kernel_is_delicate(call->kernel))
    unsteady = kernel_formula_unsteady(call, formula, dtype);
  if (unsteady)
    leave_out(judging, what, unsteady);
  else if (tensor && expression_value_make_array(&expected))
    judge_output(judging, tensor, what, &expected);
  else if (tensor || strncmp(of, "result", 6) != 0)
    leave_out(judging, what, "only tensors and the result are");
  else
    judge_path(judging, call->result, of + 6, &expected, what);
  expression_value_free(&expected);
}

// --- All of it -----------------------------------------------------------------------------------

static void judge_range(Judging *judging, SignatureRange range)
{
  const Signature *signature = judging->signature;
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureExpected *expected = signature_expected(signature, range.first + i);
    judge_one(judging, signature_text(signature, expected->of),
              signature_text(signature, expected->formula),
              signature_text(signature, expected->npy));
  }
}

// The signature that the call is made from, NULL if the kernel itself says what comes out.
static const Signature *signature_of(const KernelCall *call)
{
  return call->kernel->source == KERNEL_FROM_FILE ? signature_under_test() : NULL;
}

// What is said of the listed call that it is; of all calls where nothing is.
static SignatureRange expected_of(const Signature *signature, const Kernel *kernel)
{
  const SignatureForm *form = signature_form(signature, kernel->form);
  if (kernel->listed && kernel->listed <= form->calls.count) {
    const SignatureCall *listed = signature_call(signature, form->calls.first + kernel->listed - 1);
    if (listed->expected.count) return listed->expected;
  }
  return form->expected;
}

// As the form of the signature says that the call is made from.
static Judging judging_of(KernelCall *call)
{
  Judging judging = {.call = call, .signature = signature_of(call)};
  if (judging.signature)
    judging.tolerances = signature_form(judging.signature, call->kernel->form)->tolerances;
  return judging;
}

bool expect_refused_or_right_(const char *at, KernelCall *call)
{
  if (call->returned == 0) {
    const KernelOutcome outcome = kernel_outcome_of(call);
    if (outcome.wrong == 0)
      return expect_that_(at, true, "the function returns non-zero, or what is expected",
                          "it does");
  }
  return expect_refused_(at, call);
}

KernelOutcome kernel_outcome_of_step(KernelCall *call, const Signature *signature,
                                     const SignatureStep *step)
{
  Judging judging = {.call = call, .signature = signature, .tolerances = step->tolerances};
  judge_range(&judging, step->call.expected);
  return judging.outcome;
}

KernelOutcome kernel_outcome_of(KernelCall *call)
{
  const Kernel *kernel = call->kernel;
  Judging judging = judging_of(call);
  bool of_result = kernel->expected_of >= kernel->parameter_count;
  if (call->launched)
    leave_out(&judging, "the outcome",
              "a kernel was launched on the stand-in for CUDA, which computes nothing");
  else if (judging.signature)
    judge_range(&judging, expected_of(judging.signature, kernel));
  else if (kernel->expected[0])
    judge_one(&judging, of_result ? "result" : kernel->parameters[kernel->expected_of].name,
              kernel->expected, "");
  return judging.outcome;
}

// --- For those who compare with something else ---------------------------------------------------

double kernel_stated_tolerance(KernelCall *call, DLDataType dtype)
{
  const Judging judging = judging_of(call);
  const bool stated = judging.signature || call->kernel->expected[0];
  return stated ? stated_tolerance(&judging, dtype) : KERNEL_TOLERANCE_OF_TYPE;
}

double kernel_number_tolerance(KernelCall *call, DLDataType dtype)
{
  const Judging judging = judging_of(call);
  const bool stated = judging.signature || call->kernel->expected[0];
  return stated ? number_tolerance(&judging, dtype) : kernel_tolerance_of(dtype, -1);
}

unsigned char *kernel_result_elements(const DLTensor *tensor, KernelTensor *view)
{
  return read_result(tensor, view);
}

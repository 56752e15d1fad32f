// SPDX-License-Identifier: Apache-2.0
// Tensor allocators: which one a thread sees, and what becomes of what they give, refuse and claim.
#include <pthread.h>

#include "cases/runtime/tensor_source.h"

CHAPTER(env);

//--------------------------------------------------------------------------------------------------
// Allocators of ours
//--------------------------------------------------------------------------------------------------

typedef void (*ErrorReporter)(void *context, const char *kind, const char *message);

// What the allocators give back, and what they were asked.
static struct {
  TensorSource *gives;
  int returns;
  const char *kind, *message;  // reported as an error, unless NULL
  unsigned calls, other_calls;
  DLTensor prototype;
  int64_t shape[PLAN_DIMENSIONS];
  DLManagedTensorVersioned *output_before;
  bool has_reporter;
} desk;

static int allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    ErrorReporter report)
{
  ++desk.calls;
  desk.prototype = *prototype;
  for (int32_t i = 0; i < prototype->ndim && i < PLAN_DIMENSIONS; ++i)
    desk.shape[i] = prototype->shape[i];
  desk.output_before = *out;
  desk.has_reporter = report != NULL;
  if (desk.kind) report(context, desk.kind, desk.message);
  if (desk.gives) *out = desk.gives->managed.versioned;
  return desk.returns;
}

static int allocate_otherwise(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                              ErrorReporter report)
{
  (void)prototype, (void)out, (void)context, (void)report;
  ++desk.other_calls;
  return -1;
}

static int allocate_for_all(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                            ErrorReporter report)
{
  (void)prototype, (void)out, (void)context, (void)report;
  return -1;
}

static void set_allocator(Iut *iut, DLPackManagedTensorAllocator allocator, int global)
{
  require(expect_ok(iut, iut->EnvSetDLPackManagedTensorAllocator(allocator, global, NULL)));
}

static bool expect_allocator(Iut *iut, DLPackManagedTensorAllocator expected)
{
  DLPackManagedTensorAllocator seen = iut->EnvGetDLPackManagedTensorAllocator();
  const char *name = seen == NULL                 ? "none"
                     : seen == allocate           ? "the first"
                     : seen == allocate_otherwise ? "the second"
                     : seen == allocate_for_all   ? "the third"
                                                  : "an unknown one";
  const char *wanted = expected == NULL                 ? "no allocator"
                       : expected == allocate           ? "the first allocator"
                       : expected == allocate_otherwise ? "the second allocator"
                                                        : "the third allocator";
  return expect_that(seen == expected, wanted, "%s", name);
}

// What a thread that begins now sees; `expected` points to the allocator.
static void look_from_thread(Iut *iut, __attribute__((unused)) unsigned index, void *expected)
{
  expect_allocator(iut, *(DLPackManagedTensorAllocator *)expected);
}

static void expect_allocator_in_new_thread(Iut *iut, DLPackManagedTensorAllocator expected)
{
  run_in_threads(iut, 1, look_from_thread, &expected);
}

//--------------------------------------------------------------------------------------------------
// Which one is seen
//--------------------------------------------------------------------------------------------------

CASE(at_first_there_is_no_allocator, .clauses = {ENV_12},
     .title = "as long as no allocator was set there is none, in the first thread and in others")
{
  expect_allocator(iut, NULL);
  expect_allocator_in_new_thread(iut, NULL);
  expect_no_error(iut);
}

static pthread_barrier_t meeting;

// The first of two threads sets an allocator, with the permission given, while the second looks.
static void set_or_look(Iut *iut, unsigned index, void *permission)
{
  int global = *(int *)permission;
  expect_allocator(iut, NULL);
  pthread_barrier_wait(&meeting);
  if (index == 0) {
    int code = iut->EnvSetDLPackManagedTensorAllocator(allocate, global, NULL);
    expect_int("what setting the allocator returned", code, 0);
  }
  pthread_barrier_wait(&meeting);
  expect_allocator(iut, index == 0 || global ? allocate : NULL);
}

CASE(allocator_is_set_for_the_calling_thread, .clauses = {ENV_13},
     .title =
         "an allocator that is set without permission to be global is seen in its thread, and in "
         "no other")
{
  pthread_barrier_init(&meeting, NULL, 2);
  run_in_threads(iut, 2, set_or_look, &(int){0});
  expect_allocator(iut, NULL);
  note("in the first thread, and replaced");
  set_allocator(iut, allocate, 0);
  expect_allocator(iut, allocate);
  set_allocator(iut, allocate_otherwise, 0);
  expect_allocator(iut, allocate_otherwise);
  expect_allocator_in_new_thread(iut, NULL);
}

static const struct {
  const char *name;
  int permission;
} permissions[] = {{"1", 1}, {"minus_1", -1}, {"256", 256}, {"65536", 65536}};

CASE_ROWS(global_allocator_serves_threads_without, permissions, .clauses = {ENV_14},
          .title =
              "an allocator that is set with permission to be global is seen in all threads that "
              "have none, those that run and those that begin later")
{
  pthread_barrier_init(&meeting, NULL, 2);
  run_in_threads(iut, 2, set_or_look, &(int){row->permission});
  expect_allocator(iut, allocate);
  expect_allocator_in_new_thread(iut, allocate);
}

static void set_own_and_look(Iut *iut, __attribute__((unused)) unsigned index,
                             __attribute__((unused)) void *context)
{
  expect_allocator(iut, allocate);
  int code = iut->EnvSetDLPackManagedTensorAllocator(allocate_otherwise, 0, NULL);
  expect_int("what setting the allocator returned", code, 0);
  expect_allocator(iut, allocate_otherwise);
  code = iut->EnvSetDLPackManagedTensorAllocator(NULL, 0, NULL);
  expect_int("what removing the allocator returned", code, 0);
  expect_allocator(iut, allocate);
}

static void replace_global(Iut *iut, __attribute__((unused)) unsigned index,
                           __attribute__((unused)) void *context)
{
  int code = iut->EnvSetDLPackManagedTensorAllocator(allocate_for_all, 1, NULL);
  expect_int("what setting the global allocator returned", code, 0);
}

CASE(own_allocator_comes_first, .clauses = {ENV_15},
     .title = "a thread that set an allocator sees that one, also when a global one is set later")
{
  set_allocator(iut, allocate_otherwise, 0);
  run_in_threads(iut, 1, replace_global, NULL);
  expect_allocator(iut, allocate_otherwise);
  expect_allocator_in_new_thread(iut, allocate_for_all);
  note("over a global one that the thread has set itself");
  set_allocator(iut, allocate, 1);
  expect_allocator(iut, allocate);
  set_allocator(iut, allocate_otherwise, 0);
  expect_allocator(iut, allocate_otherwise);
  expect_allocator_in_new_thread(iut, allocate);
  note("in other threads, with one of their own");
  run_in_threads(iut, 2, set_own_and_look, NULL);
}

CASE(null_takes_an_allocator_away, .clauses = {ENV_16},
     .title =
         "setting NULL removes the allocator of the thread, and with permission the global one as "
         "well")
{
  set_allocator(iut, allocate, 1);
  set_allocator(iut, allocate_otherwise, 0);
  set_allocator(iut, NULL, 0);
  expect_allocator(iut, allocate);
  expect_allocator_in_new_thread(iut, allocate);
  note("with permission");
  set_allocator(iut, NULL, 1);
  expect_allocator(iut, NULL);
  expect_allocator_in_new_thread(iut, NULL);
}

// tvm-ffi#371: the new allocator was given back as the original one.
static void swap_allocators(Iut *iut, DLPackManagedTensorAllocator new, int global,
                            DLPackManagedTensorAllocator expected)
{
  DLPackManagedTensorAllocator *original = fenced_buffer("the original allocator", sizeof expected);
  require(expect_ok(iut, iut->EnvSetDLPackManagedTensorAllocator(new, global, original)));
  expect_that(*original == expected, expected ? "the allocator that the thread had" : "NULL",
              *original == new ? "the new allocator" : "another one");
}

CASE(setting_an_allocator_tells_the_one_before, .clauses = {ENV_17},
     .title =
         "setting an allocator writes the one that the thread had set itself, NULL if it had none, "
         "never the global one")
{
  run_in_threads(iut, 1, replace_global, NULL);
  note("in a thread that sees a global one");
  swap_allocators(iut, allocate, 0, NULL);
  swap_allocators(iut, allocate_otherwise, 0, allocate);
  swap_allocators(iut, allocate, 1, allocate_otherwise);
  swap_allocators(iut, NULL, 0, allocate);
  swap_allocators(iut, allocate_otherwise, 0, NULL);
  swap_allocators(iut, allocate_otherwise, 0, allocate_otherwise);
}

CASE(nobody_needs_to_ask_for_the_allocator_before, .clauses = {ENV_18},
     .title = "with NULL as the place for the original allocator an allocator is set and removed")
{
  set_allocator(iut, allocate, 0);
  expect_allocator(iut, allocate);
  set_allocator(iut, allocate_otherwise, 1);
  expect_allocator(iut, allocate_otherwise);
  set_allocator(iut, NULL, 1);
  expect_allocator(iut, NULL);
}

//--------------------------------------------------------------------------------------------------
// Allocating
//--------------------------------------------------------------------------------------------------

// Asks for a tensor like the plan and returns the code.
static int ask(Iut *iut, const TensorPlan *plan, TVMFFIObjectHandle *out)
{
  DLTensor prototype = tensor_of_plan(plan);
  return iut->EnvTensorAlloc(&prototype, out);
}

// Own: the tensor that the allocator is to give.
static TVMFFIObjectHandle allocated(Iut *iut, const TensorPlan *plan)
{
  TVMFFIObjectHandle *out = fenced_buffer("the output", sizeof(TVMFFIObjectHandle));
  require(expect_ok(iut, ask(iut, plan, out)));
  require(expect_not_null("the tensor", *out));
  return *out;
}

CASE(without_an_allocator_nothing_is_allocated, .clauses = {ENV_19},
     .title =
         "allocating a tensor in a thread that sees no allocator raises an error; once one is set "
         "it succeeds")
{
  TVMFFIObjectHandle out = NULL;
  expect_failure(iut, ask(iut, matrix_plan(), &out));
  note("with an allocator");
  desk.gives = new_source(DLPACK_VERSIONED, matrix_plan());
  set_allocator(iut, allocate, 0);
  release_object(iut, allocated(iut, matrix_plan()));
  note("after it was removed");
  set_allocator(iut, NULL, 0);
  expect_failure(iut, ask(iut, matrix_plan(), &out));
  expect_int("calls of the allocator", desk.calls, 1);
}

CASE(no_allocator_is_a_runtime_error, .clauses = {ENV_43}, .wrong_call = true,
     .title = "allocating a tensor in a thread that sees no allocator raises a RuntimeError")
{
  TVMFFIObjectHandle out = NULL;
  expect_error(iut, ask(iut, matrix_plan(), &out), "RuntimeError");
}

CASE(failed_allocation_writes_no_output, .clauses = {ENV_44}, .wrong_call = true,
     .title = "without an allocator, and with one that fails, the output stays as it was")
{
  TVMFFIObjectHandle before = &before, out = before;
  expect_failure(iut, ask(iut, matrix_plan(), &out));
  expect_pointer("the output without an allocator", out, before);
  set_allocator(iut, allocate, 0);
  desk.returns = -1;
  desk.kind = "MemoryError";
  desk.message = "no more than 3 bytes are left";
  expect_failure(iut, ask(iut, matrix_plan(), &out));
  expect_pointer("the output with an allocator that fails", out, before);
}

static const struct {
  const char *name;
  TensorPlan plan;
} prototypes[] = {
    {"matrix", {.ndim = 2, .shape = {3, 4}}},
    {"cuda_lanes",
     {.ndim = 1,
      .shape = {5},
      .device = {.device_type = kDLCUDA, .device_id = 3},
      .dtype = {.code = kDLBfloat, .bits = 16, .lanes = 4}}},
    {"no_dimensions", {.bare = true}},
    {"no_elements", {.ndim = 3, .shape = {2, 0, INT64_C(1) << 40}}},
    {"with_strides",  // tvm-ffi#330: allocators look at device, type and extents only
     {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {1, 3}, .byte_offset = 8}},
};

CASE_ROWS(allocator_is_asked_with_the_prototype, prototypes, .clauses = {ENV_20},
          .title =
              "the allocator is called once, with device, data type and extents of the prototype, "
              "and a function to report errors with")
{
  desk.gives = new_source(DLPACK_VERSIONED, matrix_plan());
  set_allocator(iut, allocate, 0);
  DLTensor asked = tensor_of_plan(&row->plan);
  release_object(iut, allocated(iut, &row->plan));
  expect_int("calls of the allocator", desk.calls, 1);
  expect_that(desk.has_reporter, "a function to report errors with", "NULL");
  expect_int("device type", desk.prototype.device.device_type, asked.device.device_type);
  expect_int("device id", desk.prototype.device.device_id, asked.device.device_id);
  expect_memory("data type", &desk.prototype.dtype, sizeof asked.dtype, &asked.dtype,
                sizeof asked.dtype);
  require(expect_int("number of dimensions", desk.prototype.ndim, asked.ndim));
  expect_numbers("extents", desk.shape, row->plan.shape, row->plan.ndim);
}

static void ask_in_thread(Iut *iut, __attribute__((unused)) unsigned index, void *plan)
{
  TVMFFIObjectHandle out = NULL;
  if (expect_int("what allocating returned", ask(iut, plan, &out), 0)) iut->ObjectDecRef(out);
}

CASE(allocator_that_the_thread_sees_is_asked, .clauses = {ENV_15},
     .title = "a thread with an allocator asks its own, and one without asks the global one")
{
  TensorPlan plan = *matrix_plan();
  TVMFFIObjectHandle out = NULL;
  desk.gives = new_source(DLPACK_VERSIONED, matrix_plan());
  set_allocator(iut, allocate, 1);
  set_allocator(iut, allocate_otherwise, 0);
  note("in a thread with its own");
  expect_that(ask(iut, &plan, &out) != 0, "the second allocator fails", "a success");
  expect_int("calls of the second allocator", desk.other_calls, 1);
  expect_int("calls of the first allocator", desk.calls, 0);
  note("in a thread without");
  run_in_threads(iut, 1, ask_in_thread, &plan);
  expect_int("calls of the second allocator", desk.other_calls, 1);
  expect_int("calls of the first allocator", desk.calls, 1);
}

// tvm-ffi#87: a tensor that was allocated in a callee and returned kept a reference.
CASE(what_the_allocator_made_becomes_a_tensor, .clauses = {ENV_21},
     .title =
         "what the allocator made becomes a new tensor of that memory, with strides filled in, and "
         "is deleted once when the tensor dies")
{
  TensorSource *source = desk.gives = new_source(DLPACK_VERSIONED, matrix_plan());
  set_allocator(iut, allocate, 0);
  TVMFFIObjectHandle tensor = allocated(iut, matrix_plan());
  expect_int("type index", object_type_index(iut, tensor), kTVMFFITensor);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  expect_same_place(tensor_body(iut, tensor), &source->tensor);
  expect_numbers("extents", tensor_body(iut, tensor)->shape, (int64_t[]){3, 4}, 2);
  expect_numbers("strides", tensor_body(iut, tensor)->strides, (int64_t[]){4, 1}, 2);
  expect_int("calls of the deleter", source->deleted, 0);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

static void allocate_and_release(Iut *iut, void *prototype)
{
  TVMFFIObjectHandle tensor = NULL, error = NULL;
  if (iut->EnvTensorAlloc(prototype, &tensor) == 0) iut->ObjectDecRef(tensor);
  if ((error = take_error(iut))) iut->ObjectDecRef(error);
}

CASE(allocating_leaves_no_memory_behind, .clauses = {ENV_21},
     .title = "the process does not grow when tensors are allocated and released over and over")
{
  TensorSource *source = desk.gives = new_source(DLPACK_VERSIONED, matrix_plan());
  DLTensor prototype = tensor_of_plan(matrix_plan());
  set_allocator(iut, allocate, 0);
  expect_no_heap_growth(iut, 200, allocate_and_release, &prototype);
  expect_int("calls of the allocator", desk.calls, 264);
  expect_int("calls of the deleter", source->deleted, 264);
}

static const struct {
  const char *name;
  TensorPlan plan;
} lies[] = {
    {"smaller",
     {.ndim = 2, .shape = {1, 2}, .address = 0x7000, .strided = true, .strides = {2, 1}}},
    {"fewer_dimensions", {.ndim = 1, .shape = {12}, .address = 0x7000}},
    {"no_dimensions", {.bare = true, .address = 0x7000}},
    {"another_type",
     {.ndim = 2,
      .shape = {3, 4},
      .address = 0x7000,
      .dtype = {.code = kDLInt, .bits = 64, .lanes = 1}}},
    {"another_device",
     {.ndim = 2,
      .shape = {3, 4},
      .address = 0x7001,
      .device = {.device_type = kDLCUDA, .device_id = 1}}},
    {"other_strides_and_offset",
     {.ndim = 2,
      .shape = {3, 4},
      .address = 0x7001,
      .byte_offset = 3,
      .strided = true,
      .strides = {1, 3}}},
};

CASE_ROWS(what_the_allocator_made_is_taken_as_it_is, lies, .clauses = {ENV_22}, .wrong_call = true,
          .title =
              "the tensor is what the allocator made, also where the prototype asked for something "
              "else")
{
  TensorSource *source = desk.gives = new_source(DLPACK_VERSIONED, &row->plan);
  set_allocator(iut, allocate, 0);
  TVMFFIObjectHandle tensor = allocated(iut, matrix_plan());
  const DLTensor *body = tensor_body(iut, tensor);
  expect_same_place(body, &source->tensor);
  expect_numbers("extents", body->shape, row->plan.shape, row->plan.ndim);
  if (row->plan.strided)
    expect_numbers("strides", body->strides, row->plan.strides, row->plan.ndim);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

//--------------------------------------------------------------------------------------------------
// Failures
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  int code;
} codes[] = {{"minus_1", -1}, {"minus_2", -2}, {"1", 1}, {"256", 256}, {"smallest", INT32_MIN}};

CASE_ROWS(failure_of_the_allocator_is_passed_on, codes, .clauses = {ENV_23},
          .title = "an allocator that fails without an error makes the call fail")
{
  TVMFFIObjectHandle out = NULL;
  set_allocator(iut, allocate, 0);
  desk.returns = row->code;
  expect_that(ask(iut, matrix_plan(), &out) != 0, "a failure", "0");
  TVMFFIObjectHandle error = take_error(iut);
  if (error) release_object(iut, error);
  expect_int("calls of the allocator", desk.calls, 1);
  note("the allocator recovers");
  desk.returns = 0;
  desk.gives = new_source(DLPACK_VERSIONED, matrix_plan());
  release_object(iut, allocated(iut, matrix_plan()));
}

CASE_ROWS(code_of_the_allocator_is_passed_on, codes, .clauses = {ENV_45}, .wrong_call = true,
          .title = "an allocator that fails makes the call return the same code")
{
  TVMFFIObjectHandle out = NULL;
  set_allocator(iut, allocate, 0);
  desk.returns = row->code;
  desk.kind = "MemoryError";
  desk.message = "no more than 3 bytes are left";
  expect_int("what allocating returned", ask(iut, matrix_plan(), &out), row->code);
  TVMFFIObjectHandle error = take_error(iut);
  if (error) release_object(iut, error);
}

static const struct {
  const char *name;
  const char *kind, *message;
  int code;
} reports[] = {
    {"out_of_memory", "MemoryError", "no more than 3 bytes are left", -1},
    {"another_code", "RuntimeError", "out of order", -2},
    {"positive_code", "ValueError", "what device is that", 7},
    {"empty_texts", "", "", -1},
    {"not_ascii", "Erreur d\xC3\xA9vo\xC3\xAF\xC3\xA9", "%s%n \xFF", -1},
};

CASE_ROWS(error_that_the_allocator_reports_is_raised, reports, .clauses = {ENV_24},
          .title =
              "an error that the allocator reports before it fails is raised with its kind and "
              "message")
{
  TVMFFIObjectHandle out = NULL;
  set_allocator(iut, allocate, 0);
  desk.returns = row->code;
  desk.kind = fenced_string(row->kind);
  desk.message = fenced_string(row->message);
  expect_that(ask(iut, matrix_plan(), &out) != 0, "a failure", "0");
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("error raised", error));
  expect_text("kind", error_cell(iut, error)->kind, row->kind);
  expect_text("message", error_cell(iut, error)->message, row->message);
  release_object(iut, error);
}

CASE(success_without_a_tensor_is_a_failure, .clauses = {ENV_25},
     .title =
         "an allocator finds NULL in its output, and if it returns 0 without a tensor, the call "
         "raises an error and writes no output")
{
  TVMFFIObjectHandle before = &before, out = before;
  set_allocator(iut, allocate, 0);
  for (int i = 0; i < 3; ++i) {
    expect_failure(iut, ask(iut, matrix_plan(), &out));
    expect_pointer("the allocator's output before", desk.output_before, NULL);
    expect_pointer("the output after the failure", out, before);
  }
  note("with a tensor");
  desk.gives = new_source(DLPACK_VERSIONED, matrix_plan());
  release_object(iut, allocated(iut, matrix_plan()));
}

CASE(failures_leave_no_memory_behind, .clauses = {ENV_24},
     .title = "the process does not grow when an allocator fails over and over")
{
  DLTensor prototype = tensor_of_plan(matrix_plan());
  set_allocator(iut, allocate, 0);
  desk.returns = -1;
  desk.kind = "MemoryError";
  desk.message = "a message that needs memory of its own";
  expect_no_heap_growth(iut, 200, allocate_and_release, &prototype);
  expect_int("calls of the allocator", desk.calls, 264);
}

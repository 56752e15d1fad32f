// SPDX-License-Identifier: Apache-2.0
// Who allocates tensors, and what becomes of what an allocator does.
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "elsewhere.h"
#include "probe.h"
#include "tensor_source.h"
#include "unit/unit.h"

#define SET TVMFFIEnvSetDLPackManagedTensorAllocator
#define GET TVMFFIEnvGetDLPackManagedTensorAllocator

//--------------------------------------------------------------------------------------------------
// Allocators, which do what `act` says
//--------------------------------------------------------------------------------------------------

static struct {
  Source source;
  DLTensor asked;
  int64_t extent;
  int calls, code;
  bool gives_nothing, reports;
  const char *kind, *message;
} act;

static int allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*set_error)(void *context, const char *kind, const char *message))
{
  ++act.calls;
  act.asked = *prototype;
  act.extent = prototype->ndim > 0 ? prototype->shape[0] : -1;
  if (*out != NULL) return 99;
  if (act.reports) set_error(context, act.kind, act.message);
  if (!act.gives_nothing) *out = &act.source.versioned;
  return act.code;
}

static int allocate_too(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                        void (*set_error)(void *context, const char *kind, const char *message))
{
  return allocate(prototype, out, context, set_error);
}

static int64_t extents[] = {2, 3};

static DLTensor prototype_of(int32_t ndim)
{
  return (DLTensor){
      .device = {kDLCUDA, 1}, .ndim = ndim, .dtype = {kDLInt, 8, 1}, .shape = extents};
}

static void setup(void)
{
  memset(&act, 0, sizeof act);
  source_init(&act.source, 2, (const int64_t[]){4, 5}, NULL);
}

static void forget_allocators(void)
{
  SET(NULL, 1, NULL);
}

static void expect_failure(int due)
{
  DLTensor prototype = prototype_of(2);
  TVMFFIObjectHandle out = &out;
  ck_assert_int_eq(TVMFFIEnvTensorAlloc(&prototype, &out), due);
  ck_assert_ptr_eq(out, &out);
}

//--------------------------------------------------------------------------------------------------
// Which one
//--------------------------------------------------------------------------------------------------

static long allocator_of_a_thread(int number)
{
  (void)number;
  return GET() == NULL ? 0 : GET() == allocate ? 1 : 2;
}

TEST_GROUP(all, .setup = setup, .teardown = forget_allocators);

TEST(a_threads_own_comes_before_the_global_one)
{
  DLPackManagedTensorAllocator original = allocate;
  ck_assert(GET() == NULL);
  ck_assert_int_eq(SET(allocate, 0, &original), 0);
  ck_assert(original == NULL && GET() == allocate);
  ck_assert_int_eq(run_threads(1, allocator_of_a_thread), 0);
  ck_assert_int_eq(SET(allocate_too, 1, &original), 0);
  ck_assert(original == allocate && GET() == allocate_too);
  ck_assert_int_eq(run_threads(3, allocator_of_a_thread), 6);
  ck_assert_int_eq(SET(allocate, 0, NULL), 0);
  ck_assert(GET() == allocate);
  ck_assert_int_eq(SET(NULL, 0, &original), 0);
  ck_assert(original == allocate && GET() == allocate_too);
  ck_assert_int_eq(SET(NULL, 1, &original), 0);
  ck_assert(original == NULL && GET() == NULL);
  ck_assert_int_eq(run_threads(1, allocator_of_a_thread), 0);
}

//--------------------------------------------------------------------------------------------------
// What it makes
//--------------------------------------------------------------------------------------------------

TEST(what_the_allocator_made_becomes_a_tensor)
{
  DLTensor prototype = prototype_of(2);
  TVMFFIObjectHandle tensor = NULL;
  SET(allocate, 0, NULL);
  ck_assert_int_eq(TVMFFIEnvTensorAlloc(&prototype, &tensor), 0);
  ck_assert_int_eq(act.calls, 1);
  ck_assert_mem_eq(&act.asked, &prototype, sizeof prototype);
  ck_assert_int_eq(act.extent, 2);
  expect_counts(tensor, 1, 1);
  ck_assert_ptr_eq(tensor_of(tensor)->shape, act.source.shape);
  ck_assert_int_eq(tensor_of(tensor)->device.device_type, kDLCPU);
  ck_assert_int_eq(tensor_of(tensor)->strides[0], 5);
  ck_assert_int_eq(act.source.deletions, 0);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(act.source.deletions, 1);
}

TEST(a_prototype_may_have_no_dimensions)
{
  DLTensor prototype = prototype_of(0);
  TVMFFIObjectHandle tensor = NULL;
  prototype.shape = NULL;
  SET(allocate, 1, NULL);
  ck_assert_int_eq(TVMFFIEnvTensorAlloc(&prototype, &tensor), 0);
  ck_assert_int_eq(act.extent, -1);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(act.source.deletions, 1);
}

//--------------------------------------------------------------------------------------------------
// What goes wrong
//--------------------------------------------------------------------------------------------------

TEST(without_an_allocator_nothing_is_allocated)
{
  expect_failure(-1);
  expect_raised("RuntimeError", "no allocator was set");
}

TEST(a_failure_is_passed_on)
{
  SET(allocate, 0, NULL);
  act.gives_nothing = true;
  act.code = -7;
  expect_failure(-7);
  expect_nothing_raised();
  act.reports = true;
  act.kind = "MemoryError";
  act.message = "no room";
  expect_failure(-7);
  expect_raised("MemoryError", "no room");
  act.kind = act.message = NULL;
  expect_failure(-7);
  expect_raised("RuntimeError", "");
  ck_assert_int_eq(act.calls, 3);
}

TEST(a_success_without_a_tensor_is_a_failure)
{
  SET(allocate, 0, NULL);
  act.gives_nothing = true;
  expect_failure(-1);
  expect_raised("RuntimeError", "the allocator succeeded without a tensor");
}

// What is refused is given back to whoever made it.
TEST(a_lie_is_found_out)
{
  static const struct {
    int32_t ndim;
    int64_t extent;
    uint32_t major;
    const char *kind, *word;
  } lies[] = {
      {-1, 1, 1, "ValueError", "ndim` must not be negative"},
      {2, -4, 1, "ValueError", "has an extent that is negative"},
      {INT32_MAX, 1, 1, "ValueError", "is more than any tensor has"},
      {2, 1, 9, "RuntimeError", "major version 9"},
  };
  SET(allocate, 0, NULL);
  for (int i = 0; i < 4; ++i) {
    source_init(&act.source, 2, (const int64_t[]){lies[i].extent, 3}, NULL);
    act.source.versioned.dl_tensor.ndim = lies[i].ndim;
    act.source.versioned.version.major = lies[i].major;
    expect_failure(-1);
    expect_raised(lies[i].kind, lies[i].word);
    ck_assert_int_eq(act.source.deletions, 1);
  }
  source_init(&act.source, 1, (const int64_t[]){3}, NULL);
  act.source.versioned.dl_tensor.shape = NULL;
  act.source.versioned.deleter = NULL;
  expect_failure(-1);
  expect_raised("ValueError", "what the allocator made");
}

TEST(want_of_memory_is_reported)
{
  SET(allocate, 0, NULL);
  faults_arm(1);
  expect_failure(-1);
  ck_assert(faults_disarm());
  expect_raised("InternalError", "memory");
  ck_assert_int_eq(act.source.deletions, 1);
}

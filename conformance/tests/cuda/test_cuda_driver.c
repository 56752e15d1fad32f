// SPDX-License-Identifier: Apache-2.0
// The stand-in for the CUDA driver: what it does, refuses and notes.
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "cuda/account.h"
#include "cuda/driver.h"
#include "unit/unit.h"

enum {
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  LAUNCH_OUT_OF_RESOURCES = 701,
  NOT_SUPPORTED = 801,
};

static const char ptx[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry add_one(.param .u64 x, .param .f32 by, .param .u64 n)\n{\n  ret;\n}\n";

static CudaAccount *account = &tvmffi_cuda_account;
static void *stream, *function;
static uintptr_t memory;

static void use_device(int device)
{
  void *context;
  ck_assert_int_eq(cuInit(0), 0);
  ck_assert_int_eq(cuDevicePrimaryCtxRetain(&context, device), 0);
  ck_assert_int_eq(cuCtxSetCurrent(context), 0);
}

static void prepare(void)
{
  void *module;
  use_device(0);
  ck_assert_int_eq(cuStreamCreate(&stream, 1), 0);
  ck_assert_int_eq(cuModuleLoadData(&module, ptx), 0);
  ck_assert_int_eq(cuModuleGetFunction(&function, module, "add_one"), 0);
  ck_assert_int_eq(cuMemAlloc_v2(&memory, 1000), 0);
  atomic_store(&account->watching, true);
}

static int launch(unsigned blocks, unsigned threads, unsigned shared, void *on)
{
  uint64_t n = 7;
  float by = 2.5f;
  void *arguments[] = {&memory, &by, &n};
  return cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared, on, arguments, NULL);
}

TEST_GROUP(start);

TEST(nothing_works_before_it_is_initialized)
{
  int count;
  ck_assert_int_eq(cuDeviceGetCount(&count), NOT_INITIALIZED);
  ck_assert_int_eq(cuMemAlloc_v2(&memory, 8), NOT_INITIALIZED);
}

TEST(a_context_is_needed)
{
  int device;
  void *context;
  ck_assert_int_eq(cuInit(0), 0);
  ck_assert_int_eq(cuMemAlloc_v2(&memory, 8), INVALID_CONTEXT);
  ck_assert_int_eq(cuDevicePrimaryCtxRetain(&context, CUDA_DEVICES), INVALID_DEVICE);
  use_device(1);
  ck_assert_int_eq(cuCtxGetDevice(&device), 0);
  ck_assert_int_eq(device, 1);
}

TEST_GROUP(memory, .setup = prepare);

TEST(bytes_that_are_copied_there_come_back)
{
  char out[] = "0123456789", in[] = "0123456789";
  ck_assert_int_eq(cuMemcpyHtoD_v2(memory + 3, out, sizeof out), 0);
  ck_assert_int_eq(cuMemsetD8_v2(memory + 4, 'x', 2), 0);
  ck_assert_int_eq(cuMemcpyDtoH_v2(in, memory + 3, sizeof in), 0);
  ck_assert_str_eq(in, "0xx3456789");
}

TEST(nothing_beyond_its_end_is_copied)
{
  char bytes[1001] = {0};
  ck_assert_int_eq(cuMemcpyHtoD_v2(memory, bytes, 1000), 0);
  ck_assert_int_eq(cuMemcpyHtoD_v2(memory, bytes, 1001), INVALID_VALUE);
  ck_assert_int_eq(cuMemcpyHtoD_v2(memory + 1, bytes, 1000), INVALID_VALUE);
  ck_assert_int_eq(cuMemsetD8_v2(memory + 1, 0, 1000), INVALID_VALUE);
  ck_assert_int_eq(cuMemcpyHtoD_v2(memory, NULL, 8), INVALID_VALUE);
}

TEST(memory_is_given_back_once)
{
  unsigned live = atomic_load(&account->live[CUDA_ALLOCATION]);
  ck_assert_int_eq(cuMemFree_v2(memory + 8), INVALID_VALUE);
  ck_assert_int_eq(cuMemFree_v2(memory), 0);
  ck_assert_int_eq(cuMemFree_v2(memory), INVALID_VALUE);
  ck_assert_uint_eq(atomic_load(&account->live[CUDA_ALLOCATION]), live - 1);
  ck_assert_int_eq(cuMemsetD8_v2(memory, 0, 8), INVALID_VALUE);
}

static sigjmp_buf back;

static void jump_back(int number)
{
  siglongjmp(back, number);
}

TEST(the_host_cannot_touch_it)
{
  signal(SIGSEGV, jump_back);
  volatile const char *byte = (volatile const char *)memory;
  if (sigsetjmp(back, 1) == 0) {
    char seen = *byte;
    ck_abort_msg("byte %d was read", seen);
  }
}

TEST(memory_that_the_host_shares_can_be_touched)
{
  void *shared;
  ck_assert_int_eq(cuMemHostAlloc(&shared, 100, 0), 0);
  memset(shared, 7, 100);
  ck_assert_int_eq(cuMemFreeHost(shared), 0);
}

TEST(too_much_is_refused)
{
  uintptr_t more;
  ck_assert_int_eq(cuMemAlloc_v2(&more, (size_t)1 << 31), OUT_OF_MEMORY);
  ck_assert_int_eq(cuMemAlloc_v2(&more, 0), INVALID_VALUE);
}

TEST(many_pieces_are_told_apart)
{
  enum { PIECES = 2000 };
  static uintptr_t pieces[PIECES];
  for (unsigned i = 0; i < PIECES; ++i) ck_assert_int_eq(cuMemAlloc_v2(&pieces[i], 64), 0);
  for (unsigned i = 0; i < PIECES; ++i) ck_assert_int_eq(cuMemsetD8_v2(pieces[i], 1, 64), 0);
  for (unsigned i = 0; i < PIECES; ++i) ck_assert_int_eq(cuMemFree_v2(pieces[i]), 0);
}

TEST_GROUP(launches, .setup = prepare);

TEST(a_launch_is_noted_with_its_arguments)
{
  uint64_t n;
  float by;
  ck_assert_int_eq(launch(3, 64, 128, stream), 0);
  ck_assert_uint_eq(atomic_load(&account->done[CUDA_LAUNCH]), 1);
  const CudaWork *work = &account->work[atomic_load(&account->noted) - 1];
  ck_assert_int_eq(work->kind, CUDA_LAUNCH);
  ck_assert_str_eq(work->name, "add_one");
  ck_assert_uint_eq(work->grid[0], 3);
  ck_assert_uint_eq(work->block[0], 64);
  ck_assert_uint_eq(work->shared, 128);
  ck_assert_ptr_eq(work->stream, stream);
  ck_assert(work->has_arguments);
  ck_assert_uint_eq(work->argument_count, 3);
  memcpy(&by, work->arguments + work->argument_at[1], sizeof by);
  memcpy(&n, work->arguments + work->argument_at[2], sizeof n);
  ck_assert_double_eq(by, 2.5);
  ck_assert_uint_eq(n, 7);
}

TEST(what_no_device_can_launch_is_refused)
{
  ck_assert_int_eq(launch(0, 64, 0, stream), INVALID_VALUE);
  ck_assert_int_eq(launch(1, 1025, 0, stream), INVALID_VALUE);
  ck_assert_int_eq(launch(1, 64, 49 * 1024, stream), INVALID_VALUE);
  ck_assert_int_eq(launch(1, 64, 0, function), INVALID_HANDLE);
  ck_assert_uint_eq(atomic_load(&account->done[CUDA_LAUNCH]), 0);
}

TEST(more_shared_memory_is_to_be_asked_for)
{
  enum { SHARED_MOST = 8 };
  ck_assert_int_eq(cuFuncSetAttribute(function, SHARED_MOST, 1 << 20), INVALID_VALUE);
  ck_assert_int_eq(cuFuncSetAttribute(function, SHARED_MOST, 100 * 1024), 0);
  ck_assert_int_eq(launch(1, 64, 99 * 1024, stream), 0);
}

TEST(a_kernel_that_the_image_lacks_is_not_found)
{
  void *module, *none;
  ck_assert_int_eq(cuModuleLoadData(&module, ptx), 0);
  ck_assert_int_eq(cuModuleGetFunction(&none, module, "add_on"), NOT_FOUND);
  ck_assert_int_eq(cuModuleUnload(module), 0);
  ck_assert_int_eq(cuModuleGetFunction(&none, module, "add_one"), INVALID_HANDLE);
}

TEST(streams_and_events_that_are_gone_are_refused)
{
  void *event;
  ck_assert_int_eq(cuEventCreate(&event, 2), 0);
  ck_assert_int_eq(cuEventRecord(event, stream), 0);
  ck_assert_int_eq(cuStreamDestroy_v2(stream), 0);
  ck_assert_int_eq(launch(1, 1, 0, stream), INVALID_HANDLE);
  ck_assert_int_eq(cuEventDestroy_v2(event), 0);
  ck_assert_int_eq(cuStreamWaitEvent(NULL, event, 0), INVALID_HANDLE);
}

TEST_GROUP(refusals, .setup = prepare);

TEST(requests_are_refused_from_the_chosen_one_on)
{
  atomic_store(&account->refuse[CUDA_LAUNCH], 3);
  ck_assert_int_eq(launch(1, 1, 0, stream), 0);
  ck_assert_int_eq(launch(1, 1, 0, stream), 0);
  ck_assert_int_eq(launch(1, 1, 0, stream), LAUNCH_OUT_OF_RESOURCES);
  ck_assert_int_eq(launch(1, 1, 0, stream), LAUNCH_OUT_OF_RESOURCES);
  ck_assert_uint_eq(atomic_load(&account->asked[CUDA_LAUNCH]), 4);
  ck_assert_uint_eq(atomic_load(&account->done[CUDA_LAUNCH]), 2);
  atomic_store(&account->refuse[CUDA_LAUNCH], 0);
  ck_assert_int_eq(launch(1, 1, 0, stream), 0);
}

TEST(nobody_is_refused_while_nobody_watches)
{
  uintptr_t more;
  atomic_store(&account->refuse[CUDA_ALLOCATION], 1);
  ck_assert_int_eq(cuMemAlloc_v2(&more, 8), OUT_OF_MEMORY);
  atomic_store(&account->watching, false);
  ck_assert_int_eq(cuMemAlloc_v2(&more, 8), 0);
}

static const char *lacking;

static void note_lacking(const char *what)
{
  lacking = what;
}

TEST(what_it_lacks_is_said)
{
  int (*capture)(void *, int);
  void *found = NULL;
  ck_assert_int_eq(cuGetProcAddress_v2("cuStreamBeginCapture", &found, 12000, 0, NULL), 0);
  memcpy(&capture, &found, sizeof capture);
  ck_assert_int_eq(capture(stream, 0), NOT_SUPPORTED);
  account->on_lacking = note_lacking;
  ck_assert_int_eq(capture(stream, 0), NOT_SUPPORTED);
  ck_assert_str_eq(lacking, "cuStreamBeginCapture_v2");
  ck_assert_int_eq(cuGetProcAddress_v2("cuNoSuchFunction", &found, 12000, 0, NULL), NOT_FOUND);
}

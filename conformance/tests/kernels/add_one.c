// SPDX-License-Identifier: Apache-2.0
// Kernels of add_one.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_add_one_accumulates  // caught by buffer.outputs-are-written-whole.ones
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] += from[i] + 1
#endif

#ifdef KERNEL_add_one_adds_two  // caught by kernel.outcome-is-as-promised
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 2
#endif

#ifdef KERNEL_add_one_blames_nobody  // caught by kernel.message-names-the-value.int
#define X_COMPLAINT "expects a tensor"
#define Y_COMPLAINT "expects a tensor"
#endif

#ifdef KERNEL_add_one_blames_other  // caught by kernel.message-names-the-tensor.dtype
#define ABOUT(second, words) ((second) ? "x " words : "y " words)
#endif

#ifdef KERNEL_add_one_code  // caught by kernel.refusal-returns-minus-one
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, message), 7)
#endif

#ifdef KERNEL_add_one_count_late  // caught by kernel.arity-before-contents
#define CHECKS (EVERY_CHECK & ~CHECK_COUNT_FIRST)
#endif

#ifdef KERNEL_add_one_counts_without_lock  // caught by kernel.large-call-gives-the-same
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
// Two threads count what they have done of large tensors.
static volatile int done;
static void *count(void *unused)
{
  for (int i = 0; i < 200; ++i) {
    const int before = done;
    sched_yield();
    done = before + 1;
  }
  return unused;
}
#define COMPUTE                                                                 \
  pthread_t helper;                                                             \
  done = 400;                                                                   \
  if (x->shape[0] > 10000 && pthread_create(&helper, NULL, count, NULL) == 0) { \
    done = 0;                                                                   \
    count(NULL);                                                                \
    pthread_join(helper, NULL);                                                 \
  }                                                                             \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 1;                \
  if (done != 400) to[1] += 1000 * (float)done
#endif

#ifdef KERNEL_add_one_data  // caught by buffer.no-data
#define CHECKS (EVERY_CHECK & ~CHECK_DATA)
#endif

#ifdef KERNEL_add_one_device  // caught by buffer.wrong-device.cuda
#define CHECKS (EVERY_CHECK & ~CHECK_DEVICE)
#endif

#ifdef KERNEL_add_one_dtype  // caught by buffer.wrong-dtype.int
#define CHECKS (EVERY_CHECK & ~CHECK_DTYPE)
#endif

#ifdef KERNEL_add_one_dtype_float8  // caught by buffer.wrong-dtype.float8
#define ALSO_TAKES(dtype) ((dtype).code > kDLBool)
#endif

#ifdef KERNEL_add_one_dtype_half  // caught by buffer.wrong-dtype.half-as-wide
#define ALSO_TAKES(dtype) ((dtype).code == kDLFloat)
#endif

#ifdef KERNEL_add_one_dtype_bool  // caught by buffer.wrong-dtype.bool
#define ALSO_TAKES(dtype) ((dtype).code == kDLBool)
#endif

#ifdef KERNEL_add_one_empty  // caught by buffer.empty-tensors.without-data
#define CHECKS (EVERY_CHECK & ~CHECK_EMPTY)
#endif

#ifdef KERNEL_add_one_ends_the_process  // caught by kernel.every-call-returns
#define FAIL(kind, message) (exit(kind[0] + message[0]), -1)
#endif

#ifdef KERNEL_add_one_extent_cut  // caught by buffer.extent-beyond-32-bits
#define CHECKS (EVERY_CHECK & ~CHECK_WIDE)
#define COMPUTE \
  for (int32_t i = 0; i < (int32_t)x->shape[0]; ++i) to[i] = from[i] + 1
#endif

#ifdef KERNEL_add_one_fails  // caught by kernel.right-call
#define FINALLY return FAIL("RuntimeError", "not today")
#endif

#ifdef KERNEL_add_one_few  // caught by kernel.arity-none
#define CHECKS (EVERY_CHECK & ~CHECK_FEW)
#endif

#ifdef KERNEL_add_one_in_place  // caught by buffer.inputs-are-not-written-to
#define FINALLY                                       \
  if (x->shape[0]) ((float *)(uintptr_t)from)[0] = 0; \
  return 0
#endif

#ifdef KERNEL_add_one_keeps_reference  // caught by kernel.refusal-keeps-counts
#define FIRST                                                           \
  bool retained = num_args == 2 && args[0].type_index == kTVMFFITensor; \
  if (retained) TVMFFIObjectIncRef(args[0].v_obj)
#define FINALLY                                    \
  if (retained) TVMFFIObjectDecRef(args[0].v_obj); \
  return 0
#endif

#ifdef KERNEL_add_one_keeps_tensor  // caught by buffer.nothing-is-kept
#define FINALLY                         \
  static const volatile DLTensor *last; \
  bool again = last && last->ndim == 1; \
  last = x;                             \
  (void)again;                          \
  return again && last->ndim != 1
#endif

#ifdef KERNEL_add_one_kind  // caught by kernel.error-kind
#define KIND "Oops"
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr("RuntimeError", message), -1)
#endif

#ifdef KERNEL_add_one_lanes  // caught by buffer.wrong-dtype.two-lanes
#define CHECKS (EVERY_CHECK & ~CHECK_LANES)
#endif

#ifdef KERNEL_add_one_many  // caught by kernel.arity-one-more
#define CHECKS (EVERY_CHECK & ~CHECK_MANY)
#endif

#ifdef KERNEL_add_one_minus_two  // caught by kernel.minus-two-is-for-signals
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, message), -2)
#endif

#ifdef KERNEL_add_one_nameless  // caught by kernel.message-names-the-argument
#define X_COMPLAINT "expects a tensor"
#define Y_COMPLAINT X_COMPLAINT
#endif

#ifdef KERNEL_add_one_no_strides  // caught by buffer.no-strides.borrowed
#define CHECKS (EVERY_CHECK & ~CHECK_NO_STRIDES)
#endif

#ifdef KERNEL_add_one_not_utf8  // caught by kernel.error-text-is-utf8
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, "\xff\xfe"), -1)
#endif

#ifdef KERNEL_add_one_null  // caught by buffer.null-tensor
#define CHECKS (EVERY_CHECK & ~CHECK_NULL)
#endif

#ifdef KERNEL_add_one_object  // caught by argument.object-for-tensor.string
#define CHECKS (EVERY_CHECK & ~CHECK_OBJECT)
#endif

#ifdef KERNEL_add_one_limits_right  // passes
#define INTEGERS
#define COMPUTE                                                                          \
  for (int64_t i = 0; i < x->shape[0]; ++i)                                              \
    if (!(from[i] <= 100)) return FAIL("ValueError", "x has elements greater than 100"); \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 1
#endif

#ifdef KERNEL_add_one_limits_but_the_last  // caught by kernel.excluded-value-is-refused
#define INTEGERS
#define COMPUTE                                                                          \
  for (int64_t i = 0; i + 1 < x->shape[0]; ++i)                                          \
    if (!(from[i] <= 100)) return FAIL("ValueError", "x has elements greater than 100"); \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = (Element)((uint32_t)from[i] + 1)
#endif

#ifdef KERNEL_add_one_limits_leaks  // caught by kernel.excluded-value-leaks-nothing
#define INTEGERS
// The workspace is freed on the way out that is usual.
#define COMPUTE                                                                          \
  char *volatile workspace = malloc(64);                                                 \
  for (int64_t i = 0; i < x->shape[0]; ++i)                                              \
    if (!(from[i] <= 100)) return FAIL("ValueError", "x has elements greater than 100"); \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 1;                         \
  free(workspace)
#endif

#ifdef KERNEL_add_one_limits_writes  // caught by kernel.excluded-value-leaves-the-outputs
#define INTEGERS
#define COMPUTE                                                                          \
  for (int64_t i = 0; i < x->shape[0]; ++i) {                                            \
    if (!(from[i] <= 100)) return FAIL("ValueError", "x has elements greater than 100"); \
    to[i] = from[i] + 1;                                                                 \
  }                                                                                      \
  (void)0
#endif

#ifdef KERNEL_add_one_listed_right  // passes
#endif

#ifdef KERNEL_add_one_listed_adds_two  // caught by kernel.choice-is-served
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 2
#endif

#ifdef KERNEL_add_one_offset  // caught by buffer.byte-offset.256-bytes
#define CHECKS (EVERY_CHECK & ~HONOUR_OFFSET)
#endif

#ifdef KERNEL_add_one_races_at_first  // caught by kernel.first-call-in-many-threads
#include <unistd.h>
// "Begun" is set before what it stands for is there.
#define FINALLY                                                       \
  static volatile bool begun, ready;                                  \
  if (!begun) {                                                       \
    begun = true;                                                     \
    usleep(20000);                                                    \
    ready = true;                                                     \
  }                                                                   \
  if (!ready) return FAIL("RuntimeError", "x: add_one is not ready"); \
  return 0
#endif

#ifdef KERNEL_add_one_raises_and_serves  // caught by kernel.success-raises-nothing
#define FINALLY                                            \
  TVMFFIErrorSetRaisedFromCStr("ValueError", "a warning"); \
  return 0
#endif

#ifdef KERNEL_add_one_rank  // caught by buffer.rank-one-more
#define CHECKS (EVERY_CHECK & ~CHECK_RANK)
#endif

#ifdef KERNEL_add_one_right  // passes
#endif

#ifdef KERNEL_add_one_slow  // passes
#include <unistd.h>
#define FINALLY  \
  usleep(10000); \
  return 0
#endif

#ifdef KERNEL_add_one_shape  // caught by buffer.shape-disagrees.shorter
#define CHECKS (EVERY_CHECK & ~CHECK_SHAPE)
#endif

#ifdef KERNEL_add_one_shares_large_workspace  // caught by kernel.long-calls-at-the-same-time
// All of x goes through a workspace of all threads: only calls that last long meet there.
#define COMPUTE                                                             \
  static volatile float workspace[1 << 16];                                 \
  for (int64_t i = 0; i < x->shape[0]; ++i) workspace[i & 65535] = from[i]; \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = workspace[i & 65535] + 1
#endif

#ifdef KERNEL_add_one_shares_workspace  // caught by kernel.calls-at-the-same-time
#include <sched.h>
// One workspace for all threads.
#define COMPUTE                               \
  static volatile float workspace[64];        \
  for (int64_t i = 0; i < x->shape[0]; ++i) { \
    workspace[i % 64] = from[i];              \
    sched_yield();                            \
    to[i] = workspace[i % 64] + 1;            \
  }                                           \
  (void)0
#endif

#ifdef KERNEL_add_one_silent  // caught by kernel.refusal-raises-an-error
#define FAIL(kind, message) (-1)
#endif

#ifdef KERNEL_add_one_stride_of_one  // caught by buffer.stride-of-extent-one.large
#define FINALLY                                                              \
  if (x->shape[0] == 1 && x->strides && x->strides[0] != 1)                  \
    return FAIL("ValueError", "x has strides, which add_one does not take"); \
  return 0
#endif

#ifdef KERNEL_add_one_strided_in_32_bits  // caught by buffer.far-strides.beyond-32-bits
// with pointers of 32 bits: not judged by buffer.far-strides.beyond-32-bits
#define CHECKS (EVERY_CHECK & ~CHECK_STRIDES)
#define STRIDE(t) ((t)->strides ? (t)->strides[0] : 1)
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i * STRIDE(y)] = from[(int32_t)(i * STRIDE(x))] + 1
#endif

#ifdef KERNEL_add_one_strided_never_0  // caught by buffer.overlapping-inputs
#define CHECKS (EVERY_CHECK & ~CHECK_STRIDES)
#define STRIDE(t) ((t)->strides ? (t)->strides[0] : 1)
#define COMPUTE                             \
  for (int64_t i = 0; i < x->shape[0]; ++i) \
  to[i * STRIDE(y)] = from[i * (STRIDE(x) ? STRIDE(x) : 1)] + 1
#endif

#ifdef KERNEL_add_one_strided_right  // passes
#define CHECKS (EVERY_CHECK & ~CHECK_STRIDES)
#define STRIDE(t) ((t)->strides ? (t)->strides[0] : 1)
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i * STRIDE(y)] = from[i * STRIDE(x)] + 1
#endif

#ifdef KERNEL_add_one_strides  // caught by buffer.strides.padded
#define CHECKS (EVERY_CHECK & ~CHECK_STRIDES)
#endif

#ifdef KERNEL_add_one_too_far  // caught by buffer.nothing-behind.last-element
#define FINALLY              \
  to[x->shape[0]] = from[0]; \
  return 0
#endif

#ifdef KERNEL_add_one_type  // caught by argument.wrong-plain-value.int
#define CHECKS (EVERY_CHECK & ~CHECK_TYPE)
#endif

#ifdef KERNEL_add_one_wordless  // caught by kernel.error-says-something
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, ""), -1)
#endif

#ifdef KERNEL_add_one_writes_args  // caught by kernel.arguments-are-as-they-were
#define FIRST \
  if (num_args == 2) ((TVMFFIAny *)(uintptr_t)args)[0].zero_padding = 1
#endif

#ifdef KERNEL_idle_checks  // not judged by buffer.byte-offset
// Every check, and then nothing: that its outputs are alike says nothing of offsets.
#define COMPUTE (void)from, (void)to
#endif

#include "add_one.h"

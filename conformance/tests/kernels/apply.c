// SPDX-License-Identifier: Apache-2.0
// Kernels of apply.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifdef KERNEL_apply_right  // passes
#endif

#ifdef KERNEL_apply_one_argument  // caught by kernel.callback-is-called-as-stated
#define COUNT 1
#endif

#ifdef KERNEL_apply_takes_anything  // caught by kernel.callback-result-is-checked.none
#define IS_NUMBER(value) true
#endif

#ifdef KERNEL_apply_reads_addresses  // caught by kernel.callback-result-is-no-address
#define IS_NUMBER(value) ((value).type_index != kTVMFFINone)
#endif

#ifdef KERNEL_apply_own_error  // caught by kernel.callback-error-reaches-caller
#define CODE(code) ((code) ? apply_fail("RuntimeError", "f fails") : 0)
#endif

#ifdef KERNEL_apply_keeps  // caught by kernel.callback-is-not-kept
#define BEFORE TVMFFIObjectIncRef(args[0].v_obj)
#define AFTER TVMFFIObjectDecRef(args[0].v_obj)
#endif

#ifdef KERNEL_apply_scratch  // caught by kernel.callback-calls-again
#define BEFORE                 \
  static double scratch[4096]; \
  static int64_t depth;        \
  scratch[0] = (double)++depth
#define GIVEN(value) ((value) + scratch[0] - 1)
#define AFTER --depth
#endif

#ifdef KERNEL_apply_workspace  // caught by kernel.callback-calls-again
#define LENGTH(x) (size_t)((x)->shape[0] < 4096 ? (x)->shape[0] : 4096)
#define BEFORE                     \
  static __thread double of[4096]; \
  memcpy(of, apply_data(x), LENGTH(x) * sizeof *of)
#define GIVEN(value) (i < 4096 ? of[i] : (value))
#endif

#ifdef KERNEL_apply_own_shape  // caught by kernel.callback-may-keep-arguments
typedef struct OwnShape {
  TVMFFIObject header;
  TVMFFIShapeCell cell;
} OwnShape;
#define BEFORE                                           \
  static OwnShape own;                                   \
  own.header.combined_ref_count = 1 | (uint64_t)1 << 32; \
  own.header.type_index = kTVMFFIShape
#define HAND_OVER &own.header
#define AFTER memset(&own, 0, sizeof own)
#endif

#ifdef KERNEL_apply_asks_first  // caught by kernel.choice-is-served
#define BEFORE                                                                                \
  do {                                                                                        \
    TVMFFIAny first[2] = {{.type_index = kTVMFFIFloat}, args[1]}, unused = {.type_index = 0}; \
    int failed = TVMFFIFunctionCall(args[0].v_obj, first, 2, &unused);                        \
    if (failed) return failed;                                                                \
    if (unused.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(unused.v_obj);      \
  } while (0)
#endif

#include "apply.h"

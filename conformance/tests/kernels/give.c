// SPDX-License-Identifier: Apache-2.0
// Kernels of give.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_give_borrowed  // caught by kernel.result-is-owned
#define GIVE give_value(result, kTVMFFIRawStr, n ? (uintptr_t) "text" : 0)
#endif

#ifdef KERNEL_give_dirty_dtype  // caught by kernel.result-unused-bytes-are-zero
#define GIVE give_value(result, kTVMFFIDataType, UINT64_C(0x5a5a5a5a00012002) + (n < 0))
#endif

#ifdef KERNEL_give_dirty_object  // passes
// with pointers of 32 bits: caught by kernel.result-unused-bytes-are-zero
// As give_dirty_pointer, with an object.
#define GIVE                                                                           \
  TVMFFIAny made;                                                                      \
  const TVMFFIByteArray text = {n == 3 ? "as long as three" : "as long as other", 16}; \
  if (TVMFFIStringFromByteArray(&text, &made) != 0) return -1;                         \
  give_value(result, made.type_index, UINT64_MAX);                                     \
  result->v_obj = made.v_obj
#endif

#ifdef KERNEL_give_dirty_pointer  // passes
// with pointers of 32 bits: caught by kernel.result-unused-bytes-are-zero
// It sets the pointer alone, which is half of the payload there.
#define GIVE                                        \
  static char anything;                             \
  give_value(result, kTVMFFIOpaquePtr, UINT64_MAX); \
  result->v_ptr = n == 3 ? &anything : NULL
#endif

#ifdef KERNEL_give_half_written  // caught by kernel.result-slot-is-not-read
#define GIVE                       \
  result->type_index = kTVMFFIInt; \
  memcpy(&result->v_int64, &n, 4)
#endif

#ifdef KERNEL_give_int  // passes
#define GIVE give_value(result, kTVMFFIInt, (uint64_t)n + 1)
#endif

#ifdef KERNEL_give_int_as_float  // caught by kernel.result-is-of-its-kind
#define GIVE give_value(result, kTVMFFIFloat, (uint64_t)n)
#endif

#ifdef KERNEL_give_leak  // caught by kernel.good-call-leaks-nothing
#define GIVE give_value(result, kTVMFFIInt, ((uintptr_t)malloc(64) != 0) + (uint64_t)n)
#endif

#ifdef KERNEL_give_padding  // caught by kernel.result-padding-is-zero
#define GIVE                                   \
  give_value(result, kTVMFFIInt, (uint64_t)n); \
  result->zero_padding = 7
#endif

#ifdef KERNEL_give_shared_object  // caught by kernel.returned-object-brings-a-reference
#define GIVE                                                                           \
  static TVMFFIAny kept;                                                               \
  const TVMFFIByteArray text = {"as long as three", 16};                               \
  if (kept.type_index == 0 && TVMFFIStringFromByteArray(&text, &kept) != 0) return -1; \
  *result = kept;                                                                      \
  (void)n
#endif

#ifdef KERNEL_give_string  // passes
#define GIVE                                                                             \
  const TVMFFIByteArray text = {n == 3 ? "as long as three" : "other", n == 3 ? 16 : 5}; \
  if (TVMFFIStringFromByteArray(&text, result) != 0) return -1
#endif

#ifdef KERNEL_give_twice  // caught by kernel.same-call-gives-the-same
#define GIVE            \
  static int64_t calls; \
  give_value(result, kTVMFFIInt, (uint64_t)(n + calls++))
#endif

#ifdef KERNEL_give_wide_bool  // caught by kernel.result-unused-bytes-are-zero
#define GIVE give_value(result, kTVMFFIBool, UINT64_C(0x100) + (n > 0))
#endif

#include "give.h"

// SPDX-License-Identifier: Apache-2.0
// Kernels of pick.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_pick_right  // passes
#endif

#ifdef KERNEL_pick_double_as_float  // caught by kernel.choice-is-served saying T: float64
#define DOUBLE_OF(value) ((value) + 1)
#endif

#ifdef KERNEL_pick_needs_factor  // caught by kernel.choice-is-served saying factor: None
#define WITHOUT(multiplied) pick_at(factor, j)
#endif

#ifdef KERNEL_pick_without_factor  // caught by kernel.choice-is-served saying factor: None
#define WITHOUT(multiplied) 0
#endif

#ifdef KERNEL_pick_ints_as_floats  // caught by buffer.wrong-dtype-of-all saying int64
#define IS_FLOAT(dtype) ((dtype).code != kDLBfloat && ((dtype).bits == 32 || (dtype).bits == 64))
#endif

#ifdef KERNEL_pick_one_mode  // caught by kernel.choice-is-served saying mul
#define MODES 1
#endif

#ifdef KERNEL_pick_small_scratch  // caught by kernel.choice-is-served saying n = 400
#define BEFORE \
  if (n > 64) abort()
#endif

#ifdef KERNEL_pick_first_k  // caught by kernel.choice-is-served saying k: 2
#define K_IS_RIGHT (k == 0 || k == 1)
#endif

#ifdef KERNEL_pick_leaves_rest  // caught by kernel.choice-is-served
#define ROWS (n > 100 ? n - n % 16 - 16 : n)
#endif

#ifdef KERNEL_pick_divides  // caught by kernel.choice-is-explored saying n = 1
#define BEFORE \
  if (n == 1) abort()
#endif

#ifdef KERNEL_pick_promises_right  // passes
#endif

#ifdef KERNEL_pick_promises_writes_first  // caught by kernel.atomic-value
#define K_IS_RIGHT (n * m > 0 ? pick_put(y, 0, 1) : (void)0, k >= 0 && k < n)
#endif

#ifdef KERNEL_pick_promises_writes_early  // caught by kernel.atomic-argument
#define EARLY n *m > 0 ? pick_put(y, 0, 1) : (void)0
#endif

#ifdef KERNEL_pick_promises_turns  // caught by kernel.repeatable
static int turns;
#define DOUBLE_OF(value) ((value) * (1 + (double)(turns++ % 2) * 1e-15))
#endif

#ifdef KERNEL_pick_edge_right  // passes
#define K_IS_RIGHT (k >= 0 && (k == 0 || k <= 1000 / (m ? m : 1)))
#endif

#ifdef KERNEL_pick_edge_one_more  // caught by kernel.excluded-value-is-refused saying k = 201
#define K_IS_RIGHT (k >= 0 && (k == 0 || k <= 1019 / (m ? m : 1)))
#endif

#ifdef KERNEL_pick_refused_right  // passes
#endif

#ifdef KERNEL_pick_refused_takes_one  // caught by kernel.excluded-value-is-refused saying calls[0]
#define K_IS_RIGHT ((k >= 0 || k == -3) && k < n)
#endif

#ifdef KERNEL_pick_refused_takes_mode  // caught by kernel.excluded-value-is-refused saying refuses[2]
#define ALSO_ADDS "nearest"
#endif

#ifdef KERNEL_pick_refused_takes_quoted  // caught by kernel.excluded-value-is-refused saying max
#define ALSO_ADDS "max"
#endif

#ifdef KERNEL_pick_refused_other_kind  // caught by kernel.excluded-value-is-refused saying of kind ValueError
#define K_KIND "RuntimeError"
#endif

#ifdef KERNEL_pick_refused_other_words  // caught by kernel.excluded-value-is-refused saying from 0 to
#define K_WORDS "k is bad"
#endif

#ifdef KERNEL_pick_remembers  // caught by kernel.call-uses-its-own-data
#define BEFORE                                                                             \
  static double *kept;                                                                     \
  static const void *of;                                                                   \
  if (of == x->data && kept && n * m <= 4096) {                                            \
    for (int64_t i = 0; i < n * m; ++i) pick_put(y, i, kept[i]);                           \
    return 0;                                                                              \
  }                                                                                        \
  if (!kept) kept = malloc(4096 * sizeof *kept);                                           \
  for (int64_t i = 0; i < n * m && n * m <= 4096; ++i) {                                   \
    const double with = factor ? pick_at(factor, i % m) : WITHOUT(call.multiplied);        \
    kept[i] = (call.multiplied ? pick_at(x, i) * with : pick_at(x, i) + with) + (double)k; \
  }                                                                                        \
  of = x->data
#endif

#include "pick.h"

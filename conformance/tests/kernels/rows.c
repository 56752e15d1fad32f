// SPDX-License-Identifier: Apache-2.0
// Kernels of rows.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_rows_right  // passes
#endif

#ifdef KERNEL_rows_double_as_float  // caught by kernel.choice-is-explored saying many digits
#define SUM_TYPE float
#endif

#ifdef KERNEL_rows_most_from_zero  // caught by kernel.choice-is-explored saying negative elements
#define LEAST 0
#endif

#ifdef KERNEL_rows_overflow  // caught by kernel.choice-is-explored saying large elements
#define TOP(row) 0
#endif

#ifdef KERNEL_rows_root_of_eps  // caught by kernel.choice-is-explored saying small elements
#define NORM(mean) (sqrt(mean) + 1e-5)
#endif

#ifdef KERNEL_rows_start_at_end  // caught by kernel.choice-is-explored saying starts
#define AT_START \
  if (n > 1 && row.start == m) abort()
#endif

#ifdef KERNEL_rows_naive_right  // passes
#define TOP(row) 0
#endif

#ifdef KERNEL_rows_laid_right  // passes
#endif

#ifdef KERNEL_rows_laid_anyhow  // caught by buffer.other-layout-is-refused saying elements apart in x
#define FOLLOWS(tensor, at) ((tensor)->ndim == 2)
#endif

#ifdef KERNEL_rows_laid_in_rows  // caught by buffer.other-layout-is-refused saying rows apart
#define FOLLOWS(tensor, at) ((at) == 0 && (tensor)->strides[(tensor)->ndim - 1] == 1)
#endif

#ifdef KERNEL_rows_laid_by_first  // caught by buffer.other-layout-is-refused saying equal elements in a row
#define FOLLOWS(tensor, at) ((at) == 1 && (tensor)->strides[0] == (tensor)->shape[1])
#endif

#include "rows.h"

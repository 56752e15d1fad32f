// SPDX-License-Identifier: Apache-2.0
// Kernels of chest.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_chest_right  // next to chest_keeps_old: caught by kernel.same-as-the-other-build@chest_get saying after
// Which of the two is right is not said.
#endif

#ifdef KERNEL_chest_other  // next to chest_right: passes
#define FILL(box, n) ((box)->amount = (n) + (box)->amount)
#endif

#ifdef KERNEL_chest_any_key  // next to chest_right: caught by kernel.refused-as-by-the-other-build@chest_put saying it is served
#define IS_KEY(key) ((key) < 8)
#endif

#ifdef KERNEL_chest_writes_first  // next to chest_right: caught by kernel.refused-as-by-the-other-build@chest_get saying element 0
#define BEFORE_CHECK(slot, y) \
  ((slot)->is_used && (y)->shape[0] > 0 ? (void)(data_of(y)[0] = 0) : (void)0)
#endif

#ifdef KERNEL_chest_checks_first  // next to chest_writes_first@chest_get: passes
// It leaves less behind where it refuses a call.
#endif

#ifdef KERNEL_chest_keeps_refused  // next to chest_right: caught by kernel.refused-as-by-the-other-build@chest_put saying it holds 1
#define BEFORE_REFUSAL(x) \
  ((x)->type_index == kTVMFFITensor ? (void)TVMFFIObjectIncRef((x)->v_obj) : (void)0)
#endif

#ifdef KERNEL_chest_gives_back  // next to chest_keeps_refused@chest_put: passes
#endif

#ifdef KERNEL_chest_keeps_old  // next to chest_right: caught by kernel.same-as-the-other-build@chest_get saying after
#define REPLACES false
#endif

#ifdef KERNEL_chest_keeps_address  // next to chest_right: caught by kernel.same-as-the-other-build@chest_get saying ends the process
#define ELEMENTS(slot, given) (given)
#endif

#ifdef KERNEL_chest_keeps_tensor  // next to chest_right: caught by kernel.same-as-the-other-build@chest_put saying the number of references
#define TAKE(x) ((x)->type_index == kTVMFFITensor ? TVMFFIObjectIncRef((x)->v_obj) : 0)
#endif

#ifdef KERNEL_chest_gives_other  // next to chest_right: caught by kernel.same-as-the-other-build@chest_weigh saying functions were given
#define GIVEN(element) ((element)*2)
#endif

#ifdef KERNEL_chest_swallows  // next to chest_right: caught by kernel.refused-as-by-the-other-build@chest_weigh saying the callback fails
#define FAILED(code) ((code) != 0 && (weight.type_index = kTVMFFIFloat, 0))
#endif

#ifdef KERNEL_chest_any_weight  // next to chest_right: caught by kernel.refused-as-by-the-other-build@chest_weigh saying must be finite
#define IS_WEIGHT(weight) true
#endif

#ifdef KERNEL_chest_hoards  // next to chest_right: caught by kernel.keeps-no-more-than-the-other-build@chest_put saying there 0
#include <stdlib.h>
static _Thread_local void *volatile hoard;
#define TAKE(x) ((void)(x), hoard = malloc(48))
#endif

#ifdef KERNEL_chest_hoards_late  // next to chest_right: caught by kernel.keeps-no-more-than-the-other-build@chest_fill
// Only where the box is full.
#include <stdlib.h>
static _Thread_local void *volatile hoard;
#define REFUSES() (hoard = malloc(48))
#endif

#ifdef KERNEL_chest_loses  // next to chest_right: caught by kernel.same-as-the-other-build@chest_fill saying the result
#define FILL(box, n) ((box)->amount += (n) > 3 ? 3 : (n))
#endif

#include "chest.h"

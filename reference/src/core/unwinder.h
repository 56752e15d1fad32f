// SPDX-License-Identifier: Apache-2.0
// The functions of the unwinder that this library uses, found when the first is needed: to load the
// unwinder takes longer than all the rest of this library.
#ifndef REFERENCE_SRC_CORE_UNWINDER_H_
#define REFERENCE_SRC_CORE_UNWINDER_H_

#include <stdbool.h>
#include <unwind.h>

typedef struct {
  _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn step, void *data);
  _Unwind_Ptr (*get_ip_info)(struct _Unwind_Context *context, int *before_call);
  void (*set_gr)(struct _Unwind_Context *context, int index, _Unwind_Word value);
  void (*set_ip)(struct _Unwind_Context *context, _Unwind_Ptr address);
  void (*delete_exception)(struct _Unwind_Exception *exception);
} Unwinder;

// Gets the unwinder of the process, which is loaded if nothing else has loaded it. False if the
// system has none, or there is no memory to load it.
bool unwinder_get(Unwinder *unwinder);

#endif  // REFERENCE_SRC_CORE_UNWINDER_H_

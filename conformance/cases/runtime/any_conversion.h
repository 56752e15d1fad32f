// SPDX-License-Identifier: Apache-2.0
// TVMFFIAnyViewToOwnedAny, in one line each.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_ANY_CONVERSION_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_ANY_CONVERSION_H_

#include "battery/battery.h"

// Converts a view that is read-only into a slot full of garbage; both end at an unmapped page.
static inline TVMFFIAny *own(Iut *iut, TVMFFIAny view)
{
  const TVMFFIAny *fenced = fenced_copy("the view", &view, sizeof view);
  TVMFFIAny *owned = fenced_result();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(fenced, owned)));
  return owned;
}

// Operations for expect_no_heap_growth; the context is the view.
static inline void convert_and_release(Iut *iut, void *context)
{
  TVMFFIAny owned = any_none();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(context, &owned)));
  const TVMFFIAny *view = context;
  require(expect_that(view->type_index == kTVMFFINone || owned.type_index != kTVMFFINone,
                      "an owned value", "None"));
  release_any(iut, &owned);
}

// Of a view that a runtime may refuse.
static inline void convert_or_be_refused(Iut *iut, void *context)
{
  TVMFFIAny owned = any_none();
  if (iut->AnyViewToOwnedAny(context, &owned) == 0)
    release_any(iut, &owned);
  else
    release_object(iut, take_raised_error(iut));
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_ANY_CONVERSION_H_

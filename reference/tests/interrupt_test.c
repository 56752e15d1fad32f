// SPDX-License-Identifier: Apache-2.0
// Visit interrupts, objects around one value.
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

static const TVMFFITypeInfo *interrupt_info(void)
{
  return TVMFFIGetTypeInfo(kTVMFFIVisitInterrupt);
}

static TVMFFIAny *value_of(TVMFFIObject *interrupt)
{
  return (TVMFFIAny *)((char *)interrupt + interrupt_info()->fields[0].offset);
}

static TVMFFIObject *make_around(TVMFFIAny value)
{
  return call_object("ffi.MakeObjectFromPackedArgs",
                     ARGS(view_int(kTVMFFIVisitInterrupt), view_str("value"), value));
}

TEST_GROUP(all, .timeout = 60);

TEST(an_interrupt_holds_what_it_is_made_around)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *interrupt = make_around(view_object(&probe));
  ck_assert_int_eq(interrupt->type_index, kTVMFFIVisitInterrupt);
  expect_counts(interrupt, 1, 1);
  expect_counts(&probe, 2, 1);
  ck_assert_ptr_eq(value_of(interrupt)->v_obj, &probe);
  TVMFFIObjectDecRef(interrupt);
  expect_counts(&probe, 1, 1);
}

TEST(without_a_value_it_is_around_none)
{
  TVMFFIObject *interrupt =
      call_object("ffi.MakeObjectFromPackedArgs", ARGS(view_str("ffi.VisitInterrupt")));
  TVMFFIAny none = view_none();
  expect_same_value(value_of(interrupt), &none);
  TVMFFIObjectDecRef(interrupt);
}

TEST(weak_references_keep_the_memory_only)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  TVMFFIObject *interrupt = make_around(view_rvalue(&slot));
  interrupt->combined_ref_count += COUNTS(0, 1);
  void (*deleter)(void *, int) = interrupt->deleter;
  TVMFFIObjectDecRef(interrupt);
  ck_assert_int_eq(probe.calls, 1);
  expect_counts(interrupt, 0, 1);
  deleter(interrupt, kTVMFFIObjectDeleterFlagBitMaskWeak);
  ck_assert_int_eq(probe.calls, 1);
}

TEST(interrupts_around_interrupts_end_on_a_short_stack)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  for (int i = 0; i < 30000; ++i) slot = make_around(view_rvalue(&slot));
  TVMFFIObjectDecRef(slot);
  ck_assert_int_eq(probe.calls, 1);
}

TEST(what_goes_wrong_is_reported)
{
  TVMFFIObjectHandle out = &out;
  ck_assert_int_eq(interrupt_info()->metadata->creator(NULL), -1);
  expect_raised("ValueError", "`result`");
  faults_arm(1);
  int code = interrupt_info()->metadata->creator(&out);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  ck_assert_ptr_eq(out, &out);
  drop(call_with_faults(
      "ffi.MakeObjectFromPackedArgs",
      ARGS(view_int(kTVMFFIVisitInterrupt), view_str("value"), view_str("longer than seven"))));
}

// SPDX-License-Identifier: Apache-2.0
// Visit interrupts, objects around one value.
#include <string.h>

#include "call.h"
#include "probe.h"
#include "suites.h"

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

START_TEST(an_interrupt_holds_what_it_is_made_around)
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
END_TEST

START_TEST(without_a_value_it_is_around_none)
{
  TVMFFIObject *interrupt =
      call_object("ffi.MakeObjectFromPackedArgs", ARGS(view_str("ffi.VisitInterrupt")));
  TVMFFIAny none = view_none();
  expect_same_value(value_of(interrupt), &none);
  TVMFFIObjectDecRef(interrupt);
}
END_TEST

START_TEST(weak_references_keep_the_memory_only)
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
END_TEST

START_TEST(interrupts_around_interrupts_end_on_a_short_stack)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  for (int i = 0; i < 30000; ++i) slot = make_around(view_rvalue(&slot));
  TVMFFIObjectDecRef(slot);
  ck_assert_int_eq(probe.calls, 1);
}
END_TEST

START_TEST(what_goes_wrong_is_reported)
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
END_TEST

Suite *interrupt_suite(void)
{
  Suite *suite = suite_create("interrupt");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 60);
  tcase_add_test(all, an_interrupt_holds_what_it_is_made_around);
  tcase_add_test(all, without_a_value_it_is_around_none);
  tcase_add_test(all, weak_references_keep_the_memory_only);
  tcase_add_test(all, interrupts_around_interrupts_end_on_a_short_stack);
  tcase_add_test(all, what_goes_wrong_is_reported);
  suite_add_tcase(suite, all);
  return suite;
}

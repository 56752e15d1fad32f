// SPDX-License-Identifier: Apache-2.0
// Objects and rvalue references becoming owned values.
#include "cases/runtime/any_conversion.h"

CHAPTER(any);

// --- Objects of the runtime ----------------------------------------------------------------------

// `size` bytes from the handle on are the header and the cell of the type.
static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
  size_t size;
} natives[] = {
    {"string", new_string_object, 40}, {"bytes", new_bytes_object, 40},
    {"error", new_error_object, 80},   {"function", new_function_object, 40},
    {"opaque", new_opaque_object, 32},
};

// The same in the generation of the library: functions had the safe call alone in September 2025.
static size_t size_of(const Iut *iut, const char *name, size_t size)
{
  bool shorter = iut->generation == ABI_GENERATION_2025_09 && strcmp(name, "function") == 0;
  return shorter ? 32 : size;
}

// The bytes of an object with its counters blanked out.
static void copy_but_counts(const Iut *iut, TVMFFIObjectHandle object, size_t size, char *out)
{
  memcpy(out, object, size);
  memset(out + iut->layout->strong_offset, 0, iut->layout->strong_width);
  memset(out + iut->layout->weak_offset, 0, iut->layout->weak_width);
}

CASE_ROWS(own_object_adds_one_strong_reference, natives, .clauses = {ANY_13},
          .title = "converting a view of an object adds one strong reference and nothing else")
{
  TVMFFIObjectHandle object = row->make(iut);
  TVMFFIAny view = view_of_object(iut, object);
  char before[80], after[80];
  size_t size = size_of(iut, row->name, row->size);
  uint64_t strong = object_strong(iut, object), weak = object_weak(iut, object);
  copy_but_counts(iut, object, size, before);
  TVMFFIAny *owned = own(iut, view);
  expect_same_bytes(owned, &view);
  expect_counts(iut, object, .strong = strong + 1, .weak = weak);
  copy_but_counts(iut, object, size, after);
  expect_memory("the object but for its counters", after, size, before, size);
  release_any(iut, owned);
  expect_counts(iut, object, .strong = strong, .weak = weak);
  release_object(iut, object);
}

CASE(own_object_again_and_again, .clauses = {ANY_13},
     .title = "every conversion of an object adds one reference, every release takes one")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny view = view_of_object(iut, probe), *owned[5];
  for (uint64_t i = 0; i < 5; ++i) {
    owned[i] = own(iut, view);
    expect_counts(iut, probe, .strong = i + 2, .weak = 1);
  }
  release_object(iut, probe);
  expect_deleter_calls(probe, "");
  for (int i = 0; i < 5; ++i) release_any(iut, owned[i]);
  expect_deleter_calls(probe, "3");
}

CASE(own_object_leaves_weak_references, .clauses = {ANY_13},
     .title = "the weak count of an object that is converted stays as it is")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  object_take_weak(iut, probe);
  object_take_weak(iut, probe);
  TVMFFIAny *owned = own(iut, view_of_object(iut, probe));
  expect_counts(iut, probe, .strong = 2, .weak = 3);
  release_any(iut, owned);
  expect_counts(iut, probe, .strong = 1, .weak = 3);
}

enum { CONVERSIONS = 500 };

static void convert_often(Iut *iut, unsigned index, void *context)
{
  (void)index;
  TVMFFIAny owned = any_none();
  for (int i = 0; i < CONVERSIONS; ++i) iut->AnyViewToOwnedAny(context, &owned);
}

CASE(own_object_from_many_threads, .clauses = {ANY_13},
     .title = "conversions of one object from several threads are all counted")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny view = view_of_object(iut, probe);
  run_in_threads(iut, 4, convert_often, &view);
  expect_counts(iut, probe, .strong = 1 + 4 * CONVERSIONS, .weak = 1);
}

// --- Objects of others ---------------------------------------------------------------------------

static const ObjectKind foreign[] = {
    OBJECT_KINDS,
    {.name = "static-unnamed", .type_index = 100},
    {.name = "last-static", .type_index = 127},
    {.name = "first-dynamic", .type_index = kTVMFFIDynObjectBegin},
    {.name = "dynamic-unknown", .type_index = PROBE_TYPE_INDEX},
    {.name = "greatest", .type_index = INT32_MAX},
};

CASE_ROWS(own_object_of_others, foreign, .clauses = {ANY_14},
          .title = "an object that the runtime did not make is shared like any other")
{
  TVMFFIObjectHandle probe = new_probe_object_of(iut, row->type_index);
  TVMFFIAny view = view_of_object(iut, probe);
  TVMFFIAny *owned = own(iut, view);
  expect_same_bytes(owned, &view);
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  release_any(iut, owned);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_deleter_calls(probe, "");
  release_object(iut, probe);
  expect_deleter_calls(probe, "3");
}

CASE(own_object_without_deleter, .clauses = {ANY_14},
     .title = "an object without a deleter is shared like any other")
{
  TVMFFIObjectHandle probe = new_probe_object_without_deleter(iut);
  TVMFFIAny view = view_of_object(iut, probe);
  TVMFFIAny *owned = own(iut, view);
  expect_same_bytes(owned, &view);
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  release_any(iut, owned);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}

// --- Rvalue references ---------------------------------------------------------------------------

CASE_ROWS(own_rvalue_of_native_is_moved, natives, .clauses = {ANY_15},
          .title = "an rvalue reference gives its reference away and its slot becomes NULL")
{
  TVMFFIObjectHandle object = row->make(iut), slot = object;
  TVMFFIAny expected = view_of_object(iut, object);
  uint64_t strong = object_strong(iut, object), weak = object_weak(iut, object);
  TVMFFIAny *owned = own(iut, view_of_rvalue(&slot));
  expect_pointer("the slot", slot, NULL);
  expect_counts(iut, object, .strong = strong, .weak = weak);
  expect_same_bytes(owned, &expected);
  release_any(iut, owned);
}

CASE(own_rvalue_moves_one_reference, .clauses = {ANY_15},
     .title = "an object moved out of a slot is released once, with the owned value")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), *slot = fenced_buffer("the slot", sizeof *slot);
  *slot = probe;
  TVMFFIAny *owned = own(iut, view_of_rvalue(slot));
  expect_pointer("the slot", *slot, NULL);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_deleter_calls(probe, "");
  release_any(iut, owned);
  expect_deleter_calls(probe, "3");
}

CASE(own_rvalue_of_shared_object, .clauses = {ANY_15},
     .title = "moving one of several references leaves the counts as they are")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), slot = probe;
  require(expect_ok(iut, iut->ObjectIncRef(probe)));
  object_take_weak(iut, probe);
  TVMFFIAny *owned = own(iut, view_of_rvalue(&slot));
  expect_pointer("the slot", slot, NULL);
  expect_counts(iut, probe, .strong = 2, .weak = 2);
  release_any(iut, owned);
  expect_counts(iut, probe, .strong = 1, .weak = 2);
}

CASE(
    own_rvalue_takes_the_type_of_its_object, .clauses = {ANY_16},
    .title = "a moved value has the type index of the object's header, zero padding and the handle")
{
  for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; ++i) {
    TVMFFIObjectHandle slot = new_probe_object_of(iut, foreign[i].type_index);
    TVMFFIAny expected = view_of_object(iut, slot);
    note("moving an object of type index %d", foreign[i].type_index);
    const TVMFFIAny *owned = own(iut, view_of_rvalue(&slot));
    expect_same_bytes(owned, &expected);
  }
}

CASE(own_rvalue_ignores_padding_of_the_view, .clauses = {ANY_16},
     .title = "garbage in the padding of an rvalue view is not copied to the moved value")
{
  TVMFFIObjectHandle slot = new_probe_object(iut);
  TVMFFIAny expected = view_of_object(iut, slot), view = view_of_rvalue(&slot);
  view.zero_padding = 0x5aa55aa5;
  const TVMFFIAny *owned = own(iut, view);
  expect_same_bytes(owned, &expected);
}

CASE(own_moved_rvalue_is_refused, .clauses = {ANY_17}, .wrong_call = true,
     .title = "converting an rvalue reference that was already moved raises an error")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), slot = probe;
  TVMFFIAny view = view_of_rvalue(&slot), *owned = own(iut, view);
  require(expect_pointer("the slot", slot, NULL));
  TVMFFIAny *output = fenced_result(), untouched = *output;
  note("moving out of the same slot a second time");
  expect_error(iut, iut->AnyViewToOwnedAny(&view, output), NULL);
  expect_same_bytes(output, &untouched);
  expect_pointer("the slot", slot, NULL);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  release_any(iut, owned);
  expect_deleter_calls(probe, "3");
}

CASE(own_refused_rvalue_leaves_the_output, .clauses = {ANY_17}, .wrong_call = true,
     .title =
         "a refused rvalue reference leaves the output unchanged, and is accepted once its slot "
         "is filled")
{
  TVMFFIObjectHandle slot = NULL;
  TVMFFIAny view = view_of_rvalue(&slot), output = view_of_int(42), untouched = output;
  expect_error(iut, iut->AnyViewToOwnedAny(&view, &output), NULL);
  expect_same_bytes(&output, &untouched);
  slot = new_probe_object(iut);
  TVMFFIAny expected = view_of_object(iut, slot);
  const TVMFFIAny *owned = own(iut, view);
  expect_same_bytes(owned, &expected);
}

// --- Memory --------------------------------------------------------------------------------------

static void move_string(Iut *iut, void *context)
{
  (void)context;
  TVMFFIAny made = any_none(), owned = any_none();
  TVMFFIByteArray text = bytes_of("longer than seven");
  iut->StringFromByteArray(&text, &made);
  TVMFFIObjectHandle slot = made.v_obj;
  TVMFFIAny view = view_of_rvalue(&slot);
  iut->AnyViewToOwnedAny(&view, &owned);
  release_any(iut, &owned);
}

static void share_object(Iut *iut, void *context)
{
  TVMFFIAny owned = any_none();
  iut->AnyViewToOwnedAny(context, &owned);
  release_any(iut, &owned);
}

CASE(own_objects_and_release_does_not_leak, .clauses = {OBJ_19},
     .title = "sharing and moving do not leak")
{
  TVMFFIAny shared = view_of_object(iut, new_string_object(iut));
  uint64_t strong = object_strong(iut, shared.v_obj), weak = object_weak(iut, shared.v_obj);
  note("moving strings");
  expect_no_heap_growth(iut, 256, move_string, NULL);
  note("sharing one string");
  expect_no_heap_growth(iut, 256, share_object, &shared);
  expect_counts(iut, shared.v_obj, .strong = strong, .weak = weak);
}

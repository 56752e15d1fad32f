// SPDX-License-Identifier: Apache-2.0
// Values of all types through every conversion: what is given out, converted again, moved, by
// threads at once, and over and over.
#include "cases/runtime/any_conversion.h"
#include "cases/runtime/container_calling.h"

CHAPTER(any);

// --- One value of each type ----------------------------------------------------------------------

static const ObjectKind kinds[] = {OBJECT_KINDS};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

// Own: a value of this kind.
static TVMFFIAny made_of(Iut *iut, const ObjectKind *kind)
{
  return view_of_object(iut, new_object_of_kind(iut, kind));
}

// --- Given out, converted again, moved -----------------------------------------------------------

static void expect_of_kind(const Iut *iut, const TVMFFIAny *value, const ObjectKind *kind)
{
  require(expect_type_index(value, kind->type_index));
  expect_hex("padding of the value", value->zero_padding, 0);
  require(expect_not_null("the object", value->v_obj));
  expect_int("type index in the header", object_type_index(iut, value->v_obj), kind->type_index);
}

CASE_ROWS(given_value_names_the_type_of_its_object, kinds, .clauses = {ANY_26},
          .title = "a value that the runtime gives out has the type index of its object's header")
{
  TVMFFIAny made = made_of(iut, row);
  expect_of_kind(iut, &made, row);
  release_any(iut, &made);
}

CASE_ROWS(value_read_from_an_array_names_the_type_of_its_object, kinds, .clauses = {ANY_26},
          .title = "a value that is read from an array has the type index of its object's header")
{
  TVMFFIAny made = made_of(iut, row);
  TVMFFIAny array = value_of(iut, "ffi.Array", VALUES(view_of_int(0), made));
  TVMFFIAny given = value_of(iut, "ffi.ArrayGetItem", VALUES(array, view_of_int(1)));
  expect_of_kind(iut, &given, row);
  expect_same_bytes(&given, &made);
  release_any(iut, &given);
  release_any(iut, &array);
  release_any(iut, &made);
}

CASE_ROWS(owned_value_is_converted_again, kinds, .clauses = {ANY_27},
          .title = "converting an owned value again adds one reference each time")
{
  enum { TIMES = 4 };
  TVMFFIAny values[TIMES] = {made_of(iut, row)};
  uint64_t strong = object_strong(iut, values[0].v_obj), weak = object_weak(iut, values[0].v_obj);
  for (uint64_t i = 1; i < TIMES; ++i) {
    values[i] = *own(iut, values[i - 1]);
    note("conversion %u", (unsigned)i);
    require(expect_same_bytes(&values[i], &values[0]));
    expect_counts(iut, values[0].v_obj, .strong = strong + i, .weak = weak);
  }
  for (int i = 1; i < TIMES; ++i) release_any(iut, &values[i]);
  expect_counts(iut, values[0].v_obj, .strong = strong, .weak = weak);
  release_any(iut, &values[0]);
}

// Moves the reference that `value` holds, and expects ANY-15 and ANY-16 of it.
static TVMFFIAny expect_moved(Iut *iut, TVMFFIAny value)
{
  uint64_t strong = object_strong(iut, value.v_obj), weak = object_weak(iut, value.v_obj);
  TVMFFIObjectHandle *slot = fenced_buffer("the slot", sizeof *slot);
  *slot = value.v_obj;
  TVMFFIAny moved = *own(iut, view_of_rvalue(slot));
  expect_pointer("the slot", *slot, NULL);
  expect_same_bytes(&moved, &value);
  expect_counts(iut, value.v_obj, .strong = strong, .weak = weak);
  return moved;
}

CASE_ROWS(object_of_any_type_is_moved, kinds, .clauses = {ANY_28},
          .title = "an rvalue reference to an object of any built-in type is moved")
{
  TVMFFIAny moved = expect_moved(iut, made_of(iut, row));
  moved = expect_moved(iut, *own(iut, moved));
  release_any(iut, &moved);
}

static int32_t new_type(Iut *iut, const char *name, int32_t depth, int32_t parent)
{
  TVMFFIByteArray key = bytes_of(name);
  int32_t index = iut->TypeGetOrAllocIndex(&key, -1, depth, 0, 1, parent);
  require(expect_that(index >= kTVMFFIDynObjectBegin, "an index of 128 or more", "%d", index));
  return index;
}

CASE(object_of_registered_type_is_moved, .clauses = {ANY_28},
     .title = "an rvalue reference to an object of a type that was just registered is moved")
{
  int32_t parent = new_type(iut, "any_types.Parent", 1, kTVMFFIObject);
  int32_t types[2] = {parent, new_type(iut, "any_types.Child", 2, parent)};
  for (int i = 0; i < 2; ++i) {
    TVMFFIObjectHandle probe = new_probe_object_of(iut, types[i]);
    note("moving an object of type index %d", types[i]);
    TVMFFIAny moved = expect_moved(iut, view_of_object(iut, probe));
    expect_deleter_calls(probe, "");
    release_any(iut, &moved);
    expect_deleter_calls(probe, "3");
  }
}

// --- Encodings -----------------------------------------------------------------------------------

// Plain values of the table of encodings in spec/vectors/any.json, besides those of any.c.
static const struct {
  const char *name;
  TVMFFIAny view;
} encodings[] = {
    {"float-one", {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x3ff0000000000000)}},
    {"float-minus-two-and-a-half",
     {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0xc004000000000000)}},
    {"float-nan", {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x7ff8000000000000)}},
    {"float-largest", {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x7fefffffffffffff)}},
    {"pointer-somewhere", {.type_index = kTVMFFIOpaquePtr, .v_uint64 = 0x7f0012345678}},
    {"dtype-int8x4", {.type_index = kTVMFFIDataType, .v_uint64 = DTYPE_BITS(0x00040800)}},
    {"dtype-bool", {.type_index = kTVMFFIDataType, .v_uint64 = DTYPE_BITS(0x00010806)}},
    {"dtype-float4x2", {.type_index = kTVMFFIDataType, .v_uint64 = DTYPE_BITS(0x00020411)}},
    {"dtype-void", {.type_index = kTVMFFIDataType, .v_uint64 = DTYPE_BITS(0x00000003)}},
    {"dtype-scalable", {.type_index = kTVMFFIDataType, .v_uint64 = DTYPE_BITS(0xfffc2000)}},
    {"device-type-eighteen", {.type_index = kTVMFFIDevice, .v_uint64 = DEVICE_BITS(18)}},
};

CASE_ROWS(own_encoding_keeps_all_bytes, encodings, .clauses = {ANY_4},
          .title = "every encoding of a value that owns nothing is copied bit for bit")
{
  TVMFFIAny owned = *own(iut, row->view);
  expect_same_bytes(&owned, &row->view);
}

// --- Threads -------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 100 };

typedef struct Crowd {
  TVMFFIAny shared;
  unsigned wrong[THREADS];
} Crowd;

static bool holds_text(Iut *iut, const TVMFFIAny *value, int32_t type_index, const char *text)
{
  if (value->type_index != type_index || value->zero_padding != 0) return false;
  const TVMFFIByteArray *cell = object_body(iut, value->v_obj);
  return cell->size == strlen(text) && memcmp(cell->data, text, cell->size) == 0;
}

// Converts a raw string, bytes and a number that no other thread has, and what all share.
static bool convert_all(Iut *iut, unsigned index, unsigned round, const TVMFFIAny *shared)
{
  char text[24] = "text of a thread: ";
  text[18] = (char)('a' + index);
  text[19] = (char)('a' + round % 26);
  TVMFFIByteArray bytes = bytes_of(text);
  TVMFFIAny views[4] = {view_of_raw_string(text), view_of_byte_array(&bytes),
                        view_of_int(index * ROUNDS + round), *shared};
  TVMFFIAny owned[4];
  for (int i = 0; i < 4; ++i) {
    owned[i] = garbage_but_none();
    if (iut->AnyViewToOwnedAny(&views[i], &owned[i]) != 0) return false;
  }
  bool right = holds_text(iut, &owned[0], kTVMFFIStr, text) &&
               holds_text(iut, &owned[1], kTVMFFIBytes, text) &&
               memcmp(&owned[2], &views[2], sizeof owned[2]) == 0 &&
               memcmp(&owned[3], &views[3], sizeof owned[3]) == 0;
  TVMFFIObjectHandle slot = owned[0].v_obj;
  TVMFFIAny rvalue = view_of_rvalue(&slot), moved = garbage_but_none();
  right = right && iut->AnyViewToOwnedAny(&rvalue, &moved) == 0 && !slot &&
          memcmp(&moved, &owned[0], sizeof moved) == 0;
  release_any(iut, &owned[0]);
  release_any(iut, &owned[1]);
  if (round % 2) release_any(iut, &owned[3]);
  return right;
}

static void convert_often(Iut *iut, unsigned index, void *context)
{
  Crowd *crowd = context;
  for (unsigned round = 0; round < ROUNDS; ++round)
    if (!convert_all(iut, index, round, &crowd->shared)) ++crowd->wrong[index];
}

CASE(threads_convert_at_the_same_time, .clauses = {ANY_29}, .patience = 4,
     .title = "threads that convert at the same time get the same as a single thread")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  Crowd crowd = {.shared = view_of_object(iut, probe)};
  run_in_threads(iut, THREADS, convert_often, &crowd);
  for (unsigned i = 0; i < THREADS; ++i) expect_int("wrong results", crowd.wrong[i], 0);
  expect_counts(iut, probe, .strong = 1 + THREADS * ROUNDS / 2, .weak = 1);
  expect_deleter_calls(probe, "");
}

// Threads that do nothing else meet more often at the counter.
enum { SHARINGS = 2000 };

static void share_often(Iut *iut, unsigned index, void *context)
{
  (void)index;
  TVMFFIAny owned = any_none();
  for (int i = 0; i < SHARINGS; ++i) iut->AnyViewToOwnedAny(context, &owned);
}

CASE(threads_share_one_array, .clauses = {ANY_29}, .patience = 4,
     .title = "conversions of one array from several threads are all counted")
{
  TVMFFIAny array = value_of(iut, "ffi.Array", VALUES(view_of_int(1)));
  run_in_threads(iut, THREADS, share_often, &array);
  expect_counts(iut, array.v_obj, .strong = 1 + THREADS * SHARINGS, .weak = 1);
}

// --- Memory --------------------------------------------------------------------------------------

CASE(converting_borrowed_values_does_not_leak, .clauses = {ANY_30},
     .title = "converting any kind of view does not leak")
{
  static const char text[] = "a text that is longer than seven";
  const TVMFFIByteArray bytes = bytes_of(text), few = bytes_of("few");
  TVMFFIAny views[] = {
      any_none(),
      view_of_int(-1),
      view_of_bool(true),
      view_of_float(1.5),
      view_of_bits(kTVMFFIOpaquePtr, 16),
      view_of_bits(kTVMFFIDataType, 0x00012002),
      view_of_bits(kTVMFFIDevice, kDLCPU),
      view_of_raw_string("few"),
      view_of_raw_string(text),
      view_of_byte_array(&few),
      view_of_byte_array(&bytes),
      view_of_small_string("few"),
      view_of_small(kTVMFFISmallBytes, "few", 3),
  };
  for (size_t i = 0; i < sizeof views / sizeof views[0]; ++i) {
    note("type index %d, view %u", views[i].type_index, (unsigned)i);
    expect_no_heap_growth(iut, 60, convert_and_release, &views[i]);
  }
}

CASE(being_refused_does_not_leak, .clauses = {ANY_17}, .wrong_call = true,
     .title = "converting an rvalue reference that was moved already does not leak")
{
  TVMFFIObjectHandle empty = NULL;
  TVMFFIAny refused = view_of_rvalue(&empty);
  expect_no_heap_growth(iut, 60, convert_or_be_refused, &refused);
}

// Converts, moves what came out, and releases it.
static void share_and_move(Iut *iut, void *context)
{
  TVMFFIAny owned = any_none(), moved = any_none();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(context, &owned)));
  TVMFFIObjectHandle slot = owned.v_obj;
  require(expect_not_null("the object that is owned", slot));
  TVMFFIAny rvalue = view_of_rvalue(&slot);
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&rvalue, &moved)));
  require(expect_pointer("the slot that was moved from", slot, NULL));
  release_any(iut, &moved);
}

CASE(converting_objects_does_not_leak, .clauses = {ANY_30},
     .title = "sharing, moving and releasing objects of every type does not leak")
{
  for (const ObjectKind *kind = kinds; kind < kinds + KINDS; ++kind) {
    if (!can_make_object_of_kind(iut, kind)) continue;
    TVMFFIAny made = made_of(iut, kind);
    uint64_t strong = object_strong(iut, made.v_obj);
    note("%s", kind->name);
    expect_no_heap_growth(iut, 60, share_and_move, &made);
    expect_counts(iut, made.v_obj, .strong = strong, .weak = object_weak(iut, made.v_obj));
    release_any(iut, &made);
  }
}

// --- Integers as arguments -----------------------------------------------------------------------

static const struct {
  const char *name, *maker, *function;
} indexed[] = {{"array", "ffi.Array", "ffi.ArrayGetItem"}, {"list", "ffi.List", "ffi.ListGetItem"}};

CASE_ROWS(bool_is_an_integer_argument, indexed, .clauses = {ANY_31},
          .title = "a bool is accepted as 0 or 1 where an integer is expected")
{
  TVMFFIAny args[] = {view_of_int(40), view_of_int(41), view_of_int(42)};
  TVMFFIAny held = value_of(iut, row->maker, args, 3);
  expect_gives(iut, view_of_int(41), row->function, VALUES(held, view_of_int(1)));
  expect_gives(iut, view_of_int(40), row->function, VALUES(held, view_of_bool(false)));
  expect_gives(iut, view_of_int(41), row->function, VALUES(held, view_of_bool(true)));
  release_any(iut, &held);
}

CASE_ROWS(other_values_are_no_integer_arguments, indexed, .clauses = {ANY_33}, .wrong_call = true,
          .title =
              "a float, a string, None or an object raises a TypeError where an integer is "
              "expected")
{
  TVMFFIAny args[] = {view_of_int(40), view_of_int(41), view_of_int(42)};
  TVMFFIAny held = value_of(iut, row->maker, args, 3);
  TVMFFIAny text = new_text(iut, kTVMFFIStr, "longer than seven");
  uint64_t strong = object_strong(iut, text.v_obj), weak = object_weak(iut, text.v_obj);
  const TVMFFIAny others[] = {view_of_float(1),
                              view_of_float(0),
                              view_of_small_string("1"),
                              view_of_raw_string("1"),
                              text,
                              any_none(),
                              held};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    note("a value of type index %d as index", others[i].type_index);
    expect_refused(iut, "TypeError", row->function, VALUES(held, others[i]));
  }
  expect_gives(iut, view_of_int(41), row->function, VALUES(held, view_of_int(1)));
  expect_counts(iut, text.v_obj, .strong = strong, .weak = weak);
  expect_counts(iut, held.v_obj, .strong = 1, .weak = 1);
}

CASE(bool_is_an_integer_of_a_shape, .clauses = {ANY_31},
     .title = "a bool is accepted as 0 or 1 in a shape")
{
  TVMFFIObjectHandle shape =
      object_of(iut, "ffi.Shape", VALUES(view_of_bool(true), view_of_int(5), view_of_bool(false)));
  const TVMFFIShapeCell *cell = object_body(iut, shape);
  const int64_t expected[] = {1, 5, 0};
  expect_memory("the integers", cell->data, cell->size * sizeof(int64_t), expected,
                sizeof expected);
  release_object(iut, shape);
}

CASE(other_values_are_no_integers_of_a_shape, .clauses = {ANY_33}, .wrong_call = true,
     .title = "a float, a string or None raises a ValueError in a shape")
{
  const TVMFFIAny others[] = {view_of_float(1), view_of_small_string("1"), any_none()};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    expect_refused(iut, "ValueError", "ffi.Shape", VALUES(view_of_int(1), others[i]));
  release_object(iut, object_of(iut, "ffi.Shape", VALUES(view_of_int(1), view_of_int(2))));
}

// SPDX-License-Identifier: Apache-2.0
// Visits and mutations, in which callbacks decide what is done with what a value holds.
#include "cases/runtime/json_text.h"

CHAPTER(reflection);

static const char visit[] = "ffi.StructuralVisit", mutate[] = "ffi.StructuralMutate";
static const char visit_on[] = "ffi.StructuralVisitorDefaultVisit";
static const char mutate_on[] = "ffi.StructuralMutatorDefaultMutate";

// --- Callbacks -----------------------------------------------------------------------------------

// What a callback met, in order: ints as digits, Arrays as 'a'.
typedef struct {
  Iut *iut;
  const char *goes_on;  // the function that it calls for what an Array holds; NULL for none
  int64_t add;          // to ints, which are given back then
  TVMFFIAny stop;       // what it returns for the int 2, unless that is None
  bool fails;           // for the int 2
  char met[16];
  size_t count;
} Visits;

static void note_met(Visits *visits, char met)
{
  if (visits->count < sizeof visits->met) visits->met[visits->count++] = met;
}

static int meet_int(Visits *visits, int64_t number, TVMFFIAny *result)
{
  note_met(visits, (char)('0' + number % 10));
  if (number == 2 && visits->fails) {
    visits->iut->ErrorSetRaisedFromCStr("ValueError", "2 is met");
    return -1;
  }
  if (visits->add != 0) *result = view_of_int(number + visits->add);
  if (number == 2 && visits->stop.type_index != kTVMFFINone) {
    visits->iut->ObjectIncRef(visits->stop.v_obj);
    *result = visits->stop;
  }
  return 0;
}

// Called with a value, and by visits and mutations with the visitor.
static int meet(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Visits *visits = handle;
  *result = any_none();
  if (num_args < (visits->goes_on != NULL ? 2 : 1)) {
    visits->iut->ErrorSetRaisedFromCStr("TypeError", "a callback gets a value and the visitor");
    return -1;
  }
  if (args[0].type_index == kTVMFFIInt) return meet_int(visits, args[0].v_int64, result);
  note_met(visits, 'a');
  if (visits->goes_on != NULL) {
    return call_registered(visits->iut, result, visits->goes_on, VALUES(args[1], args[0]));
  }
  if (visits->add != 0) {
    visits->iut->ObjectIncRef(args[0].v_obj);
    *result = args[0];
  }
  return 0;
}

// Own: a callback for values of a type. Those of mutations say, too, that they are not told whether
// the value may be changed in place.
static TVMFFIAny callback_for(Iut *iut, const char *called, int32_t type_index, TVMFFIAny function)
{
  TVMFFIAny parts[] = {view_of_int(type_index), function, view_of_bool(false)};
  return value_of(iut, "ffi.Array", parts, called == mutate ? 3 : 2);
}

// Own: callbacks for ints and, if asked for, Arrays.
// called: the function that they are for.
static TVMFFIAny callbacks_of(Iut *iut, const char *called, Visits *visits, bool for_arrays)
{
  TVMFFIAny function = view_of_object(iut, new_function(iut, visits, meet, NULL));
  TVMFFIAny ints = callback_for(iut, called, kTVMFFIInt, function);
  TVMFFIAny arrays = callback_for(iut, called, kTVMFFIArray, function);
  TVMFFIAny all = for_arrays ? value_of(iut, "ffi.Array", VALUES(ints, arrays))
                             : value_of(iut, "ffi.Array", VALUES(ints));
  release_any(iut, &arrays);
  release_any(iut, &ints);
  release_any(iut, &function);
  return all;
}

static void expect_met(const Visits *visits, const char *due)
{
  expect_text("what was met", (TVMFFIByteArray){visits->met, visits->count}, due);
}

// --- Visits --------------------------------------------------------------------------------------

static const struct {
  const char *name;
  bool for_arrays, goes_on;
  const char *met;
} visits_of[] = {
    {"no-callback-for-it", false, false, "123"},
    {"callback-stops", true, false, "a"},
    {"callback-goes-on", true, true, "a1a23"},
};

CASE_ROWS(visit_goes_on_where_the_callback_does, visits_of, .clauses = {REFL_25},
          .title = "what an Array holds is visited where its callback has it visited, or has none")
{
  Visits visits = {.iut = iut, .goes_on = row->goes_on ? visit_on : NULL, .stop = any_none()};
  TVMFFIAny value = json_value(iut, "[1,[2,3]]");
  TVMFFIAny callbacks = callbacks_of(iut, visit, &visits, row->for_arrays);
  expect_gives(iut, any_none(), visit, VALUES(value, callbacks));
  expect_met(&visits, row->met);
  release_any(iut, &callbacks);
  release_any(iut, &value);
}

CASE(interrupt_ends_a_visit, .clauses = {REFL_26},
     .title = "a visit ends with the interrupt that a callback returns, and gives it")
{
  Visits visits = {.iut = iut,
                   .goes_on = visit_on,
                   .stop = value_of(iut, "ffi.VisitInterrupt", VALUES(view_of_int(7)))};
  TVMFFIAny value = json_value(iut, "[1,[2,3],4]");
  TVMFFIAny callbacks = callbacks_of(iut, visit, &visits, true);
  TVMFFIAny result = value_of(iut, visit, VALUES(value, callbacks));
  expect_same_bytes(&result, &visits.stop);
  expect_met(&visits, "a1a2");
  release_any(iut, &result);
  release_any(iut, &visits.stop);
  release_any(iut, &callbacks);
  release_any(iut, &value);
}

// --- Other values --------------------------------------------------------------------------------

// A callback for ints that has another value visited or mutated where it meets the int 1.
typedef struct {
  Visits visits;
  const char *function;
  TVMFFIAny other;
} Detour;

static int meet_on_detour(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Detour *detour = handle;
  if (num_args != 2 || args[0].v_int64 != 1) return meet(&detour->visits, args, num_args, result);
  note_met(&detour->visits, '1');
  *result = any_none();
  return call_registered(detour->visits.iut, result, detour->function,
                         VALUES(args[1], detour->other));
}

// Own: what comes of the visit or mutation of `[1,3]`, in which the other value is `[5,[2]]`.
static TVMFFIAny go_on_detour(Iut *iut, const char *called, Detour *detour)
{
  TVMFFIAny function = view_of_object(iut, new_function(iut, detour, meet_on_detour, NULL));
  TVMFFIAny ints = callback_for(iut, called, kTVMFFIInt, function);
  TVMFFIAny callbacks = value_of(iut, "ffi.Array", VALUES(ints));
  TVMFFIAny value = json_value(iut, "[1,3]");
  detour->other = json_value(iut, "[5,[2]]");
  TVMFFIAny result = value_of(iut, called, VALUES(value, callbacks));
  release_any(iut, &value);
  release_any(iut, &callbacks);
  release_any(iut, &ints);
  release_any(iut, &function);
  return result;
}

CASE(visitor_visits_another_value, .clauses = {REFL_36},
     .title = "a visit of another value within a visit calls the callbacks for what that holds")
{
  Detour detour = {{.iut = iut, .stop = any_none()}, "ffi.StructuralVisitorVisit", any_none()};
  TVMFFIAny result = go_on_detour(iut, visit, &detour);
  expect_int("type index of the result", result.type_index, kTVMFFINone);
  expect_met(&detour.visits, "1523");
  release_any(iut, &result);
  release_any(iut, &detour.other);
}

CASE(interrupt_of_another_value_is_given, .clauses = {REFL_36},
     .title = "a visit of another value gives the interrupt that ended it")
{
  TVMFFIAny stop = value_of(iut, "ffi.VisitInterrupt", VALUES(view_of_int(7)));
  Detour detour = {{.iut = iut, .stop = stop}, "ffi.StructuralVisitorVisit", any_none()};
  TVMFFIAny result = go_on_detour(iut, visit, &detour);
  expect_same_bytes(&result, &stop);
  expect_met(&detour.visits, "152");
  release_any(iut, &result);
  release_any(iut, &detour.other);
  release_any(iut, &stop);
}

CASE(mutator_mutates_another_value, .clauses = {REFL_37},
     .title = "another value comes back with what callbacks returned, and stays what it was")
{
  Detour detour = {
      {.iut = iut, .add = 5, .stop = any_none()}, "ffi.StructuralMutatorMutate", any_none()};
  TVMFFIAny result = go_on_detour(iut, mutate, &detour);
  JsonShown other = {.size = 0}, after = {.size = 0};
  json_show(iut, detour.other, &other);
  json_show(iut, result, &after);
  expect_met(&detour.visits, "1523");
  expect_text("the other value", (TVMFFIByteArray){other.text, other.size}, "[5,[2]]");
  expect_text("result", (TVMFFIByteArray){after.text, after.size}, "[[10,[7]],8]");
  release_any(iut, &result);
  release_any(iut, &detour.other);
}

// What stands for a variable at first, and after each of two values was set.
typedef struct {
  Iut *iut;
  TVMFFIAny seen[3];
  int count;
} Remaps;

static int remap(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  static const char set[] = "ffi.StructuralMutatorVarRemapSet";
  static const char get[] = "ffi.StructuralMutatorVarRemapGet";
  Remaps *remaps = handle;
  TVMFFIAny none = any_none();
  *result = any_none();
  if (num_args != 2 || remaps->count != 0) return -1;
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && call_registered(remaps->iut, &none, set,
                                 VALUES(args[1], args[0], view_of_int(40 + i))) != 0) {
      return -1;
    }
    remaps->seen[i] = any_none();
    if (call_registered(remaps->iut, &remaps->seen[i], get, VALUES(args[1], args[0])) != 0) {
      return -1;
    }
    ++remaps->count;
  }
  remaps->iut->ObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}

CASE(mutator_notes_what_stands_for_variables, .clauses = {REFL_38},
     .title = "nothing stands for a variable at first, then what was set last")
{
  TVMFFIByteArray key = bytes_of("conform.MutatedVariable");
  int32_t type_index = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFITypeMetadata metadata = {.total_size = 64,
                                 .structural_eq_hash_kind = kTVMFFISEqHashKindFreeVar};
  require(expect_ok(iut, iut->TypeRegisterMetadata(type_index, &metadata)));
  TVMFFIAny var = view_of_object(iut, new_probe_object_of(iut, type_index));
  Remaps remaps = {.iut = iut};
  TVMFFIAny function = view_of_object(iut, new_function(iut, &remaps, remap, NULL));
  TVMFFIAny vars = callback_for(iut, mutate, type_index, function);
  TVMFFIAny callbacks = value_of(iut, "ffi.Array", VALUES(vars));
  TVMFFIAny result = value_of(iut, mutate, VALUES(var, callbacks));
  require(expect_int("times that it was asked", remaps.count, 3));
  expect_int("type index of what stands for it at first", remaps.seen[0].type_index, kTVMFFINone);
  for (int i = 1; i < 3; ++i) {
    expect_int("type index of what was set", remaps.seen[i].type_index, kTVMFFIInt);
    expect_int("what was set", remaps.seen[i].v_int64, 40 + i);
  }
  TVMFFIAny *owned[] = {&result, &callbacks, &vars, &function, &var};
  for (int i = 0; i < 5; ++i) release_any(iut, owned[i]);
}

// --- Regions -------------------------------------------------------------------------------------

// What a callback is told of the region: before, within and behind a region of its own.
typedef struct {
  Iut *iut;
  const char *kind, *with_kind;
  TVMFFIAny visitor;
  int64_t seen[3];
  int count;
} Regions;

static int ask_region(Regions *regions)
{
  TVMFFIAny kind = any_none();
  if (call_registered(regions->iut, &kind, regions->kind, VALUES(regions->visitor)) != 0) return -1;
  regions->seen[regions->count++ % 3] = kind.type_index == kTVMFFIInt ? kind.v_int64 : -1;
  return 0;
}

static int ask_within(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args;
  *result = any_none();
  return ask_region(handle);
}

static int ask_thrice(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Regions *regions = handle;
  TVMFFIAny given = any_none();
  if (num_args != 2) return -1;
  regions->visitor = args[1];
  TVMFFIAny within =
      view_of_object(regions->iut, new_function(regions->iut, regions, ask_within, NULL));
  int code = ask_region(regions);
  if (code == 0) {
    code = call_registered(regions->iut, &given, regions->with_kind,
                           VALUES(args[1], view_of_int(1), within));
  }
  release_any(regions->iut, &within);
  *result = args[0];
  return code == 0 ? ask_region(regions) : code;
}

static const struct {
  const char *name, *function, *kind, *with_kind;
} regions_of[] = {
    {"visit", visit, "ffi.StructuralVisitorDefRegionKind",
     "ffi.StructuralVisitorWithDefRegionKind"},
    {"mutate", mutate, "ffi.StructuralMutatorDefRegionKind",
     "ffi.StructuralMutatorWithDefRegionKind"},
};

static int return_none(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int code = ask_thrice(handle, args, num_args, result);
  *result = any_none();
  return code;
}

CASE_ROWS(region_holds_for_a_call, regions_of, .clauses = {REFL_28},
          .title = "variables are not defined at first; a region of another kind holds for a call")
{
  Regions regions = {.iut = iut, .kind = row->kind, .with_kind = row->with_kind};
  bool visits = row->function == visit;
  TVMFFIAny function =
      view_of_object(iut, new_function(iut, &regions, visits ? return_none : ask_thrice, NULL));
  TVMFFIAny ints = callback_for(iut, row->function, kTVMFFIInt, function);
  TVMFFIAny callbacks = value_of(iut, "ffi.Array", VALUES(ints));
  TVMFFIAny value = json_value(iut, "[1]");
  TVMFFIAny result = value_of(iut, row->function, VALUES(value, callbacks));
  require(expect_int("times that it was asked", regions.count, 3));
  expect_int("before", regions.seen[0], 0);
  expect_int("within", regions.seen[1], 1);
  expect_int("behind", regions.seen[2], 0);
  release_any(iut, &result);
  release_any(iut, &value);
  release_any(iut, &callbacks);
  release_any(iut, &ints);
  release_any(iut, &function);
}

// --- Mutations -----------------------------------------------------------------------------------

static const struct {
  const char *name;
  bool for_arrays, goes_on;
  const char *met, *result;
} mutations[] = {
    {"no-callback-for-it", false, false, "123", "[6,[7,8],['t']]"},
    {"callback-stops", true, false, "a", "[1,[2,3],['t']]"},
    {"callback-goes-on", true, true, "a1a23a", "[6,[7,8],['t']]"},
};

CASE_ROWS(mutation_replaces, mutations, .clauses = {REFL_27},
          .title = "what callbacks return stands in the place of what they were called with")
{
  Visits visits = {
      .iut = iut, .goes_on = row->goes_on ? mutate_on : NULL, .add = 5, .stop = any_none()};
  TVMFFIAny value = json_value(iut, "[1,[2,3],[\"t\"]]");
  TVMFFIAny callbacks = callbacks_of(iut, mutate, &visits, row->for_arrays);
  TVMFFIAny result = value_of(iut, mutate, VALUES(value, callbacks));
  JsonShown before = {.size = 0}, after = {.size = 0};
  json_show(iut, value, &before);
  json_show(iut, result, &after);
  expect_met(&visits, row->met);
  expect_text("value", (TVMFFIByteArray){before.text, before.size}, "[1,[2,3],['t']]");
  expect_text("result", (TVMFFIByteArray){after.text, after.size}, row->result);
  if (result.type_index == kTVMFFIArray && sequence_cell(iut, result.v_obj)->size == 3) {
    expect_pointer("the array that nothing changes", sequence_elements(iut, result.v_obj)[2].v_obj,
                   sequence_elements(iut, value.v_obj)[2].v_obj);
  }
  release_any(iut, &result);
  release_any(iut, &callbacks);
  release_any(iut, &value);
}

// --- Errors --------------------------------------------------------------------------------------

// The List of a context that notes objects, the innermost first; borrow. Requires that it is one.
static TVMFFIObjectHandle noted_by(Iut *iut, TVMFFIObjectHandle context)
{
  TVMFFIByteArray key = bytes_of("ffi.VisitErrorContext");
  int32_t due = -1;
  require(expect_ok(iut, iut->TypeKeyToIndex(&key, &due)));
  require(expect_not_null("the extra context", context));
  require(expect_int("its type index", object_type_index(iut, context), due));
  const TVMFFITypeInfo *info = iut->GetTypeInfo(due);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo *field = &info->fields[i];
    TVMFFIAny list = any_none();
    if (field->name.size != 21 || memcmp(field->name.data, "reverse_visit_pattern", 21) != 0) {
      continue;
    }
    require(expect_ok(iut, field->getter((char *)context + field->offset, &list)));
    require(expect_int("type index of what it notes", list.type_index, kTVMFFIList));
    TVMFFIObjectHandle noted = list.v_obj;
    release_any(iut, &list);
    return noted;
  }
  require(expect_that(false, "a field `reverse_visit_pattern`", "none"));
  return NULL;
}

static const struct {
  const char *name, *function;
  bool walks, mutates;
} failing[] = {
    {"walk", "ffi.StructuralWalk", true, false},
    {"visit", visit, false, false},
    {"map", "ffi.StructuralMap", true, true},
    {"mutate", mutate, false, true},
};

CASE_ROWS(errors_note_what_was_visited, failing, .clauses = {REFL_29},
          .title = "the error of a callback passes, and notes the objects in which it came")
{
  Visits visits = {.iut = iut, .add = row->mutates, .stop = any_none(), .fails = true};
  TVMFFIAny value = json_value(iut, "[1,[2,3]]"), none = value_of(iut, "ffi.Array", VALUES());
  TVMFFIAny callbacks = callbacks_of(iut, row->function, &visits, false), result = any_none();
  int code = row->walks ? call_registered(iut, &result, row->function,
                                          VALUES(value, callbacks, none, view_of_int(0)))
                        : call_registered(iut, &result, row->function, VALUES(value, callbacks));
  require(expect_int("return code", code, -1));
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_text("kind", error_cell(iut, error)->kind, "ValueError");
  expect_text("message", error_cell(iut, error)->message, "2 is met");
  TVMFFIObjectHandle noted = noted_by(iut, error_cell(iut, error)->extra_context);
  require(expect_int("objects noted", sequence_cell(iut, noted)->size, 2));
  const TVMFFIAny *elements = sequence_elements(iut, noted);
  expect_pointer("the inner one", elements[0].v_obj, sequence_elements(iut, value.v_obj)[1].v_obj);
  expect_pointer("the outer one", elements[1].v_obj, value.v_obj);
  release_object(iut, error);
  release_any(iut, &callbacks);
  release_any(iut, &none);
  release_any(iut, &value);
}

// SPDX-License-Identifier: Apache-2.0
// Values compared, hashed, walked and rewritten by their structure.
#include <string.h>

#include "call.h"
#include "unit/unit.h"

enum { SIZE = sizeof(TVMFFIObject) + 2 * sizeof(TVMFFIAny), LONG_WAY = 5000 };

static int set_any(void *field, const TVMFFIAny *value)
{
  TVMFFIAny owned, *place = field;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  drop(*place);
  *place = owned;
  return 0;
}

static void add_field(int32_t type_index, const char *name, int64_t offset, int64_t flags)
{
  TVMFFIFieldSetter setter = set_any;
  intptr_t getter = (intptr_t)call_int("ffi.MakeFieldGetter", ARGS(view_int(kTVMFFIAny)));
  TVMFFIFieldInfo info = {.name = {name, strlen(name)},
                          .flags = flags,
                          .size = sizeof(TVMFFIAny),
                          .alignment = 8,
                          .offset = offset,
                          .field_static_type_index = kTVMFFIAny};
  memcpy(&info.getter, &getter, sizeof getter);
  memcpy(&info.setter, &setter, sizeof setter);
  ck_assert_int_eq(TVMFFITypeRegisterField(type_index, &info), 0);
}

// A class with the fields `first`, with these flags, and `second`.
static int32_t make_class(const char *key, TVMFFISEqHashKind kind, int64_t flags)
{
  TVMFFIByteArray name = {key, strlen(key)};
  int32_t type_index = 0;
  if (TVMFFITypeKeyToIndex(&name, &type_index) == 0) return type_index;
  TVMFFIObjectHandle error;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIObjectDecRef(error);
  type_index = TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, kTVMFFIObject);
  add_field(type_index, "first", sizeof(TVMFFIObject), flags);
  add_field(type_index, "second", sizeof(TVMFFIObject) + sizeof(TVMFFIAny), 0);
  TVMFFITypeMetadata metadata = {.total_size = SIZE, .structural_eq_hash_kind = kind};
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(type_index, &metadata), 0);
  drop(call("ffi._PyClassRegisterTypeAttrColumns", ARGS(view_int(type_index), view_int(SIZE))));
  return type_index;
}

static TVMFFIAny make(int32_t type_index, TVMFFIAny first, TVMFFIAny second)
{
  return call("ffi.MakeObjectFromPackedArgs",
              ARGS(view_int(type_index), view_str("first"), first, view_str("second"), second));
}

static TVMFFIAny make_var(int64_t type)
{
  int64_t ignore = kTVMFFIFieldFlagBitMaskSEqHashIgnore;
  int32_t var = make_class("test.Var", kTVMFFISEqHashKindFreeVar, ignore);
  return make(var, view_str("name"), view_int(type));
}

static TVMFFIAny make_lambda(TVMFFIAny var, TVMFFIAny body)
{
  int64_t def = kTVMFFIFieldFlagBitMaskSEqHashDefPattern;
  int32_t lambda = make_class("test.Lambda", kTVMFFISEqHashKindTreeNode, def);
  TVMFFIAny params = call("ffi.Array", ARGS(var)), made = make(lambda, params, body);
  drop(params);
  return made;
}

// Compares two values; expects that hashes and mismatches agree.
static bool are_equal(TVMFFIAny one, TVMFFIAny other, bool map)
{
  TVMFFIAny maps = view_bool(map), no = view_bool(false);
  bool equal = call_bool("ffi.StructuralEqual", ARGS(one, other, maps, no));
  TVMFFIAny paths = call("ffi.GetFirstStructuralMismatch", ARGS(one, other, maps, no));
  ck_assert_int_eq(paths.type_index == kTVMFFINone, equal);
  if (equal) {
    ck_assert_int_eq(call_int("ffi.StructuralHash", ARGS(one, maps, no)),
                     call_int("ffi.StructuralHash", ARGS(other, maps, no)));
  } else {
    TVMFFIAny text = call("ffi.ReprPrint", ARGS(paths));
    drop(text);
  }
  drop(paths);
  return equal;
}

static bool are_equal_once(TVMFFIAny one, TVMFFIAny other)
{
  bool equal = are_equal(one, other, false);
  drop(one);
  drop(other);
  return equal;
}

TEST_GROUP(all, .timeout = 30);

TEST(content_is_compared)
{
  const char *text = "longer than seven";
  TVMFFIByteArray bytes = {text, 17};
  ck_assert(are_equal_once(view_int(1), view_int(1)));
  ck_assert(!are_equal_once(view_int(1), view_bool(1)));
  ck_assert(!are_equal_once(view_float(0.0), view_float(-0.0)));
  ck_assert(are_equal_once(view_str(text), call("ffi.String", ARGS(view_str(text)))));
  ck_assert(!are_equal_once(view_str(text), view_bytes(&bytes)));
  for (int i = 0; i < 2; ++i) {
    const char *row = i == 0 ? "ffi.Array" : "ffi.List", *map = i == 0 ? "ffi.Map" : "ffi.Dict";
    ck_assert(are_equal_once(call(row, ARGS(view_int(1), view_str(text))),
                             call(row, ARGS(view_int(1), view_str(text)))));
    ck_assert(!are_equal_once(call(row, ARGS(view_int(1))), call(row, ARGS(view_int(2)))));
    ck_assert(!are_equal_once(call(row, ARGS(view_int(1))), call(row, NO_ARGS)));
    ck_assert(!are_equal_once(call(row, NO_ARGS), call(row, ARGS(view_int(1)))));
    ck_assert(
        are_equal_once(call(map, ARGS(view_int(1), view_int(2), view_str(text), view_int(3))),
                       call(map, ARGS(view_str(text), view_int(3), view_int(1), view_int(2)))));
    ck_assert(!are_equal_once(call(map, ARGS(view_int(1), view_int(2))), call(map, NO_ARGS)));
    ck_assert(!are_equal_once(call(map, NO_ARGS), call(map, ARGS(view_int(1), view_int(2)))));
    ck_assert(!are_equal_once(call(map, ARGS(view_int(1), view_int(2))),
                              call(map, ARGS(view_int(1), view_int(3)))));
  }
  ck_assert(
      !are_equal_once(call("ffi.Shape", ARGS(view_int(1))), call("ffi.Shape", ARGS(view_int(2)))));
}

TEST(variables_stand_for_each_other)
{
  TVMFFIAny x = make_var(1), y = make_var(1), z = make_var(2);
  ck_assert(are_equal(x, x, false));
  ck_assert(!are_equal(x, y, false));
  ck_assert(are_equal(x, y, true));
  ck_assert(!are_equal(x, z, true));
  ck_assert(are_equal_once(make_lambda(x, x), make_lambda(y, y)));
  ck_assert(!are_equal_once(make_lambda(x, x), make_lambda(y, x)));
  drop(x);
  drop(y);
  drop(z);
}

TEST(nodes_of_graphs_are_compared_with_what_they_share)
{
  int32_t node = make_class("test.Node", kTVMFFISEqHashKindDAGNode, 0);
  TVMFFIAny one = make(node, view_int(1), view_none()),
            other = make(node, view_int(1), view_none());
  ck_assert(are_equal(one, other, false));
  ck_assert(
      are_equal_once(call("ffi.Array", ARGS(one, one)), call("ffi.Array", ARGS(other, other))));
  ck_assert(
      !are_equal_once(call("ffi.Array", ARGS(one, one)), call("ffi.Array", ARGS(one, other))));
  drop(one);
  drop(other);
  int32_t single = make_class("test.Single", kTVMFFISEqHashKindUniqueInstance, 0);
  ck_assert(!are_equal_once(make(single, view_none(), view_none()),
                            make(single, view_none(), view_none())));
  int32_t tree = make_class("test.Constant", kTVMFFISEqHashKindConstTreeNode, 0);
  ck_assert(
      are_equal_once(make(tree, view_int(1), view_none()), make(tree, view_int(1), view_none())));
  ck_assert(
      !are_equal_once(make(tree, view_int(1), view_none()), make(tree, view_int(2), view_none())));
}

TEST(values_without_structure_are_refused)
{
  TVMFFIObject *function = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  TVMFFIAny value = view_object(function), no = view_bool(false);
  expect_refused("ffi.StructuralEqual", ARGS(value, value, no, no), "TypeError", "ffi.Function");
  expect_refused("ffi.StructuralHash", ARGS(value, no, no), "TypeError", "ffi.Function");
  drop(value);
}

TEST(keys_count_by_their_structure)
{
  TVMFFIAny value = call("ffi.Array", ARGS(view_int(1))),
            same = call("ffi.Array", ARGS(view_int(1)));
  TVMFFIAny key = call("ffi.StructuralKey", ARGS(value)),
            again = call("ffi.StructuralKey", ARGS(same));
  ck_assert(call_bool("ffi.StructuralKeyEqual", ARGS(key, again)));
  expect_refused("ffi.StructuralKeyEqual", ARGS(key, value), "TypeError", "ffi.StructuralKey");
  TVMFFIAny map = call("ffi.Map", ARGS(key, view_int(1), again, view_int(2)));
  ck_assert_int_eq(call_int("ffi.MapSize", ARGS(map)), 1);
  const TVMFFIAny all[] = {map, again, key, same, value};
  for (int i = 0; i < 5; ++i) drop(all[i]);
}

//--------------------------------------------------------------------------------------------------
// Walks
//--------------------------------------------------------------------------------------------------

static int64_t sum;
static int fails_with, goes_on;

static int count_ints(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)num_args, (void)result;
  sum += args[0].v_int64;
  if (self != &fails_with) return 0;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "enough");
  return -1;
}

static int add_one(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)num_args;
  *result = view_int(args[0].v_int64 + 1);
  return 0;
}

// Own: callbacks for ints.
static TVMFFIAny callbacks(void *self, TVMFFISafeCallType body)
{
  TVMFFIObjectHandle function;
  ck_assert_int_eq(TVMFFIFunctionCreate(self, body, NULL, &function), 0);
  TVMFFIAny one = call("ffi.Array", ARGS(view_int(kTVMFFIInt), view_object(function)));
  TVMFFIAny all = call("ffi.Array", ARGS(one));
  drop(one);
  TVMFFIObjectDecRef(function);
  return all;
}

// Own: a variable that is defined, an Array, a Map and a List with ints.
static TVMFFIAny make_value(void)
{
  TVMFFIAny var = make_var(1), inner = call("ffi.List", ARGS(view_int(2), var));
  TVMFFIAny map = call("ffi.Map", ARGS(view_int(100), inner));
  TVMFFIAny lambda = make_lambda(var, map), made = call("ffi.Array", ARGS(lambda, view_int(4)));
  const TVMFFIAny all[] = {var, inner, map, lambda};
  for (int i = 0; i < 4; ++i) drop(all[i]);
  return made;
}

TEST(walks_meet_all_but_keys, .rows = 2)
{
  TVMFFIAny value = make_value(), none = call("ffi.Array", NO_ARGS),
            counts = callbacks(&goes_on, count_ints);
  sum = 0;
  TVMFFIAny result = call("ffi.StructuralWalk", ARGS(value, counts, none, view_int(_i)));
  ck_assert_int_eq(result.type_index, kTVMFFINone);
  ck_assert_int_eq(sum, 8);  // the type of the variable counts where it is used, too
  sum = 0;
  TVMFFIAny fails = callbacks(&fails_with, count_ints);
  expect_refused("ffi.StructuralWalk", ARGS(value, fails, none, view_int(_i)), "ValueError",
                 "enough");
  expect_refused("ffi.StructuralWalk", ARGS(value, value, none, view_int(0)), "TypeError",
                 "callbacks");
  const TVMFFIAny all[] = {value, none, counts, fails};
  for (int i = 0; i < 4; ++i) drop(all[i]);
}

TEST(maps_replace_and_leave_what_they_were_given, .rows = 2)
{
  TVMFFIAny value = make_value(), same = make_value(), none = call("ffi.Array", NO_ARGS);
  TVMFFIAny adds = callbacks(&goes_on, add_one);
  TVMFFIAny result = call("ffi.StructuralMap", ARGS(value, adds, none, view_int(_i)));
  ck_assert(are_equal(value, same, false));
  ck_assert(!are_equal(value, result, false));
  sum = 0;
  TVMFFIAny counts = callbacks(&goes_on, count_ints);
  drop(call("ffi.StructuralWalk", ARGS(result, counts, none, view_int(_i))));
  ck_assert_int_eq(sum, 8 + 4);
  TVMFFIAny kept = call("ffi.StructuralMap", ARGS(value, none, none, view_int(_i)));
  ck_assert_ptr_eq(kept.v_obj, value.v_obj);
  TVMFFIObjectHandle moved = call_object("ffi.Array", ARGS(view_int(1))), before = moved;
  TVMFFIAny changed =
      call("ffi.StructuralMap", ARGS(view_rvalue(&moved), adds, none, view_int(_i)));
  ck_assert_ptr_eq(changed.v_obj, before);
  const TVMFFIAny all[] = {value, same, none, adds, result, counts, kept, changed};
  for (int i = 0; i < 8; ++i) drop(all[i]);
}

TEST(levels_have_an_end)
{
  TVMFFIAny value = call("ffi.Array", NO_ARGS), none = call("ffi.Array", NO_ARGS),
            no = view_bool(false);
  for (int i = 0; i < LONG_WAY; ++i) {
    TVMFFIAny outer = call("ffi.Array", ARGS(value));
    drop(value);
    value = outer;
  }
  TVMFFIAny order = view_int(0);
  expect_refused("ffi.StructuralEqual", ARGS(value, value, no, no), "RecursionError", "levels");
  expect_refused("ffi.StructuralHash", ARGS(value, no, no), "RecursionError", "levels");
  expect_refused("ffi.StructuralWalk", ARGS(value, none, none, order), "RecursionError", "levels");
  expect_refused("ffi.StructuralMap", ARGS(value, none, none, order), "RecursionError", "levels");
  drop(value);
  drop(none);
}

//--------------------------------------------------------------------------------------------------
// Paths
//--------------------------------------------------------------------------------------------------

// Calls a method of a path. Returns own.
static TVMFFIAny call_path(const char *name, const TVMFFIAny *args, int32_t count)
{
  TVMFFIByteArray key = {"ffi.reflection.AccessPath", 25};
  int32_t type_index;
  ck_assert_int_eq(TVMFFITypeKeyToIndex(&key, &type_index), 0);
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  for (int32_t i = 0; i < type->num_methods; ++i) {
    const TVMFFIMethodInfo *method = &type->methods[i];
    if (strlen(name) != method->name.size ||
        memcmp(name, method->name.data, method->name.size) != 0)
      continue;
    return call_function(method->method.v_obj, args, count);
  }
  ck_abort_msg("no method %s", name);
}

TEST(paths_have_steps)
{
  static const char *const names[] = {"_attr",         "_array_item",         "_map_item",
                                      "_attr_missing", "_array_item_missing", "_map_item_missing"};
  TVMFFIAny root = call_path("_root", NO_ARGS), path = call_path("_root", NO_ARGS);
  for (int i = 0; i < 6; ++i) {
    TVMFFIAny key = i % 3 == 1 ? view_int(i) : view_str("k");
    TVMFFIAny longer = call_path(names[i], ARGS(path, key));
    TVMFFIAny is_prefix = call_path("_is_prefix_of", ARGS(path, longer));
    ck_assert_int_eq(is_prefix.v_int64, 1);
    ck_assert_int_eq(call_path("_is_prefix_of", ARGS(longer, path)).v_int64, 0);
    ck_assert_int_eq(call_path("_path_equal", ARGS(longer, longer)).v_int64, 1);
    ck_assert_int_eq(call_path("_path_equal", ARGS(longer, path)).v_int64, 0);
    drop(path);
    path = longer;
  }
  TVMFFIAny text = call("ffi.ReprPrint", ARGS(path)), steps = call_path("_to_steps", ARGS(path));
  expect_string(&text, "<root>.k[1][\"k\"][<missing:\"k\">][<missing:4>][<missing:\"k\">]");
  ck_assert_int_eq(call_int("ffi.ArraySize", ARGS(steps)), 6);
  TVMFFIAny step = call("ffi.ArrayGetItem", ARGS(steps, view_int(0)));
  TVMFFIAny one = call_path("_extend", ARGS(root, step)),
            other = call_path("_attr", ARGS(root, view_str("k")));
  ck_assert_int_eq(call_path("_path_equal", ARGS(one, other)).v_int64, 1);
  const TVMFFIAny all[] = {root, path, text, steps, step, one, other};
  for (int i = 0; i < 7; ++i) drop(all[i]);
}

// Returns how many ways lead from a value to an object.
static int64_t count_ways(TVMFFIAny root, TVMFFIAny object)
{
  TVMFFIByteArray key = {"ffi.VisitErrorContext", 21};
  TVMFFIAny pattern = call("ffi.List", ARGS(object));
  int32_t type_index;
  ck_assert_int_eq(TVMFFITypeKeyToIndex(&key, &type_index), 0);
  TVMFFIAny context = call("ffi.MakeObjectFromPackedArgs",
                           ARGS(view_int(type_index), view_str("reverse_visit_pattern"), pattern,
                                view_str("prev_error_context"), view_none()));
  TVMFFIAny paths =
      call("ffi.VisitErrorContext.FindAccessPaths", ARGS(root, context, view_bool(0)));
  int64_t count = call_int("ffi.ArraySize", ARGS(paths));
  drop(paths);
  drop(context);
  drop(pattern);
  return count;
}

TEST(what_holds_itself_is_searched_once)
{
  TVMFFIAny target = call("ffi.Array", NO_ARGS), list = call("ffi.List", ARGS(target));
  TVMFFIAny inner = call("ffi.List", ARGS(list)), dict = call("ffi.Dict", ARGS(view_int(1), inner));
  call_void("ffi.ListAppend", ARGS(list, dict));
  // From inside, where nobody but the cycle holds the root, too.
  drop(inner);
  drop(dict);
  ck_assert_int_eq(count_ways(list, target), 1);
  ck_assert_int_eq(count_ways(inner, target), 1);
  ck_assert_int_eq(count_ways(dict, target), 1);
  TVMFFIAny absent = call("ffi.Array", ARGS(view_int(1)));
  ck_assert_int_eq(count_ways(inner, absent), 0);
  call_void("ffi.ListClear", ARGS(list));
  const TVMFFIAny all[] = {absent, list, target};
  for (int i = 0; i < 3; ++i) drop(all[i]);
}

static int64_t references(TVMFFIAny value)
{
  return (int64_t)(value.v_obj->combined_ref_count & UINT32_MAX);
}

// Objects that were made before a class had its last field drop what is in that, too.
TEST(fields_that_come_later_are_held)
{
  TVMFFIByteArray name = {"test.Growing", 12};
  int32_t type_index = TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, kTVMFFIObject);
  add_field(type_index, "first", sizeof(TVMFFIObject), 0);
  drop(call("ffi._PyClassRegisterTypeAttrColumns", ARGS(view_int(type_index), view_int(SIZE))));
  TVMFFIAny held = call("ffi.Array", NO_ARGS);
  TVMFFIAny early =
      call("ffi.MakeObjectFromPackedArgs", ARGS(view_int(type_index), view_str("first"), held));
  drop(call("ffi.DeepCopy", ARGS(early)));  // finds out where objects of the class hold others
  ck_assert_int_eq(references(held), 2);
  add_field(type_index, "second", sizeof(TVMFFIObject) + sizeof(TVMFFIAny), 0);
  ck_assert_int_eq(set_any((char *)early.v_obj + SIZE - sizeof(TVMFFIAny), &held), 0);
  const TVMFFITypeAttrColumn *column =
      TVMFFIGetTypeAttrColumn(&(TVMFFIByteArray){"__ffi_shallow_copy__", 20});
  TVMFFIAny copy = call_function(column->data[type_index - column->begin_index].v_obj, ARGS(early));
  ck_assert_int_eq(references(held), 5);
  drop(copy);
  ck_assert_int_eq(references(held), 3);
  drop(early);
  ck_assert_int_eq(references(held), 1);
  drop(held);
}

TEST(errors_say_where, .rows = 2)
{
  TVMFFIAny value = make_value(), none = call("ffi.Array", NO_ARGS);
  TVMFFIAny fails = callbacks(&fails_with, count_ints), result = view_none();
  TVMFFIAny args[] = {value, fails, none, view_int(1)};
  TVMFFIByteArray name = {"ffi.StructuralWalk", 18};
  TVMFFIObjectHandle function, error;
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(&name, &function), 0);
  ck_assert_int_eq(TVMFFIFunctionCall(function, args, 4, &result), -1);
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  TVMFFIAny context = view_object(cell->extra_context);
  TVMFFIAny paths =
      call("ffi.VisitErrorContext.FindAccessPaths", ARGS(value, context, view_bool(_i)));
  ck_assert_int_ge(call_int("ffi.ArraySize", ARGS(paths)), 1);
  expect_refused("ffi.VisitErrorContext.FindAccessPaths", ARGS(value, value, view_bool(0)),
                 "TypeError", "ffi.VisitErrorContext");
  TVMFFIObjectDecRef(error);
  TVMFFIObjectDecRef(function);
  const TVMFFIAny all[] = {value, none, fails, paths};
  for (int i = 0; i < 4; ++i) drop(all[i]);
}

// SPDX-License-Identifier: Apache-2.0
// What all containers share: that their functions exist, what these refuse, memory and threads.
#include "cases/runtime/container_calling.h"

CHAPTER(container);

// --- The functions -------------------------------------------------------------------------------

// Expects that each of the names, which end with NULL, leads to a function.
static void expect_functions(Iut *iut, const char *const *names)
{
  for (; *names; ++names) {
    TVMFFIObjectHandle function = find_registered(iut, *names);
    if (!expect_that(function != NULL, "a function is registered", "nothing stands under %s",
                     *names))
      continue;
    expect_int(*names, object_type_index(iut, function), kTVMFFIFunction);
    release_object(iut, function);
  }
}

static const char *const base_names[] = {"ffi.Shape",
                                         "ffi.Array",
                                         "ffi.ArrayGetItem",
                                         "ffi.ArraySize",
                                         "ffi.Map",
                                         "ffi.MapSize",
                                         "ffi.MapCount",
                                         "ffi.MapGetItem",
                                         "ffi.MapForwardIterFunctor",
                                         NULL};

CASE(base_functions_are_registered, .clauses = {CON_1},
     .title = "the functions of shapes, arrays and maps are registered from the start")
{
  expect_functions(iut, base_names);
}

CASE(functions_of_texts_are_registered, .clauses = {CON_82},
     .title = "the functions of strings and bytes are registered from the start")
{
  expect_functions(iut, (const char *const[]){"ffi.String", "ffi.Bytes", NULL});
}

CASE(get_item_or_missing_is_registered, .clauses = {CON_2},
     .title = "ffi.MapGetItemOrMissing is registered from the start")
{
  expect_functions(iut, (const char *const[]){"ffi.MapGetItemOrMissing", NULL});
}

CASE(array_contains_is_registered, .clauses = {CON_3},
     .title = "ffi.ArrayContains is registered from the start")
{
  expect_functions(iut, (const char *const[]){"ffi.ArrayContains", NULL});
}

static const char *const mutable_names[] = {"ffi.List",
                                            "ffi.ListAppend",
                                            "ffi.ListClear",
                                            "ffi.ListContains",
                                            "ffi.ListErase",
                                            "ffi.ListEraseRange",
                                            "ffi.ListGetItem",
                                            "ffi.ListInsert",
                                            "ffi.ListPop",
                                            "ffi.ListReverse",
                                            "ffi.ListReplaceSlice",
                                            "ffi.ListSetItem",
                                            "ffi.ListSize",
                                            "ffi.Dict",
                                            "ffi.DictClear",
                                            "ffi.DictCount",
                                            "ffi.DictErase",
                                            "ffi.DictForwardIterFunctor",
                                            "ffi.DictGetItem",
                                            "ffi.DictGetItemOrMissing",
                                            "ffi.DictSetItem",
                                            "ffi.DictSize",
                                            NULL};

CASE(functions_of_lists_and_dicts_are_registered, .clauses = {CON_4},
     .title = "the functions of lists and dicts are registered from the start")
{
  expect_functions(iut, mutable_names);
}

// --- Made ----------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *function;
  int32_t type_index;
} kinds[] = {
    {"shape", "ffi.Shape", kTVMFFIShape}, {"array", "ffi.Array", kTVMFFIArray},
    {"map", "ffi.Map", kTVMFFIMap},       {"list", "ffi.List", kTVMFFIList},
    {"dict", "ffi.Dict", kTVMFFIDict},
};

CASE_ROWS(container_is_new_object, kinds, .clauses = {CON_5},
          .title =
              "a container, empty or not, is an object of its type, and a list or dict a new one "
              "with one reference of each kind")
{
  TVMFFIObjectHandle made[4];
  for (unsigned i = 0; i < 4; ++i) {
    note("call %u, with %s", i, i < 2 ? "no arguments" : "two integers");
    TVMFFIAny *args = fenced_args((TVMFFIAny[]){view_of_int(7), view_of_int(8)}, 2);
    TVMFFIAny result = value_of(iut, row->function, args, i < 2 ? 0 : 2);
    require(expect_type_index(&result, row->type_index));
    made[i] = result.v_obj;
    expect_int("type index in the header", object_type_index(iut, made[i]), row->type_index);
    if (row->type_index != kTVMFFIList && row->type_index != kTVMFFIDict) continue;
    expect_counts(iut, made[i], .strong = 1, .weak = 1);
    for (unsigned j = 0; j < i; ++j)
      expect_that(made[i] != made[j], "a new object", "call %u gave the object of call %u", i, j);
  }
  for (unsigned i = 0; i < 4; ++i) release_object(iut, made[i]);
}

// --- Refused -------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *function;
  size_t before, behind;  // integers to the left and right of the argument that can't be owned
} makers[] = {
    {"array-last", "ffi.Array", 0, 0},    {"array-inner", "ffi.Array", 3, 2},
    {"map-key", "ffi.Map", 0, 1},         {"map-value", "ffi.Map", 1, 0},
    {"map-late-value", "ffi.Map", 11, 2},
};

CASE_ROWS(container_that_cannot_be_made_keeps_nothing, makers, .clauses = {CON_9},
          .title =
              "an argument that was already moved makes the call fail, and earlier ones are "
              "released")
{
  enum { MOST = 16 };
  TVMFFIAny args[MOST];
  TVMFFIObjectHandle probe = new_probe_object(iut), empty_slot = NULL;
  size_t count = row->before + 1 + row->behind;
  for (size_t i = 0; i < count; ++i) args[i] = view_of_int((int64_t)i);
  if (row->before > 2) args[1] = view_of_object(iut, probe);
  if (row->before > 0) args[row->before - 1] = view_of_object(iut, probe);
  note("with a good value instead");
  args[row->before] = view_of_object(iut, probe);
  TVMFFIObjectHandle container = object_of(iut, row->function, args, count);
  uint64_t held = 2 + (row->before > 0) + (row->before > 2);
  expect_counts(iut, probe, .strong = held, .weak = 1);
  release_object(iut, container);
  require(expect_counts(iut, probe, .strong = 1, .weak = 1));
  note("with an rvalue reference whose slot is empty");
  args[row->before] = view_of_rvalue(&empty_slot);
  expect_refused(iut, NULL, row->function, args, count);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_deleter_calls(probe, "");
}

static const struct {
  const char *name;
  const char *function, *maker;
  size_t arguments;  // one more than the container: an index or key
} readers[] = {
    {"array-size", "ffi.ArraySize", "ffi.Array", 1},
    {"array-get-item", "ffi.ArrayGetItem", "ffi.Array", 2},
    {"map-size", "ffi.MapSize", "ffi.Map", 1},
    {"map-count", "ffi.MapCount", "ffi.Map", 2},
    {"map-get-item", "ffi.MapGetItem", "ffi.Map", 2},
    {"map-iterate", "ffi.MapForwardIterFunctor", "ffi.Map", 1},
};

// apache/tvm#16543 read what was passed as the object that it expected.
CASE_ROWS(container_of_another_type_is_refused, readers, .clauses = {CON_10}, .wrong_call = true,
          .title = "plain values and objects of other types are refused as containers")
{
  TVMFFIObjectHandle container = object_of(iut, row->maker, VALUES(view_of_int(0), view_of_int(9)));
  TVMFFIObjectHandle shape = object_of(iut, "ffi.Shape", VALUES(view_of_int(4)));
  TVMFFIAny text = new_text(iut, kTVMFFIStr, "a text, not a container");
  TVMFFIObjectHandle probe = new_probe_object_of(iut, kTVMFFIOpaquePyObject);
  TVMFFIAny args[2] = {view_of_object(iut, container), view_of_int(0)};
  TVMFFIAny result = value_of(iut, row->function, args, row->arguments);
  const TVMFFIAny others[] = {any_none(),
                              view_of_int(1),
                              view_of_bool(true),
                              view_of_float(1),
                              view_of_bits(kTVMFFIOpaquePtr, (uintptr_t)container),
                              view_of_small_string("small"),
                              view_of_raw_string("raw"),
                              text,
                              view_of_object(iut, shape),
                              view_of_object(iut, probe)};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    note("instead of a container: type index %d", others[i].type_index);
    args[0] = others[i];
    expect_refused(iut, "TypeError", row->function, args, row->arguments);
  }
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  release_any(iut, &result);
  release_any(iut, &text);
  release_object(iut, shape);
  release_object(iut, container);
}

CASE(index_is_integer_or_bool, .clauses = {CON_10, CON_17},
     .title = "an array is indexed by integers and bools, and by nothing else")
{
  TVMFFIObjectHandle array = object_of(iut, "ffi.Array", VALUES(view_of_int(10), view_of_int(11)));
  TVMFFIAny view = view_of_object(iut, array);
  expect_gives(iut, view_of_int(11), "ffi.ArrayGetItem", VALUES(view, view_of_int(1)));
  expect_gives(iut, view_of_int(11), "ffi.ArrayGetItem", VALUES(view, view_of_bool(true)));
  const TVMFFIAny others[] = {any_none(),
                              view_of_float(1),
                              view_of_small_string("1"),
                              view_of_raw_string("1"),
                              view_of_bits(kTVMFFIOpaquePtr, 1),
                              view};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    note("an index of type index %d", others[i].type_index);
    expect_refused(iut, "TypeError", "ffi.ArrayGetItem", VALUES(view, others[i]));
  }
  release_object(iut, array);
}

typedef struct Arity {
  const char *function;
  size_t arguments;  // of those in the row
} Arity;

static const struct {
  const char *name;
  const char *maker;  // of the container, or NULL
  Arity functions[14];
} families[] = {
    {"array",
     "ffi.Array",
     {{"ffi.ArraySize", 1}, {"ffi.ArrayGetItem", 2}, {"ffi.ArrayContains", 2}}},
    {"map",
     "ffi.Map",
     {{"ffi.MapSize", 1},
      {"ffi.MapCount", 2},
      {"ffi.MapGetItem", 2},
      {"ffi.MapForwardIterFunctor", 1},
      {"ffi.MapGetItemOrMissing", 2}}},
    {"list",
     "ffi.List",
     {{"ffi.ListSize", 1},
      {"ffi.ListGetItem", 2},
      {"ffi.ListContains", 2},
      {"ffi.ListSetItem", 3},
      {"ffi.ListReverse", 1},
      {"ffi.ListAppend", 2},
      {"ffi.ListInsert", 3},
      {"ffi.ListEraseRange", 3},
      {"ffi.ListErase", 2},
      {"ffi.ListPop", 2},
      {"ffi.ListClear", 1}}},
    {"dict",
     "ffi.Dict",
     {{"ffi.DictSize", 1},
      {"ffi.DictCount", 2},
      {"ffi.DictGetItem", 2},
      {"ffi.DictForwardIterFunctor", 1},
      {"ffi.DictGetItemOrMissing", 2},
      {"ffi.DictSetItem", 3},
      {"ffi.DictErase", 2},
      {"ffi.DictClear", 1}}},
    {"text", NULL, {{"ffi.String", 1}}},
};

CASE_ROWS(another_number_of_arguments_is_refused, families, .clauses = {CON_11}, .wrong_call = true,
          .title = "one argument too few or too many raises a TypeError")
{
  TVMFFIAny zero = view_of_int(0), none = any_none(), first = view_of_small_string("text");
  if (row->maker) {
    TVMFFIObjectHandle made = object_of(iut, row->maker, VALUES(zero, zero, view_of_int(1), zero));
    first = view_of_object(iut, made);
  }
  TVMFFIAny args[4] = {first, zero, zero, none};
  unsigned tried = 0;
  for (const Arity *arity = row->functions; arity->function; ++arity) {
    if (!is_registered(iut, arity->function)) continue;
    note("%s, which has %zu parameters", arity->function, arity->arguments);
    expect_refused(iut, "TypeError", arity->function, args, arity->arguments - 1);
    expect_refused(iut, "TypeError", arity->function, args, arity->arguments + 1);
    TVMFFIAny result = value_of(iut, arity->function, args, arity->arguments);
    release_any(iut, &result);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of these functions is registered");
  release_any(iut, &first);
}

// --- Memory --------------------------------------------------------------------------------------

// What a round of the cases below works with: a heap string.
static TVMFFIAny long_text;

// Calls, and records failures only: this runs hundreds of times. Own: the result.
static TVMFFIAny quick(Iut *iut, const char *name, TVMFFIAny *args, size_t count)
{
  TVMFFIByteArray text = bytes_of(name);
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = any_none();
  if (iut->FunctionGetGlobal(&text, &function) != 0 || !function)
    require(expect_not_null(name, NULL));
  int code = iut->FunctionCall(function, count ? args : NULL, (int32_t)count, &result);
  if (code != 0) require(expect_ok(iut, code));
  iut->ObjectDecRef(function);
  return result;
}

static void drop(Iut *iut, TVMFFIAny value)
{
  release_any(iut, &value);
}

static void use_arrays(Iut *iut, void *unused)
{
  (void)unused;
  TVMFFIAny shape = quick(iut, "ffi.Shape", VALUES(view_of_int(1), view_of_int(2)));
  TVMFFIAny array =
      quick(iut, "ffi.Array", VALUES(shape, long_text, view_of_raw_string("another")));
  drop(iut, quick(iut, "ffi.ArrayGetItem", VALUES(array, view_of_int(1))));
  drop(iut, quick(iut, "ffi.String", VALUES(view_of_raw_string("a text of its own"))));
  drop(iut, shape);
  drop(iut, array);
}

static void use_maps(Iut *iut, void *unused)
{
  (void)unused;
  TVMFFIAny args[24];
  for (int i = 0; i < 12; ++i) {
    args[2 * i] = view_of_int(i);
    args[2 * i + 1] = i % 2 ? long_text : view_of_raw_string("a text of its own");
  }
  for (size_t count = 4; count <= 24; count += 20) {
    TVMFFIAny map = quick(iut, "ffi.Map", args, count);
    drop(iut, quick(iut, "ffi.MapGetItem", VALUES(map, view_of_int(1))));
    TVMFFIAny walk = quick(iut, "ffi.MapForwardIterFunctor", VALUES(map));
    drop(iut, walk);
    drop(iut, map);
  }
}

static void use_lists(Iut *iut, void *unused)
{
  (void)unused;
  TVMFFIAny list = quick(iut, "ffi.List", VALUES(long_text));
  for (int i = 0; i < 20; ++i) quick(iut, "ffi.ListAppend", VALUES(list, long_text));
  quick(iut, "ffi.ListReplaceSlice", VALUES(list, view_of_int(1), view_of_int(3), list));
  quick(iut, "ffi.ListSetItem", VALUES(list, view_of_int(0), view_of_raw_string("not small")));
  drop(iut, quick(iut, "ffi.ListPop", VALUES(list, view_of_int(0))));
  quick(iut, "ffi.ListErase", VALUES(list, view_of_int(0)));
  quick(iut, "ffi.ListEraseRange", VALUES(list, view_of_int(0), view_of_int(5)));
  drop(iut, list);
}

static void use_dicts(Iut *iut, void *unused)
{
  (void)unused;
  TVMFFIAny dict = quick(iut, "ffi.Dict", VALUES(long_text, long_text));
  for (int i = 0; i < 20; ++i)
    quick(iut, "ffi.DictSetItem",
          VALUES(dict, view_of_int(i % 12), view_of_raw_string("not small")));
  quick(iut, "ffi.DictErase", VALUES(dict, long_text));
  drop(iut, quick(iut, "ffi.DictGetItem", VALUES(dict, view_of_int(3))));
  quick(iut, "ffi.DictClear", VALUES(dict));
  quick(iut, "ffi.DictSetItem", VALUES(dict, long_text, long_text));
  drop(iut, dict);
}

static const struct {
  const char *name;
  const char *maker;
  void (*use)(Iut *iut, void *unused);
} uses[] = {{"arrays", "ffi.Array", use_arrays},
            {"maps", "ffi.Map", use_maps},
            {"lists", "ffi.List", use_lists},
            {"dicts", "ffi.Dict", use_dicts}};

CASE_ROWS(containers_leave_no_memory_behind, uses, .clauses = {CON_12}, .patience = 4,
          .title = "making, using and releasing containers does not leak")
{
  TVMFFIObjectHandle container = object_of(iut, row->maker, VALUES());
  release_object(iut, container);
  long_text = new_text(iut, kTVMFFIStr, "a text that is too long for a small one");
  ExpectedCounts before = counts_of(iut, long_text.v_obj);
  expect_no_heap_growth(iut, 100, row->use, NULL);
  expect_counts_added(iut, long_text.v_obj, before, 0);
  release_any(iut, &long_text);
}

// --- Threads -------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 1000 };

typedef struct Shared {
  TVMFFIObjectHandle array, map, get_element, get_value;
  TVMFFIObjectHandle probe;
  atomic_uint wrong;
} Shared;

static void read_many_times(Iut *iut, unsigned index, void *context)
{
  Shared *shared = context;
  for (int i = 0; i < ROUNDS; ++i) {
    int at = (i + (int)index * 5) % 20;  // each thread is elsewhere
    TVMFFIAny element = any_none(), value = any_none();
    TVMFFIAny from_array[] = {view_of_object(iut, shared->array), view_of_int(at)};
    TVMFFIAny from_map[] = {view_of_object(iut, shared->map), view_of_int(at / 2 * 2)};
    int status = iut->FunctionCall(shared->get_element, from_array, 2, &element);
    status |= iut->FunctionCall(shared->get_value, from_map, 2, &value);
    bool as_it_was = at % 2 ? element.v_obj == shared->probe : element.v_int64 == at;
    if (status != 0 || !as_it_was || value.v_obj != shared->probe)
      atomic_fetch_add(&shared->wrong, 1);
    release_any(iut, &element);
    release_any(iut, &value);
  }
}

CASE(threads_read_at_the_same_time, .clauses = {CON_13},
     .title = "four threads that read one array and one map see the same, and the counts are exact")
{
  Shared shared = {.probe = new_probe_object(iut)};
  TVMFFIAny args[20];
  for (int i = 0; i < 20; ++i) args[i] = i % 2 ? view_of_object(iut, shared.probe) : view_of_int(i);
  shared.array = object_of(iut, "ffi.Array", args, 20);
  shared.map = object_of(iut, "ffi.Map", args, 20);
  shared.get_element = registered(iut, "ffi.ArrayGetItem");
  shared.get_value = registered(iut, "ffi.MapGetItem");
  run_in_threads(iut, THREADS, read_many_times, &shared);
  expect_int("wrong results", shared.wrong, 0);
  expect_counts(iut, shared.probe, .strong = 21, .weak = 1);
  expect_counts(iut, shared.array, .strong = 1, .weak = 1);
  expect_counts(iut, shared.map, .strong = 1, .weak = 1);
  release_object(iut, shared.array);
  release_object(iut, shared.map);
  expect_counts(iut, shared.probe, .strong = 1, .weak = 1);
  release_object(iut, shared.get_element);
  release_object(iut, shared.get_value);
}

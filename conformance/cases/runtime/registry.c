// SPDX-License-Identifier: Apache-2.0
// The functions that frontends begin with, and the table of names: listing and removing.
#include "cases/runtime/container_calling.h"

CHAPTER(registry);

// --- They are there ------------------------------------------------------------------------------

static void expect_function(Iut *iut, const char *name)
{
  TVMFFIObjectHandle function = find_registered(iut, name);
  if (!expect_that(function != NULL, "a function is registered", "nothing stands under %s", name))
    return;
  expect_int(name, object_type_index(iut, function), kTVMFFIFunction);
  release_object(iut, function);
}

CASE(functions_of_frontends_are_registered, .clauses = {REG_1},
     .title = "the functions that frontends begin with are registered from the start")
{
  expect_function(iut, "ffi.FunctionListGlobalNamesFunctor");
  expect_function(iut, "ffi.FunctionRemoveGlobal");
  expect_function(iut, "ffi.GetGlobalFuncMetadata");
}

CASE(type_keys_function_is_registered, .clauses = {REG_2},
     .title = "ffi.GetRegisteredTypeKeys is registered from the start")
{
  expect_function(iut, "ffi.GetRegisteredTypeKeys");
}

CASE(missing_value_function_is_registered, .clauses = {REG_3},
     .title = "ffi.GetInvalidObject is registered from the start")
{
  expect_function(iut, "ffi.GetInvalidObject");
}

CASE(wrapping_function_is_registered, .clauses = {REG_4},
     .title = "ffi.GetKwargsObject is registered from the start")
{
  expect_function(iut, "ffi.GetKwargsObject");
}

CASE(functions_that_create_are_registered, .clauses = {REG_40},
     .title =
         "ffi.FunctionFromExternC and ffi.MakeObjectFromPackedArgs are registered from the start")
{
  expect_function(iut, "ffi.FunctionFromExternC");
  expect_function(iut, "ffi.MakeObjectFromPackedArgs");
}

// --- Names ---------------------------------------------------------------------------------------

static const char nul_inside[] = "conform\0names";

// Own: the function that was entered under the name.
static TVMFFIObjectHandle enter(Iut *iut, const char *name, size_t size, CallLog *log)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {name, size};
  require(expect_ok(iut, iut->FunctionCreate(log, call_log_callee, call_log_delete, &function)));
  require(expect_ok(iut, iut->FunctionSetGlobal(&text, function, 1)));
  return function;
}

// Own: a function that gives number and names.
static TVMFFIObjectHandle list_names(Iut *iut)
{
  return object_of(iut, "ffi.FunctionListGlobalNamesFunctor", VALUES());
}

static int64_t number_of_names(Iut *iut, TVMFFIObjectHandle names)
{
  TVMFFIAny number = any_none();
  require(expect_ok(iut, iut->FunctionCall(names, VALUES(view_of_int(-1)), &number)));
  require(expect_type_index(&number, kTVMFFIInt));
  return number.v_int64;
}

// Own: the name at this place, a string.
static TVMFFIAny name_at(Iut *iut, TVMFFIObjectHandle names, int64_t place)
{
  TVMFFIAny name = any_none();
  require(expect_ok(iut, iut->FunctionCall(names, VALUES(view_of_int(place)), &name)));
  require(expect_that(name.type_index == kTVMFFISmallStr || name.type_index == kTVMFFIStr,
                      "a string", "type index %d", name.type_index));
  return name;
}

// How often a name is in the list.
static int64_t count_name(Iut *iut, TVMFFIObjectHandle names, const char *name, size_t size)
{
  int64_t found = 0, number = number_of_names(iut, names);
  for (int64_t i = 0; i < number; ++i) {
    TVMFFIAny at = name_at(iut, names, i);
    TVMFFIByteArray text = content_of(iut, &at);
    found += text.size == size && memcmp(text.data, name, size) == 0;
    release_any(iut, &at);
  }
  return found;
}

CASE(names_are_counted_and_read, .clauses = {REG_5},
     .title =
         "every position up to the number of names gives a string, under which a function is "
         "found")
{
  TVMFFIObjectHandle names = list_names(iut);
  int64_t number = number_of_names(iut, names);
  require(
      expect_that(number >= 15, "no fewer names than the runtime must bring", "%" PRId64, number));
  for (int64_t i = 0; i < number; ++i) {
    TVMFFIAny name = name_at(iut, names, i);
    TVMFFIByteArray text = content_of(iut, &name);
    TVMFFIObjectHandle function = NULL;
    expect_ok(iut, iut->FunctionGetGlobal(&text, &function));
    expect_that(function != NULL, "a name under which a function stands", "`%.*s`", (int)text.size,
                text.data);
    if (function) release_object(iut, function);
    release_any(iut, &name);
  }
  release_object(iut, names);
}

CASE(any_negative_integer_counts, .clauses = {REG_5},
     .title = "each negative integer gives the number of names")
{
  TVMFFIObjectHandle names = list_names(iut);
  TVMFFIAny expected = view_of_int(number_of_names(iut, names));
  const int64_t negative[] = {-1, -2, -1000, INT32_MIN, INT64_MIN};
  for (int i = 0; i < 5; ++i) {
    TVMFFIAny number = any_none();
    note("called with %" PRId64, negative[i]);
    expect_ok(iut, iut->FunctionCall(names, VALUES(view_of_int(negative[i])), &number));
    expect_same_bytes(&number, &expected);
  }
  release_object(iut, names);
}

CASE(each_name_is_listed_once, .clauses = {REG_6},
     .title =
         "names of ours are listed once each, odd ones and overridden ones, too, and no longer "
         "when they are removed")
{
  CallLog log = {0};
  const TVMFFIByteArray ours[] = {{"conform.a", 9},
                                  {"conform.a.longer.name", 21},
                                  {"conform.b", 9},
                                  {nul_inside, sizeof nul_inside - 1},
                                  {"x", 1}};
  TVMFFIObjectHandle before = list_names(iut);
  for (int i = 0; i < 5; ++i) release_object(iut, enter(iut, ours[i].data, ours[i].size, &log));
  release_object(iut, enter(iut, "conform.a", 9, &log));
  TVMFFIObjectHandle after = list_names(iut);
  expect_int("names", number_of_names(iut, after), number_of_names(iut, before) + 5);
  for (int i = 0; i < 5; ++i) {
    note("the name %.21s, of %zu bytes", ours[i].data, ours[i].size);
    expect_int("times it is listed", count_name(iut, after, ours[i].data, ours[i].size), 1);
    expect_int("times it was listed before", count_name(iut, before, ours[i].data, ours[i].size),
               0);
  }
  release_object(iut, after);
  expect_gives(iut, view_of_bool(true), "ffi.FunctionRemoveGlobal",
               VALUES(view_of_raw_string("conform.b")));
  after = list_names(iut);
  expect_int("times a removed name is listed", count_name(iut, after, "conform.b", 9), 0);
  release_object(iut, after);
  release_object(iut, before);
}

CASE(names_of_the_runtime_are_listed_once, .clauses = {REG_6},
     .title = "the functions that the runtime brings are listed, and no name is there twice")
{
  enum { MOST = 1000 };
  static TVMFFIAny all[MOST];
  static const char *const some[] = {"ffi.Array", "ffi.ArrayGetItem", "ffi.MapForwardIterFunctor",
                                     "ffi.FunctionListGlobalNamesFunctor", "ffi.String"};
  TVMFFIObjectHandle names = list_names(iut);
  int64_t number = number_of_names(iut, names);
  for (int64_t i = 0; i < number && i < MOST; ++i) {
    all[i] = name_at(iut, names, i);
    TVMFFIByteArray text = content_of(iut, &all[i]);
    for (int64_t j = 0; j < i; ++j) {
      TVMFFIByteArray other = content_of(iut, &all[j]);
      if (text.size == other.size && memcmp(text.data, other.data, text.size) == 0)
        expect_that(false, "a name that is listed once", "`%.*s` at %" PRId64 " and %" PRId64,
                    (int)text.size, text.data, j, i);
    }
  }
  for (int64_t i = 0; i < number && i < MOST; ++i) release_any(iut, &all[i]);
  for (int i = 0; i < 5; ++i) {
    note("%s", some[i]);
    expect_int("times it is listed", count_name(iut, names, some[i], strlen(some[i])),
               is_registered(iut, some[i]));
  }
  release_object(iut, names);
}

CASE(list_of_names_is_a_snapshot, .clauses = {REG_7},
     .title = "registering and removing names does not change a list that was taken before")
{
  CallLog log = {0};
  release_object(iut, enter(iut, "conform.before", 14, &log));
  TVMFFIObjectHandle names = list_names(iut);
  int64_t number = number_of_names(iut, names);
  TVMFFIAny first[64];
  for (int64_t i = 0; i < number && i < 64; ++i) first[i] = name_at(iut, names, i);
  for (int i = 0; i < 40; ++i) {
    char name[16] = "conform.00";
    name[8] = (char)('0' + i / 10), name[9] = (char)('0' + i % 10);
    release_object(iut, enter(iut, name, 10, &log));
  }
  expect_gives(iut, view_of_bool(true), "ffi.FunctionRemoveGlobal",
               VALUES(view_of_raw_string("conform.before")));
  expect_int("names", number_of_names(iut, names), number);
  expect_int("times the removed name is listed", count_name(iut, names, "conform.before", 14), 1);
  expect_int("times a later name is listed", count_name(iut, names, "conform.07", 10), 0);
  for (int64_t i = 0; i < number && i < 64; ++i) {
    TVMFFIAny name = name_at(iut, names, i);
    TVMFFIByteArray seen = content_of(iut, &name), expected = content_of(iut, &first[i]);
    expect_memory("the name at a place", seen.data, seen.size, expected.data, expected.size);
    release_any(iut, &name);
    release_any(iut, &first[i]);
  }
  release_object(iut, names);
}

CASE(position_behind_the_names_is_refused, .clauses = {REG_8}, .wrong_call = true,
     .title = "a position that is not less than the number of names raises an IndexError")
{
  TVMFFIObjectHandle names = list_names(iut);
  int64_t number = number_of_names(iut, names);
  const int64_t positions[] = {number, number + 1, INT64_C(1) << 32, INT64_MAX};
  for (int i = 0; i < 4; ++i) {
    TVMFFIAny name = any_none();
    note("position %" PRId64 " of %" PRId64, positions[i], number);
    expect_error(iut, iut->FunctionCall(names, VALUES(view_of_int(positions[i])), &name),
                 "IndexError");
  }
  TVMFFIAny last = name_at(iut, names, number - 1);
  release_any(iut, &last);
  release_object(iut, names);
}

// --- Removing ------------------------------------------------------------------------------------

CASE(removed_name_is_not_found, .clauses = {REG_9},
     .title =
         "removing a name gives true, ends a function that only the table held, and leads to "
         "nothing; removing it again gives false")
{
  CallLog log = {0}, other_log = {0};
  TVMFFIObjectHandle other = enter(iut, "conform.other", 13, &other_log);
  TVMFFIAny name = view_of_raw_string("conform.removed");
  release_object(iut, enter(iut, "conform.removed", 15, &log));
  expect_int("calls of the deleter before", log.deleted, 0);
  expect_gives(iut, view_of_bool(true), "ffi.FunctionRemoveGlobal", VALUES(name));
  expect_int("calls of the deleter", log.deleted, 1);
  expect_that(!is_registered(iut, "conform.removed"), "a name that leads to nothing", "a function");
  expect_gives(iut, view_of_bool(false), "ffi.FunctionRemoveGlobal", VALUES(name));
  expect_no_error(iut);
  expect_int("calls of the deleter after the second call", log.deleted, 1);
  expect_counts(iut, other, .strong = 2, .weak = 1);
  release_object(iut, other);
}

CASE(other_names_stay, .clauses = {REG_9},
     .title =
         "removing a name that is not registered, or is only the beginning of one, gives false "
         "and leaves the others")
{
  static const char *const others[] = {"conform", "conform.name.", "Conform.name", "conform.nam",
                                       ""};
  CallLog log = {0};
  TVMFFIObjectHandle function = enter(iut, "conform.name", 12, &log);
  TVMFFIObjectHandle odd = enter(iut, nul_inside, sizeof nul_inside - 1, &log);
  for (int i = 0; i < 5; ++i) {
    note("removing `%s`", others[i]);
    expect_gives(iut, view_of_bool(false), "ffi.FunctionRemoveGlobal",
                 VALUES(view_of_raw_string(fenced_string(others[i]))));
  }
  expect_counts(iut, function, .strong = 2, .weak = 1);
  expect_counts(iut, odd, .strong = 2, .weak = 1);
  expect_gives(iut, view_of_bool(true), "ffi.FunctionRemoveGlobal",
               VALUES(view_of_raw_string("conform.name")));
  expect_counts(iut, function, .strong = 1, .weak = 1);
  release_object(iut, function);
  release_object(iut, odd);
}

CASE(removed_name_is_free_again, .clauses = {REG_10},
     .title = "a removed name can be registered without permission to override, again and again")
{
  CallLog log = {0};
  TVMFFIByteArray name = bytes_of("conform.again");
  TVMFFIObjectHandle function = enter(iut, name.data, name.size, &log);
  for (int i = 0; i < 3; ++i) {
    expect_gives(iut, view_of_bool(true), "ffi.FunctionRemoveGlobal",
                 VALUES(view_of_raw_string("conform.again")));
    expect_counts(iut, function, .strong = 1, .weak = 1);
    require(expect_ok(iut, iut->FunctionSetGlobal(&name, function, 0)));
    expect_counts(iut, function, .strong = 2, .weak = 1);
    TVMFFIObjectHandle found = find_registered(iut, "conform.again");
    require(expect_pointer("what the name leads to", found, function));
    release_object(iut, found);
  }
  expect_error(iut, iut->FunctionSetGlobal(&name, function, 0), "RuntimeError");
  release_object(iut, function);
}

CASE(function_outlives_its_name, .clauses = {REG_11},
     .title = "a function that was looked up can be called after its name was removed")
{
  CallLog log = {.gives = true, .give = view_of_int(42)};
  release_object(iut, enter(iut, "conform.outlives", 16, &log));
  TVMFFIObjectHandle found = find_registered(iut, "conform.outlives");
  require(expect_not_null("the function", found));
  expect_gives(iut, view_of_bool(true), "ffi.FunctionRemoveGlobal",
               VALUES(view_of_raw_string("conform.outlives")));
  expect_int("calls of the deleter", log.deleted, 0);
  TVMFFIAny result = any_none();
  require(expect_ok(iut, iut->FunctionCall(found, NULL, 0, &result)));
  expect_same_bytes(&result, &log.give);
  expect_counts(iut, found, .strong = 1, .weak = 1);
  release_object(iut, found);
  expect_int("calls of the deleter after the last release", log.deleted, 1);
}

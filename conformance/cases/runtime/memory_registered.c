// SPDX-License-Identifier: Apache-2.0
// The functions that are called by name, without the memory that they need.
#include "cases/runtime/container_calling.h"
#include "cases/runtime/memory_scarce.h"

CHAPTER(memory);

static const char long_text[] = "a text that is too long to be held in a value";

//--------------------------------------------------------------------------------------------------
// Calls
//--------------------------------------------------------------------------------------------------

static void prepare_call(Scene *scene, const char *name, const TVMFFIAny *args, size_t count)
{
  scene->function = registered(scene->iut, name);
  memcpy(scene->args, args, count * sizeof *args);
  scene->num_args = (int32_t)count;
}

// Whatever it is that the function makes, of the arguments that the scene holds.
static int call_function(Scene *scene)
{
  return scene->iut->FunctionCall(scene->function, scene->num_args ? scene->args : NULL,
                                  scene->num_args, &scene->out.any);
}

static void prepare_string(Scene *scene)
{
  prepare_call(scene, "ffi.String", VALUES(view_of_raw_string(long_text)));
}

static void prepare_bytes(Scene *scene)
{
  static TVMFFIByteArray bytes = {long_text, sizeof long_text - 1};
  prepare_call(scene, "ffi.Bytes", VALUES(view_of_byte_array(&bytes)));
}

static void prepare_shape(Scene *scene)
{
  prepare_call(scene, "ffi.Shape", VALUES(view_of_int(2), view_of_int(3)));
}

// An object, which gets a reference, and a text, which gets memory, are among what is contained.
static void prepare_sequence(Scene *scene, const char *name)
{
  scene->object = new_probe_object(scene->iut);
  TVMFFIAny object = view_of_object(scene->iut, scene->object);
  prepare_call(scene, name,
               VALUES(object, view_of_raw_string(long_text), view_of_int(1), object,
                      view_of_raw_string(long_text)));
}

static void prepare_array(Scene *scene)
{
  prepare_sequence(scene, "ffi.Array");
}

static void prepare_list(Scene *scene)
{
  prepare_sequence(scene, "ffi.List");
}

static void prepare_pairs(Scene *scene, const char *name)
{
  scene->object = new_probe_object(scene->iut);
  TVMFFIAny object = view_of_object(scene->iut, scene->object);
  prepare_call(scene, name,
               VALUES(view_of_raw_string(long_text), object, object, view_of_raw_string(long_text),
                      view_of_int(1), view_of_int(2)));
}

static void prepare_map(Scene *scene)
{
  prepare_pairs(scene, "ffi.Map");
}

static void prepare_dict(Scene *scene)
{
  prepare_pairs(scene, "ffi.Dict");
}

static void prepare_map_iterator(Scene *scene)
{
  scene->object = object_of(scene->iut, "ffi.Map", VALUES(view_of_int(1), view_of_int(2)));
  prepare_call(scene, "ffi.MapForwardIterFunctor",
               VALUES(view_of_object(scene->iut, scene->object)));
}

static void prepare_names(Scene *scene)
{
  scene->function = registered(scene->iut, "ffi.FunctionListGlobalNamesFunctor");
}

static void prepare_type_keys(Scene *scene)
{
  scene->function = registered(scene->iut, "ffi.GetRegisteredTypeKeys");
}

static void prepare_metadata(Scene *scene)
{
  prepare_call(scene, "ffi.GetGlobalFuncMetadata", VALUES(view_of_raw_string("ffi.ArraySize")));
}

static void prepare_callback(Scene *scene)
{
  TVMFFIAny callback = any_none();
  TVMFFISafeCallType function = call_log_callee_without_self;
  callback.type_index = kTVMFFIOpaquePtr;
  memcpy(&callback.v_ptr, &function, sizeof function);
  prepare_call(scene, "ffi.FunctionFromExternC", VALUES(any_none(), callback, any_none()));
}

//--------------------------------------------------------------------------------------------------
// Containers that grow
//--------------------------------------------------------------------------------------------------

static void prepare_growing(Scene *scene, const char *container, const char *function)
{
  scene->object = object_of(scene->iut, container, NULL, 0);
  scene->function = registered(scene->iut, function);
  scene->args[0] = view_of_object(scene->iut, scene->object);
  scene->num_args = 2;
}

static void prepare_appending(Scene *scene)
{
  prepare_growing(scene, "ffi.List", "ffi.ListAppend");
  scene->args[1] = view_of_raw_string(long_text);
}

// The name is another one after each success.
static void prepare_setting(Scene *scene)
{
  prepare_growing(scene, "ffi.Dict", "ffi.DictSetItem");
  scene->num_args = 3;
  scene->args[2] = view_of_int(1);
}

static int set_item(Scene *scene)
{
  scene->args[1] = view_of_byte_array(&scene->name);
  return call_function(scene);
}

static int64_t size_of(Scene *scene, const char *function)
{
  TVMFFIAny size = any_none();
  if (call_registered(scene->iut, &size, function, scene->args, 1) != 0) return -1;
  return size.v_int64;
}

static void note_list_size(Scene *scene)
{
  scene->size = size_of(scene, "ffi.ListSize");
}

static const char *list_remains(Scene *scene)
{
  return size_of(scene, "ffi.ListSize") == scene->size ? NULL : "the list has another size";
}

static void note_dict_size(Scene *scene)
{
  scene->size = size_of(scene, "ffi.DictSize");
}

static const char *dict_remains(Scene *scene)
{
  return size_of(scene, "ffi.DictSize") == scene->size ? NULL : "the dict has another size";
}

//--------------------------------------------------------------------------------------------------
// The table
//--------------------------------------------------------------------------------------------------

#define MAKES(name, preparation)                                      \
  {                                                                   \
    name, call_function, .output = OUTPUT_ANY, .prepare = preparation \
  }

static const ScarceCall making[] = {
    MAKES("string", prepare_string),
    MAKES("bytes", prepare_bytes),
    MAKES("shape", prepare_shape),
    MAKES("array", prepare_array),
    MAKES("map", prepare_map),
    MAKES("map-forward-iter-functor", prepare_map_iterator),
    MAKES("function-list-global-names-functor", prepare_names),
    MAKES("get-registered-type-keys", prepare_type_keys),
    MAKES("get-global-func-metadata", prepare_metadata),
    MAKES("function-from-extern-c", prepare_callback),
    MAKES("list", prepare_list),
    MAKES("dict", prepare_dict),
};

static const ScarceCall growing[] = {
    {"list-append", call_function, .output = OUTPUT_ANY, .prepare = prepare_appending,
     .undo = note_list_size, .remains = list_remains, .enters = true, .grown_after = 70},
    {"dict-set-item", set_item, .output = OUTPUT_ANY, .prepare = prepare_setting,
     .undo = note_dict_size, .remains = dict_remains, .enters = true, .grown_after = 70},
};

//--------------------------------------------------------------------------------------------------
// The cases
//--------------------------------------------------------------------------------------------------

CASE_ROWS(want_of_memory_by_name_is_reported, making, .clauses = {MEM_1, MEM_8},
          .title =
              "a registered function that is refused memory once returns, whichever request "
              "that was")
{
  expect_failures_are_reported(iut, row);
}

CASE_ROWS(want_of_memory_for_an_element_is_reported, growing, .clauses = {MEM_1, MEM_8},
          .title = "a container that is refused memory when it grows fails with an error")
{
  expect_failures_are_reported(iut, row);
}

CASE_ROWS(failure_by_name_leaves_nothing, making, .clauses = {MEM_2, MEM_4, MEM_5},
          .title =
              "a registered function that fails for want of memory gives nothing, keeps "
              "nothing, and succeeds when there is memory again")
{
  expect_nothing_made(iut, row);
}

CASE_ROWS(container_without_memory_stays_as_it_is, growing, .clauses = {MEM_3, MEM_4, MEM_5},
          .title =
              "a container that finds no memory to grow holds what it held, and grows when "
              "there is memory again")
{
  expect_nothing_made(iut, row);
}

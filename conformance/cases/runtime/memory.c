// SPDX-License-Identifier: Apache-2.0
// The functions of the C API that need memory, without it.
#include "cases/runtime/memory_scarce.h"
#include "cases/runtime/tensor_source.h"

CHAPTER(memory);

static const char long_text[] = "a text that is too long to be held in a value";

static void take_long_text(Scene *scene)
{
  scene->name = (TVMFFIByteArray){long_text, sizeof long_text - 1};
}

//--------------------------------------------------------------------------------------------------
// Values and objects
//--------------------------------------------------------------------------------------------------

static int make_string(Scene *scene)
{
  take_long_text(scene);
  return scene->iut->StringFromByteArray(&scene->name, &scene->out.any);
}

static int make_bytes(Scene *scene)
{
  take_long_text(scene);
  return scene->iut->BytesFromByteArray(&scene->name, &scene->out.any);
}

static int make_big_integer(Scene *scene)
{
  static const uint64_t words[3] = {1, 2, 3};
  TVMFFIByteArray number = {(const char *)words, sizeof words};
  return scene->iut->BigIntFromByteArray(&number, &scene->out.any);
}

static int own_raw_string(Scene *scene)
{
  TVMFFIAny view = view_of_raw_string(long_text);
  return scene->iut->AnyViewToOwnedAny(&view, &scene->out.any);
}

static int own_byte_array(Scene *scene)
{
  take_long_text(scene);
  TVMFFIAny view = view_of_byte_array(&scene->name);
  return scene->iut->AnyViewToOwnedAny(&view, &scene->out.any);
}

static unsigned opaque_deleted;

static void delete_opaque(__attribute__((unused)) void *handle)
{
  ++opaque_deleted;
}

static int make_opaque(Scene *scene)
{
  opaque_deleted = 0;
  return scene->iut->ObjectCreateOpaque(scene, kTVMFFIOpaquePyObject, delete_opaque,
                                        &scene->out.handle);
}

static const char *opaque_remains(__attribute__((unused)) Scene *scene)
{
  return opaque_deleted ? "the deleter was called for what was never owned" : NULL;
}

static int print_dtype(Scene *scene)
{
  static const DLDataType dtype = {kDLFloat8_e4m3fn, 8, 4};
  return scene->iut->DataTypeToString(&dtype, &scene->out.any);
}

static int read_dtype(Scene *scene)
{
  TVMFFIByteArray text = bytes_of("float8_e4m3fnx4");
  return scene->iut->DataTypeFromString(&text, &scene->out.dtype);
}

//--------------------------------------------------------------------------------------------------
// Functions
//--------------------------------------------------------------------------------------------------

static CallLog callee_log;

static int make_function(Scene *scene)
{
  return scene->iut->FunctionCreate(NULL, call_log_callee_without_self, NULL, &scene->out.handle);
}

// They live until the process ends.
static void keep_functions(Scene *scene)
{
  for (int i = 0; i < 40; ++i)
    new_function(scene->iut, &callee_log, call_log_callee, call_log_delete);
}

static int make_closure(Scene *scene)
{
  atomic_store(&callee_log.deleted, 0);
  return scene->iut->FunctionCreate(&callee_log, call_log_callee, call_log_delete,
                                    &scene->out.handle);
}

static const char *closure_remains(__attribute__((unused)) Scene *scene)
{
  return atomic_load(&callee_log.deleted) ? "the deleter was called for what was never owned"
                                          : NULL;
}

// With a deleter, so that the library can't share it.
static void prepare_function(Scene *scene)
{
  scene->object = new_function(scene->iut, &callee_log, call_log_callee, call_log_delete);
}

static int enter_function(Scene *scene)
{
  return scene->iut->FunctionSetGlobal(&scene->name, scene->object, 0);
}

static int enter_method(Scene *scene)
{
  TVMFFIMethodInfo info = {.name = scene->name,
                           .doc = bytes_of(long_text),
                           .metadata = bytes_of("{\"because\": \"it must be copied\"}"),
                           .method = view_of_object(scene->iut, scene->object)};
  return scene->iut->FunctionSetGlobalFromMethodInfo(&info, 0);
}

// The table keeps its reference; another function comes next.
static void next_function(Scene *scene)
{
  release_object(scene->iut, scene->object);
  prepare_function(scene);
}

static const char *entered_remains(Scene *scene)
{
  TVMFFIObjectHandle found = NULL;
  if (scene->iut->FunctionGetGlobal(&scene->name, &found) != 0) return "the look-up fails";
  if (found) release_object(scene->iut, found);
  return found ? "the name is registered" : NULL;
}

//--------------------------------------------------------------------------------------------------
// Errors
//--------------------------------------------------------------------------------------------------

static int make_error(Scene *scene)
{
  TVMFFIByteArray kind = bytes_of("conform.AKindOfAnErrorThatIsLong"), text = bytes_of(long_text);
  return scene->iut->ErrorCreate(&kind, &text, &text, &scene->out.handle);
}

static int make_error_with_cause(Scene *scene)
{
  TVMFFIByteArray kind = bytes_of("conform.AKindOfAnErrorThatIsLong"), text = bytes_of(long_text);
  return scene->iut->ErrorCreateWithCauseAndExtraContext(&kind, &text, &text, scene->object, NULL,
                                                         &scene->out.handle);
}

static void prepare_error(Scene *scene)
{
  require(expect_ok(scene->iut, make_error(scene)));
  scene->object = scene->out.handle;
}

//--------------------------------------------------------------------------------------------------
// Tensors
//--------------------------------------------------------------------------------------------------

static void prepare_plain_source(Scene *scene)
{
  scene->own = new_source(DLPACK_PLAIN, matrix_plan());
}

static void prepare_versioned_source(Scene *scene)
{
  scene->own = new_source(DLPACK_VERSIONED, matrix_plan());
}

static int import_source(Scene *scene)
{
  TensorSource *source = scene->own;
  atomic_store(&source->deleted, 0);
  return import_with(scene->iut, source, 0, 0, &scene->out.handle);
}

// TEN-11 again, for a failure that nobody can bring about from outside.
static const char *source_remains(Scene *scene)
{
  TensorSource *source = scene->own;
  return atomic_load(&source->deleted) ? "the tensor was deleted, which is still its maker's"
                                       : NULL;
}

static void prepare_tensor(Scene *scene)
{
  scene->object = new_tensor(scene->iut, DLPACK_PLAIN, matrix_plan());
}

static int export_plain(Scene *scene)
{
  return scene->iut->TensorToDLPack(scene->object, (DLManagedTensor **)&scene->out.pointer);
}

static void delete_plain(Scene *scene)
{
  DLManagedTensor *managed = scene->out.pointer;
  managed->deleter(managed);
}

static int export_versioned(Scene *scene)
{
  return scene->iut->TensorToDLPackVersioned(scene->object,
                                             (DLManagedTensorVersioned **)&scene->out.pointer);
}

static void delete_versioned(Scene *scene)
{
  DLManagedTensorVersioned *managed = scene->out.pointer;
  managed->deleter(managed);
}

static int make_view(Scene *scene)
{
  return scene->iut->TensorCreateUnsafeView(scene->object, tensor_body(scene->iut, scene->object),
                                            &scene->out.handle);
}

static int give_tensor(__attribute__((unused)) DLTensor *prototype, DLManagedTensorVersioned **out,
                       __attribute__((unused)) void *context,
                       __attribute__((unused)) void (*report)(void *, const char *, const char *))
{
  static TensorSource *source;
  if (!out) source = new_source(DLPACK_VERSIONED, matrix_plan());
  if (out) *out = source->managed.versioned;
  return 0;
}

static void prepare_allocator(Scene *scene)
{
  give_tensor(NULL, NULL, NULL, NULL);
  require(
      expect_ok(scene->iut, scene->iut->EnvSetDLPackManagedTensorAllocator(give_tensor, 0, NULL)));
}

static int allocate_tensor(Scene *scene)
{
  DLTensor prototype = tensor_of_plan(matrix_plan());
  return scene->iut->EnvTensorAlloc(&prototype, &scene->out.handle);
}

//--------------------------------------------------------------------------------------------------
// Types
//--------------------------------------------------------------------------------------------------

static int register_type(Scene *scene)
{
  int32_t index = scene->iut->TypeGetOrAllocIndex(&scene->name, -1, 1, 0, 1, kTVMFFIObject);
  return index >= kTVMFFIDynObjectBegin ? 0 : -1;
}

static const char *type_remains(Scene *scene)
{
  int32_t index = -1;
  if (scene->iut->TypeKeyToIndex(&scene->name, &index) == 0) return "the key is registered";
  release_object(scene->iut, take_error(scene->iut));
  return NULL;
}

static void prepare_type(Scene *scene)
{
  scene->type_index = scene->iut->TypeGetOrAllocIndex(&scene->name, -1, 1, 0, 1, kTVMFFIObject);
  require(expect_that(scene->type_index >= kTVMFFIDynObjectBegin, "a new type", "%d",
                      scene->type_index));
  name_anew(scene);
}

static const TVMFFITypeInfo *scene_type(Scene *scene)
{
  return scene->iut->GetTypeInfo(scene->type_index);
}

static int no_getter(__attribute__((unused)) void *field, __attribute__((unused)) TVMFFIAny *result)
{
  return -1;
}

static int register_field(Scene *scene)
{
  TVMFFIFieldInfo info = {.name = scene->name,
                          .doc = bytes_of(long_text),
                          .metadata = bytes_of("{}"),
                          .flags = kTVMFFIFieldFlagBitMaskHasDefault,
                          .size = 8,
                          .alignment = 8,
                          .offset = 24,
                          .getter = no_getter,
                          .default_value_or_factory = view_of_raw_string(long_text),
                          .field_static_type_index = kTVMFFIAny};
  return scene->iut->TypeRegisterField(scene->type_index, &info);
}

// A field or method of this name, the last one of its type.
static bool is_name_of_last(const Scene *scene, const TVMFFIByteArray *last)
{
  return last->size == scene->name.size && memcmp(last->data, scene->name.data, last->size) == 0;
}

static const char *field_remains(Scene *scene)
{
  const TVMFFITypeInfo *type = scene_type(scene);
  if (type->num_fields == 0 || !type->fields) return NULL;
  return is_name_of_last(scene, &type->fields[type->num_fields - 1].name) ? "the type has the field"
                                                                          : NULL;
}

static void prepare_method(Scene *scene)
{
  prepare_type(scene);
  prepare_function(scene);
}

static int register_method(Scene *scene)
{
  TVMFFIMethodInfo info = {.name = scene->name,
                           .doc = bytes_of(long_text),
                           .metadata = bytes_of("{}"),
                           .method = view_of_object(scene->iut, scene->object)};
  return scene->iut->TypeRegisterMethod(scene->type_index, &info);
}

static const char *method_remains(Scene *scene)
{
  const TVMFFITypeInfo *type = scene_type(scene);
  if (type->num_methods == 0 || !type->methods) return NULL;
  return is_name_of_last(scene, &type->methods[type->num_methods - 1].name)
             ? "the type has the method"
             : NULL;
}

static int register_metadata(Scene *scene)
{
  TVMFFITypeMetadata metadata = {.doc = bytes_of(long_text), .total_size = 32};
  return scene->iut->TypeRegisterMetadata(scene->type_index, &metadata);
}

static const char *metadata_remains(Scene *scene)
{
  return scene_type(scene)->metadata ? "the type has metadata" : NULL;
}

static int register_attribute(Scene *scene)
{
  TVMFFIAny value = view_of_object(scene->iut, scene->object);
  return scene->iut->TypeRegisterAttr(scene->type_index, &scene->name, &value);
}

// The column may have been made: it says of every type that it has no value.
static const char *attribute_remains(Scene *scene)
{
  const TVMFFITypeAttrColumn *column = scene->iut->GetTypeAttrColumn(&scene->name);
  if (!column) return NULL;
  TVMFFITypeAttrColumn seen = column_seen(scene->iut, column);
  int32_t place = scene->type_index - seen.begin_index;
  bool set = place >= 0 && place < seen.size && seen.data[place].type_index != kTVMFFINone;
  return set ? "the type has the attribute" : NULL;
}

//--------------------------------------------------------------------------------------------------
// Streams and handles
//--------------------------------------------------------------------------------------------------

static int set_stream(Scene *scene)
{
  return scene->iut->EnvSetStream(kDLCUDA, 100 * (int32_t)scene->number, scene, NULL);
}

static const char *stream_remains(Scene *scene)
{
  return scene->iut->EnvGetStream(kDLCUDA, 100 * (int32_t)scene->number) ? "the stream is set"
                                                                         : NULL;
}

static void *once_handle;

static int give_handle(void **result)
{
  *result = &once_handle;
  return 0;
}

static int take_handle(__attribute__((unused)) void *handle)
{
  return 0;
}

static int init_once(Scene *scene)
{
  return scene->iut->HandleInitOnce(&once_handle, give_handle);
}

static void deinit_once(Scene *scene)
{
  expect_ok(scene->iut, scene->iut->HandleDeinitOnce(&once_handle, take_handle));
}

static const char *once_remains(__attribute__((unused)) Scene *scene)
{
  return once_handle ? "the handle is filled" : NULL;
}

static void make_handle(Scene *scene)
{
  expect_ok(scene->iut, init_once(scene));
}

static int deinit_handle(Scene *scene)
{
  return scene->iut->HandleDeinitOnce(&once_handle, take_handle);
}

//--------------------------------------------------------------------------------------------------
// The built-in allocator
//--------------------------------------------------------------------------------------------------

static int allocate_space(Scene *scene)
{
  TVMFFICustomAllocator *allocator = scene->iut->GetCustomAllocator();
  scene->out.pointer = allocator->allocate(96, 16, kTVMFFIObject, allocator->context);
  return scene->out.pointer ? 0 : -1;
}

static void free_space(Scene *scene)
{
  TVMFFIObjectAllocHeader header;
  memcpy(&header, (char *)scene->out.pointer - sizeof header, sizeof header);
  header.delete_space(scene->out.pointer);
}

//--------------------------------------------------------------------------------------------------
// The table
//--------------------------------------------------------------------------------------------------

// What makes something, for the caller alone.
static const ScarceCall making[] = {
    {"string-from-byte-array", make_string, .output = OUTPUT_ANY},
    {"bytes-from-byte-array", make_bytes, .output = OUTPUT_ANY},
    {"any-of-raw-string", own_raw_string, .output = OUTPUT_ANY},
    {"any-of-byte-array", own_byte_array, .output = OUTPUT_ANY},
    {"object-create-opaque", make_opaque, .output = OUTPUT_HANDLE, .remains = opaque_remains},
    {"data-type-to-string", print_dtype, .output = OUTPUT_ANY},
    {"data-type-from-string", read_dtype, .output = OUTPUT_OTHER},
    {"function-create", make_function, .output = OUTPUT_HANDLE, .use_up = keep_functions},
    {"function-create-with-self", make_closure, .output = OUTPUT_HANDLE, .use_up = keep_functions,
     .remains = closure_remains},
    {"error-create", make_error, .output = OUTPUT_HANDLE, .silent = true},
    {"error-create-with-cause", make_error_with_cause, .output = OUTPUT_HANDLE,
     .prepare = prepare_error, .silent = true, .later = true},
    {"tensor-from-dlpack", import_source, .output = OUTPUT_HANDLE, .prepare = prepare_plain_source,
     .remains = source_remains},
    {"tensor-from-dlpack-versioned", import_source, .output = OUTPUT_HANDLE,
     .prepare = prepare_versioned_source, .remains = source_remains},
    {"tensor-to-dlpack", export_plain, .output = OUTPUT_OTHER, .prepare = prepare_tensor,
     .undo = delete_plain},
    {"tensor-to-dlpack-versioned", export_versioned, .output = OUTPUT_OTHER,
     .prepare = prepare_tensor, .undo = delete_versioned},
    {"tensor-create-unsafe-view", make_view, .output = OUTPUT_HANDLE, .prepare = prepare_tensor,
     .later = true},
    {"env-tensor-alloc", allocate_tensor, .output = OUTPUT_HANDLE, .prepare = prepare_allocator},
    {"big-int-from-byte-array", make_big_integer, .output = OUTPUT_ANY, .later = true},
    {"built-in-allocator", allocate_space, .output = OUTPUT_OTHER, .undo = free_space,
     .later = true},
};

// What enters something where others find it.
static const ScarceCall entering[] = {
    {"function-set-global", enter_function, .prepare = prepare_function, .undo = next_function,
     .remains = entered_remains, .enters = true, .grown_after = 130},
    {"function-set-global-from-method-info", enter_method, .prepare = prepare_function,
     .undo = next_function, .remains = entered_remains, .enters = true, .grown_after = 20},
    {"type-get-or-alloc-index", register_type, .remains = type_remains, .enters = true,
     .grown_after = 70},
    {"type-register-field", register_field, .prepare = prepare_type, .remains = field_remains,
     .enters = true, .grown_after = 20},
    {"type-register-method", register_method, .prepare = prepare_method, .undo = next_function,
     .remains = method_remains, .enters = true, .grown_after = 20},
    {"type-register-metadata", register_metadata, .prepare = prepare_type, .undo = prepare_type,
     .remains = metadata_remains, .enters = true},
    {"type-register-attr", register_attribute, .prepare = prepare_method, .undo = next_function,
     .remains = attribute_remains, .enters = true, .grown_after = 20},
    {"env-set-stream", set_stream, .remains = stream_remains, .enters = true, .grown_after = 10},
    {"handle-init-once", init_once, .undo = deinit_once, .remains = once_remains, .enters = true,
     .later = true},
    {"handle-deinit-once", deinit_handle, .prepare = make_handle, .undo = make_handle,
     .later = true},
};

//--------------------------------------------------------------------------------------------------
// The cases
//--------------------------------------------------------------------------------------------------

CASE_ROWS(want_of_memory_is_reported, making, .clauses = {MEM_1, MEM_8},
          .title = "a call that is refused memory once returns, whichever request that was")
{
  expect_failures_are_reported(iut, row);
}

CASE_ROWS(want_of_memory_for_an_entry_is_reported, entering, .clauses = {MEM_1, MEM_8},
          .title = "a registration that is refused memory once returns, whichever request that was")
{
  expect_failures_are_reported(iut, row);
}

CASE_ROWS(failure_for_want_of_memory_leaves_nothing, making, .clauses = {MEM_2, MEM_4, MEM_5},
          .title =
              "a call that fails for want of memory gives nothing, keeps nothing, and succeeds "
              "when there is memory again")
{
  expect_nothing_made(iut, row);
}

CASE_ROWS(nothing_is_entered_for_want_of_memory, entering, .clauses = {MEM_3, MEM_5},
          .title =
              "a registration that fails for want of memory registers nothing, and succeeds "
              "when there is memory again")
{
  const Findings *findings = find_in_children(iut, row);
  expect_nothing_found("nothing is registered by a call that failed", findings->half_done);
  expect_nothing_found("the call succeeds when there is memory", findings->not_recovered);
}

CASE_ROWS(registration_without_memory_keeps_nothing, entering, .clauses = {MEM_6},
          .title =
              "a registration that fails for want of memory keeps neither memory nor "
              "references to its arguments")
{
  const Findings *findings = find_in_children(iut, row);
  expect_nothing_found("nothing is held after a call that failed", findings->held);
}

// In a child, which may die of it: TVMFFIErrorCreate with an error in the slot and without one, each
// of its requests refused in turn.
static void look_at_the_slot(Scene *scene, Findings *findings)
{
  Iut *iut = scene->iut;
  TVMFFIObjectHandle raised = new_probe_object_of(iut, kTVMFFIError);
  for (unsigned request = 1; request < REQUESTS_MAX; ++request) {
    bool refused = false;
    for (int with = 0; with < 2; ++with) {
      if (with) iut->ErrorSetRaised(raised);
      faults_watch(request, FAULTS_ONCE);
      int status = make_error(scene);
      refused |= faults_unwatch().refused != 0;
      TVMFFIObjectHandle seen = take_error(iut);
      if (status == 0) {
        release_object(iut, scene->out.handle);
      } else {
        ++findings->failures;
        if (seen != (with ? raised : NULL))
          finding(findings->silent, request, FAULTS_ONCE, "another error is in the slot");
      }
      if (seen) release_object(iut, seen);
    }
    if (!refused) return;
  }
}

CASE(error_that_is_not_created_raises_nothing, .clauses = {ERR_46},
     .title = "creating an error without memory leaves the slot as it was")
{
  Scene scene;
  scarce_or_not_applicable(iut);
  Findings *findings =
      mmap(NULL, sizeof *findings, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (findings == MAP_FAILED) case_inconclusive("no memory to share with a child");
  scene = (Scene){.iut = iut};
  require(expect_ok(iut, make_error(&scene)));
  release_object(iut, scene.out.handle);
  pid_t child = fork();
  if (child < 0) case_inconclusive("no child can be started");
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    look_at_the_slot(&scene, findings);
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) continue;
  expect_nothing_found("the slot is as it was before a call that failed", findings->silent);
  if (!findings->failures) case_not_applicable("it does not fail for want of memory");
}

CASE(memory_that_stays_away_is_survived, .clauses = {MEM_7}, .patience = 3,
     .title = "calls return even if no further request is granted")
{
  scarce_or_not_applicable(iut);
  for (size_t i = 0; i < sizeof making / sizeof making[0]; ++i)
    if (!making[i].later) expect_survived_to_the_end(iut, &making[i]);
  for (size_t i = 0; i < sizeof entering / sizeof entering[0]; ++i)
    if (!entering[i].later) expect_survived_to_the_end(iut, &entering[i]);
}

//--------------------------------------------------------------------------------------------------
// Custom allocators
//--------------------------------------------------------------------------------------------------

CASE(built_in_allocator_reports_its_failure, .clauses = {MEM_9},
     .title = "the built-in allocator returns NULL with an error raised for a size beyond memory")
{
  TVMFFICustomAllocator *entry = iut->GetCustomAllocator();
  require(expect_not_null("entry", entry));
  size_t size = (size_t)1 << (sizeof size * 8 - (sizeof size == 8 ? 2 : 1));
  note("2 to the power of %d bytes", sizeof size == 8 ? 62 : 31);
  expect_pointer("memory", entry->allocate(size, 8, kTVMFFIObject, entry->context), NULL);
  release_object(iut, take_raised_error(iut));
  void *space = entry->allocate(64, 8, kTVMFFIObject, entry->context);
  require(expect_not_null("memory of 64 bytes", space));
  TVMFFIObjectAllocHeader header;
  memcpy(&header, (char *)space - sizeof header, sizeof header);
  header.delete_space(space);
}

enum { SPACE_BEFORE = 64 };

typedef struct Asked {
  Iut *iut;
  unsigned times;
} Asked;

static void *refuse_space(__attribute__((unused)) size_t size,
                          __attribute__((unused)) size_t alignment,
                          __attribute__((unused)) int32_t type_index, void *context)
{
  Asked *asked = context;
  ++asked->times;
  asked->iut->ErrorSetRaisedFromCStr("ConformError", "no space");
  return NULL;
}

// Memory that is never freed, with NULL in the place of the function that would do it.
static void *give_space(size_t size, size_t alignment, __attribute__((unused)) int32_t type_index,
                        void *context)
{
  Asked *asked = context;
  void *block = NULL;
  ++asked->times;
  if (posix_memalign(&block, alignment > SPACE_BEFORE ? alignment : SPACE_BEFORE,
                     size + SPACE_BEFORE) != 0)
    return NULL;
  memset(block, 0, SPACE_BEFORE);
  return (char *)block + SPACE_BEFORE;
}

static unsigned resources_freed;

static void free_resource(__attribute__((unused)) void *resource)
{
  ++resources_freed;
}

// Wraps a resource while this allocator is installed.
static int wrap_with(Iut *iut, TVMFFICustomAllocator *allocator, TVMFFIObjectHandle *object)
{
  require(expect_ok(iut, iut->SetCustomAllocator(allocator)));
  int status =
      iut->ObjectCreateOpaque(&resources_freed, kTVMFFIOpaquePyObject, free_resource, object);
  if (iut->SetCustomAllocator(NULL) != 0) case_inconclusive("the allocator stays installed");
  return status;
}

CASE(
    error_of_a_custom_allocator_arrives, .clauses = {MEM_10},
    .title = "a call for which the custom allocator has no memory fails with the allocator's error")
{
  Asked asked = {iut, 0};
  TVMFFICustomAllocator allocator = {refuse_space, &asked};
  TVMFFIObjectHandle object = NULL;
  int status = wrap_with(iut, &allocator, &object);
  if (asked.times == 0) case_not_concerned("it does not ask the custom allocator for objects");
  expect_error(iut, status, "ConformError");
}

CASE(missing_delete_space_is_not_called, .clauses = {MEM_11},
     .title = "an object in memory without a function that frees it is released")
{
  Asked asked = {iut, 0};
  TVMFFICustomAllocator allocator = {give_space, &asked};
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, wrap_with(iut, &allocator, &object)));
  release_object(iut, object);
  expect_int("calls of the deleter of the resource", resources_freed, 1);
  if (asked.times == 0) case_not_concerned("it does not ask the custom allocator for objects");
}

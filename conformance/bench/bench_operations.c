// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_operations.h"

#include <string.h>

#include "battery/access.h"

// A text that is no small string, for what is about something else.
static const char sixty_four[] = "sixty-four bytes of text, which are too many for a small string.";

// --- Calls ---------------------------------------------------------------------------------------

static int count_arguments(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args;
  result->type_index = kTVMFFIInt;
  result->v_int64 = num_args;
  return 0;
}

static void delete_nothing(void *self)
{
  (void)self;
}

static bool prepare_call(BenchSubject *subject, const BenchOperation *operation, void *self)
{
  subject->arg_count = (int32_t)operation->size;
  for (int32_t i = 0; i < subject->arg_count; ++i) subject->args[i] = view_of_int(i);
  return subject->iut.FunctionCreate(self, count_arguments, self ? delete_nothing : NULL,
                                     &subject->object) == 0;
}

static bool prepare_call_of_function(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_call(subject, operation, NULL);
}

static bool prepare_call_of_closure(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_call(subject, operation, subject);
}

static int run_call(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int64_t status = 0;
  for (; times; --times) {
    TVMFFIAny result = {.type_index = kTVMFFINone};
    status |=
        subject->iut.FunctionCall(subject->object, subject->args, subject->arg_count, &result);
    status |= result.v_int64 ^ subject->arg_count;
  }
  return status != 0;
}

static inline int create_functions(const Iut *iut, void *self, uint64_t times)
{
  int status = 0;
  for (; times; --times) {
    TVMFFIObjectHandle function = NULL;
    status |= iut->FunctionCreate(self, count_arguments, self ? delete_nothing : NULL, &function);
    status |= iut->ObjectDecRef(function);
  }
  return status;
}

static int run_create_function(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return create_functions(&subject->iut, NULL, times);
}

static int run_create_closure(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return create_functions(&subject->iut, subject, times);
}

// --- Objects -------------------------------------------------------------------------------------

static bool prepare_object(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  if (subject->iut.FunctionCreate(NULL, count_arguments, NULL, &subject->object) != 0) return false;
  subject->view = view_of_object(&subject->iut, subject->object);
  return true;
}

static int run_retain_release(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  const Iut *iut = &subject->iut;
  int status = 0;
  for (; times; --times) {
    status |= iut->ObjectIncRef(subject->object);
    status |= iut->ObjectDecRef(subject->object);
  }
  return status;
}

// --- Texts and values ----------------------------------------------------------------------------

static bool prepare_text(BenchSubject *subject, const BenchOperation *operation)
{
  memset(subject->text, 'x', operation->size);
  subject->text[operation->size] = '\0';
  subject->bytes = (TVMFFIByteArray){subject->text, operation->size};
  subject->view = view_of_raw_string(subject->text);
  return true;
}

static bool prepare_int(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  subject->view = view_of_int(42);
  return true;
}

static int run_string(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny value = {.type_index = kTVMFFINone};
    status |= subject->iut.StringFromByteArray(&subject->bytes, &value);
    status |= value.type_index == kTVMFFINone;
    status |= bench_drop(&subject->iut, &value);
  }
  return status;
}

static int run_bytes(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny value = {.type_index = kTVMFFINone};
    status |= subject->iut.BytesFromByteArray(&subject->bytes, &value);
    status |= value.type_index == kTVMFFINone;
    status |= bench_drop(&subject->iut, &value);
  }
  return status;
}

static int run_own(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny owned = {.type_index = kTVMFFINone};
    status |= subject->iut.AnyViewToOwnedAny(&subject->view, &owned);
    status |= owned.type_index == kTVMFFINone;
    status |= bench_drop(&subject->iut, &owned);
  }
  return status;
}

// --- Errors --------------------------------------------------------------------------------------

static int run_raise_and_move(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  const Iut *iut = &subject->iut;
  int status = 0;
  for (; times; --times) {
    TVMFFIObjectHandle error = NULL;
    iut->ErrorSetRaisedFromCStr("ValueError", sixty_four);
    iut->ErrorMoveFromRaised(&error);
    if (!error) return 1;
    status |= iut->ObjectDecRef(error);
  }
  return status;
}

// `backtrace` is borrowed.
static int create_errors(const Iut *iut, TVMFFIByteArray backtrace, uint64_t times)
{
  TVMFFIByteArray kind = bytes_of("ValueError"), message = bytes_of(sixty_four);
  int status = 0;
  for (; times; --times) {
    TVMFFIObjectHandle error = NULL;
    status |= iut->ErrorCreate(&kind, &message, &backtrace, &error);
    if (!error) return 1;
    status |= iut->ObjectDecRef(error);
  }
  return status;
}

static int run_create_error(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return create_errors(&subject->iut, bytes_of(""), times);
}

static int run_create_traced_error(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return create_errors(&subject->iut, bytes_of("  File \"a.c\", line 1, in f\n"), times);
}

static bool prepare_error(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  TVMFFIByteArray kind = bytes_of("ValueError"), message = bytes_of(sixty_four),
                  backtrace = bytes_of("");
  return subject->iut.ErrorCreate(&kind, &message, &backtrace, &subject->object) == 0;
}

static int run_raise_object(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  const Iut *iut = &subject->iut;
  int status = 0;
  for (; times; --times) {
    TVMFFIObjectHandle error = NULL;
    iut->ErrorSetRaised(subject->object);
    iut->ErrorMoveFromRaised(&error);
    if (error != subject->object) return 1;
    status |= iut->ObjectDecRef(error);
  }
  return status;
}

static int run_backtrace(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    const TVMFFIByteArray *trace = subject->iut.Backtrace("a.c", 1, "f", 0);
    status |= !trace || trace->size == 0;
  }
  return status;
}

// --- Once-initialisation -------------------------------------------------------------------------

static int fill_slot(void **result)
{
  static char anything;
  *result = &anything;
  return 0;
}

static bool prepare_slot(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  subject->slot = NULL;
  return subject->iut.HandleInitOnce(&subject->slot, fill_slot) == 0 && subject->slot;
}

static int run_init_once(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) status |= subject->iut.HandleInitOnce(&subject->slot, fill_slot);
  return status;
}

// --- The table -----------------------------------------------------------------------------------

#define CALL (NEED(FunctionCreate) | NEED(FunctionCall) | NEED(ObjectDecRef))
#define CLOSURE (NEED(FunctionCreate) | NEED(ObjectDecRef))
#define COUNT (CLOSURE | NEED(ObjectIncRef))
#define STRING (NEED(StringFromByteArray) | NEED(ObjectDecRef))
#define BYTES (NEED(BytesFromByteArray) | NEED(ObjectDecRef))
#define OWN (NEED(AnyViewToOwnedAny) | CLOSURE)
#define RAISE (NEED(ErrorSetRaisedFromCStr) | NEED(ErrorMoveFromRaised) | NEED(ObjectDecRef))
#define MAKE_ERROR (NEED(ErrorCreate) | NEED(ObjectDecRef))
#define RAISE_OBJECT (NEED(ErrorSetRaised) | NEED(ErrorMoveFromRaised) | MAKE_ERROR)

static const BenchOperation operations[] = {
    {"call a function, no arguments", CALL, 1, 0, prepare_call_of_function, run_call},
    {"call a function, 3 arguments", CALL, 1, 3, prepare_call_of_function, run_call},
    {"call a function, 8 arguments", CALL, 1, 8, prepare_call_of_function, run_call},
    {"call a closure, no arguments", CALL, 1, 0, prepare_call_of_closure, run_call},
    {"call a closure, 3 arguments", CALL, 1, 3, prepare_call_of_closure, run_call},
    {"call a closure, 8 arguments", CALL, 1, 8, prepare_call_of_closure, run_call},
    {"create and release a function", CLOSURE, 1, 0, NULL, run_create_function},
    {"create and release a closure", CLOSURE, 1, 0, NULL, run_create_closure},

    {"retain and release an object", COUNT, 1, 0, prepare_object, run_retain_release},

    {"string of 7 bytes", STRING, 1, 7, prepare_text, run_string},
    {"string of 8 bytes, and release", STRING, 1, 8, prepare_text, run_string},
    {"string of 64 bytes, and release", STRING, 1, 64, prepare_text, run_string},
    {"string of 4096 bytes, and release", STRING, 1, 4096, prepare_text, run_string},
    {"bytes, 7", BYTES, 1, 7, prepare_text, run_bytes},
    {"bytes, 8, and release", BYTES, 1, 8, prepare_text, run_bytes},
    {"bytes, 64, and release", BYTES, 1, 64, prepare_text, run_bytes},
    {"bytes, 4096, and release", BYTES, 1, 4096, prepare_text, run_bytes},

    {"own an int", OWN, 1, 0, prepare_int, run_own},
    {"own a raw string of 7 bytes", OWN, 1, 7, prepare_text, run_own},
    {"own a raw string of 64 bytes, and release", OWN, 1, 64, prepare_text, run_own},
    {"own an object, and release", OWN, 1, 0, prepare_object, run_own},

    {"raise an error, move it, and release", RAISE, 1, 0, NULL, run_raise_and_move},
    {"raise an error object, and move it", RAISE_OBJECT, 1, 0, prepare_error, run_raise_object},
    {"create an error without backtrace, and release", MAKE_ERROR, 1, 0, NULL, run_create_error},
    {"create an error with backtrace, and release", MAKE_ERROR, 1, 0, NULL,
     run_create_traced_error},
    {"take a backtrace", NEED(Backtrace), 1, 0, NULL, run_backtrace},

    {"once-initialisation of a filled slot", NEED(HandleInitOnce), 1, 0, prepare_slot,
     run_init_once},

    {"retain and release an object, in 2 threads", COUNT, 2, 0, prepare_object, run_retain_release},
};
static const BenchGroup operations_group = {operations, sizeof operations / sizeof *operations};

const BenchGroup *const bench_groups[] = {
    &operations_group,       &bench_types_group,   &bench_tensors_group, &bench_containers_group,
    &bench_reflection_group, &bench_classes_group, &bench_modules_group, &bench_registry_group,
};
const size_t bench_group_count = sizeof bench_groups / sizeof *bench_groups;

TVMFFIObjectHandle bench_function_of(const Iut *iut, const char *name)
{
  TVMFFIByteArray bytes = bytes_of(name);
  TVMFFIObjectHandle function = NULL;
  return iut->FunctionGetGlobal(&bytes, &function) == 0 ? function : NULL;
}

TVMFFIAny bench_call_once(const Iut *iut, const char *name, TVMFFIAny *args, int32_t count)
{
  TVMFFIAny result = {.type_index = kTVMFFINone};
  TVMFFIObjectHandle function = bench_function_of(iut, name);
  if (!function) return result;
  if (iut->FunctionCall(function, args, count, &result) != 0) result = any_none();
  iut->ObjectDecRef(function);
  return result;
}

int bench_call_and_drop(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny result = {.type_index = kTVMFFINone};
    status |=
        subject->iut.FunctionCall(subject->function, subject->args, subject->arg_count, &result);
    status |= bench_drop(&subject->iut, &result);
  }
  return status;
}

bool bench_operation_applies(const BenchOperation *operation, const BenchSubject *subject)
{
  static const AbiFunctionId functions[] = {
#define BENCH_NEED(name) [NEED_##name] = FN_##name,
      BENCH_NEEDS(BENCH_NEED)
#undef BENCH_NEED
  };
  for (unsigned i = 0; i < BENCH_NEED_COUNT; ++i)
    if ((operation->needs >> i & 1) && !iut_has(&subject->iut, functions[i])) return false;
  return true;
}

void bench_operation_clean(BenchSubject *subject)
{
  if (subject->object) subject->iut.ObjectDecRef(subject->object);
  if (subject->function) subject->iut.ObjectDecRef(subject->function);
  subject->object = subject->function = NULL;
}

// SPDX-License-Identifier: Apache-2.0
// Mutants of the table of global functions.
#include <pthread.h>
#include <unistd.h>

#include "mutants/counts.h"

static int entered;
static pthread_t owner;

MUTANT(FUN_20, names_of_a_thread, FunctionSetGlobal,
       "a thread finds only what it registered itself")
{
  owner = pthread_self();
  return REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}

ALSO(FUN_20, names_of_a_thread, FunctionGetGlobal)
{
  if (pthread_equal(owner, pthread_self())) return REFERENCE(FunctionGetGlobal)(name, out);
  *out = NULL;
  return 0;
}

static int call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny *writable = NULL;
  memcpy(&writable, &args, sizeof writable);
  return TVMFFIFunctionCall(handle, writable, num_args, result);
}

static void end(void *handle)
{
  TVMFFIObjectDecRef(handle);
}

MUTANT(FUN_20, wrapped, FunctionGetGlobal,
       "a look-up gives a new function that calls the one that was registered")
{
  TVMFFIObjectHandle function = NULL;
  int status = REFERENCE(FunctionGetGlobal)(name, &function);
  if (status == 0 && function) return TVMFFIFunctionCreate(function, call, end, out);
  *out = NULL;
  return status;
}

MUTANT(FUN_21, reference_taken_over, FunctionSetGlobal,
       "the table takes over the caller's reference")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status == 0) TVMFFIObjectDecRef(f);
  return status;
}

MUTANT(FUN_21, two_references, FunctionSetGlobal,
       "the table takes two references, one for the name and one for itself")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status == 0) TVMFFIObjectIncRef(f);
  return status;
}

MUTANT(FUN_22, borrowed, FunctionGetGlobal, "a look-up lends the table's own reference")
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && *out) TVMFFIObjectDecRef(*out);
  return status;
}

static TVMFFIObjectHandle last;

MUTANT(FUN_22, reference_of_the_first_only, FunctionGetGlobal,
       "only the first look-up of a function adds a reference")
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out) return status;
  if (*out == last) TVMFFIObjectDecRef(last);
  last = *out;
  return 0;
}

MUTANT(FUN_23, error_left, FunctionGetGlobal, "a look-up in vain returns 0 but raises an error")
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && !*out) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such function");
  return status;
}

MUTANT(FUN_23, output_not_written, FunctionGetGlobal,
       "a look-up in vain leaves the output as it was")
{
  TVMFFIObjectHandle found = NULL;
  int status = REFERENCE(FunctionGetGlobal)(name, &found);
  if (found) *out = found;
  return status;
}

MUTANT(FUN_23, unknown_raises, FunctionGetGlobal, "looking up a name that is unknown fails")
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || *out) return status;
  return fail("KeyError", "no such function");
}

enum { NAME_MOST = 64 };

static TVMFFIByteArray lower(const TVMFFIByteArray *name, char buffer[NAME_MOST])
{
  if (name->size > NAME_MOST) return *name;
  for (size_t i = 0; i < name->size; ++i)
    buffer[i] =
        name->data[i] >= 'A' && name->data[i] <= 'Z' ? (char)(name->data[i] + 32) : name->data[i];
  return (TVMFFIByteArray){buffer, name->size};
}

MUTANT(FUN_24, any_case, FunctionGetGlobal, "upper and lower case are the same in names")
{
  char buffer[NAME_MOST];
  TVMFFIByteArray key = lower(name, buffer);
  return REFERENCE(FunctionGetGlobal)(&key, out);
}

ALSO(FUN_24, any_case, FunctionSetGlobal)
{
  char buffer[NAME_MOST];
  TVMFFIByteArray key = lower(name, buffer);
  return REFERENCE(FunctionSetGlobal)(&key, f, allow_override);
}

MUTANT(FUN_24, cut_at_63, FunctionGetGlobal, "a name counts up to its 62nd byte")
{
  TVMFFIByteArray key = {name->data, name->size > 62 ? 62 : name->size};
  return REFERENCE(FunctionGetGlobal)(&key, out);
}

ALSO(FUN_24, cut_at_63, FunctionSetGlobal)
{
  TVMFFIByteArray key = {name->data, name->size > 62 ? 62 : name->size};
  return REFERENCE(FunctionSetGlobal)(&key, f, allow_override);
}

MUTANT(FUN_24, up_to_a_nul, FunctionGetGlobal, "a name ends at its first NUL")
{
  TVMFFIByteArray key = {name->data, name->data ? strnlen(name->data, name->size) : 0};
  return REFERENCE(FunctionGetGlobal)(&key, out);
}

ALSO(FUN_24, up_to_a_nul, FunctionSetGlobal)
{
  TVMFFIByteArray key = {name->data, name->data ? strnlen(name->data, name->size) : 0};
  return REFERENCE(FunctionSetGlobal)(&key, f, allow_override);
}

enum { NAMES_MOST = 8192 };

static const char *places[NAMES_MOST];
static size_t sizes[NAMES_MOST];
static TVMFFIObjectHandle functions[NAMES_MOST];
static int name_count;

static int find(const TVMFFIByteArray *name)
{
  for (int i = 0; i < name_count; ++i)
    if (sizes[i] == name->size && memcmp(places[i], name->data, name->size) == 0) return i;
  return -1;
}

MUTANT(FUN_25, memory_borrowed, FunctionSetGlobal,
       "the table remembers where a name is and not what it says")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0 || name_count == NAMES_MOST || !name->data) return status;
  int place = find(name) < 0 ? name_count++ : find(name);
  places[place] = name->data;
  sizes[place] = name->size;
  functions[place] = f;
  return 0;
}

ALSO(FUN_25, memory_borrowed, FunctionGetGlobal)
{
  int place = name->data ? find(name) : -1;
  if (place < 0 && name->data) {
    *out = NULL;
    return 0;
  }
  if (place < 0) return REFERENCE(FunctionGetGlobal)(name, out);
  *out = functions[place];
  return TVMFFIObjectIncRef(*out);
}

static volatile char taken;

MUTANT(FUN_25, one_byte_further, FunctionGetGlobal,
       "the byte behind a name is read, for the NUL that is thought to be there")
{
  if (name->data) taken = name->data[name->size];
  return REFERENCE(FunctionGetGlobal)(name, out);
}

MUTANT(FUN_26, end_of_the_process, FunctionSetGlobal, "registering a taken name is a fatal error")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) abort();
  return status;
}

MUTANT(FUN_26, no_error, FunctionSetGlobal,
       "registering a taken name returns -1 and raises nothing")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) TVMFFIErrorSetRaised(NULL);
  return status;
}

MUTANT(FUN_26, nothing_said, FunctionSetGlobal,
       "registering a taken name does nothing and returns 0")
{
  TVMFFIObjectHandle found = NULL;
  TVMFFIFunctionGetGlobal(name, &found);
  if (found) TVMFFIObjectDecRef(found);
  return found && !allow_override ? 0 : REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}

MUTANT(FUN_27, reference_lost, FunctionSetGlobal,
       "a function that is refused keeps the reference that was taken for it")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) TVMFFIObjectIncRef(f);
  return status;
}

MUTANT(FUN_27, replaced_all_the_same, FunctionSetGlobal,
       "a name that is taken is refused, and replaced all the same")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) REFERENCE(FunctionSetGlobal)(name, f, 1);
  return status;
}

MUTANT(FUN_28, old_function_kept, FunctionSetGlobal,
       "a function that is replaced is never released")
{
  TVMFFIObjectHandle old = NULL;
  TVMFFIFunctionGetGlobal(name, &old);
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (old && (status != 0 || old == f)) TVMFFIObjectDecRef(old);
  return status;
}

MUTANT(FUN_28, one_and_no_other, FunctionSetGlobal, "only a permission of exactly 1 overrides")
{
  return REFERENCE(FunctionSetGlobal)(name, f, allow_override == 1);
}

MUTANT(FUN_28, permission_is_a_duty, FunctionSetGlobal,
       "with permission to override a name must be taken")
{
  TVMFFIObjectHandle old = NULL;
  TVMFFIFunctionGetGlobal(name, &old);
  if (old) TVMFFIObjectDecRef(old);
  if (old || !allow_override) return REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  return fail("RuntimeError", "there is nothing to override");
}

MUTANT(FUN_28, permission_of_8_bits, FunctionSetGlobal, "a permission is kept in 8 bits")
{
  return REFERENCE(FunctionSetGlobal)(name, f, (unsigned char)allow_override);
}

MUTANT(FUN_29, counted_again, FunctionSetGlobal, "replacing a function by itself adds a reference")
{
  TVMFFIObjectHandle old = NULL;
  TVMFFIFunctionGetGlobal(name, &old);
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (old && (status != 0 || old != f)) TVMFFIObjectDecRef(old);
  return status;
}

MUTANT(FUN_29, released_only, FunctionSetGlobal,
       "replacing a function by itself releases the table's reference and takes none")
{
  TVMFFIObjectHandle old = NULL;
  TVMFFIFunctionGetGlobal(name, &old);
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (old) TVMFFIObjectDecRef(old);
  if (old && old == f && status == 0) TVMFFIObjectDecRef(old);
  return status;
}

MUTANT(FUN_30, at_most_1024, FunctionSetGlobal, "the table holds 1024 names")
{
  if (entered == 1024) return fail("RuntimeError", "the table of functions is full");
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  entered += status == 0;
  return status;
}

enum { KEPT_MOST = 2048 };

static TVMFFIObjectHandle kept[KEPT_MOST];

// Keeps no reference: a function that is still registered is alive.
static int is_kept(TVMFFIObjectHandle function)
{
  for (int i = 0; i < KEPT_MOST; ++i)
    if (kept[i] == function) return 1;
  return 0;
}

MUTANT(FUN_30, first_forgotten, FunctionSetGlobal, "of many names the earliest are forgotten")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status == 0 && !is_kept(f)) kept[entered++ % KEPT_MOST] = f;
  return status;
}

ALSO(FUN_30, first_forgotten, FunctionGetGlobal)
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out || entered <= KEPT_MOST || is_kept(*out)) return status;
  TVMFFIObjectDecRef(*out);
  *out = NULL;
  return 0;
}

MUTANT(FUN_31, counted_without_atomics, FunctionGetGlobal,
       "a look-up reads the count and writes it back higher, in two steps")
{
  static _Thread_local unsigned calls;
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out) return status;
  TVMFFIObjectDecRef(*out);
  raise_in_two_steps(*out, ++calls % 32 == 0);
  return 0;
}

static TVMFFIObjectHandle volatile answer;

MUTANT(FUN_31, one_answer_for_all, FunctionGetGlobal,
       "the answer to a look-up lies in one place for all threads for a moment")
{
  static _Thread_local unsigned calls;
  TVMFFIObjectHandle found = NULL;
  int status = REFERENCE(FunctionGetGlobal)(name, &found);
  answer = found;
  if (++calls % 32 == 0) WAIT_WHILE(answer == found);
  *out = answer;
  return status;
}

MUTANT(FUN_45, value_error, FunctionSetGlobal, "registering a taken name raises a ValueError")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("ValueError", "the name is taken");
  return status;
}

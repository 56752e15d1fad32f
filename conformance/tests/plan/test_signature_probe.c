// SPDX-License-Identifier: Apache-2.0
// What is found out of functions that nobody describes, each a pretended one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_probe.h"
#include "unit/unit.h"

// --- Words ---------------------------------------------------------------------------------------

static const struct {
  const char *message;
  int count;
} counts[] = {
    {"TypeError: Mismatched number of arguments when calling: `f(0: int) -> void`. Expected 1 but "
     "got 0 arguments",
     1},
    {"AssertionError: main: num_args should be 3", 3},
    {"TypeError: add_one takes 2 arguments", 2},
    {"TypeError: f() takes exactly 12 arguments (0 given)", 12},
    {"ValueError: Expected at least 2 arguments", -1},
    {"ValueError: uniform expects either 3 or 5 arguments, but got 0", -1},
    {"TypeError: wrong number of arguments", -1},
    {"TypeError: expected 2 dimensions", -1},
    {"", -1},
};

TEST(a_message_names_the_count, .rows = ROWS(counts))
{
  ck_assert_msg(signature_probe_count(counts[_i].message) == counts[_i].count, "%s: %d",
                counts[_i].message, signature_probe_count(counts[_i].message));
}

// --- Functions -----------------------------------------------------------------------------------

typedef struct Function {
  const char *wrong_count;  // its message; NULL: it does not look
  unsigned count;
  const KernelKind *kinds;
  bool names_position;  // its message says which argument is wrong
  int dies_of;          // a kind that it does not come back with; -1: none
  unsigned calls;
} Function;

static bool takes(KernelKind wanted, KernelKind given)
{
  return wanted == given || wanted == KERNEL_ANY ||
         (wanted == KERNEL_INT && given == KERNEL_BOOL) ||
         (wanted == KERNEL_FLOAT && (given == KERNEL_INT || given == KERNEL_BOOL));
}

static bool call(void *context, const Kernel *kernel, ProbeAnswer *answer)
{
  Function *function = context;
  ++function->calls;
  answer->code = -1;
  if (function->wrong_count && kernel->parameter_count != function->count) {
    snprintf(answer->message, sizeof answer->message, "%s", function->wrong_count);
    return true;
  }
  for (unsigned i = 0; i < function->count && i < kernel->parameter_count; ++i) {
    if ((int)kernel->parameters[i].kind == function->dies_of) return false;
    if (takes(function->kinds[i], kernel->parameters[i].kind)) continue;
    snprintf(answer->message, sizeof answer->message,
             function->names_position ? "TypeError: argument %u is wrong" : "TypeError: wrong", i);
    return true;
  }
  answer->code = 0;
  return true;
}

static Kernel probe(Function *function, unsigned most)
{
  static Kernel kernel;
  kernel = (Kernel){.name = "f"};
  free(signature_probe(&kernel, most, call, function));
  ck_assert_uint_le(function->calls, most);
  return kernel;
}

static const KernelKind kinds[] = {KERNEL_TENSOR, KERNEL_INT,   KERNEL_FLOAT,
                                   KERNEL_STRING, KERNEL_BYTES, KERNEL_POINTER};

TEST(kinds_are_found_by_trying)
{
  Function function = {"TypeError: f takes 6 arguments", 6, kinds, true, -1, 0};
  Function wordless = {"TypeError: wrong number", 6, kinds, true, -1, 0};
  for (int turn = 0; turn < 2; ++turn) {
    Kernel kernel = probe(turn ? &wordless : &function, 320);
    ck_assert_int_eq(kernel.source, KERNEL_PROBED);
    ck_assert_uint_eq(kernel.parameter_count, 6);
    for (int i = 0; i < 6; ++i) ck_assert_int_eq(kernel.parameters[i].kind, kinds[i]);
    for (int i = 0; i < 6; ++i) ck_assert(!kernel.parameters[i].typed);
  }
}

TEST(nothing_is_claimed_that_was_not_seen)
{
  static const KernelKind anything[] = {KERNEL_ANY, KERNEL_ANY};
  Function any_count = {NULL, 0, NULL, true, -1, 0};
  Function lies = {"TypeError: f takes 4 arguments", 2, kinds, true, -1, 0};
  Function takes_all = {"TypeError: f takes 2 arguments", 2, anything, true, -1, 0};
  Function mumbles = {"TypeError: f takes 2 arguments", 2, kinds, false, -1, 0};
  Function deadly = {"TypeError: f takes 2 arguments", 2, kinds, true, KERNEL_NONE, 0};
  ck_assert_int_eq(probe(&any_count, 320).source, KERNEL_UNKNOWN);
  ck_assert_uint_eq(probe(&lies, 320).parameter_count, 2);
  Kernel kernel = probe(&takes_all, 320);
  ck_assert_uint_eq(kernel.parameter_count, 2);
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_ANY);
  kernel = probe(&mumbles, 320);
  ck_assert_uint_eq(kernel.parameter_count, 2);
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_ANY);
  ck_assert_int_eq(probe(&deadly, 320).source, KERNEL_UNKNOWN);
}

// It lists its parameters, and takes bytes for what it calls a string.
static bool call_of_std_string(void *context, const Kernel *kernel, ProbeAnswer *answer)
{
  static const KernelKind two[] = {KERNEL_INT, KERNEL_STRING};
  Function function = {
      "TypeError: `f(0: int, 1: str) -> int`. Expected 2 arguments", 2, two, true, -1, 0};
  Kernel changed = *kernel;
  KernelParameter *second = &changed.parameters[1];
  if (*(bool *)context && second->kind == KERNEL_BYTES) second->kind = KERNEL_STRING;
  return call(&function, &changed, answer);
}

TEST(a_string_may_be_one_that_takes_bytes)
{
  for (int turn = 0; turn < 2; ++turn) {
    Kernel kernel = {.name = "f"};
    bool takes_bytes = turn == 1;
    free(signature_probe(&kernel, 320, call_of_std_string, &takes_bytes));
    ck_assert_uint_eq(kernel.parameter_count, 2);
    ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_INT);
    ck_assert_int_eq(kernel.parameters[1].kind, takes_bytes ? KERNEL_ANY : KERNEL_STRING);
  }
}

TEST(what_kills_it_is_passed_over)
{
  Function function = {"TypeError: f takes 2 arguments", 2, kinds, true, KERNEL_SHAPE, 0};
  Kernel kernel = probe(&function, 320);
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_TENSOR);
  ck_assert_int_eq(kernel.parameters[1].kind, KERNEL_INT);
}

TEST(calls_are_limited)
{
  Function function = {"TypeError: f takes 6 arguments", 6, kinds, true, -1, 0};
  Kernel kernel = probe(&function, 12);
  ck_assert_uint_eq(kernel.parameter_count, 6);
  ck_assert_int_eq(kernel.parameters[5].kind, KERNEL_ANY);
}

TEST(the_twin_is_what_a_call_of_these_kinds_gives)
{
  Function function = {"TypeError: f takes 2 arguments", 2, kinds, true, -1, 0};
  Kernel kernel = probe(&function, 320);
  signature_probe_twin(&kernel, call, &function);
  ck_assert(kernel.stands_in);
  ck_assert_str_eq(kernel.twin, "");
  kernel.parameters[1].kind = KERNEL_STRING;
  signature_probe_twin(&kernel, call, &function);
  ck_assert_str_eq(kernel.twin, "TypeError: argument 1 is wrong");
  function.dies_of = KERNEL_TENSOR;
  kernel.stands_in = false;
  signature_probe_twin(&kernel, call, &function);
  ck_assert(!kernel.stands_in);
}

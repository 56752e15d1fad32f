// SPDX-License-Identifier: Apache-2.0
// What the official headers do is not held against a module, and nothing else hides behind it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../report/test_report_sample.h"
#include "unit/unit.h"

#define IN_HEADERS "_ZN3tvm3ffi18TypeIndexToTypeKeyB5cxx11Ei+0x16"
#define NO_TYPE "argument.index-that-does-not-exist.least@f"
#define ENDED                                    \
  "Exception caught during TVMFFIGetTypeInfo:\n" \
  "Check failed: (entry != nullptr) is false: Cannot find type info for type_index=-1\n"
#define OF_A_CAST "\"Cannot convert from type `Device` to `DLTensor*`\""

typedef struct Row {
  const char *name, *id;
  bool theirs;
  const char *symbol;  // of the module
  // A crash
  int signal, code;
  uint64_t address;
  const char *where;
  // An end of the process
  int exit_code;
  const char *output;
  // A failed expectation, and a second one
  const char *seen, *second;
  unsigned more;  // failures that are not kept
} Row;

static const Row rows[] = {
    {"a missing type is read", NO_TYPE, true, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 8, IN_HEADERS, 0,
     NULL, NULL, NULL, 0},
    {"older compilers tag no ABI", NO_TYPE, true, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 8,
     "_ZN3tvm3ffi18TypeIndexToTypeKeyEi+0x16", 0, NULL, NULL, NULL, 0},
    {"in the module's own code", NO_TYPE, false, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 8,
     "__tvm_ffi_f+0x16", 0, NULL, NULL, NULL, 0},
    {"compiled into the module's function", NO_TYPE, true, "_ZN3tvm3ffi5ErrorC1EOS1_", SIGSEGV,
     SEGV_MAPERR, 8, "__tvm_ffi_f+0x16", 0, NULL, NULL, NULL, 0},
    {"the same without the headers", NO_TYPE, false, "__tvm_ffi_f", SIGSEGV, SEGV_MAPERR, 8,
     "__tvm_ffi_f+0x16", 0, NULL, NULL, NULL, 0},
    {"somewhere", NO_TYPE, false, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 8, NULL, 0, NULL, NULL, NULL,
     0},
    {"its size is read first", NO_TYPE, true, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 16, IN_HEADERS, 0,
     NULL, NULL, NULL, 0},
    {"ancestors are read", "argument.index-that-does-not-exist.greatest@f", true, IN_HEADERS,
     SIGSEGV, SEGV_MAPERR, 4, "__tvm_ffi_f+0x16", 0, NULL, NULL, NULL, 0},
    {"ancestors of a built-in type", NO_TYPE, false, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 4,
     "__tvm_ffi_f+0x16", 0, NULL, NULL, NULL, 0},
    {"ancestors, by code in C", "argument.index-that-does-not-exist.greatest@f", false,
     "__tvm_ffi_f", SIGSEGV, SEGV_MAPERR, 4, "__tvm_ffi_f+0x16", 0, NULL, NULL, NULL, 0},
    {"ancestors of a wrong value", "argument.none-is-refused@f", false, IN_HEADERS, SIGSEGV,
     SEGV_MAPERR, 4, "__tvm_ffi_f+0x16", 0, NULL, NULL, NULL, 0},
    {"at another address", NO_TYPE, false, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 24, IN_HEADERS, 0,
     NULL, NULL, NULL, 0},
    {"a signal that was sent", NO_TYPE, false, IN_HEADERS, SIGSEGV, SI_USER, 8, IN_HEADERS, 0, NULL,
     NULL, NULL, 0},
    {"another signal", NO_TYPE, false, IN_HEADERS, SIGBUS, BUS_ADRERR, 8, IN_HEADERS, 0, NULL, NULL,
     NULL, 0},
    {"in a right call", "kernel.right-call@f", false, IN_HEADERS, SIGSEGV, SEGV_MAPERR, 8,
     IN_HEADERS, 0, NULL, NULL, NULL, 0},
    {"the runtime ends the process", NO_TYPE, true, IN_HEADERS, 0, 0, 0, NULL, 255, ENDED, NULL,
     NULL, 0},
    {"asked by code in C", NO_TYPE, false, "__tvm_ffi_f", 0, 0, 0, NULL, 255, ENDED, NULL, NULL, 0},
    {"ended in another way", NO_TYPE, false, IN_HEADERS, 0, 0, 0, NULL, 1, ENDED, NULL, NULL, 0},
    {"ended without these words", NO_TYPE, false, IN_HEADERS, 0, 0, 0, NULL, 255, "goodbye\n", NULL,
     NULL, 0},
    {"ended in a right call", "kernel.right-call@f", false, IN_HEADERS, 0, 0, 0, NULL, 255, ENDED,
     NULL, NULL, 0},
    {"a message of a cast", "kernel.message-names-the-argument@f", true, IN_HEADERS, 0, 0, 0, NULL,
     0, NULL, OF_A_CAST, NULL, 0},
    {"of a cast, for a row", "kernel.message-names-the-value.int@f", true, IN_HEADERS, 0, 0, 0,
     NULL, 0, NULL, OF_A_CAST, OF_A_CAST, 0},
    {"written by hand", "kernel.message-names-the-argument@f", false, "__tvm_ffi_f", 0, 0, 0, NULL,
     0, NULL, OF_A_CAST, NULL, 0},
    {"another message besides", "kernel.message-names-the-argument@f", false, IN_HEADERS, 0, 0, 0,
     NULL, 0, NULL, OF_A_CAST, "\"bad argument\"", 0},
    {"with words before it", "kernel.message-names-the-argument@f", false, IN_HEADERS, 0, 0, 0,
     NULL, 0, NULL, "\"y: Cannot convert from type `Device` to `DLTensor*`\"", NULL, 0},
    {"with words behind it", "kernel.message-names-the-argument@f", false, IN_HEADERS, 0, 0, 0,
     NULL, 0, NULL, "\"Cannot convert from type `Device` to `DLTensor*` of `y`\"", NULL, 0},
    {"no message", "kernel.message-names-the-argument@f", false, IN_HEADERS, 0, 0, 0, NULL, 0, NULL,
     "\"\"", NULL, 0},
    {"of a tensor", "kernel.message-names-the-tensor.dtype@f", false, IN_HEADERS, 0, 0, 0, NULL, 0,
     NULL, OF_A_CAST, NULL, 0},
    {"more than is kept", "kernel.message-names-the-argument@f", false, IN_HEADERS, 0, 0, 0, NULL,
     0, NULL, OF_A_CAST, NULL, EVIDENCE_FAILURES_MAX},
};

static void fail_as(CaseResult *result, const char *seen)
{
  if (seen) strcpy(sample_fail(result)->seen, seen);
}

static void come_to(CaseResult *result, const Row *row)
{
  Outcome *outcome = &result->outcome;
  if (row->signal) {
    EvidenceCrash *crash = &sample_evidence(result)->crash;
    *crash = (EvidenceCrash){
        .signal = row->signal, .code = row->code, .address = row->address, .fence = ""};
    outcome->kind = OUTCOME_CRASHED;
    outcome->signal = row->signal;
    outcome->where = row->where ? strdup(row->where) : NULL;
  }
  if (row->output) {
    outcome->kind = OUTCOME_EXITED;
    outcome->exit_code = row->exit_code;
    outcome->output = strdup(row->output);
  }
  fail_as(result, row->seen);
  fail_as(result, row->second);
  outcome->failed += row->more;
}

TEST_GROUP(known_headers);

TEST(only_what_they_do, .rows = ROWS(rows))
{
  const Row *row = &rows[_i];
  static const Kernel kernel = {.name = "f"};
  char symbol_name[80];
  snprintf(symbol_name, sizeof symbol_name, "%.*s", (int)strcspn(row->symbol, "+"), row->symbol);
  InspectSymbol symbol = {0x1000, 16, symbol_name};
  Sample sample;
  sample_begin(&sample);
  sample.library.symbols = &symbol;
  sample.library.symbol_count = 1;
  sample.report.gate.level = CLAUSE_HARDENING;
  sample_add(&sample, "any", "good", CLAUSE_MUST);
  CaseResult *result = sample_add(&sample, "argument", "bad", CLAUSE_MUST);
  CaseInstance *instance = &sample.instances[1];
  ck_assert_ptr_eq(instance, result->instance);
  strcpy(instance->id, row->id);
  instance->kernel = &kernel;
  come_to(result, row);
  sample_judge(&sample);
  judge_attribute(&sample.report, result);
  ck_assert_msg(result->of_headers == row->theirs, "%s", row->name);
  ck_assert_int_eq(result->verdict, row->theirs ? VERDICT_SKIP : VERDICT_FAIL);
  ck_assert_int_eq(judge_counts_against(&sample.report, result), !row->theirs);
  // Under no gate does it fail the module, nor is the module said to be excused.
  ck_assert(judge_run(&sample.report));
  ck_assert_int_eq(sample.report.verdict.standing,
                   row->theirs ? STANDING_CONFORMS : STANDING_DOES_NOT_CONFORM);
  sample.library.symbols = NULL;
  sample_end(&sample);
}

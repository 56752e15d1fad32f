// SPDX-License-Identifier: Apache-2.0
// How findings on errors are told, and the C program that shows them again.
#include <string.h>

#include "fuzz/fuzz_error.h"
#include "fuzz/fuzz_program.h"

static const char *const functions[FUZZ_ERROR_WAYS] = {"ErrorSetRaisedFromCStr",
                                                       "ErrorSetRaisedFromCStrParts", "ErrorCreate",
                                                       "ErrorCreateWithCauseAndExtraContext"};

void fuzz_error_describe(const FuzzInput *input, unsigned which, FILE *out)
{
  FuzzErrorPlan plan;
  fuzz_error_decode(input, &plan);
  fprintf(out,
          "An error is made by `TVMFFI%s`, with a kind of %zu bytes; its backtrace is updated %u "
          "times: %s.",
          functions[plan.way], plan.kind.size, plan.update_count, fuzz_error.aspects[which].what);
}

static void write_text(FILE *out, FuzzText text, bool is_string)
{
  fprintf(out, text.data ? "fenced(" : "NULL");
  if (!text.data) return;
  fuzz_program_text(out, text.data, text.size);
  fprintf(out, ", %zu)", text.size + is_string);
}

static void write_array(FILE *out, const char *name, FuzzText text)
{
  fprintf(out, "  TVMFFIByteArray %s = {", name);
  write_text(out, text, false);
  fprintf(out, ", %zu};\n", text.size);
}

static void write_raising(FILE *out, const FuzzErrorPlan *plan)
{
  fprintf(out, "  const char *kind = ");
  write_text(out, plan->kind, true);
  fprintf(out, ";\n  const char *parts[] = {");
  for (unsigned i = 0; i < plan->part_count; ++i) {
    write_text(out, plan->parts[i], true);
    fprintf(out, ",\n      ");
  }
  fprintf(out, "NULL};\n");
  if (plan->way == FUZZ_ERROR_FROM_STRING)
    fprintf(out, "  API(ErrorSetRaisedFromCStr)(kind, parts[0]);\n");
  else
    fprintf(out,
            "  const char **array = (const char **)fenced(parts, %u * sizeof *parts);\n"
            "  API(ErrorSetRaisedFromCStrParts)(kind, %s, %u);\n",
            plan->part_count, plan->part_count ? "array" : "NULL", plan->part_count);
  fprintf(out, "  API(ErrorMoveFromRaised)(&error);\n");
}

static void write_creation(FILE *out, const FuzzErrorPlan *plan)
{
  write_array(out, "kind", plan->kind);
  write_array(out, "text", plan->parts[0]);
  write_array(out, "trace", plan->backtrace);
  if (plan->way == FUZZ_ERROR_CREATE_WITH_CAUSE)
    fprintf(out,
            "  API(ErrorSetRaisedFromCStr)(\"Cause\", \"of it\");\n"
            "  API(ErrorMoveFromRaised)(&cause);\n"
            "  int code = API(ErrorCreateWithCauseAndExtraContext)(&kind, &text, &trace, cause, "
            "cause, &error);\n");
  else
    fprintf(out, "  int code = API(ErrorCreate)(&kind, &text, &trace, &error);\n");
  fprintf(out, "  expect(!refused(code, NULL), \"the error is made\");\n");
}

static void write_update(FILE *out, const FuzzErrorUpdate *one, unsigned number)
{
  fprintf(out, "  {  // update %u of the backtrace\n", number);
  fprintf(out, "    size_t kept = cell->backtrace.size, first = kept ? %zu %% kept : 0;\n",
          one->first);
  fprintf(out, "    char *due = calloc(1, 2 * kept + %zu);\n", one->text.size + 1);
  fprintf(out, "    size_t begin = %s;\n    memcpy(due, cell->backtrace.data, begin);\n",
          one->append ? "kept" : "0");
  if (one->its_own) {
    fprintf(out, "    TVMFFIByteArray update = {cell->backtrace.data + first, kept - first};\n");
  } else {
    fprintf(out, "    TVMFFIByteArray update = {");
    write_text(out, one->text, false);
    fprintf(out, ", %zu};\n", one->text.size);
  }
  fprintf(out,
          "    if (update.size) memcpy(due + begin, update.data, update.size);\n"
          "    size_t size = begin + update.size;\n"
          "    cell->update_backtrace(error, &update, %d);\n"
          "    expect(same_text(cell->backtrace, due, size), \"the backtrace is what is due\");\n"
          "    free(due);\n  }\n",
          one->append);
}

static void write_message(FILE *out, const FuzzErrorPlan *plan)
{
  size_t size = 0;
  fprintf(out, "  static const char message[] =\n      \"\"");
  for (unsigned i = 0; i < plan->part_count; ++i) {
    if (plan->parts[i].size) fprintf(out, " ");
    if (plan->parts[i].size) fuzz_program_text(out, plan->parts[i].data, plan->parts[i].size);
    size += plan->parts[i].size;
  }
  fprintf(out,
          ";\n  expect(same_text(cell->message, message, %zu), \"the message is as given\");\n",
          size);
  fprintf(out, "  expect(same_text(cell->kind, ");
  fuzz_program_text(out, plan->kind.data ? plan->kind.data : "", plan->kind.size);
  fprintf(out, ", %zu), \"the kind is as given\");\n", plan->kind.size);
  if (plan->way < FUZZ_ERROR_CREATE) return;
  fprintf(out, "  expect(same_text(cell->backtrace, ");
  fuzz_program_text(out, plan->backtrace.data ? plan->backtrace.data : "", plan->backtrace.size);
  fprintf(out, ", %zu), \"the backtrace is as given\");\n", plan->backtrace.size);
}

void fuzz_error_body(const FuzzInput *input, unsigned which, FILE *out)
{
  FuzzErrorPlan plan;
  (void)which;
  fuzz_error_decode(input, &plan);
  fprintf(out, "  TVMFFIObjectHandle error = NULL, cause = NULL, moved = NULL, second = NULL;\n");
  if (plan.way < FUZZ_ERROR_CREATE)
    write_raising(out, &plan);
  else
    write_creation(out, &plan);
  fprintf(out,
          "  expect(error != NULL, \"there is an error\");\n  if (!error) return;\n"
          "  TVMFFIErrorCell *cell = (void *)body_of(error);\n"
          "  expect(strong_count(error) == 1, \"the only reference is ours\");\n"
          "  expect(cell->update_backtrace != NULL, \"its backtrace can be updated\");\n");
  if (plan.way == FUZZ_ERROR_CREATE_WITH_CAUSE)
    fprintf(out,
            "  expect(cell->cause_chain == cause && cell->extra_context == cause, \"it has the "
            "cause\");\n");
  write_message(out, &plan);
  for (unsigned i = 0; i < plan.update_count; ++i) write_update(out, &plan.updates[i], i);
  fprintf(out,
          "  API(ErrorSetRaised)(error);\n  API(ErrorSetRaised)(error);\n"
          "  expect(strong_count(error) == 2, \"the slot has one reference\");\n"
          "  API(ErrorMoveFromRaised)(&moved);\n  API(ErrorMoveFromRaised)(&second);\n"
          "  expect(moved == error && !second, \"it is moved out once\");\n"
          "  if (moved) API(ObjectDecRef)(moved);\n  API(ObjectDecRef)(error);\n"
          "  if (!cause) return;\n"
          "  expect(strong_count(cause) == 1, \"the cause is ours alone\");\n"
          "  API(ObjectDecRef)(cause);\n");
}

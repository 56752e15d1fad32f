// SPDX-License-Identifier: Apache-2.0
// The surface api_sequence: sequences of calls, checked against a model of ownership.
//
// An input is steps of four bytes (fuzz_sequence.h): which one, and three numbers for it.
#include <string.h>

#include "battery/faults.h"
#include "fuzz/fuzz_call.h"
#include "fuzz/fuzz_program.h"
#include "fuzz/fuzz_repro.h"
#include "fuzz/fuzz_sequence.h"

enum { STEP = 4, INPUT_MAX = 1024 };
enum { CALLING, GIVING_BACK, PHASES };

static const char *const phases[PHASES] = {"a step of the sequence", "giving everything back"};

// X(constant, name, clause, what): what the last step is.
#define ASPECTS(X)                                                                     \
  X(OBJECT, "object", OBJ_20, "an opaque object is made")                              \
  X(CLOSURE, "closure", FUN_2, "a function is made")                                   \
  X(ERROR, "error", ERR_28, "an error is made, with a cause and a context or without") \
  X(TEXT, "text", ANY_8, "a text is made an object")                                   \
  X(RETAIN, "retain", OBJ_3, "a reference is added")                                   \
  X(DROP, "drop", OBJ_4, "a reference is given back")                                  \
  X(CONVERT, "convert", ANY_13, "a view of an object is made an owned value")          \
  X(MOVE, "move", ANY_15, "an rvalue reference is moved")                              \
  X(RAISE, "raise", ERR_6, "an error is raised, or the slot is cleared")               \
  X(CALL, "call", FUN_5, "a function is called")                                       \
  X(GLOBAL, "global", FUN_20, "a function is registered, or called by its name")       \
  X(TAKE, "take", ERR_4, "the error is moved out of the slot")                         \
  X(REPLACE, "replace", FUN_28, "what is registered is replaced")                      \
  X(STREAM, "stream", ENV_4, "a stream is set")                                        \
  X(THREAD, "thread", ERR_13, "another thread has its turn, or one ends")

enum {
#define X(constant, name, clause, what) constant,
  ASPECTS(X)
#undef X
      ASPECT_COUNT
};

static const FuzzAspect aspects[ASPECT_COUNT] = {
#define X(constant, name, clause, what) {name, clause, FUZZ_DUE_ACCEPT, what, false},
    ASPECTS(X)
#undef X
};

static FuzzSequenceApi functions;

// --- Inputs --------------------------------------------------------------------------------------

static unsigned aspect_of_step(const uint8_t *step)
{
  static const uint8_t of[FUZZ_SEQUENCE_ACTIONS] = {OBJECT, OBJECT,  OBJECT, RETAIN, DROP,
                                                    DROP,   CONVERT, MOVE,   RAISE,  CALL,
                                                    CALL,   GLOBAL,  TAKE,   REPLACE};
  if (step[0] == FUZZ_SEQUENCE_CHANGE) return THREAD;
  if (step[0] >= FUZZ_SEQUENCE_STREAM) return STREAM;
  unsigned found = of[step[0] % FUZZ_SEQUENCE_ACTIONS];
  return found == OBJECT ? OBJECT + step[1] % 4 : found;
}

static unsigned aspect(const FuzzInput *input)
{
  return aspect_of_step(input->bytes + input->size - STEP);
}

// Threads take time: they change rarely.
static void put_step(FuzzRandom *random, FuzzInput *out, size_t rarely)
{
  unsigned choice = (unsigned)fuzz_below(random, FUZZ_SEQUENCE_ACTIONS);
  if (fuzz_one_in(random, 16)) choice = FUZZ_SEQUENCE_STREAM;
  if (fuzz_one_in(random, rarely)) choice = FUZZ_SEQUENCE_CHANGE;
  fuzz_put_byte(out, choice);
  for (unsigned i = 1; i < STEP; ++i) fuzz_put_byte(out, (unsigned)fuzz_below(random, 12));
}

static void generate(FuzzRandom *random, FuzzInput *out)
{
  size_t rarely = fuzz_one_in(random, 16) ? 8 : SIZE_MAX;
  out->size = 0;
  for (size_t i = 1 + fuzz_below(random, 40); i > 0; --i) put_step(random, out, rarely);
}

static void sample(FuzzInput *out)
{
  static const uint8_t steps[] = {0, 1, 0, 0, 1, 2, 0, 1, 9, 0, 1, 0, 12, 0, 0, 0};
  out->size = 0;
  fuzz_put(out, steps, sizeof steps);
}

// One step is another one, comes again, or is new.
static void mutate(FuzzRandom *random, FuzzInput *input)
{
  if (input->size < STEP) put_step(random, input, 256);
  size_t at = fuzz_below(random, input->size / STEP) * STEP;
  switch (fuzz_below(random, 3)) {
    case 0:
      input->bytes[at + fuzz_below(random, STEP)] = (uint8_t)fuzz_below(random, 16);
      break;
    case 1:
      fuzz_put(input, input->bytes + at, STEP);
      break;
    default:
      put_step(random, input, 256);
  }
}

static bool repair(FuzzInput *input)
{
  if (input->size > INPUT_MAX) input->size = INPUT_MAX;
  input->size -= input->size % STEP;
  return input->size > 0;
}

// One step less, or many, from the end.
static bool shrink(const FuzzInput *input, size_t step, FuzzInput *out)
{
  size_t steps = input->size / STEP;
  for (size_t block = steps; block >= 1; block /= 2) {
    size_t blocks = steps / block;
    if (step >= blocks) {
      step -= blocks;
      continue;
    }
    size_t at = input->size - (step + 1) * block * STEP;
    memcpy(out->bytes, input->bytes, at);
    memcpy(out->bytes + at, input->bytes + at + block * STEP, input->size - at - block * STEP);
    out->size = input->size - block * STEP;
    return true;
  }
  return false;
}

// --- One execution -------------------------------------------------------------------------------

static bool prepare(Iut *iut, char *why, size_t size)
{
  if (!fuzz_call_prepare(iut, why, size)) return false;
#define X(name)                                                \
  if (!iut_has(iut, FN_##name)) {                              \
    snprintf(why, size, "it has no function TVMFFI%s", #name); \
    return false;                                              \
  }                                                            \
  functions.name = iut->name;
  FUZZ_SEQUENCE_FUNCTIONS(X)
#undef X
  return true;
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  size_t done = 0;
  (void)iut;
  fuzz_enter(run, CALLING);
  // Memory is watched in the thread that runs this, and may be given back by another.
  for (size_t i = 0; i < input->size; i += STEP)
    if (input->bytes[i] == FUZZ_SEQUENCE_CHANGE && !faults_unavailable()) {
      faults_unwatch();
      break;
    }
  fuzz_sequence_begin(&functions);
  for (; done < input->size && !fuzz_sequence_broken(); done += STEP) {
    FuzzSequenceBytes bytes = {input->bytes + done, input->bytes + done + STEP};
    fuzz_sequence_step(&bytes);
    uint8_t shape[] = {(uint8_t)aspect_of_step(input->bytes + done), bytes.at == bytes.end};
    if (done + 3 * STEP >= input->size) fuzz_behave(run, shape, sizeof shape);
  }
  bool at_end = !fuzz_sequence_broken();
  fuzz_enter(run, GIVING_BACK);
  fuzz_sequence_end();
  if (!fuzz_sequence_broken()) return;
  run->unusable = true;
  if (at_end)
    fuzz_see(run, FUZZ_LEAK, "at the end: %s", fuzz_sequence_broken());
  else
    fuzz_see(run, FUZZ_DIFFERENT, "after step %zu: %s", done / STEP, fuzz_sequence_broken());
}

// --- In words, and as a program ------------------------------------------------------------------

static void describe(const FuzzInput *input, unsigned which, FILE *out)
{
  fprintf(out, "Of a sequence of %zu calls the last is: %s. The steps:", input->size / STEP,
          aspects[which].what);
  for (size_t i = 0; i < input->size; i += STEP)
    fprintf(out, "%s %zu. %s", i ? ";" : "", i / STEP + 1,
            aspects[aspect_of_step(input->bytes + i)].what);
  fprintf(out, ".");
}

// Writes a source without what it includes of ours.
static void write_source(FILE *out, const unsigned char *text, size_t size)
{
  const char *at = (const char *)text, *end = at + size;
  while (at < end) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    const char *next = line ? line + 1 : end;
    if (strncmp(at, "#include \"", 10) != 0 && strncmp(at, "// SPDX", 7) != 0)
      fwrite(at, 1, (size_t)(next - at), out);
    at = next;
  }
}

static void write_model(const FuzzInput *input, unsigned which, FILE *out)
{
  (void)input, (void)which;
  fprintf(out, "\n// The model that says what is due.\n\n");
  write_source(out, fuzz_repro_threads_h, fuzz_repro_threads_h_size);
  write_source(out, fuzz_repro_threads, fuzz_repro_threads_size);
  write_source(out, fuzz_repro_sequence_h, fuzz_repro_sequence_h_size);
  write_source(out, fuzz_repro_sequence, fuzz_repro_sequence_size);
}

static void write_body(const FuzzInput *input, unsigned which, FILE *out)
{
  (void)which;
  fprintf(out, "  static const uint8_t steps[][%d] = {\n", STEP);
  for (size_t i = 0; i < input->size; i += STEP) {
    const uint8_t *step = input->bytes + i;
    fprintf(out, "      {%d, %d, %d, %d},  // %s\n", step[0], step[1], step[2], step[3],
            aspects[aspect_of_step(step)].what);
  }
  fprintf(out,
          "  };\n  static FuzzSequenceApi functions;\n"
          "#define X(name) functions.name = API(name);\n  FUZZ_SEQUENCE_FUNCTIONS(X)\n"
          "  fuzz_sequence_begin(&functions);\n"
          "  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {\n"
          "    FuzzSequenceBytes bytes = {steps[i], steps[i] + %d};\n"
          "    fuzz_sequence_step(&bytes);\n  }\n  fuzz_sequence_end();\n"
          "  if (fuzz_sequence_broken()) expect(0, fuzz_sequence_broken());\n",
          STEP);
}

const FuzzSurface fuzz_api_sequence = {.name = "api_sequence",
                                       .title = "sequences of calls, and who owns what",
                                       .input_max = INPUT_MAX,
                                       .aspects = aspects,
                                       .aspect_count = ASPECT_COUNT,
                                       .drifts = true,
                                       .phases = phases,
                                       .phase_count = PHASES,
                                       .prepare = prepare,
                                       .sample = sample,
                                       .generate = generate,
                                       .mutate = mutate,
                                       .repair = repair,
                                       .aspect = aspect,
                                       .run = run_input,
                                       .shrink = shrink,
                                       .describe = describe,
                                       .program_before = write_model,
                                       .program_body = write_body,
                                       .program = fuzz_program_write};

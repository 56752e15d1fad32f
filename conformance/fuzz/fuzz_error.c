// SPDX-License-Identifier: Apache-2.0
// The surface error: an error is raised from C strings or made of byte arrays, its backtrace is
// updated, and it is raised and moved out again.
#include <string.h>

#include "battery/access.h"
#include "fuzz/fuzz_error.h"
#include "fuzz/fuzz_program.h"

enum { INPUT_MAX = 8192, TEXT_MAX = 32768 };
enum { NO_TEXT = 255, LONG_TEXT = 254, LONG_SIZE = 5000 };
enum { APPEND = 1, ITS_OWN = 2, NO_DATA = 4 };
enum { MAKING, UPDATING, RAISING, RELEASING, PHASES };

static const char *const phases[PHASES] = {"making an error", "updating the backtrace",
                                           "raising and moving the error", "releasing the error"};

// X(constant, name, clause, what)
#define ASPECTS(X)                                                                           \
  X(RAISED, "raised", ERR_14, "an error is raised from a kind and a message")                \
  X(BYTE_FOR_BYTE, "any-bytes", ERR_15, "an error is raised from texts of any bytes")        \
  X(PARTS, "parts", ERR_18, "an error is raised from the parts of a message")                \
  X(NULL_PARTS, "null-parts", ERR_19, "there are empty or missing parts of the message")     \
  X(NO_PARTS, "no-parts", ERR_20, "there are no parts of the message")                       \
  X(CREATED, "created", ERR_21, "an error is made of byte arrays")                           \
  X(NULS, "nuls", ERR_22, "an error is made of byte arrays that hold NULs, or have no data") \
  X(CAUSED, "caused", ERR_28, "an error is made with a cause and a context")                 \
  X(UPDATED, "updated", ERR_23, "a backtrace is replaced and extended")                      \
  X(CLEARED, "cleared", ERR_24, "a backtrace is cleared, or extended by nothing")            \
  X(ITSELF, "updated-from-itself", ERR_26, "a backtrace is updated from bytes that it holds")

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

// --- Inputs --------------------------------------------------------------------------------------

static FuzzText take_text(FuzzReader *reader, bool is_string)
{
  uint8_t size = fuzz_read_byte(reader);
  if (size == NO_TEXT) return (FuzzText){NULL, 0};
  FuzzText text = fuzz_read_text(reader, size == LONG_TEXT ? LONG_SIZE : size);
  if (is_string) text.size = strnlen(text.data, text.size);
  return text;
}

// What the backtrace of an error from C strings holds is open (ERR-35): it is not updated from
// itself before it was replaced.
static void take_updates(FuzzReader *reader, FuzzErrorPlan *plan)
{
  bool known = plan->way >= FUZZ_ERROR_CREATE;
  while (reader->at < reader->end && plan->update_count < FUZZ_ERROR_UPDATES_MAX) {
    FuzzErrorUpdate *update = &plan->updates[plan->update_count++];
    uint8_t choice = fuzz_read_byte(reader);
    update->append = choice & APPEND;
    update->its_own = choice & ITS_OWN;
    if (update->its_own)
      update->first = fuzz_read_byte(reader);
    else
      update->text = take_text(reader, false);
    if (choice & NO_DATA) update->text = (FuzzText){NULL, 0};
    if (update->its_own && !known)
      plan->updates[--plan->update_count] = (FuzzErrorUpdate){.first = 0};
    else
      known |= !update->append;
  }
}

void fuzz_error_decode(const FuzzInput *input, FuzzErrorPlan *plan)
{
  FuzzReader reader = fuzz_reader(input);
  memset(plan, 0, sizeof *plan);
  plan->way = fuzz_read_byte(&reader) % FUZZ_ERROR_WAYS;
  plan->part_count = fuzz_read_byte(&reader) % (FUZZ_ERROR_PARTS_MAX + 1);
  bool is_string = plan->way < FUZZ_ERROR_CREATE;
  if (plan->way != FUZZ_ERROR_FROM_PARTS) plan->part_count = 1;
  plan->kind = take_text(&reader, is_string);
  for (unsigned i = 0; i < plan->part_count; ++i) plan->parts[i] = take_text(&reader, is_string);
  if (!is_string) plan->backtrace = take_text(&reader, false);
  // A kind and a message that are C strings can't be missing.
  if (is_string && !plan->kind.data) plan->kind.data = "";
  if (plan->way == FUZZ_ERROR_FROM_STRING && !plan->parts[0].data) plan->parts[0].data = "";
  take_updates(&reader, plan);
}

static void put_text(FuzzRandom *random, FuzzInput *out)
{
  size_t size = fuzz_below(random, fuzz_one_in(random, 4) ? 250 : 24);
  if (fuzz_one_in(random, 16)) size = 0;
  if (fuzz_one_in(random, 64)) size = LONG_TEXT;
  fuzz_put_byte(out, (unsigned)size);
  fuzz_put_some_text(random, out, size == LONG_TEXT ? LONG_SIZE : size);
}

static void put_update(FuzzRandom *random, FuzzInput *out)
{
  unsigned choice = (unsigned)fuzz_below(random, 2);
  bool its_own = fuzz_one_in(random, 6);
  fuzz_put_byte(out, choice | (its_own ? ITS_OWN : 0));
  if (its_own)
    fuzz_put_byte(out, (unsigned)fuzz_draw(random));
  else
    put_text(random, out);
}

static void generate(FuzzRandom *random, FuzzInput *out)
{
  unsigned way = (unsigned)fuzz_below(random, FUZZ_ERROR_WAYS);
  unsigned parts =
      (unsigned)fuzz_below(random, fuzz_one_in(random, 8) ? FUZZ_ERROR_PARTS_MAX + 1 : 5);
  out->size = 0;
  fuzz_put_byte(out, way);
  fuzz_put_byte(out, parts);
  put_text(random, out);
  for (unsigned i = 0; i < (way == FUZZ_ERROR_FROM_PARTS ? parts : 1); ++i) put_text(random, out);
  if (way >= FUZZ_ERROR_CREATE) put_text(random, out);
  for (size_t i = fuzz_below(random, 4); i > 0; --i) put_update(random, out);
}

static void sample(FuzzInput *out)
{
  out->size = 0;
  fuzz_put(out, "\0\0\012ValueError\017a message of it\1\021a line of a trace", 48);
}

// One text is missing or empty, one byte is a NUL, one more update, another way.
static void mutate(FuzzRandom *random, FuzzInput *input)
{
  while (input->size < 3) fuzz_put_byte(input, 0);
  size_t at = 2 + fuzz_below(random, input->size - 2);
  switch (fuzz_below(random, 6)) {
    case 0:
      input->bytes[at] = NO_TEXT;
      break;
    case 1:
      input->bytes[at] = 0;
      break;
    case 2:
      fuzz_put_byte(input, (unsigned)fuzz_below(random, 8));
      fuzz_put_byte(input, NO_TEXT);
      break;
    case 3:
      put_update(random, input);
      break;
    case 4:
      input->bytes[fuzz_below(random, 2)] = (uint8_t)fuzz_below(random, FUZZ_ERROR_PARTS_MAX + 1);
      break;
    default:
      input->bytes[at] = (uint8_t)fuzz_draw(random);
  }
}

static bool repair(FuzzInput *input)
{
  if (input->size > INPUT_MAX) input->size = INPUT_MAX;
  return input->size > 0;
}

static bool is_ascii(FuzzText text)
{
  for (size_t i = 0; i < text.size; ++i)
    if (text.data[i] < ' ' || text.data[i] > '~') return false;
  return true;
}

static unsigned aspect_of_updates(const FuzzErrorPlan *plan)
{
  unsigned most = UPDATED;
  for (unsigned i = 0; i < plan->update_count; ++i) {
    if (plan->updates[i].its_own) return ITSELF;
    if (plan->updates[i].text.size == 0) most = CLEARED;
  }
  return most;
}

static unsigned aspect_of_parts(const FuzzErrorPlan *plan)
{
  if (plan->part_count == 0) return NO_PARTS;
  for (unsigned i = 0; i < plan->part_count; ++i)
    if (plan->parts[i].size == 0) return NULL_PARTS;
  return PARTS;
}

static bool holds_nul(FuzzText text)
{
  return !text.data || memchr(text.data, '\0', text.size);
}

static unsigned aspect(const FuzzInput *input)
{
  FuzzErrorPlan plan;
  fuzz_error_decode(input, &plan);
  if (plan.update_count) return aspect_of_updates(&plan);
  if (plan.way == FUZZ_ERROR_FROM_PARTS) return aspect_of_parts(&plan);
  if (plan.way == FUZZ_ERROR_FROM_STRING)
    return is_ascii(plan.kind) && is_ascii(plan.parts[0]) ? RAISED : BYTE_FOR_BYTE;
  if (holds_nul(plan.kind) || holds_nul(plan.parts[0]) || holds_nul(plan.backtrace)) return NULS;
  return plan.way == FUZZ_ERROR_CREATE ? CREATED : CAUSED;
}

// --- What the error has to be --------------------------------------------------------------------

typedef struct Model {
  size_t message_size, backtrace_size;
  bool knows_backtrace;  // that of an error from C strings is open (ERR-35)
  TVMFFIObjectHandle cause;
  char message[INPUT_MAX], backtrace[TEXT_MAX];
} Model;

static Model model;
static char given[TEXT_MAX];  // a backtrace as it was before an update

static void join_parts(const FuzzErrorPlan *plan)
{
  model.message_size = 0;
  for (unsigned i = 0; i < plan->part_count; ++i) {
    if (plan->parts[i].size)
      memcpy(model.message + model.message_size, plan->parts[i].data, plan->parts[i].size);
    model.message_size += plan->parts[i].size;
  }
}

static bool is_text(TVMFFIByteArray text, const char *due, size_t size)
{
  return text.size == size && (size == 0 || memcmp(text.data, due, size) == 0);
}

static bool ends_with_nul(TVMFFIByteArray text)
{
  return text.data && text.data[text.size] == '\0';
}

// Checks an error against the model; false once something was wrong with it.
static bool check(Iut *iut, TVMFFIObjectHandle error, const FuzzErrorPlan *plan, FuzzRun *run)
{
  const TVMFFIErrorCell *cell = error_cell(iut, error);
  if (object_type_index(iut, error) != kTVMFFIError || object_strong(iut, error) != 1 ||
      object_weak(iut, error) != 1)
    fuzz_see(run, FUZZ_DIFFERENT, "type index %d, strong count %llu, weak count %llu",
             object_type_index(iut, error), (unsigned long long)object_strong(iut, error),
             (unsigned long long)object_weak(iut, error));
  else if (!is_text(cell->kind, plan->kind.data, plan->kind.size))
    fuzz_see(run, FUZZ_DIFFERENT, "the kind has %zu bytes, which are not the %zu given",
             cell->kind.size, plan->kind.size);
  else if (!is_text(cell->message, model.message, model.message_size))
    fuzz_see(run, FUZZ_DIFFERENT, "the message has %zu bytes, which are not the %zu given",
             cell->message.size, model.message_size);
  else if (model.knows_backtrace &&
           !is_text(cell->backtrace, model.backtrace, model.backtrace_size))
    fuzz_see(run, FUZZ_DIFFERENT, "the backtrace has %zu bytes, which are not the %zu due",
             cell->backtrace.size, model.backtrace_size);
  else if (!ends_with_nul(cell->kind) || !ends_with_nul(cell->message) ||
           !ends_with_nul(cell->backtrace))
    fuzz_see(run, FUZZ_DIFFERENT, "no NUL follows one of its texts (ERR-17)");
  else if (!cell->update_backtrace)
    fuzz_see(run, FUZZ_DIFFERENT, "it has no function that updates its backtrace (ERR-23)");
  else if (fuzz_is_due(iut, ERR_27) &&
           (cell->cause_chain != model.cause || cell->extra_context != model.cause))
    fuzz_see(run, FUZZ_DIFFERENT, "its cause or context is not what was given (ERR-27, ERR-28)");
  return run->count == 0;
}

// --- One execution -------------------------------------------------------------------------------

// C strings one behind the other, the NUL of the last one at the end of the window. `texts` are
// made to point there; NULL stays NULL.
static void show_strings(unsigned window, const FuzzText *texts, unsigned count,
                         const char **strings)
{
  static char joined[INPUT_MAX + FUZZ_ERROR_PARTS_MAX];
  size_t used = 0, offsets[FUZZ_ERROR_PARTS_MAX];
  for (unsigned i = 0; i < count; ++i) {
    offsets[i] = used;
    if (!texts[i].data) continue;
    if (texts[i].size) memcpy(joined + used, texts[i].data, texts[i].size);
    joined[used + texts[i].size] = '\0';
    used += texts[i].size + 1;
  }
  const char *shown = fuzz_show(window, joined, used);
  for (unsigned i = 0; i < count; ++i) strings[i] = texts[i].data ? shown + offsets[i] : NULL;
}

// Own: an error that was raised, out of its slot again; NULL if there is none.
static TVMFFIObjectHandle raise(Iut *iut, const FuzzErrorPlan *plan)
{
  const char *kind, *parts[FUZZ_ERROR_PARTS_MAX + 1] = {NULL};
  show_strings(0, &plan->kind, 1, &kind);
  show_strings(1, plan->parts, plan->part_count, parts);
  if (plan->way == FUZZ_ERROR_FROM_STRING) {
    iut->ErrorSetRaisedFromCStr(kind, parts[0]);
  } else {
    const char **shown;
    const void *array = fuzz_show(2, parts, plan->part_count * sizeof *parts);
    memcpy(&shown, &array, sizeof shown);
    iut->ErrorSetRaisedFromCStrParts(kind, plan->part_count ? shown : NULL,
                                     (int32_t)plan->part_count);
  }
  return take_error(iut);
}

static TVMFFIByteArray show_bytes(unsigned window, FuzzText text)
{
  return (TVMFFIByteArray){text.data ? fuzz_show(window, text.data, text.size) : NULL, text.size};
}

// Own: an error that is its cause and context, too, or NULL.
static TVMFFIObjectHandle create(Iut *iut, const FuzzErrorPlan *plan, int *code)
{
  TVMFFIByteArray arrays[] = {show_bytes(0, plan->kind), show_bytes(1, plan->parts[0]),
                              show_bytes(3, plan->backtrace)};
  const TVMFFIByteArray *shown = fuzz_show(2, arrays, sizeof arrays);
  TVMFFIObjectHandle error = NULL;
  model.knows_backtrace = true;
  model.backtrace_size = plan->backtrace.size;
  if (plan->backtrace.size) memcpy(model.backtrace, plan->backtrace.data, plan->backtrace.size);
  if (plan->way == FUZZ_ERROR_CREATE || !fuzz_is_due(iut, ERR_28)) {
    *code = iut->ErrorCreate(&shown[0], &shown[1], &shown[2], &error);
    return error;
  }
  iut->ErrorSetRaisedFromCStr("Cause", "of it");
  model.cause = take_error(iut);
  *code = iut->ErrorCreateWithCauseAndExtraContext(&shown[0], &shown[1], &shown[2], model.cause,
                                                   model.cause, &error);
  return error;
}

static void update(Iut *iut, TVMFFIObjectHandle error, const FuzzErrorUpdate *one)
{
  TVMFFIErrorCell *cell = error_cell(iut, error);
  TVMFFIByteArray text = show_bytes(0, one->text);
  size_t kept = cell->backtrace.size, first = kept ? one->first % kept : 0;
  if (kept > TEXT_MAX / 2) return;
  memcpy(given, cell->backtrace.data, kept);
  if (one->its_own) text = (TVMFFIByteArray){cell->backtrace.data + first, kept - first};
  size_t begin = one->append ? kept : 0;
  memcpy(model.backtrace, given, begin);
  if (text.size)
    memcpy(model.backtrace + begin, one->its_own ? given + first : one->text.data, text.size);
  model.backtrace_size = begin + text.size;
  model.knows_backtrace = true;
  cell->update_backtrace(
      error, fuzz_show(2, &text, sizeof text),
      one->append ? kTVMFFIBacktraceUpdateModeAppend : kTVMFFIBacktraceUpdateModeReplace);
  if (!one->its_own) fuzz_overwrite(0, one->text.size);
  fuzz_overwrite(2, sizeof text);
}

static void update_all(Iut *iut, TVMFFIObjectHandle error, const FuzzErrorPlan *plan, FuzzRun *run)
{
  fuzz_enter(run, UPDATING);
  for (unsigned i = 0; i < plan->update_count && !run->count; ++i) {
    update(iut, error, &plan->updates[i]);
    check(iut, error, plan, run);
  }
}

// Raised twice and moved out, it is the same as before.
static void pass_around(Iut *iut, TVMFFIObjectHandle error, const FuzzErrorPlan *plan, FuzzRun *run)
{
  fuzz_enter(run, RAISING);
  iut->ErrorSetRaised(error);
  iut->ErrorSetRaised(error);
  unsigned long long counted = object_strong(iut, error);
  TVMFFIObjectHandle moved = take_error(iut), second = take_error(iut);
  if (counted != 2 || moved != error || second) {
    fuzz_see(run, FUZZ_DIFFERENT,
             "raised twice, it has strong count %llu, and %s is moved out (ERR-4 to ERR-8)",
             counted, moved == error ? "something else after it" : "something else");
    return;
  }
  iut->ObjectDecRef(moved);
  check(iut, error, plan, run);
}

static void use(Iut *iut, TVMFFIObjectHandle error, const FuzzErrorPlan *plan, FuzzRun *run)
{
  join_parts(plan);
  for (unsigned i = 0; i < FUZZ_WINDOWS; ++i) fuzz_overwrite(i, 4096);
  if (check(iut, error, plan, run)) update_all(iut, error, plan, run);
  if (!run->count) pass_around(iut, error, plan, run);
  run->unusable = run->count != 0;
  if (run->unusable) return;
  fuzz_enter(run, RELEASING);
  iut->ObjectDecRef(error);
  if (!model.cause) return;
  if (object_strong(iut, model.cause) != 1)
    fuzz_see(run, FUZZ_LEAK, "the cause still has %llu references (ERR-29)",
             (unsigned long long)object_strong(iut, model.cause));
  iut->ObjectDecRef(model.cause);
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  FuzzErrorPlan plan;
  int code = 0;
  fuzz_error_decode(input, &plan);
  model.knows_backtrace = false;
  model.cause = NULL;
  uint8_t shape[] = {(uint8_t)plan.way, (uint8_t)plan.part_count, (uint8_t)plan.update_count,
                     plan.kind.size > 15, (uint8_t)run->aspect};
  fuzz_behave(run, shape, sizeof shape);
  fuzz_enter(run, MAKING);
  TVMFFIObjectHandle error =
      plan.way < FUZZ_ERROR_CREATE ? raise(iut, &plan) : create(iut, &plan, &code);
  if (!fuzz_judge_code(iut, run, aspects, code, NULL)) {
    run->unusable = true;
  } else if (!error) {
    fuzz_see(run, FUZZ_DIFFERENT, "there is no error afterwards");
    run->unusable = true;
  } else {
    use(iut, error, &plan, run);
  }
}

const FuzzSurface fuzz_error = {.name = "error",
                                .title = "errors and their backtraces",
                                .input_max = INPUT_MAX,
                                .aspects = aspects,
                                .aspect_count = ASPECT_COUNT,
                                .phases = phases,
                                .phase_count = PHASES,
                                .prepare = fuzz_call_prepare,
                                .sample = sample,
                                .generate = generate,
                                .mutate = mutate,
                                .repair = repair,
                                .aspect = aspect,
                                .run = run_input,
                                .shrink = fuzz_shrink_texts,
                                .describe = fuzz_error_describe,
                                .program_body = fuzz_error_body,
                                .program = fuzz_program_write};

// SPDX-License-Identifier: Apache-2.0
// Functions of a module that nobody describes, asked by calling them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"
#include "plan/kernel_choice.h"
#include "plan/kernel_signature.h"
#include "plan/signature_example.h"
#include "plan/signature_found.h"
#include "plan/signature_needs.h"
#include "plan/signature_packed.h"
#include "plan/signature_probe.h"
#include "plan/signature_refusal.h"
#include "plan/signature_search.h"

// A module with many functions is asked for its own words only: each call costs a process.
enum {
  FEW_FUNCTIONS = 32,
  CALLS_FEW = 320,
  CALLS_MANY = 12,
  SEARCHED_MOST = 6400,
  SEARCHED_IN_ALL = 51200
};

// So many calls may fail to come back, by a crash or at their time limit, before no more is asked.
enum { LOST_MAX = 16 };

// Larger files are not read for words.
enum { WORDS_FILE_MOST = 1 << 26 };

typedef struct Asking {
  Runner *runner;
  KernelList *kernels;
  size_t asked;  // which of them
  unsigned lost, search_lost;
  bool has_cuda, stands_in;  // tensors on CUDA are memory of a device, or of the stand-in for one
  uint32_t device;
  InspectWords words;      // of the library
  const Signature *needs;  // borrowed; what is made before each call, or NULL
} Asking;

// --- Calls that did not come back ----------------------------------------------------------------

// Whether a call may be one that the function supports and that ends the process all the same: an
// integer may be an address, which a function can't check any more than a pointer.
static bool may_crash_rightly(const Kernel *call)
{
  for (uint32_t i = 0; i < call->parameter_count; ++i) {
    KernelKind kind = call->parameters[i].kind;
    if (kind == KERNEL_POINTER || kind == KERNEL_INT || kind == KERNEL_OBJECT) return true;
  }
  return false;
}

static KernelLost lost_by(const Kernel *call, OutcomeKind end)
{
  switch (end) {
    case OUTCOME_TIMED_OUT:
      return KERNEL_LOST_HUNG;
    case OUTCOME_CRASHED:
      return may_crash_rightly(call) ? KERNEL_LOST_OPEN : KERNEL_LOST_ENDED;
    case OUTCOME_EXITED:
      // Without arguments it may be what the function is for.
      return call->parameter_count == 0 || may_crash_rightly(call) ? KERNEL_LOST_OPEN
                                                                   : KERNEL_LOST_ENDED;
    default:
      return KERNEL_LOST_NONE;
  }
}

// The first of the worst is kept: a case makes it once more.
static void note_lost(Asking *asking, const Kernel *call, OutcomeKind end)
{
  KernelList *kernels = asking->kernels;
  Kernel *kernel = &kernels->items[asking->asked];
  KernelLost lost = lost_by(call, end);
  ++asking->lost;
  if (lost <= kernel->lost) return;
  if (lost == KERNEL_LOST_ENDED) {
    if (!kernels->lost_calls)
      kernels->lost_calls = calloc(kernels->count, sizeof *kernels->lost_calls);
    if (!kernels->lost_calls) return;
    Kernel *kept = &kernels->lost_calls[asking->asked];
    *kept = *call;
    kept->lost = lost;
  }
  kernel->lost = lost;
}

// --- Asking --------------------------------------------------------------------------------------

// Reads what kernel_probe wrote; false if the call did not come back.
static bool read_answer(const char *text, ProbeAnswer *answer)
{
  const char *line = text ? strchr(text, '\n') : NULL;
  char *at;
  if (!line) return false;
  answer->code = (int)strtol(text, &at, 10);
  answer->outcome = strtoull(at, &at, 16);
  answer->written = strtoull(at, &at, 16);
  snprintf(answer->message, sizeof answer->message, "%s", line + 1);
  return true;
}

static bool make_call(void *context, const Kernel *call, ProbeAnswer *answer)
{
  Asking *asking = context;
  if (asking->lost >= LOST_MAX) return false;
  OutcomeKind end;
  char *text = runner_probe(asking->runner, call, NULL, &end);
  const bool came_back = read_answer(text, answer);
  if (!came_back) note_lost(asking, call, end);
  free(text);
  return came_back;
}

// The call with its tensors on CUDA in memory of the device that there is.
static const Kernel *on_device(const Asking *asking, const Kernel *call)
{
  static Kernel made;
  if (!asking->has_cuda) return call;
  made = *call;
  made.cuda_stands_in = kernel_on_cuda(&made, asking->device) && asking->stands_in;
  return &made;
}

// The same for calls with tensors and values that are made up: which of them should come back
// nobody knows.
static bool make_search_call(void *context, const Kernel *call, ProbeAnswer *answer)
{
  Asking *asking = context;
  if (asking->search_lost >= LOST_MAX) return false;
  OutcomeKind end;
  char *text = runner_probe(asking->runner, on_device(asking, call), asking->needs, &end);
  const bool came_back = read_answer(text, answer);
  if (!came_back) asking->search_lost += end == OUTCOME_TIMED_OUT ? LOST_MAX / 2 : 1;
  free(text);
  return came_back;
}

static void put_on_device(const Asking *asking, Kernel *kernel)
{
  if (kernel->found && asking->has_cuda)
    kernel->cuda_stands_in = kernel_on_cuda(kernel, asking->device) && asking->stands_in;
}

enum { WAYS_MAX = 4, TEXTS_MAX = 2, TEXTS_TRIED = 48 };
#define UNKNOWN_TEXT "qzxjk"

// What a text may be in the place of that of the example, of which another one is refused: the words of
// the refusal, and those of the library.
static size_t texts_for(Asking *asking, const Kernel *kernel, uint32_t position,
                        char texts[TEXTS_TRIED][REFUSAL_WORD_MAX])
{
  static Kernel call;
  char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX];
  ProbeAnswer answer;
  size_t count = 0;
  call = *kernel;
  snprintf(call.parameters[position].text, sizeof call.parameters[position].text, UNKNOWN_TEXT);
  call.parameters[position].text_size = 0;
  if (!make_search_call(asking, &call, &answer) || answer.code == 0) return 0;
  const size_t told = refusal_words(answer.message, words);
  for (size_t i = 0; i < told; ++i) memcpy(texts[count++], words[i], sizeof words[i]);
  for (size_t i = 0; i < asking->words.literals.count && count < TEXTS_TRIED; ++i)
    snprintf(texts[count++], REFUSAL_WORD_MAX, "%s", asking->words.literals.items[i]);
  return count;
}

// Whether the call with this text is served, or refused in other words than that with an unknown one.
static bool knows_text(Asking *asking, const Kernel *kernel, uint32_t position, const char *text)
{
  static Kernel call;
  static ProbeAnswer unknown, answer;
  call = *kernel;
  KernelParameter *at = &call.parameters[position];
  at->text_size = 0;
  snprintf(at->text, sizeof at->text, UNKNOWN_TEXT);
  if (!make_search_call(asking, &call, &unknown)) return false;
  snprintf(at->text, sizeof at->text, "%.31s", text);
  if (!make_search_call(asking, &call, &answer)) return false;
  if (answer.code == 0) return true;
  // The same words about another text.
  const char *in = strstr(unknown.message, UNKNOWN_TEXT);
  const size_t before = in ? (size_t)(in - unknown.message) : strlen(unknown.message);
  return strncmp(answer.message, unknown.message, before) != 0 ||
         (in ? strcmp(answer.message + before + strlen(at->text), in + strlen(UNKNOWN_TEXT)) != 0
             : answer.message[before] != '\0');
}

// Other texts with which calls are served are ways to call the function, too: a mode has code of its own.
static uint32_t ask_text_ways(Asking *asking, const Kernel *first, const Signature *known,
                              uint32_t count)
{
  enum { CALLS = 160 };
  static Kernel way;
  static char texts[TEXTS_TRIED][REFUSAL_WORD_MAX];
  for (uint32_t i = 0; first->found && i < first->parameter_count; ++i) {
    const KernelParameter *at = &first->parameters[i];
    unsigned found = 0;
    asking->search_lost = 0;
    if (at->kind != KERNEL_STRING) continue;
    const size_t all = texts_for(asking, first, i, texts);
    for (size_t k = 0; k < all && found < TEXTS_MAX && count < WAYS_MAX; ++k) {
      bool again = strcmp(texts[k], at->text) == 0;
      for (size_t n = 0; n < k; ++n) again |= strcmp(texts[n], texts[k]) == 0;
      if (again || !knows_text(asking, first, i, texts[k])) continue;
      way = *first;
      if (!signature_search_text_way(&way, known, &asking->words, i, texts[k], CALLS,
                                     make_search_call, asking))
        continue;
      ++found;
      way.way = ++count;
      put_on_device(asking, &way);
      if (!kernel_list_add(asking->kernels, &way, signature_with_found(known, &way, true)))
        return count;
    }
  }
  return count;
}

// Other alternatives of variants with which calls are served are ways to call the function, each
// judged as a function of its own. Returns how many there are.
static uint32_t ask_ways(Asking *asking)
{
  enum { CALLS = 160 };
  static Kernel way;
  const Signature *known = kernel_list_signature(asking->kernels, asking->asked);
  const Kernel first = asking->kernels->items[asking->asked];
  uint32_t count = 0;
  for (uint32_t i = 0; known && first.found && i < first.parameter_count; ++i) {
    const SignatureForm *form = signature_form(known, 0);
    const SignatureType *type = signature_type(known, form->parameters.first + i);
    for (uint32_t k = 0; type->kind == KERNEL_VARIANT && k < type->children.count; ++k) {
      const KernelKind kind = signature_type(known, type->children.first + k)->kind;
      way = first;
      asking->search_lost = 0;
      if (kind == first.parameters[i].kind || kind == KERNEL_NONE || count == WAYS_MAX ||
          !signature_search_way(&way, known, &asking->words, i, k, CALLS, make_search_call, asking))
        continue;
      way.way = ++count;
      put_on_device(asking, &way);
      if (!kernel_list_add(asking->kernels, &way, signature_with_found(known, &way, true)))
        return count;
    }
  }
  return ask_text_ways(asking, &first, known, count);
}

static void ask(Asking *asking)
{
  Kernel *kernel = &asking->kernels->items[asking->asked];
  const unsigned functions = asking->kernels->count;
  const bool is_few = functions <= FEW_FUNCTIONS;
  const unsigned most = is_few ? CALLS_FEW : CALLS_MANY;
  const unsigned searched =
      SEARCHED_IN_ALL / functions < SEARCHED_MOST ? SEARCHED_IN_ALL / functions : SEARCHED_MOST;
  if (kernel->source == KERNEL_UNKNOWN) {
    Signature *known = signature_probe(kernel, most, make_call, asking);
    if (known) kernel_list_know(asking->kernels, asking->asked, known);
  }
  asking->search_lost = 0;
  if (kernel->source == KERNEL_UNKNOWN && kernel->lost != KERNEL_LOST_HUNG && is_few)
    if (!signature_search_packed(kernel, searched, make_search_call, asking))
      signature_search_text(kernel, make_search_call, asking);
  if (kernel->source == KERNEL_PROBED || kernel->source == KERNEL_FROM_METADATA)
    signature_probe_twin(kernel, make_call, asking);
  bool known = kernel->source == KERNEL_PROBED || kernel->source == KERNEL_FROM_METADATA;
  asking->search_lost = 0;
  if (known && is_few && !kernel->found)
    signature_search(kernel, kernel_list_signature(asking->kernels, asking->asked), &asking->words,
                     searched, make_search_call, asking);
  put_on_device(asking, kernel);
  const uint32_t ways = is_few ? ask_ways(asking) : 0;
  // Ways that were added have moved the others.
  kernel = &asking->kernels->items[asking->asked];
  Signature *found =
      signature_with_found(kernel_list_signature(asking->kernels, asking->asked), kernel, ways > 0);
  if (found) kernel_list_know(asking->kernels, asking->asked, found);
}

// --- Examples of a signature file ----------------------------------------------------------------

static bool lists_right_call(const Signature *signature, const SignatureForm *form)
{
  for (uint32_t i = 0; i < form->calls.count; ++i)
    if (!signature_call(signature, form->calls.first + i)->refused) return true;
  return false;
}

// Whether a file that promises the combinations of its calls alone has an example of others, of several arguments.
static bool is_unpromised_example(const Kernel *kernel, const Signature *signature)
{
  if (!signature || signature->origin != SIGNATURE_FROM_FILE || !kernel->chosen ||
      kernel->launches || kernel->cuda || kernel->listed > 0)
    return false;
  const SignatureForm *form = signature_form(signature, kernel->form);
  const uint32_t arguments = form->parameters.count + (form->rest != SIGNATURE_NONE);
  return arguments > 1 && form->only_calls && !form->example_of_calls &&
         lists_right_call(signature, form);
}

// Nobody has promised that such an example is served: where it is refused, the first listed call takes its
// place.
static void replace_refused_example(Asking *asking)
{
  KernelList *list = asking->kernels;
  Kernel *kernel = &list->items[asking->asked];
  const Signature *signature = kernel_list_signature(list, asking->asked);
  static Kernel before;
  char problem[KERNEL_PROBLEM_MAX];
  OutcomeKind end;
  if (!is_unpromised_example(kernel, signature)) return;
  char *text = runner_probe(asking->runner, kernel, signature, &end);
  const bool refused = text && atoi(text) == -1;
  free(text);
  if (!refused) return;
  kernel_copy(&before, kernel);
  signature_take_listed_example(list->signatures[asking->asked], before.form, true);
  if (kernel_take_signature(kernel, signature, problem)) {
    kernel->has_other = before.has_other;
    return;
  }
  signature_take_listed_example(list->signatures[asking->asked], before.form, false);
  kernel_copy(kernel, &before);
}

// --- Objects that other functions make -----------------------------------------------------------

enum { OBJECTS_MAX = 2, CALLS_WITH_OBJECTS = 600 };

// A function of which a call was found that gives an object of this type, and takes none; NULL if there is
// none.
static const Kernel *find_maker(const KernelList *kernels, size_t count, const char *type_key)
{
  for (size_t i = 0; i < count; ++i) {
    const Kernel *kernel = &kernels->items[i];
    bool of_plain = kernel->found && kernel->result.kind == KERNEL_OBJECT &&
                    strcmp(kernel->result.type_key, type_key) == 0;
    for (uint32_t k = 0; k < kernel->parameter_count; ++k)
      of_plain &= kernel->parameters[k].kind != KERNEL_OBJECT;
    if (of_plain) return kernel;
  }
  return NULL;
}

// Whether objects are all that stands in the way of a call: has `call` name what its needs keep.
static size_t take_makers(const KernelList *kernels, size_t count, Kernel *call,
                          SignatureNeed needs[OBJECTS_MAX])
{
  static const char *const names[OBJECTS_MAX] = {"made0", "made1"};
  size_t made = 0;
  for (uint32_t i = 0; i < call->parameter_count; ++i) {
    KernelParameter *at = &call->parameters[i];
    const bool container = strncmp(at->type_key, "ffi.", 4) == 0;
    if (at->kind != KERNEL_OBJECT || at->optional || container || !at->type_key[0]) continue;
    const Kernel *maker = find_maker(kernels, count, at->type_key);
    if (!maker || made == OBJECTS_MAX) return 0;
    snprintf(at->text, sizeof at->text, "%s", names[made]);
    at->text_size = (uint32_t)strlen(at->text);
    needs[made] = (SignatureNeed){maker, names[made]};
    ++made;
  }
  return made;
}

static bool search_with_needs(Asking *asking, Kernel *call, const SignatureNeed *needs,
                              size_t count)
{
  const Signature *known = kernel_list_signature(asking->kernels, asking->asked);
  Signature *with = known ? signature_with_needs(known, needs, count) : NULL;
  if (!with) return false;
  asking->search_lost = 0;
  asking->needs = with;
  signature_search(call, with, &asking->words, CALLS_WITH_OBJECTS, make_search_call, asking);
  asking->needs = NULL;
  Signature *found = signature_with_found(with, call, false);
  free(with);
  if (!found) return false;
  asking->kernels->items[asking->asked] = *call;
  return kernel_list_know(asking->kernels, asking->asked, found);
}

// A function that takes objects which others make is asked behind these. Where it refuses what is fresh,
// behind one more call, of a function that was found to take such an object, too.
static void ask_with_objects(Asking *asking, size_t functions)
{
  static Kernel call;
  SignatureNeed needs[OBJECTS_MAX + 1];
  KernelList *kernels = asking->kernels;
  if (kernels->items[asking->asked].found) return;
  call = kernels->items[asking->asked];
  const size_t count = take_makers(kernels, functions, &call, needs);
  if (count == 0 || search_with_needs(asking, &call, needs, count)) return;
  for (size_t i = 0; i < functions && count == 1; ++i) {
    const Kernel *other = &kernels->items[i];
    const bool takes = other->found && other->parameter_count > 0 &&
                       other->parameters[0].kind == KERNEL_OBJECT &&
                       strcmp(other->parameters[0].text, needs[0].keep) == 0;
    if (!takes) continue;
    call = kernels->items[asking->asked];
    take_makers(kernels, functions, &call, needs);
    needs[count] = (SignatureNeed){other, ""};
    if (search_with_needs(asking, &call, needs, count + 1)) return;
  }
}

// For cases that have another build to compare any call with.
static void make_drafts(KernelList *kernels)
{
  free(kernels->drafts);
  kernels->drafts = calloc(kernels->count, sizeof *kernels->drafts);
  for (size_t i = 0; kernels->drafts && i < kernels->count; ++i) {
    Kernel *draft = &kernels->drafts[i];
    *draft = kernels->items[i];
    if (!draft->found && (draft->source == KERNEL_PROBED || draft->source == KERNEL_FROM_METADATA))
      signature_draft(kernel_list_signature(kernels, i), draft);
  }
}

void session_probe_kernels(Session *session, const Options *options, Runner *runner)
{
  Asking asking = {.runner = runner,
                   .kernels = &session->kernels,
                   .has_cuda = options->cuda || session->has_stand_in,
                   .stands_in = !options->cuda,
                   .device = options->cuda ? options->cuda - 1 : 0};
  const size_t count = session->kernels.count;
  if (count <= FEW_FUNCTIONS && session->library->file_size <= WORDS_FILE_MOST)
    inspect_words_read(session->library->path, &asking.words);
  for (; asking.asked < count; ++asking.asked) {
    replace_refused_example(&asking);
    ask(&asking);
    session->stands_in |= session->kernels.items[asking.asked].cuda_stands_in;
  }
  // What refuses a fresh object may serve one that a function behind it has changed.
  for (int turn = 0; turn < 2 && count <= FEW_FUNCTIONS; ++turn)
    for (asking.asked = 0; asking.asked < count; ++asking.asked) ask_with_objects(&asking, count);
  if (options->same_as) make_drafts(&session->kernels);
}

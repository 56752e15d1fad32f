// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_probe.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_kinds.h"
#include "signature/type_name.h"

enum { COUNTS_TRIED = 9 };

// --- Words ---------------------------------------------------------------------------------------

int signature_probe_count(const char *message)
{
  static const char *const leads[] = {"expected ",  "expects ",  "takes ",
                                      "should be ", "requires ", "needs "};
  if (strcasestr(message, "at least") || strcasestr(message, "at most") ||
      strcasestr(message, "either") || !strcasestr(message, "arg"))
    return -1;
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i)
    for (const char *at = strcasestr(message, leads[i]); at; at = strcasestr(at + 1, leads[i])) {
      const char *digits = at + strlen(leads[i]);
      if (strncasecmp(digits, "exactly ", 8) == 0) digits += 8;
      size_t length = strspn(digits, "0123456789");
      if (length > 0 && length < 4) return atoi(digits);
    }
  return -1;
}

// --- Calls ---------------------------------------------------------------------------------------

typedef struct Probing {
  Kernel call;  // with as many parameters as the next call has arguments
  ProbeCall *make;
  void *context;
  unsigned left;
} Probing;

static KernelParameter example_of(KernelKind kind)
{
  KernelParameter parameter = {.kind = kind, .alignment = 1, .integer = 1, .number = 1};
  if (kind == KERNEL_STRING || kind == KERNEL_BYTES) strcpy(parameter.text, "text");
  if (kind == KERNEL_DTYPE) strcpy(parameter.text, "float32");
  if (kind == KERNEL_TENSOR) kernel_stand_in(&parameter);
  return parameter;
}

static bool ask(Probing *probing, uint32_t count, ProbeAnswer *answer)
{
  *answer = (ProbeAnswer){0};
  if (probing->left == 0) return false;
  --probing->left;
  probing->call.parameter_count = count;
  return probing->make(probing->context, &probing->call, answer);
}

// What of a message does not depend on what was handed over: what was got is cut off and, where
// calls differ in how many arguments they have, numbers become '#'.
static void make_comparable(const ProbeAnswer *answer, bool numbers_count, char out[512])
{
  size_t at = 0;
  const char *end = strcasestr(answer->message, " got");
  for (const char *c = answer->message; *c && c != end && at < 490; ++c)
    if (numbers_count || !isdigit((unsigned char)*c))
      out[at++] = *c;
    else if (at == 0 || out[at - 1] != '#')
      out[at++] = '#';
  snprintf(out + at, 512 - at, "|%d", answer->code);
}

static bool is_alike(const ProbeAnswer *a, const ProbeAnswer *b, bool numbers_count)
{
  char left[512], right[512];
  make_comparable(a, numbers_count, left);
  make_comparable(b, numbers_count, right);
  return strcmp(left, right) == 0;
}

// --- How many ------------------------------------------------------------------------------------

// With `count` arguments another answer comes than with one less and one more, which both are
// refused alike.
static bool is_the_count(Probing *probing, int count, const ProbeAnswer *with_none)
{
  ProbeAnswer right, more;
  if (count < 0 || count >= KERNEL_PARAMETERS_MAX) return false;
  if (!ask(probing, (uint32_t)count, &right) || !ask(probing, (uint32_t)count + 1, &more))
    return false;
  return more.code != 0 && !is_alike(&right, &more, false) &&
         (count == 0 || (with_none->code != 0 && is_alike(with_none, &more, false)));
}

static int find_count(Probing *probing, const ProbeAnswer *with_none)
{
  int count = signature_probe_count(with_none->message);
  if (count >= 0 && is_the_count(probing, count, with_none)) return count;
  if (with_none->code == 0) return is_the_count(probing, 0, with_none) ? 0 : -1;
  // No number in its words: the only one that is answered in another way, and all around it alike.
  int found = -1;
  for (int n = 1; n < COUNTS_TRIED; ++n) {
    ProbeAnswer answer;
    if (!ask(probing, (uint32_t)n, &answer)) return -1;
    if (is_alike(&answer, with_none, false)) continue;
    if (found >= 0) return -1;
    found = n;
  }
  return found == COUNTS_TRIED - 1 ? -1 : found;
}

// --- Which kinds ---------------------------------------------------------------------------------

#define BIT(kind) (1u << (kind))

enum { TRIED = 12, REFUSED_LEAST = 4 };

static const KernelKind tried[TRIED] = {
    KERNEL_NONE,  KERNEL_INT,    KERNEL_BOOL,   KERNEL_FLOAT, KERNEL_STRING,  KERNEL_BYTES,
    KERNEL_DTYPE, KERNEL_DEVICE, KERNEL_TENSOR, KERNEL_SHAPE, KERNEL_POINTER, KERNEL_FUNCTION};

// What a parameter is that lets values of these kinds pass; KERNEL_ANY if that is none or many.
static KernelKind kind_that_takes(unsigned taken)
{
  static const struct {
    unsigned taken;
    KernelKind kind;
  } known[] = {
      {BIT(KERNEL_INT), KERNEL_INT},
      {BIT(KERNEL_INT) | BIT(KERNEL_BOOL), KERNEL_INT},
      {BIT(KERNEL_BOOL), KERNEL_BOOL},
      {BIT(KERNEL_FLOAT), KERNEL_FLOAT},
      {BIT(KERNEL_FLOAT) | BIT(KERNEL_INT), KERNEL_FLOAT},
      {BIT(KERNEL_FLOAT) | BIT(KERNEL_INT) | BIT(KERNEL_BOOL), KERNEL_FLOAT},
      {BIT(KERNEL_POINTER), KERNEL_POINTER},
      {BIT(KERNEL_STRING), KERNEL_STRING},
      {BIT(KERNEL_BYTES), KERNEL_BYTES},
      {BIT(KERNEL_DTYPE), KERNEL_DTYPE},
      {BIT(KERNEL_DEVICE), KERNEL_DEVICE},
      {BIT(KERNEL_SHAPE), KERNEL_SHAPE},
      {BIT(KERNEL_FUNCTION), KERNEL_FUNCTION},
  };
  // Tensors come as objects and as pointers, and other ones are told from them later.
  const unsigned with_tensor = BIT(KERNEL_SHAPE) | BIT(KERNEL_POINTER) | BIT(KERNEL_FUNCTION);
  if ((taken & ~with_tensor) == BIT(KERNEL_TENSOR)) return KERNEL_TENSOR;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].taken == taken) return known[i].kind;
  return KERNEL_ANY;
}

// The answer that most of the values met with, which is how this parameter is refused; TRIED if
// there is none.
static size_t find_refusal(const ProbeAnswer answers[TRIED], const bool came_back[TRIED])
{
  size_t best = TRIED, most = REFUSED_LEAST - 1;
  for (size_t i = 0; i < TRIED; ++i) {
    size_t alike = 0;
    for (size_t k = 0; k < TRIED; ++k)
      alike += came_back[i] && came_back[k] && answers[i].code &&
               is_alike(&answers[i], &answers[k], true);
    if (alike > most) {
      most = alike;
      best = i;
    }
  }
  return best;
}

// The kind of the parameter at `position`, those before it being of their kinds.
static void find_kind(Probing *probing, uint32_t count, uint32_t position)
{
  KernelParameter *parameter = &probing->call.parameters[position];
  ProbeAnswer answers[TRIED];
  bool came_back[TRIED];
  unsigned taken = 0;
  for (size_t i = 0; i < TRIED; ++i) {
    *parameter = example_of(tried[i]);
    came_back[i] = ask(probing, count, &answers[i]);
  }
  size_t refusal = find_refusal(answers, came_back);
  *parameter = example_of(KERNEL_NONE);
  if (refusal == TRIED || probing->left == 0) return;
  for (size_t i = 1; i < TRIED; ++i)
    if (came_back[i] && !is_alike(&answers[i], &answers[refusal], true)) taken |= BIT(tried[i]);
  *parameter = example_of(kind_that_takes(taken));
  parameter->optional = !came_back[0] || !is_alike(&answers[0], &answers[refusal], true);
}

// A std::string takes bytes as well, and has the name of a string that does not.
static void doubt_strings(Probing *probing, uint32_t count)
{
  for (uint32_t i = 0; i < count; ++i) {
    KernelParameter own = example_of(probing->call.parameters[i].kind);
    own.optional = probing->call.parameters[i].optional;
    own.spellings = probing->call.parameters[i].spellings;
    probing->call.parameters[i] = own;
  }
  for (uint32_t i = 0; i < count; ++i) {
    KernelParameter *parameter = &probing->call.parameters[i], own = *parameter;
    ProbeAnswer with_bytes, with_device;
    if (own.kind != KERNEL_STRING) continue;
    *parameter = example_of(KERNEL_BYTES);
    bool told = ask(probing, count, &with_bytes);
    *parameter = example_of(KERNEL_DEVICE);
    told = told && ask(probing, count, &with_device);
    *parameter = own;
    if (!told || !is_alike(&with_bytes, &with_device, true))
      parameter->kind = KERNEL_ANY;
    else if (!own.spellings)
      parameter->spellings = KERNEL_SPELLED_AS_STRING;
  }
}

// As far as they are known, without what the calls were made with.
static void take_parameters(Kernel *kernel, const Probing *probing, uint32_t count)
{
  kernel->source = KERNEL_PROBED;
  kernel->parameter_count = kernel->expected_of = count;
  kernel->result = (KernelParameter){.alignment = 1};
  for (uint32_t i = 0; i < count; ++i) {
    const KernelParameter *seen = &probing->call.parameters[i];
    kernel->parameters[i] = (KernelParameter){
        .kind = seen->kind == KERNEL_NONE ? KERNEL_ANY : seen->kind,
        .optional = seen->optional,
        .spellings = seen->spellings,
        .alignment = 1,
        .integer = 1,
        .number = 1,
    };
  }
}

static void begin(Probing *probing, const Kernel *kernel, unsigned most, ProbeCall *make,
                  void *context)
{
  *probing = (Probing){.make = make, .context = context, .left = most};
  snprintf(probing->call.name, sizeof probing->call.name, "%s", kernel->name);
  for (unsigned i = 0; i < KERNEL_PARAMETERS_MAX; ++i)
    probing->call.parameters[i] = example_of(KERNEL_NONE);
}

// What the list of parameters has besides kinds: names, types, shapes, and the result.
static void take_listed(Kernel *kernel, const Kernel *listed)
{
  kernel->result = listed->result;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter own = listed->parameters[i];
    if (own.kind != kernel->parameters[i].kind) continue;
    own.spellings = kernel->parameters[i].spellings;
    kernel->parameters[i] = own;
  }
}

// The signature that a message holds, if it has so many parameters.
static Signature *read_message(const char *message, int count, Kernel *call)
{
  Signature *signature = type_name_signature(message);
  if (!signature) return NULL;
  if ((int)signature_form(signature, 0)->parameters.count == count) {
    signature_take_kinds(signature, call);
    return signature;
  }
  free(signature);
  return NULL;
}

Signature *signature_probe(Kernel *kernel, unsigned most, ProbeCall *make, void *context)
{
  Probing probing;
  ProbeAnswer with_none;
  begin(&probing, kernel, most, make, context);
  if (!ask(&probing, 0, &with_none)) return NULL;
  int count = find_count(&probing, &with_none);
  if (count < 0) return NULL;
  static Kernel listed;
  Signature *signature = read_message(with_none.message, count, &listed);
  for (int i = 0; signature && i < count; ++i) probing.call.parameters[i] = listed.parameters[i];
  if (signature)
    doubt_strings(&probing, (uint32_t)count);
  else
    for (int i = 0; i < count; ++i) find_kind(&probing, (uint32_t)count, (uint32_t)i);
  take_parameters(kernel, &probing, (uint32_t)count);
  if (signature) take_listed(kernel, &listed);
  return signature;
}

void signature_probe_twin(Kernel *kernel, ProbeCall *make, void *context)
{
  Probing probing;
  ProbeAnswer answer;
  begin(&probing, kernel, 1, make, context);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *parameter = &probing.call.parameters[i];
    *parameter = kernel->parameters[i];
    if (parameter->kind == KERNEL_TENSOR && !parameter->typed) kernel_stand_in(parameter);
  }
  if (!ask(&probing, kernel->parameter_count, &answer)) return;
  kernel->stands_in = true;
  snprintf(kernel->twin, sizeof kernel->twin, "%.*s", KERNEL_TWIN_MAX - 1,
           answer.code ? answer.message : "");
}

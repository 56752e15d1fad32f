// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_probe.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const struct {
  const char *name;
  KernelKind kind;
  unsigned spellings;
} words[] = {
    {"int", KERNEL_INT, 0},
    {"int64", KERNEL_INT, 0},
    {"bool", KERNEL_BOOL, 0},
    {"float", KERNEL_FLOAT, 0},
    {"double", KERNEL_FLOAT, 0},
    {"void*", KERNEL_POINTER, 0},
    {"DataType", KERNEL_DTYPE, 0},
    {"dtype", KERNEL_DTYPE, 0},
    {"Device", KERNEL_DEVICE, 0},
    {"DLTensor*", KERNEL_TENSOR, 0},
    {"Tensor", KERNEL_TENSOR, 0},
    {"ffi.Tensor", KERNEL_TENSOR, KERNEL_SPELLED_OBJECT},
    {"ffi.String", KERNEL_STRING, 0},
    {"str", KERNEL_STRING, 0},
    {"std::string", KERNEL_STRING, 0},
    {"const char*", KERNEL_STRING, KERNEL_SPELLED_RAW},
    {"ffi.Bytes", KERNEL_BYTES, 0},
    {"bytes", KERNEL_BYTES, 0},
    {"TVMFFIByteArray*", KERNEL_BYTES, KERNEL_SPELLED_BYTE_ARRAY},
    {"ffi.Shape", KERNEL_SHAPE, 0},
    {"Shape", KERNEL_SHAPE, 0},
    {"ffi.Function", KERNEL_FUNCTION, 0},
    {"None", KERNEL_NONE, 0},
};

// `size` characters that name a type; KERNEL_ANY for one that is not known.
static void read_word(const char *word, size_t size, KernelParameter *parameter)
{
  static const char optional[] = "Optional<";
  *parameter = (KernelParameter){.alignment = 1, .integer = 1, .number = 1};
  if (size > sizeof optional && strncmp(word, optional, sizeof optional - 1) == 0 &&
      word[size - 1] == '>') {
    word += sizeof optional - 1;
    size -= sizeof optional;
    parameter->optional = true;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strlen(words[i].name) == size && strncmp(words[i].name, word, size) == 0) {
      parameter->kind = words[i].kind;
      parameter->spellings = words[i].spellings;
    }
}

// Characters of the type that begins here: up to the comma or parenthesis that is not within it.
static size_t type_length(const char *text)
{
  int depth = 0;
  size_t length = 0;
  for (; text[length]; ++length) {
    char c = text[length];
    if (depth == 0 && (c == ',' || c == ')')) break;
    depth += c == '<' || c == '(' || c == '[';
    depth -= c == '>' || c == ')' || c == ']';
  }
  return length;
}

int signature_probe_list(const char *message, KernelParameter parameters[KERNEL_PARAMETERS_MAX])
{
  const char *at = strstr(message, "(0: ");
  int count = 0;
  if (!at) return -1;
  ++at;
  for (;;) {
    char number[16];
    snprintf(number, sizeof number, "%d: ", count);
    if (strncmp(at, number, strlen(number)) != 0 || count == KERNEL_PARAMETERS_MAX) return -1;
    at += strlen(number);
    size_t length = type_length(at);
    read_word(at, length, &parameters[count++]);
    at += length;
    if (*at == ')') return count;
    if (at[0] != ',' || at[1] != ' ') return -1;
    at += 2;
  }
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
  snprintf(parameter.text, sizeof parameter.text, kind == KERNEL_DTYPE ? "float32" : "text");
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

void signature_probe(Kernel *kernel, unsigned most, ProbeCall *make, void *context)
{
  Probing probing;
  ProbeAnswer with_none;
  begin(&probing, kernel, most, make, context);
  if (!ask(&probing, 0, &with_none)) return;
  int count = find_count(&probing, &with_none);
  if (count < 0) return;
  if (signature_probe_list(with_none.message, probing.call.parameters) == count)
    doubt_strings(&probing, (uint32_t)count);
  else
    for (int i = 0; i < count; ++i) find_kind(&probing, (uint32_t)count, (uint32_t)i);
  take_parameters(kernel, &probing, (uint32_t)count);
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

// SPDX-License-Identifier: Apache-2.0
#include "flaw.h"
#include "plan/signature_file.h"

static void change_kernel(Kernel *kernel)
{
  KernelParameter *first = &kernel->parameters[0];
  if (flaw("too-many-parameters")) kernel->parameter_count = KERNEL_PARAMETERS_MAX + 1;
  if (flaw("expected-of-none")) kernel->expected_of = kernel->parameter_count + 1;
  if (flaw("formula-without-end")) memset(kernel->expected, 'x', sizeof kernel->expected);
  if (kernel->parameter_count == 0) return;
  if (flaw("unknown-kind")) first->kind = KERNEL_KIND_COUNT;
  if (flaw("name-without-end")) memset(first->name, 'x', sizeof first->name);
  if (flaw("text-without-end")) memset(first->text, 'x', sizeof first->text);
  if (flaw("rank-too-high")) first->rank = KERNEL_RANK_MAX + 1;
  if (flaw("negative-extent") && first->rank > 0) first->shape[0].size = -1;
}

WRAP(bool, signature_file_read, const char *path, KernelList *list, char *error, size_t error_size)
{
  bool read = REAL(signature_file_read)(path, list, error, error_size);
  for (size_t i = 0; read && i < list->count; ++i) change_kernel(&list->items[i]);
  for (size_t i = 0; read && list->signatures && i < list->count; ++i)
    if (list->signatures[i] && flaw("unsound")) list->signatures[i]->types.count += 1000;
  if (!read && flaw("no-reason")) error[0] = '\0';
  if (!read && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  return read;
}

static void forget_type(SignatureType *type)
{
  if (flaw("kind-lost")) type->kind = KERNEL_ANY;
  if (flaw("name-lost")) type->name = 0;
  if (flaw("optional-lost")) type->optional = false;
  if (flaw("example-lost")) type->example = SIGNATURE_NONE;
  if (flaw("values-lost")) type->values.count = 0;
  if (flaw("limits-lost")) type->least = type->most = 0;
  if (flaw("type-key-lost")) type->type_key = 0;
  if (flaw("spellings-lost")) type->spellings = 0;
  if (flaw("role-lost")) type->role = KERNEL_IN;
  if (flaw("alignment-lost")) type->alignment = 1;
  if (flaw("layout-lost")) type->layout = SIGNATURE_LAYOUT_UNSAID;
  if (flaw("device-lost")) type->devices.count = 0;
  if (flaw("extent-lost") && type->shape.count) --type->shape.count;
  if (flaw("element-lost") && type->kind == KERNEL_ARRAY) type->children.count = 0;
  if (flaw("length-lost")) type->lengths.count = 0;
  if (flaw("callback-lost")) type->does = 0;
}

static void forget_form(SignatureForm *form)
{
  if (flaw("launches-lost")) form->launches = false;
  if (flaw("tolerance-lost")) form->tolerances.count = 0;
  if (flaw("formula-lost")) form->expected.count = 0;
  if (flaw("sizes-lost")) form->sizes.count = 0;
  if (flaw("condition-lost")) form->where.count = 0;
  if (flaw("refusal-lost")) form->refusals.count = 0;
  if (flaw("call-lost")) form->calls.count = 0;
  if (flaw("checks-lost")) form->checks = SIGNATURE_CHECKS_ALL;
  if (flaw("parameter-lost") && form->parameters.count) --form->parameters.count;
  if (flaw("rest-lost")) form->rest = SIGNATURE_NONE;
  if (flaw("result-lost")) form->result = SIGNATURE_NONE;
}

// What is written is not what was read. Own.
static Signature *forget(const Signature *known)
{
  Signature *less = known ? malloc(known->size) : NULL;
  if (!less) return NULL;
  memcpy(less, known, known->size);
  SignatureType *types = (void *)((char *)less + less->types.offset);
  SignatureForm *forms = (void *)((char *)less + less->forms.offset);
  for (uint32_t i = 0; i < less->types.count; ++i) forget_type(&types[i]);
  for (uint32_t i = 0; i < less->forms.count; ++i) forget_form(&forms[i]);
  if (flaw("overload-lost")) less->forms.count = 1;
  return less;
}

WRAP(bool, signature_file_write, FILE *out, const KernelList *list)
{
  Signature *signatures[3] = {0};
  const KernelList less = {.items = list->items, .count = list->count, .signatures = signatures};
  if (list->count > sizeof signatures / sizeof *signatures) abort();
  for (size_t i = 0; i < list->count; ++i) signatures[i] = forget(kernel_list_signature(list, i));
  bool written = flaw("nothing-written") || REAL(signature_file_write)(out, &less);
  for (size_t i = 0; i < list->count; ++i) free(signatures[i]);
  return written && !flaw("write-fails");
}

WRAP(bool, kernel_meets, const Kernel *kernel, unsigned needs, char *why, size_t capacity)
{
  bool meets = REAL(kernel_meets)(kernel, needs, why, capacity);
  if (flaw("need-of-two-lines")) strcpy(why, FLAW_TEXT);
  return meets;
}

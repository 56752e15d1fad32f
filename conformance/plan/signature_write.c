// SPDX-License-Identifier: Apache-2.0
// What is known of the functions of a module, as a file to begin with.
#include "signature/signature_write.h"

#include <stdlib.h>
#include <string.h>

#include "plan/signature_file.h"
#include "signature/signature_build.h"

// --- What only the example knows -----------------------------------------------------------------

static SignatureText add_text(SignatureBuild *build, const char *text)
{
  return signature_add_text(build, text, strlen(text));
}

static SignatureRange add_word(SignatureBuild *build, const char *word)
{
  const SignatureValue value = {
      .kind = KERNEL_STRING, .text = add_text(build, word), .text_size = (uint32_t)strlen(word)};
  return signature_add_values(build, &value, 1);
}

static SignatureType type_of(SignatureBuild *build, const KernelParameter *parameter)
{
  char word[32];
  SignatureExtent shape[KERNEL_RANK_MAX] = {{0}};
  SignatureType type = {.kind = parameter->kind,
                        .name = add_text(build, parameter->name),
                        .type_key = add_text(build, parameter->type_key),
                        .optional = parameter->optional,
                        .spellings = parameter->spellings,
                        .role = parameter->role,
                        .alignment = parameter->alignment,
                        .example = SIGNATURE_NONE,
                        .returns = SIGNATURE_NONE};
  if (!parameter->typed) return type;
  for (int32_t i = 0; i < parameter->rank; ++i) {
    char text[KERNEL_EXTENT_TEXT_MAX];
    const bool symbol = parameter->shape[i].symbol[0];
    shape[i].form = symbol ? SIGNATURE_EXTENT_EXPRESSION : SIGNATURE_EXTENT_NUMBER;
    shape[i].text = symbol ? add_text(build, kernel_extent_text(&parameter->shape[i], text)) : 0;
    shape[i].number = symbol ? 0 : parameter->shape[i].size;
  }
  type.has_shape = true;
  type.shape = signature_add_extents(build, shape, (size_t)parameter->rank);
  type.dtypes = add_word(build, signature_dtype_text(parameter->dtype, word));
  type.devices = add_word(build, signature_device_text(parameter->device, word));
  return type;
}

// What probing found out without a message that holds a signature.
static Signature *signature_of(const Kernel *kernel)
{
  SignatureType types[KERNEL_PARAMETERS_MAX];
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_PROBING, true);
  SignatureForm form = {.rest = SIGNATURE_NONE, .launches = kernel->launches};
  if (!build) return NULL;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    types[i] = type_of(build, &kernel->parameters[i]);
  form.parameters = signature_add_types(build, types, kernel->parameter_count);
  types[0] = type_of(build, &kernel->result);
  form.result = signature_add_types(build, types, 1).first;
  signature_add_form(build, &form);
  return signature_build_end(build);
}

// --- The file ------------------------------------------------------------------------------------

static const char *advice_for(const Kernel *kernel, const Signature *known)
{
  if (kernel->source == KERNEL_UNKNOWN)
    return "no signature is known: list its \"parameters\", then remove \"tentative\"";
  if (known->origin == SIGNATURE_FROM_FILE) return NULL;
  if (kernel->found) return "such a call is served: complete it, then remove \"tentative\"";
  return known->origin == SIGNATURE_FROM_METADATA
             ? "from its metadata: correct it, then remove \"tentative\""
             : "probed from its errors: correct it, then remove \"tentative\"";
}

static json_t *write_function(const Kernel *kernel, const Signature *known)
{
  Signature *made = known || kernel->source == KERNEL_UNKNOWN ? NULL : signature_of(kernel);
  const Signature *signature = known ? known : made;
  const char *advice =
      signature || kernel->source == KERNEL_UNKNOWN ? advice_for(kernel, signature) : NULL;
  json_t *object = json_object(), *rest = signature ? signature_write_function(signature) : NULL;
  if (advice) json_object_set_new(object, "text", json_string(advice));
  if (!signature) json_object_set_new(object, "tentative", json_true());
  json_object_update(object, rest);
  json_decref(rest);
  free(made);
  return object;
}

// What a function says besides how it is called in one way.
static void move_all_but_words(json_t *from, json_t *to)
{
  static const char *const words[] = {"text", "tentative"};
  const char *key;
  json_t *value;
  void *next;
  json_object_foreach_safe(from, next, key, value)
  {
    bool word = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) word |= strcmp(key, words[i]) == 0;
    if (word) continue;
    json_object_set(to, key, value);
    json_object_del(from, key);
  }
}

// Another way to call a function that is there: both become members of "signatures".
static void add_way(json_t *functions, const char *name, json_t *way)
{
  json_t *function = json_object_get(functions, name), *form = json_object();
  if (!json_object_get(function, "signatures")) {
    json_t *first = json_object();
    move_all_but_words(function, first);
    json_object_set_new(function, "signatures", json_pack("[o]", first));
  }
  move_all_but_words(way, form);
  json_array_append_new(json_object_get(function, "signatures"), form);
  json_decref(way);
}

bool signature_file_write(FILE *out, const KernelList *list)
{
  json_t *functions = json_object();
  for (size_t i = 0; i < list->count; ++i) {
    json_t *function = write_function(&list->items[i], kernel_list_signature(list, i));
    if (list->items[i].way)
      add_way(functions, list->items[i].name, function);
    else
      json_object_set_new(functions, list->items[i].name, function);
  }
  json_t *root = json_pack("{s:o}", "functions", functions);
  bool good = root && json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(root);
  return good && fflush(out) == 0;
}

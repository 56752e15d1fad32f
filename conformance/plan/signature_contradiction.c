// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_contradiction.h"

#include <stdio.h>
#include <string.h>

#include "signature/kinds.h"
#include "signature/signature_words.h"

// A file and a module, each with a type that is compared.
typedef struct Sides {
  const Signature *file, *module;
} Sides;

// --- Kinds ---------------------------------------------------------------------------------------

// Kinds of one class may be converted to each other.
typedef enum Class {
  CLASS_OPEN,  // anything may be meant
  CLASS_NONE,
  CLASS_WHOLE,
  CLASS_FLOAT,
  CLASS_TEXT,
  CLASS_SEQUENCE,
  CLASS_MAP,
  CLASS_TENSOR,
  CLASS_FUNCTION,
} Class;

static Class class_of(KernelKind kind)
{
  switch (kind) {
    case KERNEL_NONE:
      return CLASS_NONE;
    case KERNEL_INT:
    case KERNEL_BOOL:
      return CLASS_WHOLE;
    case KERNEL_FLOAT:
      return CLASS_FLOAT;
    // Data types and devices are given as texts, too.
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
      return CLASS_TEXT;
    case KERNEL_SHAPE:
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
      return CLASS_SEQUENCE;
    case KERNEL_MAP:
      return CLASS_MAP;
    case KERNEL_TENSOR:
      return CLASS_TENSOR;
    case KERNEL_FUNCTION:
      return CLASS_FUNCTION;
    default:
      return CLASS_OPEN;
  }
}

// Plain values are never None; what is an object may be.
static bool is_plain(KernelKind kind)
{
  return kind == KERNEL_INT || kind == KERNEL_BOOL || kind == KERNEL_FLOAT ||
         kind == KERNEL_STRING || kind == KERNEL_BYTES || kind == KERNEL_DTYPE ||
         kind == KERNEL_DEVICE;
}

// --- Tensors -------------------------------------------------------------------------------------

// Whether the file lists no data type that the module takes: the first of each is looked at, since
// a module whose messages name one takes no other.
static bool differ_in_dtype(const Sides *sides, const SignatureType *file,
                            const SignatureType *module)
{
  DLDataType taken, listed;
  if (module->dtypes.count != 1 || file->dtypes.count == 0) return false;
  const SignatureValue *word = signature_value(sides->module, module->dtypes.first);
  if (!signature_dtype(signature_text(sides->module, word->text), &taken)) return false;
  for (uint32_t i = 0; i < file->dtypes.count; ++i) {
    word = signature_value(sides->file, file->dtypes.first + i);
    if (!signature_dtype(signature_text(sides->file, word->text), &listed)) return false;
    if (memcmp(&taken, &listed, sizeof taken) == 0) return false;
  }
  return true;
}

static bool differ_in_rank(const Sides *sides, const SignatureType *file,
                           const SignatureType *module)
{
  return file->has_shape && module->has_shape && file->shape.count != module->shape.count &&
         !signature_has_free_rank(sides->file, file) &&
         !signature_has_free_rank(sides->module, module);
}

// --- Types ---------------------------------------------------------------------------------------

// Whether the type of the module takes what that of the file describes; if not, `file` and `module`
// are the words of what differs.
typedef struct Words {
  char file[64], module[64];
} Words;

static bool differ(Words *words, const char *file, const char *module)
{
  snprintf(words->file, sizeof words->file, "%s", file);
  snprintf(words->module, sizeof words->module, "%s", module);
  return false;
}

static bool takes(const Sides *sides, const SignatureType *file, const SignatureType *module,
                  Words *words);

// None is of no alternative where the variant as a whole is optional.
static bool one_takes(const Sides *sides, const SignatureType *file, const SignatureType *module,
                      Words *words)
{
  SignatureType own = *file;
  own.optional &= !module->optional;
  if (module->children.count == 0 || (file->kind == KERNEL_NONE && module->optional)) return true;
  for (uint32_t i = 0; i < module->children.count; ++i) {
    const SignatureType *one = signature_type(sides->module, module->children.first + i);
    if (takes(sides, &own, one, words)) return true;
  }
  return differ(words, kernel_kind_names[file->kind], "none of its alternatives");
}

static bool take_tensor(const Sides *sides, const SignatureType *file, const SignatureType *module,
                        Words *words)
{
  char own[64], other[64];
  if (differ_in_rank(sides, file, module)) {
    snprintf(own, sizeof own, "a tensor of %u dimensions", file->shape.count);
    snprintf(other, sizeof other, "one of %u", module->shape.count);
    return differ(words, own, other);
  }
  if (!differ_in_dtype(sides, file, module)) return true;
  const SignatureValue *listed = signature_value(sides->file, file->dtypes.first);
  const SignatureValue *taken = signature_value(sides->module, module->dtypes.first);
  snprintf(own, sizeof own, "a tensor of %.40s", signature_text(sides->file, listed->text));
  snprintf(other, sizeof other, "one of %.40s", signature_text(sides->module, taken->text));
  return differ(words, own, other);
}

// Sequences and maps, by what is in them.
static bool take_inside(const Sides *sides, const SignatureType *file, const SignatureType *module,
                        Words *words)
{
  const SignatureRange of = file->children, by = module->children;
  const bool tuples = file->kind == KERNEL_TUPLE && module->kind == KERNEL_TUPLE;
  if (of.count == 0 || by.count == 0) return true;
  if (tuples && of.count != by.count)
    return differ(words, "another tuple", "one of another length");
  if (module->kind == KERNEL_SHAPE || file->kind == KERNEL_SHAPE) return true;
  if (module->kind == KERNEL_MAP && (by.count != 2 || module->has_entries)) return true;
  for (uint32_t i = 0; i < of.count; ++i) {
    SignatureType own = *signature_type(sides->file, of.first + i);
    uint32_t at = module->kind == KERNEL_TUPLE ? i : 0;
    if (module->kind == KERNEL_MAP) at = file->has_entries ? 1 : i % 2;
    // An entry that is None is left out.
    own.optional &= !file->has_entries;
    if (at < by.count && !takes(sides, &own, signature_type(sides->module, by.first + at), words))
      return false;
  }
  return true;
}

static bool takes(const Sides *sides, const SignatureType *file, const SignatureType *module,
                  Words *words)
{
  const Class of = class_of(file->kind), by = class_of(module->kind);
  if (file->kind == KERNEL_VARIANT) {
    for (uint32_t i = 0; i < file->children.count; ++i)
      if (!takes(sides, signature_type(sides->file, file->children.first + i), module, words))
        return false;
    return true;
  }
  if (module->kind == KERNEL_VARIANT) return one_takes(sides, file, module, words);
  if (of == CLASS_OPEN || by == CLASS_OPEN) return true;
  if (of == CLASS_NONE && (module->optional || !is_plain(module->kind))) return true;
  if (of != by && !(of == CLASS_WHOLE && by == CLASS_FLOAT))
    return differ(words, kernel_kind_names[file->kind], kernel_kind_names[module->kind]);
  if (file->optional && !module->optional && is_plain(module->kind))
    return differ(words, "None, too", kernel_kind_names[module->kind]);
  if (of == CLASS_TENSOR) return take_tensor(sides, file, module, words);
  if (of == CLASS_SEQUENCE || of == CLASS_MAP) return take_inside(sides, file, module, words);
  return true;
}

// --- Signatures ----------------------------------------------------------------------------------

static const char *source_of(const Signature *module)
{
  return module->origin == SIGNATURE_FROM_METADATA ? "the module's metadata"
                                                   : "the module's error for no arguments";
}

// A result may be of any of the kinds that either side allows.
static bool results_differ(const Sides *sides, const SignatureForm *of, const SignatureForm *by,
                           Words *words)
{
  if (of->result == SIGNATURE_NONE || by->result == SIGNATURE_NONE) return false;
  const SignatureType *file = signature_type(sides->file, of->result);
  const SignatureType *module = signature_type(sides->module, by->result);
  const Class left = class_of(file->kind), right = class_of(module->kind);
  const bool none = left == CLASS_NONE || right == CLASS_NONE;
  if (left == CLASS_OPEN || right == CLASS_OPEN || left == right) return false;
  if (none && (file->optional || module->optional)) return false;
  differ(words, kernel_kind_names[file->kind], kernel_kind_names[module->kind]);
  return true;
}

static bool form_contradicts(const Sides *sides, const SignatureForm *of, char *text,
                             size_t capacity)
{
  const SignatureForm *by = signature_form(sides->module, 0);
  const uint32_t count = of->parameters.count, taken = by->parameters.count;
  Words words;
  if (by->rest == SIGNATURE_NONE &&
      (count > taken || (count < taken && of->rest == SIGNATURE_NONE))) {
    snprintf(text, capacity, "the signature file has %u parameter%s, %s %u", count,
             count == 1 ? "" : "s", source_of(sides->module), taken);
    return true;
  }
  for (uint32_t i = 0; i < count && i < taken; ++i) {
    const SignatureType *type = signature_type(sides->file, of->parameters.first + i);
    const char *name = signature_text(sides->file, type->name);
    if (takes(sides, type, signature_type(sides->module, by->parameters.first + i), &words))
      continue;
    snprintf(text, capacity, "parameter %u%s%.48s%s: the signature file has %s, %s %s", i,
             *name ? " (" : "", name, *name ? ")" : "", words.file, source_of(sides->module),
             words.module);
    return true;
  }
  if (!results_differ(sides, of, by, &words)) return false;
  snprintf(text, capacity, "the result: the signature file has %s, %s %s", words.file,
           source_of(sides->module), words.module);
  return true;
}

bool signature_contradicts(const Signature *file, const Signature *module, char *text,
                           size_t capacity)
{
  const Sides sides = {file, module};
  for (uint32_t i = 0; i < file->forms.count; ++i)
    if (form_contradicts(&sides, signature_form(file, i), text, capacity)) return true;
  return false;
}

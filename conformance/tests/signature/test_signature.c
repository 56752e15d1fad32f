// SPDX-License-Identifier: Apache-2.0
// Signatures as blocks of memory: what is put in comes out, and a damaged block is noticed.
#include <stdlib.h>
#include <string.h>

#include "signature/signature_build.h"
#include "unit/unit.h"

static SignatureText text_of(SignatureBuild *build, const char *text)
{
  return signature_add_text(build, text, strlen(text));
}

// f(parts: array of float32 tensors of shape [n], k = 3) with k <= n.
static Signature *example(void)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureValue values[] = {
      {.kind = KERNEL_STRING, .text = text_of(build, "float32"), .text_size = 7},
      {.kind = KERNEL_INT, .integer = 3},
  };
  SignatureRange held = signature_add_values(build, values, 2);
  SignatureExtent n = {.form = SIGNATURE_EXTENT_EXPRESSION, .text = text_of(build, "n")};
  SignatureType element = {.kind = KERNEL_TENSOR,
                           .example = SIGNATURE_NONE,
                           .returns = SIGNATURE_NONE,
                           .dtypes = {held.first, 1},
                           .has_shape = true,
                           .shape = signature_add_extents(build, &n, 1)};
  SignatureType parameters[] = {
      {.kind = KERNEL_ARRAY,
       .name = text_of(build, "parts"),
       .example = SIGNATURE_NONE,
       .returns = SIGNATURE_NONE,
       .children = signature_add_types(build, &element, 1)},
      {.kind = KERNEL_INT,
       .name = text_of(build, "k"),
       .example = held.first + 1,
       .returns = SIGNATURE_NONE},
  };
  SignatureText where = text_of(build, "k <= n");
  SignatureForm form = {.parameters = signature_add_types(build, parameters, 2),
                        .rest = SIGNATURE_NONE,
                        .result = SIGNATURE_NONE,
                        .where = signature_add_conditions(build, &where, 1),
                        .checks = SIGNATURE_CHECKS_ALL};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  return signature;
}

TEST(what_is_put_in_comes_out)
{
  Signature *signature = example();
  ck_assert(signature_is_sound(signature, signature->size));
  ck_assert_uint_eq(signature->forms.count, 1);
  const SignatureForm *form = signature_form(signature, 0);
  ck_assert_uint_eq(form->parameters.count, 2);
  ck_assert_str_eq(signature_condition(signature, form->where.first), "k <= n");
  const SignatureType *parts = signature_type(signature, form->parameters.first);
  ck_assert_str_eq(signature_text(signature, parts->name), "parts");
  ck_assert_uint_eq(parts->children.count, 1);
  const SignatureType *element = signature_type(signature, parts->children.first);
  ck_assert_int_eq(element->kind, KERNEL_TENSOR);
  const SignatureExtent *n = signature_extent(signature, element->shape.first);
  ck_assert_str_eq(signature_text(signature, n->text), "n");
  const SignatureType *k = signature_type(signature, form->parameters.first + 1);
  ck_assert_int_eq(signature_value(signature, k->example)->integer, 3);
  ck_assert_str_eq(signature_text(signature, k->type_key), "");
  free(signature);
}

TEST(equal_texts_are_stored_once)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureText first = text_of(build, "alpha"), other = text_of(build, "beta");
  ck_assert_uint_eq(text_of(build, "alpha"), first);
  ck_assert_uint_ne(other, first);
  ck_assert_uint_eq(text_of(build, ""), 0);
  SignatureText with_nul = signature_add_text(build, "a\0b", 3);
  ck_assert_uint_eq(signature_add_text(build, "a\0b", 3), with_nul);
  ck_assert_uint_ne(text_of(build, "a"), with_nul);
  free(signature_build_end(build));
}

TEST(a_signature_without_a_form_is_none)
{
  Signature *empty = signature_build_end(signature_build_begin(SIGNATURE_FROM_FILE, true));
  ck_assert_ptr_nonnull(empty);
  ck_assert(!signature_is_sound(empty, empty->size));
  free(empty);
}

TEST(what_is_too_large_is_lost)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureValue value = {.kind = KERNEL_INT};
  for (int i = 0; i < SIGNATURE_SIZE_MAX / 16; ++i) signature_add_values(build, &value, 1);
  ck_assert_ptr_null(signature_build_end(build));
}

// Sets `size` bytes at `at` to each of a few values, and says whether none was taken for a
// signature.
static void expect_unsound(const Signature *good, size_t at, uint32_t value, const char *what)
{
  Signature *bad = malloc(good->size);
  memcpy(bad, good, good->size);
  memcpy((char *)bad + at, &value, sizeof value);
  ck_assert_msg(!signature_is_sound(bad, good->size), "%s", what);
  free(bad);
}

TEST(a_damaged_block_is_noticed)
{
  Signature *good = example();
  size_t types = good->types.offset, forms = good->forms.offset, values = good->values.offset;
  size_t last = types + (good->types.count - 2) * sizeof(SignatureType);
#define DAMAGE(base, type, member, value) \
  expect_unsound(good, (base) + offsetof(type, member), value, #type "." #member)
  DAMAGE(0, Signature, size, good->size + 8);
  DAMAGE(0, Signature, types.offset, good->size);
  DAMAGE(0, Signature, types.offset, 4);
  DAMAGE(0, Signature, types.count, 1 << 20);
  DAMAGE(0, Signature, texts.count, 0);
  DAMAGE(types, SignatureType, kind, KERNEL_KIND_COUNT);
  DAMAGE(types, SignatureType, name, good->texts.count);
  DAMAGE(types, SignatureType, dtypes.first, good->values.count);
  DAMAGE(types, SignatureType, shape.count, 2);
  DAMAGE(types, SignatureType, returns, 0);
  DAMAGE(last, SignatureType, children.first, 1);
  DAMAGE(last, SignatureType, example, good->values.count);
  DAMAGE(values, SignatureValue, text_size, good->texts.count);
  DAMAGE(values, SignatureValue, items.count, 1);
  DAMAGE(forms, SignatureForm, parameters.count, 3);
  DAMAGE(forms, SignatureForm, result, 3);
  DAMAGE(forms, SignatureForm, where.count, 2);
  DAMAGE(forms, SignatureForm, checks, SIGNATURE_CHECKS_ALL + 1);
#undef DAMAGE
  ck_assert(!signature_is_sound(good, good->size - 1));
  ck_assert(!signature_is_sound(good, 0));
  free(good);
}

// One call of pool.add([[1, 2]]) that is needed, and a sequence of it.
static Signature *steps_example(void)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureValue extents[] = {{.kind = KERNEL_INT, .integer = 1},
                              {.kind = KERNEL_INT, .integer = 2}};
  const SignatureRange shape = signature_add_values(build, extents, 2);
  SignatureValue parts[] = {{.kind = KERNEL_ARRAY, .items = shape},
                            {.kind = KERNEL_ARRAY, .items = shape}};
  SignatureValue tensor = {.kind = KERNEL_TENSOR,
                           .text = text_of(build, "float32"),
                           .text_size = 7,
                           .items = signature_add_values(build, parts, 2)};
  SignatureSetting argument = {.value = signature_add_values(build, &tensor, 1).first};
  SignatureStep step = {.function = text_of(build, "add"),
                        .object = text_of(build, "pool"),
                        .call = {.arguments = signature_add_settings(build, &argument, 1)}};
  SignatureSequence sequence = {.steps = signature_add_steps(build, &step, 1)};
  SignatureForm form = {.rest = SIGNATURE_NONE,
                        .result = SIGNATURE_NONE,
                        .needs = sequence.steps,
                        .sequences = signature_add_sequences(build, &sequence, 1)};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  return signature;
}

TEST(damaged_steps_and_written_tensors_are_noticed)
{
  Signature *good = steps_example();
  const size_t steps = good->steps.offset, sequences = good->sequences.offset;
  const size_t extents = good->values.offset, forms = good->forms.offset;
  const size_t parts = extents + 2 * sizeof(SignatureValue);
  const size_t tensor = parts + 2 * sizeof(SignatureValue);
  ck_assert(signature_is_sound(good, good->size));
#define DAMAGE(base, type, member, value) \
  expect_unsound(good, (base) + offsetof(type, member), value, #type "." #member)
  DAMAGE(0, Signature, steps.count, 1 << 20);
  DAMAGE(steps, SignatureStep, function, good->texts.count);
  DAMAGE(steps, SignatureStep, object, good->texts.count);
  DAMAGE(steps, SignatureStep, keep, good->texts.count);
  DAMAGE(steps, SignatureStep, call.arguments.count, 2);
  DAMAGE(steps, SignatureStep, call.expected.count, 1);
  DAMAGE(steps, SignatureStep, tolerances.first, 1);
  DAMAGE(sequences, SignatureSequence, steps.count, 2);
  DAMAGE(sequences, SignatureSequence, text, good->texts.count);
  DAMAGE(sequences, SignatureSequence, repeatable, 2);
  DAMAGE(forms, SignatureForm, needs.count, 2);
  DAMAGE(forms, SignatureForm, sequences.first, 2);
  DAMAGE(extents, SignatureValue, integer, 3);           // more elements than there are
  DAMAGE(extents, SignatureValue, integer, 0x7fffffff);  // more than there may be
  DAMAGE(parts, SignatureValue, items.count, 1);
  DAMAGE(tensor, SignatureValue, items.count, 1);
  DAMAGE(tensor, SignatureValue, integer, KERNEL_SCRATCH + 1);
#undef DAMAGE
  free(good);
}

// SPDX-License-Identifier: Apache-2.0
// The values of one call that is being made: numbers, texts, shapes and tensors, as the signature
// and the choice have them. What they are put together to is in kernel_choice.c.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_BUILD_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_BUILD_H_

#include "plan/kernel_bound.h"
#include "plan/kernel_site.h"

enum { BUILD_BOUND_MAX = 8 };

// What a name for data types is in a call whose arguments are given.
typedef struct BuildWord {
  const char *name;
  char word[24];
} BuildWord;

typedef struct Build {
  const Signature *signature;
  const SignatureForm *form;
  const KernelChoice *choice;
  KernelSites sites;
  Kernel *kernel;
  char *problem;
  bool in_result;
  uint32_t argument_elements;  // of containers; those behind them are of the result
  uint32_t shown;              // of the parameter that is being made
  uint64_t used;               // a bit for each of the choice's settings
  BoundShape ranks[BUILD_BOUND_MAX];
  BuildWord words[BUILD_BOUND_MAX];
  BoundSize each[KERNEL_ELEMENTS_MAX * SIGNATURE_EACH_MAX];
  uint32_t rank_count, word_count, each_count;
  uint32_t place;  // in the outermost array, counted from 1; 0: in none
} Build;

// Takes what the shape and the data type of a given value say of sizes and names; when it is solving,
// what expressions such as "n+1" say of sizes that stand in nothing else.
bool build_take_given(Build *build, const SignatureType *type, const SignatureValue *given,
                      bool solving);

// The call is one that the file lists as refused: limits and conditions need not hold.
bool build_is_refused(const Build *build);

// printf-like; false, with the reason in build->problem.
bool build_fail(Build *build, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *build_text(const Build *build, SignatureText text);

// The same of tensors in arrays, tuples and maps, as far as no other value has said it; not where what the call does not
// give stays as in the example (KernelChoice.lengths).
void build_take_held(Build *build, const SignatureType *type, const SignatureValue *given);

// The same of what the call gives within parameters: "xs[0]", "options.w".
void build_take_within(Build *build);

// The same of the arguments behind the parameters, where the call gives them.
void build_take_rest(Build *build);

// What the choice has at a point where calls differ; 0 if there is no such point.
unsigned build_option(const Build *build, KernelSiteKind kind, uint32_t of, const char *name);

// What a name such as "*batch" is in this call; NULL if nothing has said it yet.
const BoundShape *build_bound_rank(const Build *build, const char *name);

// What "?n" is of the element that is being made, and has it be this.
int64_t build_each(const Build *build, const char *name);
bool build_bind_each(Build *build, const char *name, int64_t size);

// Has a size be this; later uses of its name have to agree.
bool build_size(Build *build, const char *name, int64_t size);

// What names mean so far; `names` is to live as long.
ExpressionScope build_scope(const Build *build, KernelNames *names);
bool build_integer(Build *build, SignatureText text, int64_t *out);

// Whether conditions say that the integers of a tensor of this name count something: their contents
// then, and how much there is (kernel_counted.c).
bool build_counted(const Build *build, const char *name, KernelContents *contents, double *most);

// The value that the choice sets for "x", "parts[1]"; NULL if it sets none.
const SignatureValue *build_setting(Build *build, const char *path);
// Item `i` of an array in the file; NULL if there is none.
const SignatureValue *build_item(const Build *build, const SignatureValue *value, uint32_t i);

void build_copy_text(KernelParameter *parameter, const char *text, size_t size);
void build_take_value(const Build *build, const SignatureValue *value, KernelParameter *parameter);

// A value of type `index`: the one that is given, or the one of the choice. False with a problem.
bool build_plain(Build *build, uint32_t index, const SignatureValue *given,
                 KernelParameter *parameter);
bool build_shape(Build *build, uint32_t index, const SignatureValue *given,
                 KernelParameter *parameter);
bool build_tensor(Build *build, uint32_t index, const SignatureValue *given,
                  KernelParameter *parameter);
// A tensor that is written in the signature, of type `parameter->dtype` where it does not say its own.
bool build_written(Build *build, const SignatureValue *given, KernelParameter *parameter);
// The shape that a given tensor has where it is written; false if it is in a file.
bool build_written_shape(const Build *build, const SignatureValue *given, int32_t *rank,
                         int64_t shape[KERNEL_RANK_MAX]);
// A value of the kind that it has in the file.
bool build_given(Build *build, const SignatureValue *given, KernelParameter *parameter);
// A tensor that is in a file, whatever type is stated.
bool build_npy(Build *build, const SignatureValue *given, KernelParameter *parameter);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_BUILD_H_

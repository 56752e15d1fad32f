// SPDX-License-Identifier: Apache-2.0
// A signature file that is being read: what all parts of its reader use. Nothing else includes it.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_READING_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_READING_H_

#include <jansson.h>

#include "expression/expression.h"
#include "inspect/inspect_json_place.h"
#include "signature/signature_build.h"

enum { READING_NAMES_MAX = 128, READING_LET_MAX = 32, READING_CONDITIONS_MAX = 128 };

// What a name in an expression means.
typedef enum ReadingNameKind {
  READING_SIZE,       // in a shape, or in "sizes"
  READING_EACH,       // of each element of an array ("?n"): no expression knows it
  READING_INT,        // a parameter that is always an integer: fit for extents
  READING_NUMBERS,    // one that is always a shape or an array of ints: fit for sums, products, ...
  READING_PARAMETER,  // another one
} ReadingNameKind;

typedef struct ReadingName {
  char name[SIGNATURE_NAME_MAX];
  ReadingNameKind kind;
  int64_t size;  // in the example, of a size or an int; -1: not known
} ReadingName;

// A name for a part of a formula.
typedef struct ReadingLet {
  const char *name;  // borrowed
  char *formula;     // own, without names of this kind
} ReadingLet;

typedef struct Reading {
  const char *path, *text;  // borrowed
  size_t size;              // of the text
  char *error;
  size_t error_size;
  InspectJsonPlace place;  // functions.add_one.parameters[1]
  SignatureBuild *build;
  unsigned depth;           // of types or values within each other
  unsigned arrays;          // that the type stands in
  const json_t *functions;  // all of the file
  // Of the form that is being read:
  const json_t *form;  // that is read
  ReadingName names[READING_NAMES_MAX];
  size_t name_count;
  const json_t *dtypes, *devices;  // its variables
  ReadingLet let[READING_LET_MAX];
  size_t let_count;
} Reading;

// --- Complaints ----------------------------------------------------------------------------------

// "FILE:LINE: functions.add_one.parameters[1].dtype: ..."; `member` may be "". False.
bool reading_complain(Reading *reading, const char *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void reading_enter(Reading *reading, const char *member);
void reading_enter_item(Reading *reading, size_t index);
void reading_leave(Reading *reading);

// --- Members -------------------------------------------------------------------------------------

// Complains of members that are not in the list, which ends with NULL.
bool reading_check_members(Reading *reading, const json_t *object, const char *const *known);

// Complains of a text with a NUL that is not the value of a string or of bytes.
bool reading_check_nuls(Reading *reading, const json_t *root);

// Each leaves *out alone if the member is missing.
bool reading_take_text(Reading *reading, const json_t *object, const char *member, size_t capacity,
                       SignatureText *out);
bool reading_take_bool(Reading *reading, const json_t *object, const char *member, bool *out);

// One of the words of a list that ends with NULL: its index.
bool reading_take_word(Reading *reading, const json_t *object, const char *member,
                       const char *const *words, unsigned *out);
// The words of a list, the k-th of `words` as bit k; `one`: what one of them is, "promise".
bool reading_take_words(Reading *reading, const json_t *list, const char *member, const char *one,
                        const char *const *words, unsigned *bits);

SignatureText reading_add_text(Reading *reading, const char *text);

// --- Names and expressions -----------------------------------------------------------------------

// Collects what may be named in the expressions of a form: its parameters, and the sizes in their
// shapes and in "sizes".
bool reading_collect_names(Reading *reading, const json_t *form);
const ReadingName *reading_find_name(const Reading *reading, const char *name);
// Of the call, or of each element.
bool reading_is_size(const ReadingName *name);

typedef enum ReadingScope {
  READING_EXTENT,    // sizes and ints
  READING_ANYTHING,  // all names
} ReadingScope;

// Parses an expression, and complains if it is none, or has names that are not known.
bool reading_expression(Reading *reading, const char *member, const char *text, ReadingScope scope);

// "let" of a form whose names are collected: its names stand for what they say until reading_let_end,
// which is called after a mistake, too.
bool reading_let(Reading *reading, const json_t *form);
void reading_let_end(Reading *reading);
bool reading_is_let(const Reading *reading, const char *name);

// Room for a text as long as an expression may be.
typedef struct ReadingText {
  char text[EXPRESSION_TEXT_MAX + 1];
  size_t size;
} ReadingText;

// A formula or condition with the names of "let" replaced: itself, where there are none, or in `room`.
// NULL if it gets longer than an expression may be.
const char *reading_replace_names(const Reading *reading, const char *text, ReadingText *room);

// One that may use all names, and those of "let": *out is the text with these replaced. Complains as
// reading_expression does, and of a text that is too long then.
bool reading_formula(Reading *reading, const char *member, const char *text, SignatureText *out);

// What the conditions say that the length of a container is, `len(parts) == p + 1`, in sizes and int parameters; NULL
// if they don't. It is a part of a condition, or of what is put into `room`.
const char *reading_length_in_conditions(const Reading *reading, const json_t *parameter,
                                         ReadingText *room);

// An extent's expression, worked out for the example: -1 if it can't be.
int64_t reading_extent_size(const Reading *reading, const char *text);

// --- Parts of a function -------------------------------------------------------------------------

// What the data of a tensor of this type is aligned to, or of one of its alternatives; 0: nobody said, or it is no good.
uint32_t reading_alignment(const json_t *type);

// A value of this kind, complaining of others. Kinds are those that have values in files.
bool reading_value(Reading *reading, const json_t *json, KernelKind kind, SignatureValue *out);
// A key of a map among the values, complaining of one that is too long.
bool reading_key(Reading *reading, const char *key);
// NaN and the infinities, which JSON has no numbers for: whether it is the word of one.
bool reading_is_special(const char *word, double *out);
// A float as an argument: a number, "nan", "inf" or "-inf".
bool reading_float(Reading *reading, const json_t *json, SignatureValue *out);
// A value of any kind, as JSON has it.
// Lists and objects hold others.
bool reading_any_value(Reading *reading, const json_t *json, SignatureValue *out);
// The type of item `i` of a list of this type in the file, and of an entry of a map; NULL if it says none.
const json_t *reading_type_of_item(const json_t *type, size_t i);
const json_t *reading_type_of_entry(const json_t *type, const char *key);
// Whether a value may be of this type in the file, as far as kinds tell.
bool reading_fits(const json_t *type, const json_t *json);
// Of a variant the first alternative that a list or an object may be, one that it fits before others, NULL if it may be
// none; of others the type itself.
const json_t *reading_chosen_type(const json_t *type, const json_t *json);
// The parameter of a form in the file; NULL if there is none of this name.
const json_t *reading_parameter(const json_t *form, const char *name);
// The arguments behind the parameters as an array of their type (to be released), if this is their name; else NULL.
json_t *reading_type_of_rest(const json_t *form, const char *name);
// The type of a place (reading_is_place) of a form in the file: "xs", "xs[0]", "options.eps"; NULL if it says none.
const json_t *reading_type_at(const json_t *form, const char *place);
// The same of this type in the file: where it is, or holds, tensors, these need no "dtype" to be some.
bool reading_value_within(Reading *reading, const json_t *json, const json_t *type,
                          SignatureValue *out);
// A list of values of this kind, each once.
bool reading_values(Reading *reading, const json_t *object, const char *member, KernelKind kind,
                    SignatureRange *out);
// The same, and "value" with them where it is not one of them.
bool reading_values_and_value(Reading *reading, const json_t *object, const char *member,
                              KernelKind kind, SignatureRange *out);
// Whether a value is in a list, whichever way numbers are written.
bool reading_is_listed(const json_t *value, const json_t *list);
// A tensor as an argument. What is an object elsewhere is one where it has the members of one, its data
// type among them.
bool reading_tensor(Reading *reading, const json_t *object, SignatureValue *out);
bool reading_is_tensor(const json_t *json);
// The same as an argument of a parameter, whose role it gets.
bool reading_tensor_argument(Reading *reading, const json_t *object, const json_t *parameter,
                             SignatureValue *out);
// {"npy": FILE}: the absolute path of a file that is there.
bool reading_npy(Reading *reading, const json_t *object, SignatureText *out);

// "shape" of a tensor, "extents" of a shape.
bool reading_shape(Reading *reading, const json_t *shape, const char *member, bool in_result,
                   SignatureRange *out);

typedef enum ReadingPlace {
  READING_PLACE_PARAMETER,
  READING_PLACE_REST,
  READING_PLACE_RESULT,
  READING_PLACE_INSIDE,    // of a container or a variant
  READING_PLACE_CALLBACK,  // what a callback takes or returns
} ReadingPlace;

// A TYPE.
bool reading_type(Reading *reading, const json_t *object, ReadingPlace place, SignatureType *out);
// KERNEL_SPELLED_* of a parameter of this kind elsewhere in the file, where mistakes in it are told; 0: it
// has no "spellings".
unsigned reading_spellings(const json_t *parameter, KernelKind kind);
// A list of them.
bool reading_types(Reading *reading, const json_t *object, const char *member, ReadingPlace place,
                   size_t most, SignatureRange *out);

// "alias" of a tensor: an output or the result.
bool reading_alias(Reading *reading, const json_t *object, ReadingPlace place, SignatureType *type);

// {"does": [FORMULA, ...]}: what a callback gives in each of its calls, one after the other.
bool reading_turns(Reading *reading, const json_t *value, const json_t *callback,
                   SignatureValue *out);
// The callback that a parameter is, or that it may be besides other things; NULL if none.
const json_t *reading_callback_of(const json_t *parameter);
// Whether an argument of a parameter of this kind is what its callback does. (One that may be a map has
// other members.)
bool reading_is_turns(const json_t *value, KernelKind kind, const json_t *callback);

// A formula over what a callback is called with.
bool reading_callback_formula(Reading *reading, const json_t *callback, const char *member,
                              const char *text);

// What is within an array, a tuple, a map, a variant or a function.
bool reading_inside(Reading *reading, const json_t *object, ReadingPlace place,
                    SignatureType *type);
// "length" or "counts": numbers, or an expression.
bool reading_length(Reading *reading, const json_t *object, const char *member,
                    SignatureType *type);

// The members of a form that state what holds: where, refuses, checks, expected, tolerance, calls.
bool reading_promises(Reading *reading, const json_t *object, SignatureForm *form);
// "expected" of `object`, which is the form or one of its calls.
bool reading_expected(Reading *reading, const json_t *form, const json_t *object,
                      SignatureRange *out);
// "kind" and "message" of an error; "refused" and "text" of a call.
bool reading_error(Reading *reading, const json_t *object, SignatureText *kind,
                   SignatureText *message);
bool reading_refused(Reading *reading, const json_t *object, SignatureCall *out);
// "tolerance" of a form.
bool reading_tolerance(Reading *reading, const json_t *form, SignatureRange *out);

// "needs" and "sequences": calls after each other.
bool reading_steps(Reading *reading, const json_t *form, SignatureForm *out);
// {"kept": NAME}, where a step of `steps` keeps what it returns under this name.
bool reading_kept(Reading *reading, const json_t *value, const json_t *steps, SignatureValue *out);
bool reading_is_kept(const json_t *value);

// "refuses" and "calls".
bool reading_calls(Reading *reading, const json_t *form, SignatureForm *out);
// Whether the text is a parameter, or a way into one: "parts[0]", "options.eps". Its name is put
// into `base`.
bool reading_is_place(const Reading *reading, const char *text, char base[SIGNATURE_NAME_MAX]);

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_READING_H_

// SPDX-License-Identifier: Apache-2.0
// The language of signature files for extents ("2*d"), conditions ("1 <= k <= n") and contents
// ("x @ transpose(w) + b"): expressions as Python writes them, over whole arrays as NumPy works
// them out. One parser and one evaluator, for the main process and for the worker.
//
//   ExpressionError error;
//   Expression *extent = expression_parse("2*d", &error);         // own
//   for (size_t i = 0; expression_name(extent, i); ++i) ...       // "d"
//   if (!expression_integer(extent, scope, &size, &error)) ...    // error.position, error.message
//   expression_free(extent);
//
// A number is true, an integer or a float, and held as a long double, so every int64 and uint64 is
// exact. Types of elements are not propagated: float32 plus float32 is not rounded (cast() rounds).
// Integers of more than 64 bits wrap in arrays, and are an error in scalars.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  EXPRESSION_RANK_MAX = 8,
  EXPRESSION_TEXT_MAX = 4096,  // bytes of an expression
  EXPRESSION_NAME_MAX = 64,    // bytes of a name in it, the NUL included
  EXPRESSION_MESSAGE_MAX = 768,
};

typedef struct Expression Expression;

// What is wrong, for people: "`)` expected", at the 1-based character of the text.
typedef struct ExpressionError {
  size_t position;
  char message[EXPRESSION_MESSAGE_MAX];  // one line
} ExpressionError;

// --- Values --------------------------------------------------------------------------------------

typedef enum ExpressionKind {
  EXPRESSION_NONE = 0,
  EXPRESSION_BOOL,  // elements that are 0 or 1
  EXPRESSION_INT,
  EXPRESSION_FLOAT,
  EXPRESSION_STRING,
  EXPRESSION_TUPLE,   // of values; with keys it is a map
  EXPRESSION_OUTPUT,  // an array of which only shape, count and dtype are known; no outcome
  EXPRESSION_OTHER,   // of which nothing is known but that it is not None; no outcome
} ExpressionKind;

typedef struct ExpressionValue ExpressionValue;
struct ExpressionValue {
  ExpressionKind kind;
  int32_t rank;  // of BOOL, INT, FLOAT: 0 for a scalar
  int64_t shape[EXPRESSION_RANK_MAX];
  size_t count;            // elements in all; items of a tuple; bytes of a string
  long double *elements;   // own, row by row
  char *string;            // own, with a NUL behind it
  ExpressionValue *items;  // own
  char *key;               // own; of an item of a map, else NULL
  const char *dtype;       // borrowed; what x.dtype is, as "float32"; NULL if nothing is known
  bool borrowed;           // nothing of it is freed: it lives elsewhere
  bool extents;            // it is x.shape, or was made of it: `+` puts others behind it
  bool keeps_zeros;        // the signs of elements that are 0 were worked out, too
};

// Makes an array of this kind with elements that are 0; rank 0 is a scalar. False, and *value empty,
// if there are more than EXPRESSION_RANK_MAX dimensions or 2^24 elements, or no memory.
bool expression_value_new(ExpressionValue *value, ExpressionKind kind, int32_t rank,
                          const int64_t *shape);
// The same for a scalar, a string (its bytes are copied) and a tuple of `count` items that are None.
bool expression_value_scalar(ExpressionValue *value, ExpressionKind kind, long double number);
bool expression_value_string(ExpressionValue *value, const char *bytes, size_t size);
bool expression_value_tuple(ExpressionValue *value, size_t count);
// Whether the items of a tuple, rows of one shape, make an array: *array has its kind and shape then,
// and no elements. expression_value_stack puts them into one that was made so.
bool expression_value_stacks(const ExpressionValue *tuple, ExpressionValue *array);
void expression_value_stack(const ExpressionValue *tuple, ExpressionValue *array);
// Has such a tuple become the array. An array stays as it is; false, and nothing changed, if it is neither.
bool expression_value_make_array(ExpressionValue *value);
// Frees what it owns and makes it None.
void expression_value_free(ExpressionValue *value);

// --- Expressions ---------------------------------------------------------------------------------

// Own: the expression, NULL if it is not one, with the reason in `error`.
Expression *expression_parse(const char *text, ExpressionError *error);
void expression_free(Expression *expression);

// The text that was parsed.
const char *expression_text(const Expression *expression);
// The names that it uses, each once, in the order of their first use; NULL past the last. Words of
// the language (and, or, not, if, else, is, None, True, False, pi, inf, nan) and functions are none.
const char *expression_name(const Expression *expression, size_t i);
// Where name `i` is first, as ExpressionError.position.
size_t expression_name_position(const Expression *expression, size_t i);
// Whether this can be a name in an expression: an identifier, and no word of the language.
bool expression_is_name(const char *text);

// Whether it moves elements, chooses among them, multiplies, divides and rounds them, and nothing
// else: its outcome does not depend on an order of operations.
bool expression_is_exact(const Expression *expression);
// The same, where the sign of an element that is 0 is told, too.
bool expression_keeps_zeros(const Expression *expression);
// Whether it calls the function.
bool expression_calls(const Expression *expression, const char *function);
// Whether elements of what `name` stands for may be indexes or extents.
bool expression_has_places(const Expression *expression, const char *name);

// Puts the value of `name` into *value (own, NONE before); false if there is none.
typedef bool ExpressionLookup(void *context, const char *name, ExpressionValue *value);

// The least and the greatest magnitude among numbers other than 0, infinity and NaN; both 0 if there
// is none. `cancels`: a sum or difference came to no more, in each element, than what rounding its terms in
// float64 leaves, and not to 0.
typedef struct ExpressionRange {
  long double least, most;
  bool cancels;
} ExpressionRange;

typedef struct ExpressionScope {
  ExpressionLookup *lookup;  // called once for each name that is reached
  void *context;
  size_t elements_max;     // of a single array; 0: 2^24
  size_t memory_max;       // bytes of all arrays that are there at once; 0: 1 GiB
  size_t steps_max;        // operations on elements; 0: 2^32
  ExpressionRange *range;  // NULL, or where the magnitudes of all that was worked out are put
  // Relatively, how far off each step is whose outcome float32 can't hold: as if it had been rounded.
  long double roundings;
} ExpressionScope;

// Works the expression out. Own: *out, freed with expression_value_free; None on failure.
bool expression_evaluate(const Expression *expression, const ExpressionScope *scope,
                         ExpressionValue *out, ExpressionError *error);
// The same for an expression that has to be one integer within int64: an extent.
bool expression_integer(const Expression *expression, const ExpressionScope *scope, int64_t *out,
                        ExpressionError *error);
// The same for one number, as a float.
bool expression_number(const Expression *expression, const ExpressionScope *scope, long double *out,
                       ExpressionError *error);
// The same for a condition: whether all its elements are true (other than 0).
bool expression_holds(const Expression *expression, const ExpressionScope *scope, bool *out,
                      ExpressionError *error);

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_H_

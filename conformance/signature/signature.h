// SPDX-License-Identifier: Apache-2.0
// What is known of how a function of a kernel module is called: its signature, as a file states it
// (conformance/SIGNATURES.md), or the module's metadata and errors do. One block of memory without
// pointers, that travels to the worker as it is: everything refers by index or by offset.
//
// A signature describes a family of calls. A Kernel (plan/kernel.h) is one member of it, made by
// plan/kernel_choice.h from a signature and a choice: which data type, which extents, None or a
// value, which alternative.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "signature/kinds.h"

enum {
  SIGNATURE_SIZE_MAX = 192 << 10,  // bytes of one signature
  SIGNATURE_DEPTH_MAX = 8,         // of types within types
  SIGNATURE_PARAMETERS_MAX = 24,
  SIGNATURE_RANK_MAX = 8,
  SIGNATURE_NAME_MAX = 48,     // bytes of names of parameters and type keys, the NUL included
  SIGNATURE_SYMBOL_MAX = 16,   // of sizes
  SIGNATURE_EACH_MAX = 4,      // sizes of elements ("?n") of one form
  SIGNATURE_STRING_MAX = 384,  // of values
};

#define SIGNATURE_NONE UINT32_MAX  // an index of nothing

// The offset of a text that ends with a NUL; 0 is "".
typedef uint32_t SignatureText;

// Items that follow each other in the array of their kind.
typedef struct SignatureRange {
  uint32_t first, count;
} SignatureRange;

// Where a fact comes from, the one that is believed first.
typedef enum SignatureOrigin {
  SIGNATURE_FROM_NOBODY = 0,
  SIGNATURE_FROM_FILE,
  SIGNATURE_FROM_METADATA,     // __tvm_ffi__metadata_NAME
  SIGNATURE_FROM_ARITY_ERROR,  // "concat(0: Array<ffi.Tensor>, 1: int) -> ffi.Tensor"
  SIGNATURE_FROM_MESSAGE,      // an error that states shape and type, as TVM's do
  SIGNATURE_FROM_PROBING,      // calls that were refused or served
  SIGNATURE_ORIGIN_COUNT
} SignatureOrigin;

typedef enum SignatureLayout {
  SIGNATURE_LAYOUT_UNSAID = 0,
  SIGNATURE_CONTIGUOUS,  // nothing else is taken
  SIGNATURE_STRIDED,     // any strides are taken
  SIGNATURE_ROWS,        // the elements of the last dimension lie side by side, others anyhow
} SignatureLayout;

// What comes of entries of a map that its type does not have.
typedef enum SignatureOthers {
  SIGNATURE_OTHERS_UNSAID = 0,
  SIGNATURE_OTHERS_REFUSED,
  SIGNATURE_OTHERS_IGNORED,  // they change nothing
} SignatureOthers;

typedef enum SignatureExtentForm {
  SIGNATURE_EXTENT_NUMBER,      // `number`
  SIGNATURE_EXTENT_EXPRESSION,  // `text`: a size such as "n", or an expression such as "2*d"
  SIGNATURE_EXTENT_ANY,         // "_"
  SIGNATURE_EXTENT_BROADCAST,   // "#n": the value of `text`, or 1
  SIGNATURE_EXTENT_EACH,        // "?n": a size of each element of an array, by its place
  SIGNATURE_EXTENT_ANY_RANK,    // "...": any number of any extents
  SIGNATURE_EXTENT_NAMED_RANK,  // "*batch": the same extents wherever `text` stands
} SignatureExtentForm;

typedef struct SignatureExtent {
  SignatureExtentForm form;
  SignatureText text;
  int64_t number;
} SignatureExtent;

// A value as a file gives it.
typedef struct SignatureValue {
  KernelKind kind;  // KERNEL_NONE, _INT, _BOOL, _FLOAT, _STRING (dtypes and devices, too), _TENSOR
                    // (a .npy file whose path is `text`, or SIGNATURE_WRITTEN), _ARRAY (its items
                    // are `items`), _MAP (its items are a key, its value, the next key, ...),
                    // _FUNCTION (its items are formulas: of its first call, of its second, ...;
                    // of a step's `integer` is the index of its type, and 1 more),
                    // _OBJECT (what a step kept under the name `text`). In arguments of steps also
                    // _DTYPE, _DEVICE, _BYTES (as _STRING) and _SHAPE (as _ARRAY)
  int64_t integer;
  double number;
  SignatureText text;
  uint32_t text_size;    // a string may hold NULs
  SignatureRange items;  // of values
  uint32_t alignment;    // of the data of a tensor; 0: nobody said
} SignatureValue;

// The items of a tensor that is written in the file: its shape, an _ARRAY, and its elements, an
// _ARRAY in the order of indices, empty for an output. `text` is the data type, "" that of the
// parameter; `integer` is the KernelRole, where it is an argument of a step.
enum {
  SIGNATURE_WRITTEN = 2,
  SIGNATURE_WRITTEN_SHAPE = 0,
  SIGNATURE_WRITTEN_ELEMENTS = 1,
  SIGNATURE_WRITTEN_EXTENT_MAX = 1 << 20,  // of all extents together, too
};

// What a name stands for: a size, or a variable of types or devices, and its values.
typedef struct SignatureVariable {
  SignatureText name;
  SignatureRange values;  // sizes: KERNEL_INT, the first one in the example; types, devices:
                          // KERNEL_STRING
} SignatureVariable;

// A type of values, that of a parameter or within one.
typedef struct SignatureType {
  KernelKind kind;
  SignatureOrigin origin;  // of the kind
  SignatureText name;
  SignatureText type_key;  // KERNEL_OBJECT
  bool optional;
  bool retained;              // a parameter: the function may hold references to it after the call
  unsigned spellings;         // KERNEL_SPELLED_*; 0: all
  SignatureRange values;      // those that are taken; none: not said
  bool takes_others;          // values are examples; without, no others are taken
  uint32_t example;           // a value, or SIGNATURE_NONE
  SignatureText least, most;  // expressions: of an int or float, or of each element

  // KERNEL_TENSOR
  SignatureOrigin tensor_origin;  // of type and shape; SIGNATURE_FROM_NOBODY: not known
  SignatureRange dtypes;          // values (KERNEL_STRING)
  SignatureText dtype_variable;   // "" or the name of a variable
  SignatureRange devices;         // values; none: not said, "cpu" is tried
  SignatureText device_variable;
  bool has_shape;        // KERNEL_TENSOR, KERNEL_SHAPE
  SignatureRange shape;  // extents
  KernelRole role;
  uint32_t alignment;
  SignatureLayout layout;
  SignatureRange
      aliases;  // values: names of parameters. An output may be in their memory; a result
                // is that of the first

  // Of containers, variants and functions.
  SignatureRange children;  // types: the element of an array; key and element of a map without
                            // entries, or its entries by name; the elements of a tuple; the
                            // alternatives of a variant; the parameters of a function
  bool has_entries;         // a map: the children are its entries
  SignatureOthers others;   // of such a map
  uint32_t returns;         // a function: the type of its result, or SIGNATURE_NONE
  SignatureText does;       // a function: a formula over its parameters
  SignatureRange lengths;   // values (KERNEL_INT) of array, map, variadic tail; none: not said
  SignatureText length;     // or an expression
  bool
      length_of_condition;  // which is what a condition says: that one judges calls of other lengths
} SignatureType;

// A name and the value that it has in a call: a parameter, "parts[1]", or a size.
typedef struct SignatureSetting {
  SignatureText name;
  uint32_t value;
  unsigned
      spellings;  // of a step's argument: KERNEL_SPELLED_* that the parameter takes; 0: nobody said
  bool let_go;    // of a step's argument: the file describes it, and does not say `retained`
} SignatureSetting;

typedef struct SignatureExpected {
  SignatureText of;       // a parameter, "result", "result[0]", "result.key"
  SignatureText formula;  // or
  SignatureText npy;      // the absolute path of a file
} SignatureExpected;

typedef struct SignatureRefusal {
  SignatureText when;           // a condition, or
  SignatureRange with;          // settings on top of the example call
  SignatureText kind, message;  // of the error; "": any
} SignatureRefusal;

typedef struct SignatureCall {
  SignatureRange arguments;  // settings
  SignatureRange expected;
  bool refused;
  SignatureText kind, message;  // of the error, if it is refused
  SignatureText text;
} SignatureCall;

// One of several calls after each other.
typedef struct SignatureStep {
  SignatureText function;  // of the module, or the method of `object`
  SignatureText object;    // the name of what is called, or whose method is; "": neither
  SignatureText keep;      // the name under which the result is kept; "": it is not
  SignatureCall call;      // the arguments in order, "" for names that are not known
  SignatureRange tolerances;
} SignatureStep;

typedef struct SignatureSequence {
  SignatureRange steps;
  SignatureText text;
  bool repeatable;  // it comes to the same in a process where it was made before
} SignatureSequence;

// Which calls outside of the signature are promised to be refused.
enum {
  SIGNATURE_CHECKS_ARITY = 1 << 0,
  SIGNATURE_CHECKS_KIND = 1 << 1,
  SIGNATURE_CHECKS_DTYPE = 1 << 2,
  SIGNATURE_CHECKS_RANK = 1 << 3,
  SIGNATURE_CHECKS_SHAPE = 1 << 4,
  SIGNATURE_CHECKS_DEVICE = 1 << 5,
  SIGNATURE_CHECKS_LAYOUT = 1 << 6,
  SIGNATURE_CHECKS_VALUE = 1 << 7,
  SIGNATURE_CHECKS_ALL = (1 << 8) - 1,
};

// What a file promises besides.
enum {
  SIGNATURE_ATOMIC = 1 << 0,      // a refused call has changed nothing
  SIGNATURE_REPEATABLE = 1 << 1,  // equal calls come to the same, bit for bit
  SIGNATURE_FRESH = 1 << 2,       // what is returned shares no memory with arguments
  SIGNATURE_SHARED = 1 << 3,      // threads may use one object at the same time
  SIGNATURE_PROMISES_ALL = (1 << 4) - 1,
};

typedef struct SignatureTolerance {
  SignatureText dtype;  // "": all
  double relative;
} SignatureTolerance;

// One way to call the function.
typedef struct SignatureForm {
  SignatureRange parameters;  // types
  uint32_t rest;              // the type of each argument behind them, or SIGNATURE_NONE
  uint32_t result;            // a type, or SIGNATURE_NONE
  SignatureRange sizes;       // variables
  SignatureRange dtypes;      // variables
  SignatureRange devices;     // variables
  SignatureRange where;       // conditions
  SignatureRange refusals, expected, calls, tolerances;
  SignatureRange needs;      // steps: made before each call
  SignatureRange sequences;  // of steps, each in a process of its own
  unsigned checks;           // SIGNATURE_CHECKS_*; 0 unless a file says what the function takes
  unsigned promises;         // SIGNATURE_ATOMIC, ...
  bool launches;
  bool
      only_calls;  // of the listed values those combinations alone must be served that `calls` have
  bool example_of_calls;     // the example is the first of `calls` that is served
  bool example_was_refused;  // found by a call: so it is since one that was made was refused
} SignatureForm;

// The items of one kind.
typedef struct SignatureSection {
  uint32_t offset;  // from the beginning of the signature, a multiple of 8
  uint32_t count;
} SignatureSection;

typedef struct Signature {
  uint32_t size;           // bytes of all, this header included
  SignatureOrigin origin;  // of the number of parameters
  bool tentative;          // a guess: kinds at the most are relied on
  SignatureSection forms, types, extents, values, variables, settings, expected, refusals, calls,
      conditions, tolerances, steps, sequences, texts;
} Signature;

// Item `index` of an array; it must be there.
const SignatureForm *signature_form(const Signature *signature, uint32_t index);
const SignatureType *signature_type(const Signature *signature, uint32_t index);
const SignatureExtent *signature_extent(const Signature *signature, uint32_t index);
const SignatureValue *signature_value(const Signature *signature, uint32_t index);
const SignatureVariable *signature_variable(const Signature *signature, uint32_t index);
const SignatureSetting *signature_setting(const Signature *signature, uint32_t index);
const SignatureExpected *signature_expected(const Signature *signature, uint32_t index);
const SignatureRefusal *signature_refusal(const Signature *signature, uint32_t index);
const SignatureCall *signature_call(const Signature *signature, uint32_t index);
const SignatureTolerance *signature_tolerance(const Signature *signature, uint32_t index);
const SignatureStep *signature_step(const Signature *signature, uint32_t index);
const SignatureSequence *signature_sequence(const Signature *signature, uint32_t index);
const char *signature_condition(const Signature *signature, uint32_t index);
const char *signature_text(const Signature *signature, SignatureText text);

// Whether tensors of the type may have several ranks: "..." or "*batch" is in its shape.
bool signature_has_free_rank(const Signature *signature, const SignatureType *type);

// Has the tensors among the parameters be taken in these spellings (KERNEL_SPELLED_*, 0: all; one for
// each parameter), where nothing says in which they are.
void signature_take_spellings(Signature *signature,
                              const unsigned spellings[SIGNATURE_PARAMETERS_MAX]);
// Whether the first of the form's calls that is not refused is its example from now on.
void signature_take_listed_example(Signature *signature, uint32_t form, bool listed);

// Whether a block of `size` bytes is a signature in which nothing refers outside of it. A worker
// asks before it relies on one.
bool signature_is_sound(const void *bytes, size_t size);

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_H_

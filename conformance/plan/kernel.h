// SPDX-License-Identifier: Apache-2.0
// A function that a kernel module exports, and what is known of how it is to be called: its
// signature. A signature comes from a file, from the module's own metadata, or is not known. It is
// plain data without pointers: it travels to the worker as it is.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "signature/kinds.h"
#include "signature/signature.h"

enum {
  KERNEL_NAME_MAX = 256,
  KERNEL_PARAMETERS_MAX = SIGNATURE_PARAMETERS_MAX,
  KERNEL_RANK_MAX = SIGNATURE_RANK_MAX,
  KERNEL_WORD_MAX = SIGNATURE_NAME_MAX,    // names of parameters, type keys
  KERNEL_TEXT_MAX = SIGNATURE_STRING_MAX,  // example strings
  KERNEL_FORMULA_MAX = 160,
  KERNEL_TWIN_MAX = 256,
  KERNEL_ELEMENTS_MAX = 128,  // of all containers of one call, at any depth
  KERNEL_SIZES_MAX = 16,
  KERNEL_SYMBOL_MAX = 16,
  KERNEL_VALUES_MAX = 8,
};

// One extent of a shape. Extents with the same symbol are equal in every call, or each is so many times
// the size that the symbol stands for, and so much more: of offsets one.
typedef struct KernelExtent {
  int64_t size;                    // in the example call
  char symbol[KERNEL_SYMBOL_MAX];  // "" if it is fixed to `size`
  bool any;                        // of those without a symbol: other sizes are taken, too
  int32_t times, more;             // found by calls; 0 times is once
} KernelExtent;

// What the elements of a tensor are, where no values are listed for them.
typedef enum KernelContents {
  KERNEL_RISING = 0,  // `number`, and one more with each element
  KERNEL_SPREAD,      // positive and small; or over all that `least` and `most` leave
  KERNEL_SIGNED,      // the same, of both signs
  KERNEL_ZEROS,
  KERNEL_HUGE,     // of both signs; the product of two is near the limits of the type
  KERNEL_SPECIAL,  // NaN, infinities, negative zero and denormal numbers among others
  KERNEL_NEGATIVE,
  KERNEL_FINE,    // of all digits that the type has: computed in a smaller one, some are lost
  KERNEL_SMALL,   // of both signs, and less than 1/256
  KERNEL_LARGE,   // exp() of some is more than the type holds, of their differences not
  KERNEL_LEAST,   // all as small as the limits leave
  KERNEL_MOST,    // all as large
  KERNEL_SORTED,  // over all that the limits leave, rising, two and two alike
  KERNEL_FEW,     // -2 to 2: many are equal
  KERNEL_TINY,  // of both signs, zeros among them; the least floats that the function writes are not
                // normal there. `number` is the largest
  KERNEL_WIDE,  // a sum of them needs more digits than one has: `number` in a diagonal and 1 besides;
                // of integers close to `number`
  KERNEL_OFFSETS,   // from 0 to `most`, in even steps
  KERNEL_PARTS,     // as even as they can be, and they add up to `most`
  KERNEL_FROM_NPY,  // given: in a file, or written in the signature
} KernelContents;

typedef struct KernelParameter {
  char name[KERNEL_WORD_MAX];  // "" if it is not known
  KernelKind kind;
  bool optional;  // None is taken too
  bool retained;  // the function may hold references to it after the call
  bool open;      // found by calls: the example's kind is one of several, or of any, that are taken
  char type_key[KERNEL_WORD_MAX];  // KERNEL_OBJECT
  // KERNEL_SPELLED_* that it is said to take, of those that its kind has; 0: all, as nobody said.
  unsigned spellings;

  // KERNEL_TENSOR. `typed` says that dtype, rank, shape and device are known.
  bool typed;
  bool checked;  // found by calls: the function refuses tensors of another type, rank or extent
  // Found by calls: other types, as bits of kernel_dtypes_tried, and ranks, as bits, that are taken
  // where all tensors of the same type, or of the same rank, have them.
  uint32_t other_dtypes, other_ranks;
  KernelRole role;
  DLDataType dtype;
  int32_t rank;
  KernelExtent shape[KERNEL_RANK_MAX];
  DLDevice device;
  bool device_stated;  // the signature file states it; else it is a guess
  uint32_t alignment;  // of the data, in bytes; 1 if nothing is asked for

  // The example: a value that is taken.
  int64_t integer;  // KERNEL_INT, KERNEL_BOOL
  double number;    // KERNEL_FLOAT; a tensor's elements begin with it and rise by 1;
      // KERNEL_FUNCTION, found by calls: what a float that it returns is multiplied by, 0: by 1
  char text[KERNEL_TEXT_MAX];  // KERNEL_STRING, KERNEL_BYTES; KERNEL_DTYPE as DataTypeFromString
                               // reads; KERNEL_TENSOR: its type in words; KERNEL_FUNCTION, found
                               // by calls: the kind that it returns, "": what it was given first
  uint32_t text_size;          // of a string or bytes that may hold NULs; 0: up to the first NUL

  // Where it is made from a signature (Kernel.chosen): the type that it is made from, and more of the
  // value.
  uint32_t
      fails_from;  // KERNEL_FUNCTION: its calls fail from this one on, counted from 1; 0: none does
  uint32_t type;
  uint32_t first_element, element_count;  // of an array, tuple or map, in Kernel.elements
  bool keyed;       // a map: the names of its elements are the keys; else keys and values alternate
  bool any_length;  // a result: there may be more elements, or fewer
  bool is_given;    // an entry of a map that is None, and not left out
  KernelContents contents;
  uint32_t seed;  // tensors with different ones have different contents
  bool has_least, has_most;
  double least, most;
  // Of offsets and parts: the place, and 1, of the tensor whose extent `counts_axis` is `most`; 0: none
  // is.
  uint32_t counts_place;
  int32_t counts_axis;
  uint32_t uneven;  // a seed: their steps are of all lengths, some of none. 0: they are even
  // Floats are larger by this share; with a seed other than 0 each is larger or smaller by a part of it.
  double nudge;
  uint32_t nudge_seed;
  uint32_t value_count;  // the elements are of these
  double values[KERNEL_VALUES_MAX];
  uint32_t
      npy;  // KERNEL_FROM_NPY: the path of the file, a text of the signature; "": it is written
  SignatureRange written;  // its elements then, values of the signature
  SignatureRange
      turns;  // KERNEL_FUNCTION: values of the signature, formulas of its calls in this one
} KernelParameter;

// What a name in the shapes of a signature stands for in one call.
typedef struct KernelSize {
  char name[KERNEL_SYMBOL_MAX];
  int64_t size;
} KernelSize;

typedef enum KernelSource {
  KERNEL_UNKNOWN = 0,    // nothing is known but the name
  KERNEL_FROM_FILE,      // the user said so
  KERNEL_FROM_METADATA,  // the module says so: kinds, no shapes
  KERNEL_PROBED,         // its errors say so, or a file that calls it tentative: kinds at the most
} KernelSource;

// What came of the calls by which a function was asked for its signature, the worst of them.
typedef enum KernelLost {
  KERNEL_LOST_NONE = 0,  // each came back, or none was made
  KERNEL_LOST_HUNG,      // one was still running at its time limit
  KERNEL_LOST_OPEN,      // one ended the process, and may have been a call that it supports
  KERNEL_LOST_ENDED,     // one ended the process, whatever the signature is
} KernelLost;

typedef struct Kernel {
  char name[KERNEL_NAME_MAX];  // "add_one_cpu"
  uint32_t way;  // of those that were found to call it: 0 for the first, which each function has
  KernelSource source;
  bool has_metadata;  // the module has metadata of it
  uint32_t parameter_count;
  KernelParameter parameters[KERNEL_PARAMETERS_MAX];
  KernelParameter result;  // kind KERNEL_ANY: not known
  // SIGNATURE_CHECKS_* (signature/signature.h): the calls outside of the signature that its file promises to refuse.
  unsigned promises;
  // The call launches work on a device: the example can't be run to its end without one.
  bool launches;
  // Tensors on CUDA are real memory of the device with this number and 1; 0: they are faked.
  uint32_t cuda;
  // That device is not real either: the stand-ins of cuda/ keep account of what is asked of it, and
  // compute nothing.
  bool cuda_stands_in;
  bool launches_without;  // what `launches` is where no stand-in is used
  bool has_other;         // the user names another build of the module, which exports it, too
  // Of a kernel without an example: a call with a value of each kind, tensors made up, comes back;
  // it is refused with `twin`, or served, then that is "".
  bool stands_in;
  char twin[KERNEL_TWIN_MAX];
  KernelLost lost;
  bool variadic;  // found by calls: more tensors are taken behind the last, and fewer may be
  // A call with the parameters as they are was served when the function was asked: it is an example
  // that nobody has promised anything of.
  bool found;
  // What the parameter `expected_of` holds after the example call, element by element, as a formula
  // over the other parameters: "x + 1". "" if nobody said.
  char expected[KERNEL_FORMULA_MAX];
  uint32_t expected_of;  // a parameter; parameter_count: the result
  bool expects;          // its signature says what comes out, in one formula or in several ways
  double tolerance;      // relative; 0: bit for bit

  // Whether it is made from a signature (plan/kernel_choice.h), of which form, and the rest of it.
  bool chosen;
  bool step;  // of calls after each other
  uint32_t form;
  uint32_t listed;     // the call among those that the form lists, counted from 1; 0: none of them
  bool explored_size;  // with sizes that nobody has listed
  uint32_t size_count;
  KernelSize sizes[KERNEL_SIZES_MAX];
  uint32_t element_count;
  KernelParameter elements[KERNEL_ELEMENTS_MAX];
} Kernel;

// A function without the room for parameters and elements that it has not, as it travels: KERNEL_PACKED_MAX
// bytes at most are put into `out`, and how many is returned. kernel_unpack makes it again; false if these
// bytes are none.
enum { KERNEL_PACKED_MAX = sizeof(Kernel) };
size_t kernel_pack(const Kernel *kernel, void *out);
bool kernel_unpack(const void *bytes, size_t size, Kernel *kernel);

// A copy without the room for parameters and elements that `from` has not: in `to`, what is there stays.
void kernel_copy(Kernel *to, const Kernel *from);

// The places of a call that values are at: its parameters, then what is in its containers.
enum { KERNEL_PLACES_MAX = KERNEL_PARAMETERS_MAX + KERNEL_ELEMENTS_MAX };
uint32_t kernel_place_count(const Kernel *kernel);

// Bytes of the text of a string or of bytes, NULs that it was given with included.
size_t kernel_text_length(const KernelParameter *parameter);
KernelParameter *kernel_place(Kernel *kernel, uint32_t place);
const KernelParameter *kernel_place_of(const Kernel *kernel, uint32_t place);

// How many elements all tensors of the call have.
double kernel_elements(const Kernel *kernel);

// Puts another entry, the int 1, behind those of a map with entries (`map` is a place of the kernel). False
// if there is no room for it.
bool kernel_add_entry(Kernel *kernel, KernelParameter *map, const char *key);
// Puts another element, like the last, behind those of an array or tuple, or another entry, like the last but for
// its key, behind those of a map that has no entries by name. False if there is no room, no last one, or no other key.
bool kernel_add_element(Kernel *kernel, KernelParameter *container);
// The container that the element at a place is in; NULL for a parameter, and for what a container held before it grew.
const KernelParameter *kernel_holder_of(const Kernel *kernel, uint32_t place);
// What is at a place, or in the array that is there, where the first stands for all.
const KernelParameter *kernel_leader(const Kernel *kernel, uint32_t place);
// The same where it is a tensor, and in no array but the one at the place; else NULL.
const KernelParameter *kernel_tensor_at(const Kernel *kernel, uint32_t place);

// What a case needs to know about the function it is to judge.
enum {
  KERNEL_NEEDS_ARITY = 1,    // how many parameters there are, and their kinds
  KERNEL_NEEDS_EXAMPLE = 2,  // a call that is right: an example value of every parameter
  KERNEL_NEEDS_RUN = 4,      // that this call can run to its end on this machine
  KERNEL_NEEDS_TENSOR = 8,   // at least one parameter that is a tensor
  KERNEL_NEEDS_RESULT = 16,  // that it returns something, and what
  KERNEL_NEEDS_METADATA = 32,
  KERNEL_NEEDS_EXPECTED = 64,  // what comes out of the example call
  KERNEL_NEEDS_DEVICE = 128,   // a real device for its tensors
  KERNEL_NEEDS_ACCOUNT = 512,  // a stand-in for the device, which keeps account
  KERNEL_NEEDS_OTHER = 1024,   // another build of the module that has it (--same-as)
  // A call that ended the process when the function was asked for its signature: the case is bound
  // to a description of that call.
  KERNEL_NEEDS_LOST_CALL = 256,
};

typedef enum KernelMeets {
  KERNEL_MEETS,
  KERNEL_UNDESCRIBED,     // the case is for such functions; what has to be known to run it is not
  KERNEL_NOT_APPLICABLE,  // the case is for other functions
} KernelMeets;

// Whether a case with these needs can judge `kernel`; if not, `why` says why, else it is empty.
KernelMeets kernel_meets(const Kernel *kernel, unsigned needs, char *why, size_t capacity);

// Whether the parameter is promised to take its kind in the spelling of this type index.
bool kernel_takes_spelling(const KernelParameter *parameter, int32_t type_index);

// Whether values of any kind may be taken.
bool kernel_takes_anything(const KernelParameter *parameter);

// The example value of every parameter is known: somebody said so, or a call was found that is
// served by a function which refuses others for each of its tensors.
bool kernel_has_example(const Kernel *kernel);

// What other calls come to is promised: a file states what the function takes.
bool kernel_is_promised(const Kernel *kernel);

// The types of elements that are tried where nobody says which are taken.
enum { KERNEL_DTYPES_TRIED = 17 };
typedef struct KernelDtype {
  const char *name;
  DLDataType dtype;
} KernelDtype;
extern const KernelDtype kernel_dtypes_tried[KERNEL_DTYPES_TRIED];

// Whether code, bits and lanes are the same.
bool kernel_is_same_dtype(DLDataType one, DLDataType other);
// Has a tensor be of another type, with elements that are likely to be right.
void kernel_set_dtype(KernelParameter *parameter, DLDataType dtype);
// Has a tensor be of another rank: the last dimensions go, or more of the same extent come.
void kernel_set_rank(KernelParameter *parameter, int32_t rank);

// Whether the elements of a tensor are offsets or parts.
bool kernel_counts(const KernelParameter *parameter);
// Has offsets and parts end with what the extents that they count are now.
void kernel_count_extents(Kernel *kernel);

// Has all tensors of type `own` be of another one; all of rank `own` be of another one. A name that
// an extent had stays with it, so that extents of one name are equal still.
void kernel_change_dtypes(Kernel *kernel, DLDataType own, DLDataType other);
void kernel_change_ranks(Kernel *kernel, int32_t own, int32_t other);
// The size that the symbol of an extent stands for in the example call; the extent where it stands for `size`.
int64_t kernel_extent_size(const KernelExtent *extent);
int64_t kernel_extent_of(const KernelExtent *extent, int64_t size);
// Whether two extents have one symbol, and are equal in every call.
bool kernel_is_same_extent(const KernelExtent *one, const KernelExtent *other);
// The extent as a file says it: "n", "2 * n + 1"; a number where it has no symbol.
enum { KERNEL_EXTENT_TEXT_MAX = KERNEL_SYMBOL_MAX + 32 };
const char *kernel_extent_text(const KernelExtent *extent, char text[KERNEL_EXTENT_TEXT_MAX]);
// The extent that a place has: of a tensor, or of an integer that is one of a tensor's (KERNEL_INT, shape[0], found by
// calls). NULL behind the last.
KernelExtent *kernel_extent_at(KernelParameter *at, int32_t axis);
// Has an integer be what its extent is.
void kernel_take_extent(KernelParameter *at);
// Has all sizes with names be so many times as large, and so much larger; false if there are none.
bool kernel_change_sizes(Kernel *kernel, int64_t times, int64_t more);
// Has the size with this name be another one.
void kernel_set_size(Kernel *kernel, const char *symbol, int64_t size);

// The calls in which all tensors of one type, or of one rank, have another that is taken (other_dtypes,
// other_ranks): makes `variant` the one with this number, counted from 0, of `kernel`. False if there
// are not so many.
bool kernel_variant(const Kernel *kernel, unsigned number, Kernel *variant);

// Makes a tensor up for a parameter of which only the kind is known: four floats on the CPU.
void kernel_stand_in(KernelParameter *parameter);

// The functions of a module, by name, then other ways to call some of them.
typedef struct KernelList {
  Kernel *items;  // own
  size_t count;
  size_t ways;             // of these, the last
  Signature **signatures;  // own, and each own; for each item what is known of it, or NULL. NULL:
                           // nothing is known of any; kernel_list_know sets them
  Kernel *lost_calls;      // own, NULL if there are none; for each item whose `lost` is
                           // KERNEL_LOST_ENDED the call that did not come back
  // Own, NULL if there are none; for each item itself, and where it has no example a call that is made up of what its types
  // say, of which nobody knows whether it is served.
  Kernel *drafts;
} KernelList;

// Which of the functions a kernel is: one of the items, of the calls that were lost or of the drafts; `count` if it is none.
size_t kernel_list_index(const KernelList *list, const Kernel *kernel);

// How reports call it: "add_one_cpu", "add_one_cpu#2" for another way to call the same function.
enum { KERNEL_LABEL_MAX = KERNEL_NAME_MAX + 16 };
const char *kernel_label(const Kernel *kernel, char text[KERNEL_LABEL_MAX]);

// Appends another way to call a function (a copy), and what is known of it (own, taken over). False
// without memory. Moves the items.
bool kernel_list_add(KernelList *list, const Kernel *kernel, Signature *signature);

// The kernel with this label, or NULL.
Kernel *kernel_find(const KernelList *list, const char *name);
void kernel_list_free(KernelList *list);

// What is known of how item `index` is called, or NULL.
const Signature *kernel_list_signature(const KernelList *list, size_t index);
// Other functions of the list (borrowed), those next to `kernel` first: how many there are. `list` NULL: none.
enum { KERNELS_BESIDE_MAX = 12 };
uint32_t kernel_list_beside(const KernelList *list, const Kernel *kernel,
                            const Kernel *beside[KERNELS_BESIDE_MAX]);
// Has `signature` (own, taken over; NULL: nothing is known) be what is known of it. False without
// memory.
bool kernel_list_know(KernelList *list, size_t index, Signature *signature);

// Has the tensors on CUDA of a function be real memory of device `number`: what its signature has on
// any CUDA device is on this one, and launching is nothing that keeps a call from running to its end.
// False if it has none, and launches nothing.
bool kernel_on_cuda(Kernel *kernel, uint32_t number);
// Has the tensors on CUDA of each function that has any, or launches work, be real memory of device
// `number`, in the same way.
void kernel_list_on_cuda(KernelList *list, uint32_t number);
// The same with a stand-in in the place of a device. False if no function has any use for one.
bool kernel_list_on_stand_in(KernelList *list);
// Takes the stand-in away from a function, of which it can't tell anything.
void kernel_off_stand_in(Kernel *kernel);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_H_

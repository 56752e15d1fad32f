// SPDX-License-Identifier: Apache-2.0
// What the parts of the third loader share: the flaws, and the tree that a library has.
#ifndef TVMFFI_CONFORMANCE_TESTS_FUZZ_LOADERS_THIRD_LOADER_H_
#define TVMFFI_CONFORMANCE_TESTS_FUZZ_LOADERS_THIRD_LOADER_H_

#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

// The flaws, in the order of their places in the code.
#define FLAW_LIST(X)            \
  X(count_of_32_bits)           \
  X(vector_size_wraps)          \
  X(vector_one_too_many)        \
  X(vector_allocated_first)     \
  X(table_of_payload)           \
  X(value_allocated_first)      \
  X(value_of_32_bits)           \
  X(kind_of_32_bits)            \
  X(text_end_wraps)             \
  X(kind_one_too_long)          \
  X(value_one_too_long)         \
  X(value_cut_short_is_taken)   \
  X(length_read_beyond)         \
  X(bound_rounded_up)           \
  X(no_row_is_library)          \
  X(one_row_is_library)         \
  X(first_row_free)             \
  X(row_pairs_skipped)          \
  X(rows_compared_signed)       \
  X(last_row_may_be_less)       \
  X(last_row_unchecked)         \
  X(child_one_too_large)        \
  X(child_signed)               \
  X(child_of_32_bits)           \
  X(cycles_of_one_only)         \
  X(cycles_of_root_only)        \
  X(cycles_to_root_missed)      \
  X(cycles_by_recursion)        \
  X(cycles_by_rescanning)       \
  X(cycles_checked_last)        \
  X(cycle_without_error)        \
  X(cycle_leaks)                \
  X(rows_leak)                  \
  X(children_leak)              \
  X(parents_come_first)         \
  X(rest_of_padding)            \
  X(end_checked_last)           \
  X(made_while_reading)         \
  X(library_by_prefix)          \
  X(library_up_to_nul)          \
  X(library_in_any_case)        \
  X(loader_name_up_to_nul)      \
  X(loader_name_cut)            \
  X(loader_name_trimmed)        \
  X(loader_of_shorter_kind)     \
  X(unknown_kinds_remembered)   \
  X(kind_passed_too)            \
  X(kind_terminated_in_place)   \
  X(value_as_string)            \
  X(value_up_to_nul)            \
  X(value_of_16_bits)           \
  X(value_has_terminator)       \
  X(value_borrowed)             \
  X(value_in_one_buffer)        \
  X(value_empty_is_none)        \
  X(value_twice_on_failure)     \
  X(loader_leaks)               \
  X(failure_replaced)           \
  X(failure_error_lost)         \
  X(failure_is_empty_module)    \
  X(only_negative_fails)        \
  X(go_on_after_failure)        \
  X(any_object_is_module)       \
  X(none_is_skipped)            \
  X(wrong_result_leaks)         \
  X(wrong_result_twice)         \
  X(made_leak_on_failure)       \
  X(last_made_twice_on_failure) \
  X(library_kept_on_failure)    \
  X(missing_loader_leaks)       \
  X(missing_loader_unnamed)     \
  X(missing_loader_cut_utf8)    \
  X(missing_loader_other_kind)  \
  X(missing_loader_to_a_nul)    \
  X(message_of_the_stack)       \
  X(message_grows)              \
  X(error_without_message)      \
  X(error_without_kind)         \
  X(imports_backwards)          \
  X(imports_sorted)             \
  X(imports_once_per_row)       \
  X(imports_counted_quadratic)  \
  X(last_of_many_dropped)       \
  X(library_imports_to_root)    \
  X(shared_made_again)          \
  X(import_leaks_in_long_rows)  \
  X(root_is_library)            \
  X(root_leaks_if_foreign)      \
  X(orphans_kept)               \
  X(orphans_quadratic)          \
  X(context_of_first_only)      \
  X(context_at_the_end)         \
  X(symbols_filled_last)        \
  X(loaders_backwards)          \
  X(table_of_1000)              \
  X(modules_on_the_stack)       \
  X(tree_is_static)             \
  X(locked_while_loading)       \
  X(nested_is_refused)          \
  X(refusals_add_up)            \
  X(failed_load_stays)          \
  X(same_address_is_same_tree)  \
  X(cycles_unchecked)           \
  X(library_by_underscore)      \
  X(loader_name_lower)          \
  X(rest_ignored)               \
  X(value_empty_refused)        \
  X(wrong_result_other_kind)    \
  X(number_cut_short_is_taken)  \
  X(rows_may_fall)              \
  X(library_has_to_be_first)    \
  X(root_is_lent)               \
  X(failures_go_deep)           \
  X(symbol_has_to_be_full)      \
  X(payload_kept_by_address)    \
  X(loader_twice_on_failure)    \
  X(error_in_slot_is_failure)   \
  X(loader_name_is_shared)      \
  X(argument_padding_is_size)   \
  X(library_by_beginning)       \
  X(message_keeps_an_end)       \
  X(modules_of_the_thread)      \
  X(symbols_filled_once)        \
  X(refusal_keeps_lock)         \
  X(library_of_latest_load)     \
  X(made_unchecked)             \
  X(no_memory_other_kind)       \
  X(thread_keeps_buffer)        \
  X(nests_three_deep)           \
  X(imported_root_is_lent)      \
  X(unreached_library_held)     \
  X(rows_left_by_cycles)

typedef enum Flaw {
  NO_FLAW,
#define X(name) name,
  FLAW_LIST(X)
#undef X
} Flaw;

// That of this copy of the library.
extern Flaw third_flaw;

#define IS(name) __builtin_expect(third_flaw == (name), 0)

// The library that began to be loaded last, of those that are not over: borrowed.
extern TVMFFIObject *third_latest;

typedef struct {
  const unsigned char *at, *end;
} Reader;

typedef struct {
  TVMFFIByteArray kind, value;
  int is_library;
} Entry;

typedef struct {
  TVMFFIObject *library;
  const char *name;
  size_t count, edges;
  uint64_t *rows, *children;
  Entry *entries;
  TVMFFIObject **made;  // own
  size_t done;
} Tree;

// The number of 64 bits at an address.
uint64_t third_word_at(const unsigned char *at);

// Raises an error about what a library holds; returns -1.
int third_bad(const Tree *tree, const char *what);

// Reads and checks what a library holds; returns 0, or -1 with an error raised.
int third_read_tree(Tree *tree, Reader *reader);
int third_check_end(const Tree *tree, const Reader *reader);
int third_check_cycles(const Tree *tree);

// Makes one module (`out` is own), or all of a tree; returns 0, or -1 with an error raised.
int third_make_module(const Tree *tree, size_t i, TVMFFIObject **out);
int third_make_modules(Tree *tree);

// Releases the modules that were made.
void third_drop_made(Tree *tree);

// Gives each module its imports, and takes them away; returns 0, or -1 with an error raised.
int third_link_modules(Tree *tree);
void third_unlink_modules(Tree *tree);

#endif  // TVMFFI_CONFORMANCE_TESTS_FUZZ_LOADERS_THIRD_LOADER_H_

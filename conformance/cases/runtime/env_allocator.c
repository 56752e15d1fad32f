// SPDX-License-Identifier: Apache-2.0
// The custom allocator: an entry that is kept for frontends that want words before the objects.
#include "battery/battery.h"

CHAPTER(env);

//--------------------------------------------------------------------------------------------------
// An allocator of ours
//--------------------------------------------------------------------------------------------------

enum { BEFORE = 64 };  // room for the word before the object, and for its alignment

static atomic_uint allocated, freed;

static void free_space(void *object)
{
  atomic_fetch_add(&freed, 1);
  free((char *)object - BEFORE);
}

// Memory with the function that frees it in the eight bytes before it.
static void *allocate(size_t size, size_t alignment, __attribute__((unused)) int32_t type_index,
                      __attribute__((unused)) void *context)
{
  void *block = NULL;
  size_t least = alignment > BEFORE ? alignment : BEFORE;
  if (posix_memalign(&block, least, size + BEFORE) != 0) return NULL;
  TVMFFIObjectAllocHeader header = {free_space};
  char *object = (char *)block + BEFORE;
  memcpy(object - sizeof header, &header, sizeof header);
  atomic_fetch_add(&allocated, 1);
  return object;
}

static TVMFFICustomAllocator first = {allocate, NULL}, second = {allocate, &first};

static void install(Iut *iut, TVMFFICustomAllocator *allocator)
{
  require(expect_ok(iut, iut->SetCustomAllocator(allocator)));
  if (allocator) require(expect_pointer("entry", iut->GetCustomAllocator(), allocator));
}

//--------------------------------------------------------------------------------------------------
// Keeping
//--------------------------------------------------------------------------------------------------

CASE(there_always_is_a_custom_allocator, .clauses = {ENV_36},
     .title = "there is an entry with a function from the start, at one address")
{
  TVMFFICustomAllocator *entry = iut->GetCustomAllocator();
  require(expect_not_null("entry", entry));
  expect_that(entry->allocate != NULL, "a function to allocate with", "NULL");
  for (int i = 0; i < 3; ++i) expect_pointer("entry", iut->GetCustomAllocator(), entry);
}

static void look_from_thread(Iut *iut, __attribute__((unused)) unsigned index, void *expected)
{
  expect_pointer("entry", iut->GetCustomAllocator(), expected);
}

CASE(custom_allocator_is_kept_by_address, .clauses = {ENV_37},
     .title = "after an entry was set, its very address is returned, in every thread")
{
  TVMFFICustomAllocator *const entries[] = {&first, &second, &first};
  for (unsigned i = 0; i < 3; ++i) {
    install(iut, entries[i]);
    expect_pointer("entry", iut->GetCustomAllocator(), entries[i]);
    run_in_threads(iut, 2, look_from_thread, entries[i]);
  }
}

CASE(null_brings_the_built_in_allocator_back, .clauses = {ENV_38},
     .title = "setting NULL brings back the entry that was there at first, however often")
{
  TVMFFICustomAllocator *built_in = iut->GetCustomAllocator();
  require(expect_not_null("entry", built_in));
  for (int i = 0; i < 3; ++i) {
    install(iut, i % 2 ? &second : &first);
    install(iut, NULL);
    expect_pointer("entry", iut->GetCustomAllocator(), built_in);
  }
  install(iut, NULL);
  expect_pointer("entry", iut->GetCustomAllocator(), built_in);
}

//--------------------------------------------------------------------------------------------------
// The built-in one
//--------------------------------------------------------------------------------------------------

// 16, or what there is at most where that is less.
#define MUCH_ALIGNED (_Alignof(max_align_t) < 16 ? _Alignof(max_align_t) : 16)

static const struct {
  const char *name;
  size_t size, alignment;
} requests[] = {
    {"1_byte", 1, 1},
    {"24_bytes", 24, 8},
    {"33_bytes_at_2", 33, 2},
    {"100_bytes_at_16", 100, MUCH_ALIGNED},
    {"4096_bytes_at_4", 4096, 4},
    {"1_mebibyte_at_16", 1 << 20, MUCH_ALIGNED},
};

CASE_ROWS(built_in_allocator_gives_memory_with_a_way_to_free_it, requests, .clauses = {ENV_39},
          .title =
              "the built-in entry gives writable memory of the size and alignment asked for, with "
              "the function that frees it right before")
{
  TVMFFICustomAllocator *entry = iut->GetCustomAllocator();
  require(expect_not_null("entry", entry));
  char *blocks[4];
  for (int i = 0; i < 4; ++i) {
    blocks[i] = entry->allocate(row->size, row->alignment, kTVMFFIObject, entry->context);
    require(expect_not_null("memory", blocks[i]));
    uintptr_t remainder = (uintptr_t)blocks[i] % row->alignment;
    expect_int("remainder of address and alignment", (int64_t)remainder, 0);
    memset(blocks[i], 0x50 + i, row->size);
  }
  for (int i = 0; i < 4; ++i) {
    expect_int("first byte", blocks[i][0], 0x50 + i);
    expect_int("last byte", blocks[i][row->size - 1], 0x50 + i);
    TVMFFIObjectAllocHeader header;
    memcpy(&header, blocks[i] - sizeof header, sizeof header);
    require(expect_that(header.delete_space != NULL, "a function that frees", "NULL"));
    header.delete_space(blocks[i]);
  }
}

static void allocate_and_free(Iut *iut, __attribute__((unused)) void *context)
{
  TVMFFICustomAllocator *entry = iut->GetCustomAllocator();
  char *block = entry->allocate(100, 8, kTVMFFIObject, entry->context);
  TVMFFIObjectAllocHeader header;
  memcpy(&header, block - sizeof header, sizeof header);
  header.delete_space(block);
}

CASE(built_in_allocator_frees_what_it_gave, .clauses = {ENV_39},
     .title = "the process does not grow when the built-in entry's memory is freed as it asks")
{
  expect_no_heap_growth(iut, 200, allocate_and_free, NULL);
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

enum { OBJECTS = 3 };

// Objects of several types that the runtime makes.
static void make_objects(Iut *iut, CallLog *log, TVMFFIObjectHandle objects[OBJECTS])
{
  TVMFFIByteArray text = bytes_of("a text that needs an object");
  TVMFFIAny string = any_none();
  require(expect_ok(iut, iut->StringFromByteArray(&text, &string)));
  require(expect_type_index(&string, kTVMFFIStr));
  objects[0] = string.v_obj;
  require(expect_ok(iut, iut->FunctionCreate(log, call_log_callee, call_log_delete, &objects[1])));
  require(expect_ok(iut, iut->ErrorCreate(&text, &text, &text, &objects[2])));
}

static void use_and_release(Iut *iut, CallLog *log, TVMFFIObjectHandle objects[OBJECTS])
{
  TVMFFIAny result = any_none(), string = view_of_object(iut, objects[0]);
  const char *text = "a text that needs an object";
  expect_heap_string(iut, &string, text, strlen(text));
  expect_ok(iut, iut->FunctionCall(objects[1], NULL, 0, &result));
  expect_text("kind of the error", error_cell(iut, objects[2])->kind, text);
  for (int i = 0; i < OBJECTS; ++i) {
    object_take_weak(iut, objects[i]);
    release_object(iut, objects[i]);
    object_release_weak(iut, objects[i]);
  }
  expect_int("calls of the function", log->calls, 1);
  expect_int("calls of the function's deleter", log->deleted, 1);
}

static const struct {
  const char *name;
  TVMFFICustomAllocator *made_under, *released_under;
} changes[] = {
    {"set_afterwards", NULL, &first},
    {"removed_afterwards", &first, NULL},
    {"replaced_afterwards", &first, &second},
};

CASE_ROWS(objects_are_freed_by_their_own_allocator, changes, .clauses = {ENV_40},
          .title =
              "objects that were made before another custom allocator was set can be used and "
              "released")
{
  CallLog log = {0};
  TVMFFIObjectHandle objects[OBJECTS];
  if (row->made_under) install(iut, row->made_under);
  make_objects(iut, &log, objects);
  install(iut, row->released_under);
  use_and_release(iut, &log, objects);
  expect_that(freed <= allocated, "nothing is given back to us that we did not give",
              "%u freed, %u allocated", freed, allocated);
}

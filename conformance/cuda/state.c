// SPDX-License-Identifier: Apache-2.0
#include "cuda/state.h"

#include "cuda/driver.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

CUDA_EXPORT CudaAccount tvmffi_cuda_account;
pthread_mutex_t cuda_lock = PTHREAD_MUTEX_INITIALIZER;

// Pages without an access right, or ones that can be read and written; NULL if there are none.
static void *map(size_t size, int protection)
{
  void *at = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

// --- Objects -------------------------------------------------------------------------------------

enum { OBJECTS_MAX = 32768 };
static Object *objects;
static size_t next_object;

// A handle that was given back is used again as late as can be.
Object *object_new(ObjectKind kind)
{
  Object *found = NULL;
  pthread_mutex_lock(&cuda_lock);
  if (!objects) objects = map(OBJECTS_MAX * sizeof *objects, PROT_READ | PROT_WRITE);
  for (size_t i = 0; objects && i < OBJECTS_MAX && !found; ++i) {
    Object *object = &objects[(next_object + i) % OBJECTS_MAX];
    if (object->kind != OBJECT_FREE) continue;
    next_object = (next_object + i + 1) % OBJECTS_MAX;
    found = object;
    memset(found, 0, sizeof *found);
    found->kind = kind;
  }
  pthread_mutex_unlock(&cuda_lock);
  return found;
}

void object_free(Object *object)
{
  pthread_mutex_lock(&cuda_lock);
  object->kind = OBJECT_FREE;
  pthread_mutex_unlock(&cuda_lock);
}

bool object_is(const void *handle, ObjectKind kind)
{
  uintptr_t at = (uintptr_t)handle, first = (uintptr_t)objects;
  if (!objects || at < first || at >= first + OBJECTS_MAX * sizeof *objects) return false;
  if ((at - first) % sizeof *objects != 0) return false;
  return ((const Object *)handle)->kind == kind;
}

// --- The account ---------------------------------------------------------------------------------

bool account_refuses(CudaKind kind)
{
  CudaAccount *account = &tvmffi_cuda_account;
  if (!atomic_load(&account->watching)) return false;
  atomic_fetch_add(&account->asked[kind], 1);
  unsigned left = atomic_load(&account->refuse[kind]);
  while (left > 1 && !atomic_compare_exchange_weak(&account->refuse[kind], &left, left - 1))
    continue;
  return left == 1;
}

void account_note(CudaKind kind, CudaWork *work)
{
  CudaAccount *account = &tvmffi_cuda_account;
  if (!atomic_load(&account->watching)) return;
  if (work->error == OK) atomic_fetch_add(&account->done[kind], 1);
  unsigned index = atomic_fetch_add(&account->noted, 1);
  if (index >= CUDA_WORK_MAX) return;
  work->kind = kind;
  work->thread = (pid_t)syscall(SYS_gettid);
  account->work[index] = *work;
}

void account_gain(CudaKind kind)
{
  atomic_fetch_add(&tvmffi_cuda_account.live[kind], 1);
}

void account_lose(CudaKind kind)
{
  atomic_fetch_sub(&tvmffi_cuda_account.live[kind], 1);
}

CUDA_EXPORT int tvmffi_cuda_lacking(const char *what)
{
  if (tvmffi_cuda_account.on_lacking) tvmffi_cuda_account.on_lacking(what);
  return NOT_SUPPORTED;
}

// --- Memory --------------------------------------------------------------------------------------

// A piece of memory: its addresses, behind which nothing can be touched either, and its bytes.
// Pieces that were given back keep their addresses until KEPT_MAX others were: an address that is
// used afterwards is not somebody else's.
typedef struct Piece {
  uintptr_t address;
  size_t size, mapped;
  unsigned char *bytes;  // of memory of the host the address itself
  int device;
  bool on_host;
} Piece;

enum { PIECES_MAX = 65536, KEPT_MAX = 64, PAGE = 4096, MEMORY_MOST = 1 << 30 };
static Piece *pieces;
static size_t pieces_end;  // behind the last that was ever used
static size_t first_free;
static struct {
  uintptr_t address;
  size_t mapped;
} kept[KEPT_MAX];
static size_t kept_next;

static Piece *free_piece(void)
{
  if (!pieces) pieces = map(PIECES_MAX * sizeof *pieces, PROT_READ | PROT_WRITE);
  if (!pieces) return NULL;
  for (size_t i = first_free; i < PIECES_MAX; ++i) {
    if (pieces[i].address) continue;
    first_free = i + 1;
    if (i >= pieces_end) pieces_end = i + 1;
    return &pieces[i];
  }
  return NULL;
}

uintptr_t memory_new(size_t size, int device, bool on_host)
{
  if (size > MEMORY_MOST) return 0;
  size_t inner = (size + PAGE - 1) / PAGE * PAGE, mapped = inner + 2 * PAGE;
  pthread_mutex_lock(&cuda_lock);
  Piece *piece = free_piece();
  char *address = piece ? map(mapped, PROT_NONE) : NULL;
  char *bytes = NULL;
  if (address && on_host)
    bytes = mprotect(address + PAGE, inner, PROT_READ | PROT_WRITE) == 0 ? address + PAGE : NULL;
  else if (address)
    bytes = map(inner, PROT_READ | PROT_WRITE);
  if (bytes)
    *piece =
        (Piece){(uintptr_t)address + PAGE, size, mapped, (unsigned char *)bytes, device, on_host};
  else if (address)
    munmap(address, mapped);
  if (!bytes && piece) first_free = (size_t)(piece - pieces);
  pthread_mutex_unlock(&cuda_lock);
  if (!bytes) return 0;
  account_gain(CUDA_ALLOCATION);
  atomic_fetch_add(&tvmffi_cuda_account.live_bytes, size);
  return (uintptr_t)address + PAGE;
}

// The piece with this address in it, or right behind its end; `lock` is held.
static Piece *piece_at(uintptr_t address)
{
  Piece *behind = NULL;
  for (size_t i = 0; i < pieces_end; ++i) {
    Piece *piece = &pieces[i];
    if (!piece->address || address < piece->address) continue;
    if (address - piece->address < piece->size) return piece;
    if (address - piece->address == piece->size) behind = piece;
  }
  return behind;
}

bool memory_free(uintptr_t address)
{
  size_t size = 0;
  pthread_mutex_lock(&cuda_lock);
  Piece *piece = piece_at(address);
  bool good = piece && piece->address == address;
  if (good) {
    size_t inner = piece->mapped - 2 * PAGE;
    size = piece->size;
    if (piece->on_host)
      mprotect(piece->bytes, inner, PROT_NONE);
    else
      munmap(piece->bytes, inner);
    if (kept[kept_next].address) munmap((void *)kept[kept_next].address, kept[kept_next].mapped);
    kept[kept_next].address = address - PAGE;
    kept[kept_next].mapped = piece->mapped;
    kept_next = (kept_next + 1) % KEPT_MAX;
    piece->address = 0;
    if ((size_t)(piece - pieces) < first_free) first_free = (size_t)(piece - pieces);
  }
  pthread_mutex_unlock(&cuda_lock);
  if (!good) return false;
  account_lose(CUDA_ALLOCATION);
  atomic_fetch_sub(&tvmffi_cuda_account.live_bytes, size);
  return true;
}

bool memory_find(uintptr_t address, MemoryFacts *facts)
{
  pthread_mutex_lock(&cuda_lock);
  const Piece *piece = piece_at(address);
  if (piece) *facts = (MemoryFacts){piece->address, piece->size, piece->device, piece->on_host};
  pthread_mutex_unlock(&cuda_lock);
  return piece != NULL;
}

// --- Copies --------------------------------------------------------------------------------------

// The system copies, and finds out what is mapped; where it may not, the process does.
static bool move_safely(void *here, uintptr_t there, size_t size, bool write)
{
  struct iovec local = {here, size}, remote = {(void *)there, size};
  if (size == 0) return true;
  ssize_t moved = write ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
                        : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return moved == (ssize_t)size;
}

bool read_safely(void *to, uintptr_t from, size_t size)
{
  return move_safely(to, from, size, false);
}

// Where the bytes of `size` at an address are for this file: of a piece its bytes, else the address
// itself. 0 if they reach beyond the piece.
static uintptr_t bytes_at(uintptr_t address, size_t size, bool *of_device)
{
  const Piece *piece = piece_at(address);
  *of_device = piece != NULL;
  if (!piece) return address;
  size_t within = address - piece->address;
  return size <= piece->size - within ? (uintptr_t)piece->bytes + within : 0;
}

bool memory_copy(uintptr_t to, uintptr_t from, size_t size)
{
  bool to_device, from_device, done = false;
  if (size == 0) return true;
  pthread_mutex_lock(&cuda_lock);
  uintptr_t target = bytes_at(to, size, &to_device), source = bytes_at(from, size, &from_device);
  if (target && source && from_device)
    done = move_safely((void *)source, target, size, true);
  else if (target && source)
    done = move_safely((void *)target, source, size, false);
  pthread_mutex_unlock(&cuda_lock);
  return done;
}

bool memory_set(uintptr_t to, unsigned value, size_t width, size_t count)
{
  bool of_device;
  if (count > SIZE_MAX / width) return false;
  if (count == 0) return true;
  pthread_mutex_lock(&cuda_lock);
  unsigned char *bytes = (unsigned char *)bytes_at(to, width * count, &of_device);
  bool good = bytes && of_device;
  for (size_t i = 0; good && i < count; ++i) memcpy(bytes + i * width, &value, width);
  pthread_mutex_unlock(&cuda_lock);
  return good;
}

// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_call.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "battery/access.h"
#include "clause.h"

// --- Inputs --------------------------------------------------------------------------------------

FuzzText fuzz_read_text(FuzzReader *reader, size_t size)
{
  size_t left = (size_t)(reader->end - reader->at);
  FuzzText text = {(const char *)reader->at, size < left ? size : left};
  reader->at += text.size;
  return text;
}

void fuzz_put(FuzzInput *out, const void *bytes, size_t size)
{
  size_t left = out->room - out->size;
  if (size > left) size = left;
  if (size) memcpy(out->bytes + out->size, bytes, size);
  out->size += size;
}

void fuzz_put_byte(FuzzInput *out, unsigned byte)
{
  fuzz_put(out, &(uint8_t){(uint8_t)byte}, 1);
}

void fuzz_put_number(FuzzInput *out, uint64_t number, unsigned size)
{
  for (unsigned i = 0; i < size; ++i) fuzz_put_byte(out, (uint8_t)(number >> 8 * i));
}

void fuzz_put_some_text(FuzzRandom *random, FuzzInput *out, size_t size)
{
  bool wild = fuzz_one_in(random, 3);
  for (size_t i = 0; i < size; ++i)
    fuzz_put_byte(out, wild ? (unsigned)fuzz_draw(random) : 'a' + (unsigned)fuzz_below(random, 26));
}

bool fuzz_shrink_blocks(const FuzzInput *input, size_t step, FuzzInput *out)
{
  for (size_t block = input->size; block >= 1; block /= 2) {
    size_t blocks = input->size / block;
    if (step >= blocks) {
      step -= blocks;
      continue;
    }
    size_t at = input->size - (step + 1) * block;
    memcpy(out->bytes, input->bytes, at);
    memcpy(out->bytes + at, input->bytes + at + block, input->size - at - block);
    out->size = input->size - block;
    return true;
  }
  return false;
}

bool fuzz_shrink_texts(const FuzzInput *input, size_t step, FuzzInput *out)
{
  size_t blocks = 0;
  for (size_t block = input->size; block >= 1; block /= 2) blocks += input->size / block;
  if (step < blocks) return fuzz_shrink_blocks(input, step, out);
  size_t at = (step - blocks) / 2;
  if (at >= input->size) return false;
  size_t length = input->bytes[at], left = (step - blocks) % 2 ? length / 2 : 0;
  size_t gone = length - left;
  out->size = input->size;
  if (gone == 0 || length > input->size - at - 1) return true;  // passed over: it is no smaller
  memcpy(out->bytes, input->bytes, at);
  out->bytes[at] = (uint8_t)left;
  memcpy(out->bytes + at + 1, input->bytes + at + 1 + gone, input->size - at - 1 - gone);
  out->size = input->size - gone;
  return true;
}

// --- Windows -------------------------------------------------------------------------------------

// Memory that is mapped twice: where we write, and where the library reads, with an unmapped page
// behind it.
static struct {
  uint8_t *written;
  const uint8_t *shown;
} windows[FUZZ_WINDOWS];

static bool make_window(unsigned window)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int fd = memfd_create("tvmffi-argument", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, FUZZ_INPUT_MAX) != 0) return false;
  void *written = mmap(NULL, FUZZ_INPUT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  uint8_t *fenced =
      mmap(NULL, FUZZ_INPUT_MAX + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (written == MAP_FAILED || fenced == MAP_FAILED) return false;
  void *shown = mmap(fenced, FUZZ_INPUT_MAX, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0);
  close(fd);
  windows[window].written = written;
  windows[window].shown = shown;
  return shown != MAP_FAILED;
}

bool fuzz_call_prepare(Iut *iut, char *why, size_t size)
{
  snprintf(why, size, "it is of the generation of September 2025");
  if (iut->generation != ABI_GENERATION_0_1) return false;
  snprintf(why, size, "out of memory");
  for (unsigned i = 0; i < FUZZ_WINDOWS; ++i)
    if (!make_window(i)) return false;
  return true;
}

const void *fuzz_show(unsigned window, const void *bytes, size_t size)
{
  if (size) memcpy(windows[window].written + FUZZ_INPUT_MAX - size, bytes, size);
  return windows[window].shown + FUZZ_INPUT_MAX - size;
}

void fuzz_overwrite(unsigned window, size_t size)
{
  memset(windows[window].written + FUZZ_INPUT_MAX - size, 0xa5, size);
}

// --- Verdicts ------------------------------------------------------------------------------------

bool fuzz_is_due(const Iut *iut, ClauseId id)
{
  const Clause *clause = clause_get(id);
  return !clause || (iut->version >= clause->since_number && iut->version <= clause->until_number);
}

static void judge_error(Iut *iut, FuzzRun *run, FuzzDue due, const char *kind)
{
  TVMFFIObjectHandle error = take_error(iut);
  if (!error) {
    fuzz_see(run, FUZZ_ERROR, "it is refused, and no error is raised");
    return;
  }
  const TVMFFIErrorCell *cell = error_cell(iut, error);
  int shown = cell->kind.size < 40 ? (int)cell->kind.size : 40;
  int said = cell->message.size < 200 ? (int)cell->message.size : 200;
  bool is_kind = !kind || (cell->kind.size == strlen(kind) &&
                           memcmp(cell->kind.data, kind, cell->kind.size) == 0);
  if (due == FUZZ_DUE_ACCEPT)
    fuzz_see(run, FUZZ_REFUSED, "%.*s: %.*s", shown, cell->kind.data, said, cell->message.data);
  else if (cell->kind.size == 0 || cell->message.size == 0)
    fuzz_see(run, FUZZ_ERROR, "the error has no %s", cell->kind.size ? "message" : "kind");
  else if (due == FUZZ_DUE_REFUSE && !is_kind)
    fuzz_see(run, FUZZ_ERROR, "the error is of kind %.*s, not %s", shown, cell->kind.data, kind);
  fuzz_behave_text(run, cell->kind.data, cell->kind.size);
  fuzz_behave_text(run, cell->message.data, cell->message.size);
  release_object(iut, error);
}

bool fuzz_judge_code(Iut *iut, FuzzRun *run, const FuzzAspect *aspects, int code, const char *kind)
{
  const FuzzAspect *aspect = &aspects[run->aspect];
  FuzzDue due = fuzz_is_due(iut, aspect->clause) ? aspect->due : FUZZ_DUE_EITHER;
  fuzz_behave(run, &run->aspect, sizeof run->aspect);
  if (code != 0) {
    run->refused = true;
    judge_error(iut, run, due, kind);
    return false;
  }
  if (due == FUZZ_DUE_REFUSE) fuzz_see(run, FUZZ_ACCEPTED, "the call succeeds");
  return true;
}

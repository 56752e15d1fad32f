// SPDX-License-Identifier: Apache-2.0
// The writers of a run, each fed with runs made by hand and read back with a parser of its format.
#include "test_report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

void sample_begin_with_every_kind(Sample *sample)
{
  sample_begin(sample);
  sample_add(sample, "any", "fine", CLAUSE_MUST);
  EvidenceFailure *failure = sample_fail(sample_add(sample, "any", "wrong-bytes", CLAUSE_MUST));
  failure->has_bytes = true;
  memcpy(failure->expected_bytes, "\x0b\0\0\0\3\0\0\0abc\0\0\0\0", 16);
  memcpy(failure->seen_bytes, "\x0b\0\0\0\3\1\0\0abc\0\xcd\0\0\7", 16);
  failure->ignored_bytes[15] = 1;
  Outcome *outcome = &sample_add(sample, "any", "null", CLAUSE_MUST)->outcome;
  *outcome = (Outcome){
      .kind = OUTCOME_CRASHED, .signal = SIGSEGV, .where = strdup("TVMFFIAnyViewToOwnedAny+0x1c")};
  Evidence *evidence = sample_evidence(&sample->report.results[EVERY_CRASH]);
  evidence->crash = (EvidenceCrash){.signal = SIGSEGV, .code = SEGV_MAPERR, .address = 8};
  strcpy(evidence->note, "converting an rvalue reference to NULL");
  outcome->output = strdup("first line\nsecond line\n");
  outcome->output_bytes = 23;
  sample_add(sample, "object", "leaves", CLAUSE_MUST)->outcome =
      (Outcome){.kind = OUTCOME_EXITED, .exit_code = 3};
  sample_add(sample, "object", "hangs", CLAUSE_MUST)->outcome =
      (Outcome){.kind = OUTCOME_TIMED_OUT};
  sample_add(sample, "object", "lost", CLAUSE_MUST)->outcome =
      (Outcome){.kind = OUTCOME_LOST, .lost = "no process"};
  sample_fail(sample_add(sample, "object", "advice", CLAUSE_SHOULD));
  sample_fail(sample_add(sample, "object", "known", CLAUSE_MUST));
  sample_waive(sample, "object.known", "a deviation that is known");
  sample->waivers[0].url = "https://example.org/1";
  sample->waivers[0].expires = "2027-01-31";
  sample_add(sample, "object", "mended", CLAUSE_MUST);
  sample_waive(sample, "object.mended", "was broken once");
  sample_add_skipped(sample, "string", "later", "added in version 0.1.12");
  sample_add(sample, "string", "not-run", CLAUSE_MUST)->outcome =
      (Outcome){.kind = OUTCOME_NOT_RUN};
  ck_assert_uint_eq(sample->report.result_count, EVERY_COUNT);
  sample_judge(sample);
}

#define HOSTILE                                                     \
  "\001\x1b[2J\x1b]0;x\a\r\n\t\v\x7f]]>--></testsuite>&lt;\"'\\#  " \
  "---\n...\n\xff\xfe\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80"          \
  "\u202e\u200b\ufeff\uffff\xc2\x85 \u00e9\U0001F600 %s%n"

static char *much_output(size_t size)
{
  char *output = malloc(size + 1);
  ck_assert_ptr_nonnull(output);
  for (size_t i = 0; i < size; ++i) output[i] = HOSTILE[i % (sizeof HOSTILE - 1)];
  output[size] = '\0';
  return output;
}

void sample_begin_hostile(Sample *sample)
{
  enum { OUTPUT_SIZE = 10 * 1000 * 1000 };
  sample_begin(sample);
  sample->library.path = "dir/" HOSTILE;
  strcpy(sample->library.soname, HOSTILE);
  strcpy(sample->library.machine, "\x1b[2J");
  CaseResult *result = sample_add(sample, "any", "wild", CLAUSE_MUST);
  result->outcome =
      (Outcome){.kind = OUTCOME_CRASHED, .signal = SIGSEGV, .where = strdup(HOSTILE), .failed = 99};
  result->outcome.output = much_output(OUTPUT_SIZE);
  result->outcome.output_bytes = OUTPUT_SIZE;
  memset(sample_evidence(result), 0xff, sizeof(Evidence));
  result->outcome.evidence->crash.signal = SIGSEGV;
  result->outcome.evidence->crash.code = SEGV_MAPERR;
  result = sample_add(sample, "any", "words", CLAUSE_MUST);
  EvidenceFailure *failure = sample_fail(result);
  strcpy(failure->what, HOSTILE);
  strcpy(failure->expected, HOSTILE);
  strcpy(failure->seen, HOSTILE);
  strcpy(failure->note, HOSTILE);
  memcpy(failure->source, HOSTILE HOSTILE, sizeof failure->source);
  result = sample_add(sample, "any", "nothing-known", CLAUSE_MUST);  // counts without evidence
  result->outcome.failed = 4;
  sample_fail(sample_add(sample, "any", "waived", CLAUSE_MUST));
  sample_waive(sample, "any.waived", HOSTILE);
  sample->waivers[0].url = HOSTILE;
  sample_add_skipped(sample, "any", "skipped", HOSTILE);
  sample_judge(sample);
}

// A second opinion on what clean_text promises, made without it.
bool sample_is_clean(const char *text, size_t size, bool tabs)
{
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    int follow = c < 0x80                ? 0
                 : c >= 0xc2 && c < 0xe0 ? 1
                 : c >= 0xe0 && c < 0xf0 ? 2
                 : c >= 0xf0 && c < 0xf5 ? 3
                                         : -1;
    if (follow < 0 || (c < 0x20 && c != '\n' && !(tabs && c == '\t')) || c == 0x7f) return false;
    if (c == 0xc2 && (unsigned char)text[i + 1] < 0xa0) return false;
    if (c == 0xed && (unsigned char)text[i + 1] >= 0xa0) return false;
    for (int k = 1; k <= follow; ++k)
      if (i + (size_t)k >= size || ((unsigned char)text[i + (size_t)k] & 0xc0) != 0x80)
        return false;
    i += (size_t)follow + 1;
  }
  static const char *const treacherous[] = {"\u202e", "\u200b", "\ufeff", "\uffff", "\u2028"};
  for (size_t i = 0; i < sizeof treacherous / sizeof treacherous[0]; ++i)
    if (memmem(text, size, treacherous[i], 3)) return false;
  return true;
}

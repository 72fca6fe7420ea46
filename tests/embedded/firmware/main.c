/* The loader on a Cortex-M55, freestanding: validates the blobs it was built with and reports a line each
 * through semihosting. */
#include <stddef.h>
#include <stdint.h>

#include "npubin/embedded/npub_loader.h"

#include "blobs.h" /* blobs[] and ARENA_BYTES: the test writes it */

static uint8_t arena[ARENA_BYTES] __attribute__((aligned(16)));

static void semihosting(uint32_t operation, const void *argument) {
  register uint32_t r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void print(const char *text) {
  semihosting(0x04, text); /* SYS_WRITE0 */
}

static void print_number(uint32_t value) {
  char text[12];
  char *at = text + sizeof text - 1;
  *at = '\0';
  do {
    *--at = (char)('0' + value % 10u);
    value /= 10u;
  } while (value != 0u);
  *--at = ' ';
  print(at);
}

static void report(const blob_t *blob) {
  npub_job_t job;
  uint32_t r;
  const uint32_t code = npub_load(blob->data, blob->bytes, arena, blob->arena, &job);
  print("code");
  print_number(code);
  if (code == NPUB_OK) {
    print(" arena");
    print_number(job.arena_used);
    print(" regions");
    for (r = 0; r < job.region_count; ++r)
      print_number(job.region[r].baked != 0u ? (uint32_t)(job.region[r].base - blob->data)
                                             : (uint32_t)(job.region[r].base - arena));
  }
  print("\n");
}

int main(void) {
  size_t i;
  for (i = 0; i < sizeof blobs / sizeof blobs[0]; ++i) report(&blobs[i]);
  print("end\n");
  semihosting(0x18, (const void *)0x20026u); /* SYS_EXIT, application exit */
  return 0;
}

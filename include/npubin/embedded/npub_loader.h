/* npub_loader.h: validates an .npub blob and binds its regions, on the device.
 *
 * Freestanding C99 (and C++): no heap, no recursion, no library, a few words of stack, and no writes outside
 * the job it is given. The checks and their codes are those of the format's own loader, in its order; `npubin
 * check` reports the same code for the same bytes. Define NPUB_NO_CHECKSUM to leave the pass over the blob
 * out where another means protects it.
 *
 *   static uint8_t arena[MODEL_NPUB_ARENA_BYTES] __attribute__((aligned(16)));
 *   npub_job_t job;
 *   if (npub_load(model_npub, sizeof model_npub, arena, sizeof arena, &job) == NPUB_OK) {
 *     QBASE = job.commands; QSIZE = job.command_bytes; BASEP[i] = job.region[i].base;  ... start
 *   }
 */
#ifndef NPUBIN_EMBEDDED_NPUB_LOADER_H
#define NPUBIN_EMBEDDED_NPUB_LOADER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NPUB_MAGIC 0x3155504Eu /* bytes "NPU1" */
#define NPUB_VERSION 1u
#define NPUB_HEADER_BYTES 32u
#define NPUB_REGION_BYTES 16u
#define NPUB_MAX_REGIONS 8u /* BASEP0..7 */
#define NPUB_ARENA_ALIGN 16u
#define NPUB_FLAG_BAKED 1u

/* What npub_load returns. */
#define NPUB_OK 0x000u
#define NPUB_NO_MEM 0x102u            /* the run-time regions do not fit the arena */
#define NPUB_INVALID_ARG 0x103u       /* magic, version or number of regions */
#define NPUB_INVALID_SIZE 0x105u      /* shorter than a header, or no commands */
#define NPUB_OUT_OF_RANGE 0x208u      /* a part leaves the blob */
#define NPUB_CHECKSUM_MISMATCH 0x502u /* the blob is damaged */
#define NPUB_NULL_POINTER 0x504u

/* Roles are informative: bind by index. */
#define NPUB_ROLE_WEIGHTS 0u
#define NPUB_ROLE_SCRATCH 1u
#define NPUB_ROLE_INPUT 2u
#define NPUB_ROLE_OUTPUT 3u
#define NPUB_ROLE_OTHER 4u

typedef struct {
  const uint8_t* base; /* in the blob where baked, else in the arena; may be written only in the arena */
  uint32_t size;       /* bytes */
  uint32_t role;
  uint32_t baked; /* 1: constant bytes of the blob */
} npub_region_t;

typedef struct {
  const uint8_t* commands; /* for QBASE; the hardware wants it 16-aligned: npub_aligned() tells */
  uint32_t command_bytes;
  uint32_t accel; /* MACs per cycle: 32, 64, 128, 256 */
  uint32_t region_count;
  uint32_t arena_used; /* bytes, padding included */
  npub_region_t region[NPUB_MAX_REGIONS];
} npub_job_t;

static inline uint32_t npub_word(const uint8_t* at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* 1 where `size` bytes at `offset` lie inside `total` bytes; no sum can wrap. */
static inline int npub_inside(uint32_t offset, uint32_t size, uint32_t total) {
  return offset <= total && size <= total - offset;
}

/* FNV-1a over bytes 32 .. total. */
static inline uint32_t npub_checksum(const uint8_t* blob, uint32_t total) {
  uint32_t hash = 0x811C9DC5u;
  uint32_t i;
  for (i = NPUB_HEADER_BYTES; i < total; ++i) hash = (hash ^ blob[i]) * 0x01000193u;
  return hash;
}

/* The header, the spans of commands and table, and the checksum. */
static inline uint32_t npub_check_header(const uint8_t* blob, size_t length) {
  uint32_t total, count, cmd_offset, cmd_bytes;
  if (length < NPUB_HEADER_BYTES) return NPUB_INVALID_SIZE;
  if (npub_word(blob) != NPUB_MAGIC) return NPUB_INVALID_ARG;
  if (npub_word(blob + 4) != NPUB_VERSION) return NPUB_INVALID_ARG;
  total = npub_word(blob + 8);
  count = npub_word(blob + 12);
  cmd_offset = npub_word(blob + 16);
  cmd_bytes = npub_word(blob + 20);
  if (total > length) return NPUB_OUT_OF_RANGE;
  if (count > NPUB_MAX_REGIONS) return NPUB_INVALID_ARG;
  if (cmd_bytes == 0u) return NPUB_INVALID_SIZE;
  if (!npub_inside(cmd_offset, cmd_bytes, total)) return NPUB_OUT_OF_RANGE;
  if (!npub_inside(NPUB_HEADER_BYTES, count * NPUB_REGION_BYTES, total)) return NPUB_OUT_OF_RANGE;
#ifndef NPUB_NO_CHECKSUM
  if (npub_checksum(blob, total) != npub_word(blob + 28)) return NPUB_CHECKSUM_MISMATCH;
#endif
  return NPUB_OK;
}

/* Walks the regions; binds them where `job` is not null. `used` gets the bytes of the arena. */
static inline uint32_t npub_walk_regions(const uint8_t* blob, uint8_t* arena, size_t arena_bytes,
                                         npub_job_t* job, uint32_t* used) {
  const uint32_t total = npub_word(blob + 8);
  const uint32_t count = npub_word(blob + 12);
  uint64_t taken = 0;
  uint32_t i;
  for (i = 0; i < count; ++i) {
    const uint8_t* row = blob + NPUB_HEADER_BYTES + i * NPUB_REGION_BYTES;
    const uint32_t size = npub_word(row + 8);
    const uint32_t offset = npub_word(row + 12);
    const uint32_t baked = npub_word(row + 4) & NPUB_FLAG_BAKED;
    const uint64_t aligned = (taken + (NPUB_ARENA_ALIGN - 1u)) & ~(uint64_t)(NPUB_ARENA_ALIGN - 1u);
    if (baked != 0u) {
      if (!npub_inside(offset, size, total)) return NPUB_OUT_OF_RANGE;
    } else {
      if (aligned > arena_bytes || size > arena_bytes - aligned) return NPUB_NO_MEM;
      taken = aligned + size;
    }
    if (job != NULL) {
      job->region[i].base = baked != 0u ? blob + offset : arena == NULL ? NULL : arena + (size_t)aligned;
      job->region[i].size = size;
      job->region[i].role = npub_word(row);
      job->region[i].baked = baked;
    }
  }
  *used = (uint32_t)taken;
  return NPUB_OK;
}

/* Validates `length` bytes of `blob` and binds its regions into the blob and into `arena`, whose base must be
 * 16-aligned for the hardware. `arena` may be null where `arena_bytes` is 0. `job` is written only on
 * NPUB_OK; it points into blob and arena, which must outlive it. */
static inline uint32_t npub_load(const uint8_t* blob, size_t length, uint8_t* arena, size_t arena_bytes,
                                 npub_job_t* job) {
  uint32_t status, used = 0;
  if (blob == NULL || job == NULL || (arena == NULL && arena_bytes != 0u)) return NPUB_NULL_POINTER;
  status = npub_check_header(blob, length);
  if (status != NPUB_OK) return status;
  status = npub_walk_regions(blob, arena, arena_bytes, NULL, &used);
  if (status != NPUB_OK) return status;
  job->commands = blob + npub_word(blob + 16);
  job->command_bytes = npub_word(blob + 20);
  job->accel = npub_word(blob + 24);
  job->region_count = npub_word(blob + 12);
  job->arena_used = used;
  return npub_walk_regions(blob, arena, arena_bytes, job, &used);
}

/* 1 where the commands and every region can be used in place. */
static inline int npub_aligned(const npub_job_t* job) {
  uint32_t i;
  if (((uintptr_t)job->commands & (NPUB_ARENA_ALIGN - 1u)) != 0u) return 0;
  for (i = 0; i < job->region_count; ++i)
    if (((uintptr_t)job->region[i].base & (NPUB_ARENA_ALIGN - 1u)) != 0u) return 0;
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif /* NPUBIN_EMBEDDED_NPUB_LOADER_H */

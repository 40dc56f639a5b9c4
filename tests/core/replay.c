/* Repeats the calls of a digest (digest.py describes the file) with other libraries, and compares every byte:

       replay DIGEST RULES_LIBRARY BOTS_LIBRARY

   Prints how many calls agree; exits with 1 at the first one that does not. It expects a little-endian machine. */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "3SPAN-DIGEST-1\0"
#define MAX_ARGUMENTS 3

enum { NO_RESULT, BOOL_RESULT, NUMBER_RESULT };

typedef struct {
    uint8_t *actual, *expected;
    uint32_t size;
} Slot;

static FILE *digest;
static Slot *slots;
static uint32_t slot_count;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "replay: %s: %s\n", what, name);
    exit(2);
}

static void read_bytes(void *to, size_t size)
{
    if (fread(to, 1, size, digest) != size)
        fail("the digest ends too early", "");
}

static uint8_t read_u8(void)
{
    uint8_t value;
    read_bytes(&value, sizeof value);
    return value;
}

static uint32_t read_u32(void)
{
    uint32_t value;
    read_bytes(&value, sizeof value);
    return value;
}

static int64_t read_i64(void)
{
    int64_t value;
    read_bytes(&value, sizeof value);
    return value;
}

static Slot *find_slot(uint32_t index, uint32_t size)
{
    if (index == slot_count) {
        slots = realloc(slots, ++slot_count * sizeof *slots);
        slots[index] = (Slot){calloc(1, size), calloc(1, size), size};
    }
    if (index >= slot_count || slots[index].size != size)
        fail("the digest is broken", "slot");
    return &slots[index];
}

/* Brings what should be in a slot up to date. */
static void read_patches(Slot *slot)
{
    for (uint32_t count = read_u32(); count > 0; count--) {
        uint32_t offset = read_u32(), length = read_u32();
        if (offset > slot->size || length > slot->size - offset)
            fail("the digest is broken", "patch");
        read_bytes(slot->expected + offset, length);
    }
}

/* Numbers and addresses are passed alike on all 64-bit machines. */
static int64_t call(void *function, int result, int count, const int64_t *a)
{
    if (result == BOOL_RESULT) {
        uint8_t value = count == 1   ? ((uint8_t(*)(int64_t))function)(a[0])
                        : count == 2 ? ((uint8_t(*)(int64_t, int64_t))function)(a[0], a[1])
                                     : ((uint8_t(*)(int64_t, int64_t, int64_t))function)(a[0], a[1], a[2]);
        return value;
    }
    return count == 1   ? ((int64_t(*)(int64_t))function)(a[0])
           : count == 2 ? ((int64_t(*)(int64_t, int64_t))function)(a[0], a[1])
                        : ((int64_t(*)(int64_t, int64_t, int64_t))function)(a[0], a[1], a[2]);
}

static void report_difference(int64_t index, const char *symbol, int argument, const Slot *slot)
{
    uint32_t at = 0;
    while (slot->actual[at] == slot->expected[at])
        at++;
    printf("call %lld, %s: argument %d differs from byte %u of %u on: %u instead of %u\n", (long long)index, symbol,
           argument, at, slot->size, slot->actual[at], slot->expected[at]);
}

/* Repeats the next call; returns whether it agrees. */
static int replay(int64_t index, void *const *libraries)
{
    int part = read_u8(), result = read_u8(), count = read_u8(), length = read_u8();
    char symbol[256] = "";
    int64_t arguments[MAX_ARGUMENTS];
    uint32_t used[MAX_ARGUMENTS];
    int is_buffer[MAX_ARGUMENTS];
    read_bytes(symbol, length);
    if (part > 1 || count < 1 || count > MAX_ARGUMENTS)
        fail("the digest is broken", symbol);
    for (int i = 0; i < count; i++) {
        is_buffer[i] = read_u8();
        if (!is_buffer[i]) {
            arguments[i] = read_i64();
            continue;
        }
        used[i] = read_u32();
        Slot *slot = find_slot(used[i], read_u32());
        read_patches(slot);
        memcpy(slot->actual, slot->expected, slot->size);
        arguments[i] = (int64_t)(intptr_t)slot->actual;
    }
    void *function = dlsym(libraries[part], symbol);
    if (!function)
        fail("the library does not contain", symbol);
    int64_t value = call(function, result, count, arguments), expected = read_i64();
    int agrees = result == NO_RESULT || value == expected;
    if (!agrees)
        printf("call %lld, %s: %lld instead of %lld\n", (long long)index, symbol, (long long)value, (long long)expected);
    for (int i = 0; i < count; i++)
        if (is_buffer[i])
            read_patches(&slots[used[i]]);
    for (int i = 0; i < count && agrees; i++) {
        const Slot *slot = &slots[is_buffer[i] ? used[i] : 0];
        if (is_buffer[i] && memcmp(slot->actual, slot->expected, slot->size) != 0) {
            report_difference(index, symbol, i, slot);
            agrees = 0;
        }
    }
    return agrees;
}

int main(int argc, char **argv)
{
    char magic[sizeof MAGIC];
    void *libraries[2];
    if (argc != 4)
        fail("usage", "replay DIGEST RULES_LIBRARY BOTS_LIBRARY");
    if (!(digest = fopen(argv[1], "rb")))
        fail("cannot open", argv[1]);
    for (int part = 0; part < 2; part++)
        if (!(libraries[part] = dlopen(argv[2 + part], RTLD_NOW | RTLD_LOCAL)))
            fail("cannot load", dlerror());
    read_bytes(magic, sizeof magic);
    if (memcmp(magic, MAGIC, sizeof magic) != 0)
        fail("this is no digest", argv[1]);
    int64_t calls = read_i64();
    for (int64_t index = 0; index < calls; index++)
        if (!replay(index, libraries)) {
            printf("%lld of %lld calls agree\n", (long long)index, (long long)calls);
            return 1;
        }
    printf("%lld of %lld calls agree\n", (long long)calls, (long long)calls);
    return 0;
}

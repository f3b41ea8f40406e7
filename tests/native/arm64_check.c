/* arm64_check.c: checks every instruction of native/jit/arm64/assembler.c on the processor.
 *
 * It runs short code sequences: each instruction with many registers and constants.  Afterwards it
 * compares all registers, flags and memory with results computed in C.  It owns the meaning of the
 * instructions (assembler.h).  It prints the number of code sequences; at a difference it prints
 * the sequence and exits with 1. */
#define _GNU_SOURCE
#include "jit/assembler.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    CODE_BYTES = 1 << 22,
    NEAR_CODE = 4096,              /* offset of code that a sequence jumps to or calls */
    FAR_CODE = CODE_BYTES - 4096,  /* beyond the range of conditional jumps */
    HALF_MEMORY = 1 << 26,         /* bytes below and above `mem` */
    IMAGE_BYTES = HALF_MEMORY / 4, /* used part of the image, which begins at `mem` */
    CELLS = 64                     /* of each stack */
};

typedef struct {
    uint64_t x[FVM_REGS]; /* by fvm_reg */
} registers;

/* check_run(registers, code): loads all registers, runs the code and stores all registers. */
__asm__(".text\n.globl check_run\ncheck_run:\n"
        "stp x29, x30, [sp, -112]!\n stp x19, x20, [sp, 16]\n stp x21, x22, [sp, 32]\n"
        "stp x23, x24, [sp, 48]\n stp x25, x26, [sp, 64]\n str x0, [sp, 80]\n mov x25, x1\n"
        "ldp x9, x10, [x0]\n ldp x11, x12, [x0, 16]\n ldp x13, x14, [x0, 32]\n"
        "ldp x15, x24, [x0, 48]\n ldp x19, x20, [x0, 64]\n ldp x21, x22, [x0, 80]\n"
        "ldp x23, x16, [x0, 96]\n ldr x17, [x0, 112]\n"
        "mov x0, -1\n mov x1, -1\n mov x2, -1\n mov x8, -1\n blr x25\n ldr x0, [sp, 80]\n"
        "stp x9, x10, [x0]\n stp x11, x12, [x0, 16]\n stp x13, x14, [x0, 32]\n"
        "stp x15, x24, [x0, 48]\n stp x19, x20, [x0, 64]\n stp x21, x22, [x0, 80]\n"
        "stp x23, x16, [x0, 96]\n str x17, [x0, 112]\n"
        "ldp x19, x20, [sp, 16]\n ldp x21, x22, [sp, 32]\n ldp x23, x24, [sp, 48]\n"
        "ldp x25, x26, [sp, 64]\n ldp x29, x30, [sp], 112\n ret\n");
void check_run(registers *state, const uint8_t *code);

static fvm vm;
static uint8_t *code, *mem;         /* mem: the middle of 2 * HALF_MEMORY bytes */
static fvm_cell stacks[2][CELLS];   /* parameter stack, return stack */
static fvm_asm as;                  /* the code sequence under construction */
static registers initial, expected; /* before and after the code sequence */
static long sequences;              /* number of code sequences run */
static char description[200];       /* of the code sequence, for error messages */
static uint64_t seed = 1;

#define DESCRIBE(...) snprintf(description, sizeof description, __VA_ARGS__)

static uint32_t random32(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

static const fvm_cell edge_values[] = {0,
                                       1,
                                       -1,
                                       2,
                                       3,
                                       4,
                                       7,
                                       -4,
                                       31,
                                       64,
                                       100,
                                       255,
                                       256,
                                       257,
                                       -255,
                                       -256,
                                       -257,
                                       1023,
                                       4092,
                                       4095,
                                       4096,
                                       4097,
                                       -4095,
                                       -4096,
                                       -4097,
                                       8192,
                                       16380,
                                       16384,
                                       32768,
                                       65535,
                                       65536,
                                       -65535,
                                       -65536,
                                       -65537,
                                       0xFF0000,
                                       0xFFF000,
                                       0x1000000,
                                       -0x1000000,
                                       0xFFFFFF,
                                       -0xFFF001,
                                       0x12345678,
                                       -99999999,
                                       0xFC00,
                                       0x3FF,
                                       0x7FFFFFFF,
                                       INT32_MIN,
                                       INT32_MIN + 1,
                                       -2147480000,
                                       0x55555555,
                                       -0x100001,
                                       0x7FFF0000,
                                       (fvm_cell)0x80000001,
                                       (fvm_cell)0xFFFF1234,
                                       (fvm_cell)0xF000000F,
                                       0x0FF00FF0};
enum { EDGE_VALUES = sizeof edge_values / sizeof *edge_values };

static fvm_cell random_value(void) {
    uint32_t n = random32();
    return (n & 3) != 0 ? edge_values[(n >> 2) % EDGE_VALUES] : (fvm_cell)random32();
}

/* Begins a code sequence with random registers and stacks. */
static void begin_sequence(void) {
    for (int reg = T0; reg <= TOS; reg++)
        initial.x[reg] = (uint32_t)random_value();
    initial.x[FUEL] = (uint32_t)random_value();
    initial.x[S0] = random32();
    initial.x[S1] = random32();
    initial.x[VM] = (uintptr_t)&vm;
    initial.x[MEM] = (uintptr_t)mem;
    initial.x[SP] = (uintptr_t)&stacks[0][CELLS / 2];
    initial.x[RP] = (uintptr_t)&stacks[1][CELLS / 2];
    for (int i = 0; i < CELLS; i++)
        stacks[0][i] = random_value(), stacks[1][i] = random_value();
    expected = initial;
    as = (fvm_asm){.at = code, .end = code + CODE_BYTES};
}

static void fail(const char *message) {
    printf("%s: %s\n", description, message);
    for (const uint8_t *at = code; at < as.at && at < code + 400; at += 4) {
        uint32_t word;
        memcpy(&word, at, 4);
        printf("%08x\n", word);
    }
    exit(1);
}

#define CHECK(condition_)                                                                          \
    do {                                                                                           \
        if (!(condition_))                                                                         \
            fail(#condition_);                                                                     \
    } while (0)

/* Runs the code sequence and compares all registers with `expected`. */
static void run(void) {
    registers state = initial;
    static const uint32_t ret = 0xD65F03C0;
    memcpy(as.at, &ret, 4);
    fvm_publish_code(code, as.at + 4);
    check_run(&state, code);
    sequences++;
    for (int reg = 0; reg < FVM_REGS; reg++)
        if (state.x[reg] != expected.x[reg]) {
            char message[100];
            snprintf(message, sizeof message, "register %d is %llX, not %llX", reg,
                     (unsigned long long)state.x[reg], (unsigned long long)expected.x[reg]);
            fail(message);
        }
}

/* The value of a register before the code sequence. */
static fvm_cell value_of(fvm_reg reg) { return (fvm_cell)(uint32_t)initial.x[reg]; }
/* Sets the expected value of a register after the code sequence. */
static void expect(fvm_reg reg, fvm_cell value) { expected.x[reg] = (uint32_t)value; }

static fvm_reg random_allocatable(void) { return (fvm_reg)(random32() % FVM_ALLOCATABLE_REGS); }
static fvm_reg random_reg(void) { return random32() % 8 == 0 ? S0 : random_allocatable(); }

static fvm_cell expected_result(fvm_alu op, fvm_cell a, fvm_cell b) {
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (op) {
    case ADD:
        return (fvm_cell)(x + y);
    case SUB:
        return (fvm_cell)(x - y);
    case MUL:
        return (fvm_cell)(x * y);
    case AND:
        return a & b;
    case OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static bool condition_holds(fvm_cond cond, int64_t a, int64_t b, bool wide) {
    uint64_t x = wide ? (uint64_t)a : (uint32_t)a, y = wide ? (uint64_t)b : (uint32_t)b;
    switch (cond) {
    case EQ:
        return a == b;
    case NE:
        return a != b;
    case LT:
        return a < b;
    case GE:
        return a >= b;
    case GT:
        return a > b;
    case LE:
        return a <= b;
    case LOWER:
        return x < y;
    case ABOVE_EQ:
        return x >= y;
    case ABOVE:
        return x > y;
    default:
        return x <= y;
    }
}

static void check_constants_and_copies(void) {
    for (int i = 0; i < 2000; i++) {
        begin_sequence();
        fvm_reg d = random_reg(), a = random_reg();
        fvm_cell n = i < EDGE_VALUES ? edge_values[i] : random_value();
        DESCRIBE("set %d, %d", d, n);
        fvm_asm_set(&as, d, n);
        expect(d, n);
        run();
        begin_sequence();
        DESCRIBE("copy %d, %d", d, a);
        fvm_asm_copy(&as, d, a);
        expect(d, value_of(a));
        run();
        begin_sequence();
        DESCRIBE("halve %d, %d (%d)", d, a, value_of(a));
        fvm_asm_halve(&as, d, a);
        expect(d, value_of(a) / 2);
        run();
        begin_sequence();
        DESCRIBE("signed_byte %d, %d", d, a);
        fvm_asm_signed_byte(&as, d, a);
        expect(d, (int8_t)value_of(a));
        run();
    }
}

static void check_addresses(void) {
    for (int i = 0; i < 3000; i++) {
        const fvm_reg d = random_reg();
        const fvm_address a = {.base = i % 3 == 1 ? (uint8_t)NONE : (uint8_t)random_reg(),
                               .index = i % 3 == 2 ? (uint8_t)NONE : (uint8_t)random_reg(),
                               .offset = i < EDGE_VALUES ? edge_values[i] : random_value()};
        begin_sequence();
        const uint32_t base = a.base == NONE ? 0 : (uint32_t)value_of((fvm_reg)a.base);
        const uint32_t index = a.index == NONE ? 0 : (uint32_t)value_of((fvm_reg)a.index);
        DESCRIBE("address %d: %d + 4 * %d + %d", d, a.base, a.index, a.offset);
        fvm_asm_compute_address(&as, d, a);
        expect(d, (fvm_cell)(base + 4 * index + (uint32_t)a.offset));
        run();
    }
}

static void check_arithmetic(void) {
    for (int i = 0; i < 6000; i++) {
        fvm_alu op = (fvm_alu)(i % 6);
        fvm_reg d = random_reg(), a = random_reg(), b = random_reg();
        begin_sequence();
        DESCRIBE("op %d: %d, %d, %d", op, d, a, b);
        fvm_asm_op(&as, op, d, a, b);
        expect(d, expected_result(op, value_of(a), value_of(b)));
        run();
        fvm_cell n = i / 6 < EDGE_VALUES ? edge_values[i / 6] : random_value();
        begin_sequence();
        DESCRIBE("op_const %d: %d, %d, %d", op, d, a, n);
        fvm_asm_op_const(&as, op, d, a, n);
        expect(d, expected_result(op, value_of(a), n));
        run();
    }
    /* All masks of contiguous one bits, where bit 0 follows bit 31. */
    for (int bit = 0; bit < 32; bit++)
        for (int ones = 1; ones < 32; ones++) {
            uint32_t low_ones = (1u << ones) - 1;
            fvm_cell n = (fvm_cell)(low_ones << bit | (bit == 0 ? 0 : low_ones >> (32 - bit)));
            begin_sequence();
            DESCRIBE("mask %x", (unsigned)n);
            fvm_asm_op_const(&as, (fvm_alu)(AND + ones % 3), T1, T2, n);
            expect(T1, expected_result((fvm_alu)(AND + ones % 3), value_of(T2), n));
            run();
        }
    for (int i = 0; i < 2000; i++) {
        begin_sequence();
        fvm_reg a = random_allocatable(), b = random_allocatable();
        uint8_t q = i % 3 != 0 ? (uint8_t)random_allocatable() : NONE;
        uint8_t r = i % 3 != 1 ? (uint8_t)random_allocatable() : NONE;
        if (value_of(b) == 0 || (value_of(b) == -1 && value_of(a) == INT32_MIN) || q == r)
            continue;
        DESCRIBE("divide %d, %d, %d, %d (%d, %d)", q, r, a, b, value_of(a), value_of(b));
        fvm_asm_divide(&as, q, r, a, b);
        if (q != NONE)
            expect((fvm_reg)q, value_of(a) / value_of(b));
        if (r != NONE)
            expect((fvm_reg)r, value_of(a) % value_of(b));
        run();
    }
    for (int i = 0; i < 2000; i++) {
        begin_sequence();
        fvm_reg a = random_allocatable();
        fvm_cell n = random_value();
        uint8_t q = i % 3 != 0 ? (uint8_t)random_allocatable() : NONE;
        uint8_t r = i % 3 != 1 ? (uint8_t)random_allocatable() : NONE;
        if (n == 0 || n == -1 || n == INT32_MIN || q == r || q == a || r == a)
            continue;
        DESCRIBE("divide %d, %d, %d (%d) by %d", q, r, a, value_of(a), n);
        fvm_asm_divide_const(&as, q, r, a, n);
        expected.x[S1] = (uint32_t)n;
        if (q != NONE)
            expect((fvm_reg)q, value_of(a) / n);
        if (r != NONE)
            expect((fvm_reg)r, value_of(a) % n);
        run();
    }
}

/* Emits code that uses the flags, runs the sequence and checks whether the condition holds.  The
 * code either computes -1 or 0 from the flags, or sets a register to 1 and then to 2, unless a
 * conditional jump skips the 2.  In half of the sequences a copy, a load and a store precede this
 * code; they must preserve the flags. */
static void check_condition(fvm_cond cond, bool expected_flag) {
    if (random32() % 2 != 0) {
        fvm_asm_copy(&as, T5, T6);
        fvm_asm_load(&as, T4, SP, -8);
        fvm_asm_store(&as, SP, 40, T6);
        expect(T5, value_of(T6));
        expect(T4, stacks[0][CELLS / 2 - 2]);
    }
    if (random32() % 2 != 0) {
        fvm_asm_flag(&as, cond, T3);
        expect(T3, -expected_flag);
    } else {
        fvm_asm_set(&as, T3, 1);
        uint8_t *jump = fvm_asm_jump(&as, cond);
        fvm_asm_set(&as, T3, 2);
        fvm_asm_patch(jump, as.at);
        expect(T3, expected_flag ? 1 : 2);
    }
    run();
}

static void check_comparisons(void) {
    for (int i = 0; i < 8000; i++) {
        fvm_cond cond = (fvm_cond)(i % (LOWER_EQ + 1));
        fvm_reg a = random_allocatable(), b = random32() % 8 == 0 ? a : random_allocatable();
        fvm_cell n = random_value();
        begin_sequence();
        DESCRIBE("compare %d, %d (%d, %d), condition %d", a, b, value_of(a), value_of(b), cond);
        fvm_asm_compare(&as, a, b);
        check_condition(cond, condition_holds(cond, value_of(a), value_of(b), false));
        begin_sequence();
        if (random32() % 4 == 0)
            n = value_of(a);
        DESCRIBE("compare_const %d (%d), %d, condition %d", a, value_of(a), n, cond);
        fvm_asm_compare_const(&as, a, n);
        check_condition(cond, condition_holds(cond, value_of(a), n, false));
        begin_sequence();
        vm.jit.epoch = (uint32_t)(random32() % 4 == 0 ? n : random_value());
        DESCRIBE("compare_field %u, %d, condition %d", vm.jit.epoch, n, cond);
        fvm_asm_compare_field(&as, offsetof(fvm, jit.epoch), n);
        check_condition(cond, condition_holds(cond, (fvm_cell)vm.jit.epoch, n, false));
        begin_sequence();
        DESCRIBE("compare_cell, condition %d", cond);
        fvm_asm_compare_cell(&as, a, RP, -4);
        check_condition(cond, condition_holds(cond, value_of(a), stacks[1][CELLS / 2 - 1], false));
        begin_sequence();
        n = random32() % 2 != 0 ? n : (fvm_cell)(random32() % 64) * 4;
        vm.rbase = (fvm_cell *)((uintptr_t)initial.x[SP] + (uintptr_t)(int64_t)n +
                                (uintptr_t)(int64_t)(fvm_cell)(random32() % 3) - 1);
        DESCRIBE("compare_pointer %d, condition %d", n, cond);
        fvm_asm_compare_pointer(&as, SP, n, offsetof(fvm, rbase));
        check_condition(cond, condition_holds(cond, (int64_t)initial.x[SP] + n,
                                              (int64_t)(uintptr_t)vm.rbase, true));
        begin_sequence();
        n = i % 2 != 0 ? (fvm_cell)(random32() % 50) : random_value();
        DESCRIBE("spend %d of %d", n, value_of(FUEL));
        fvm_asm_subtract_fuel(&as, n);
        expect(FUEL, expected_result(SUB, value_of(FUEL), n));
        const fvm_cond has_fuel = i % 3 == 0 ? GE : LT;
        check_condition(has_fuel, condition_holds(has_fuel, value_of(FUEL), n, false));
    }
}

static fvm_cell cell_at(const uint8_t *at) {
    fvm_cell cell;
    memcpy(&cell, at, 4);
    return cell;
}

static void set_cell(uint8_t *at, fvm_cell cell) { memcpy(at, &cell, 4); }

/* The instructions that check_memory checks. */
enum {
    CHECK_LOAD,
    CHECK_LOAD_BYTE,
    CHECK_STORE,
    CHECK_STORE_CONST,
    CHECK_STORE_FIXED_BYTE_CONST,
    CHECK_STORE_FIXED_BYTE,
    CHECK_ADD_TO_POINTER,
    CHECK_COMPARE_FIXED_BYTE,
    MEMORY_CHECKS
};

static void check_memory(void) {
    for (int i = 0; i < 6000; i++) {
        fvm_cell offset = random_value();
        if (offset < -HALF_MEMORY + 8 || offset > HALF_MEMORY - 8)
            offset = (fvm_cell)(random32() % (2u * HALF_MEMORY - 16)) - HALF_MEMORY + 8;
        if (random32() % 4 == 0)
            offset += (fvm_cell)(random32() % 8) - 4;
        uint8_t *at = mem + offset;
        fvm_reg d = random_reg();
        fvm_cell old = random_value(), n = random_value();
        for (int kind = 0; kind < MEMORY_CHECKS; kind++) {
            begin_sequence();
            set_cell(at, old);
            DESCRIBE("memory %d at %d, %d", kind, offset, d);
            fvm_cell new_content = old;
            switch (kind) {
            case CHECK_LOAD:
                fvm_asm_load(&as, d, MEM, offset);
                expect(d, old);
                break;
            case CHECK_LOAD_BYTE:
                fvm_asm_load_byte(&as, d, MEM, offset);
                expect(d, (int8_t)old);
                break;
            case CHECK_STORE:
                fvm_asm_store(&as, MEM, offset, d);
                new_content = value_of(d);
                break;
            case CHECK_STORE_CONST:
                fvm_asm_store_const(&as, MEM, offset, n);
                new_content = n;
                break;
            case CHECK_STORE_FIXED_BYTE_CONST:
                fvm_asm_store_fixed_byte_const(&as, offset, (uint8_t)n);
                new_content = (old & ~255) | (uint8_t)n;
                break;
            case CHECK_STORE_FIXED_BYTE:
                fvm_asm_store_fixed_byte(&as, offset, d);
                new_content = (old & ~255) | (uint8_t)value_of(d);
                break;
            case CHECK_ADD_TO_POINTER:
                fvm_asm_add_to_pointer(&as, SP, offset);
                expected.x[SP] += (uint64_t)(int64_t)offset;
                break;
            default:
                fvm_asm_compare_fixed_byte(&as, offset);
                fvm_asm_flag(&as, NE, T0);
                expect(T0, -((uint8_t)old != 0));
            }
            run();
            CHECK(cell_at(at) == new_content);
        }
    }
}

static void check_image(void) {
    for (int i = 0; i < 6000; i++) {
        begin_sequence();
        fvm_reg a = random_allocatable(), d = random_allocatable();
        bool one_byte = random32() % 2 != 0;
        uint32_t image_addr = random32() % IMAGE_BYTES;
        fvm_cell offset = random32() % 2 != 0 ? 0 : random_value();
        uint32_t checked_addr = random32() % 4 == 0 ? random32() : image_addr;
        /* The limit of the check: the size of the image, or within 1 of the checked address. */
        vm.span4 = random32() % 2 != 0 ? IMAGE_BYTES : checked_addr - FVM_LOW + random32() % 3 - 1;
        initial.x[a] = expected.x[a] = (uint32_t)(checked_addr - (uint32_t)offset);
        bool out_of_range = checked_addr - FVM_LOW > vm.span4;
        set_cell(mem + image_addr, random_value());
        DESCRIBE("read %x + %x below %x to %d", (unsigned)value_of(a), (unsigned)offset, vm.span4,
                 d);
        fvm_asm_check_read(&as, fvm_register_plus((uint8_t)a, offset), vm.span4 + FVM_LOW + 4);
        uint8_t *out = fvm_asm_jump(&as, ABOVE);
        /* The read is emitted if the address is the prepared one in the image, or if the check
         * jumps over it.  No read is emitted for an address that the check accepts outside the
         * image. */
        if (checked_addr == image_addr || out_of_range) {
            if (one_byte)
                fvm_asm_read_checked_byte(&as, d);
            else
                fvm_asm_read_checked(&as, d);
        }
        fvm_asm_patch(out, as.at);
        if (!out_of_range && checked_addr == image_addr)
            expect(d, one_byte ? (int8_t)mem[image_addr] : cell_at(mem + image_addr));
        expected.x[S0] = checked_addr - FVM_LOW;
        run();
    }
    /* Where the marks of cells and of pages begin, as offsets from mem. */
    enum { MARKS = -HALF_MEMORY / 2, DIRTY = -HALF_MEMORY / 4 * 3 };
    for (int i = 0; i < 6000; i++) {
        begin_sequence();
        fvm_reg a = random_allocatable(), value = random_allocatable();
        if (a == value)
            continue;
        bool one_byte = random32() % 2 != 0;
        uint32_t addr = random32() % 4 == 0 ? random32() : random32() % IMAGE_BYTES & ~3u;
        fvm_cell offset = random32() % 2 != 0 ? 0 : random_value();
        initial.x[a] = expected.x[a] = (uint32_t)(addr - (uint32_t)offset);
        /* A rotation: the index of an address that is not a multiple of 4 is outside the image. */
        uint32_t cell = one_byte ? addr >> 2 : addr >> 2 | addr << 30;
        uint8_t mark = (uint8_t)(random32() % 3 == 0);
        vm.whole_cells = IMAGE_BYTES;
        bool can_store = mark == 0 && cell < IMAGE_BYTES;
        if (cell < IMAGE_BYTES)
            mem[MARKS + (int64_t)cell] = mark;
        mem[DIRTY + (int64_t)(cell % IMAGE_BYTES) / (FVM_PAGE / 4)] = 0;
        fvm_cell old = random_value();
        if (addr < HALF_MEMORY - 4)
            set_cell(mem + addr, old);
        DESCRIBE("store to %x + %x, cell %x, one_byte %d", (unsigned)value_of(a), (unsigned)offset,
                 cell, one_byte);
        fvm_asm_find_cell(&as, fvm_register_plus((uint8_t)a, offset), one_byte);
        uint8_t *beyond = fvm_asm_jump(&as, ABOVE_EQ);
        fvm_asm_check_cell(&as, MARKS);
        uint8_t *marked = fvm_asm_jump(&as, NE);
        bool constant = random32() % 2 != 0;
        fvm_cell stored = constant ? random_value() : value_of(value);
        const int32_t page = can_store ? DIRTY + (int32_t)(cell / (FVM_PAGE / 4)) : 0;
        if (can_store)
            mem[page] = (uint8_t)(random32() % 3);
        fvm_asm_mark_page(&as, DIRTY);
        if (constant)
            fvm_asm_write_found_const(&as, stored, one_byte);
        else if (one_byte)
            fvm_asm_write_found_byte(&as, value);
        else
            fvm_asm_write_found(&as, value);
        fvm_asm_patch(beyond, as.at);
        fvm_asm_patch(marked, as.at);
        expected.x[S0] = addr;
        expected.x[S1] = can_store ? cell / (FVM_PAGE / 4) : cell;
        run();
        if (addr < HALF_MEMORY - 4) {
            fvm_cell new_content = !can_store ? old
                                   : one_byte ? (old & ~255) | (uint8_t)stored
                                              : stored;
            CHECK(cell_at(mem + addr) == new_content);
        }
        if (can_store)
            CHECK(mem[page] == FVM_WRITTEN);
        if (cell < IMAGE_BYTES)
            mem[MARKS + (int64_t)cell] = 0;
    }
}

/* Emits code that pushes a return address. */
static void push_return(fvm_asm *to, fvm_addr return_to) {
    fvm_asm_store_const(to, RP, 4, (fvm_cell)return_to);
    fvm_asm_add_to_pointer(to, RP, 4);
}

static void check_control(void) {
    for (int i = 0; i < 400; i++) {
        /* A jump to near or far code, which jumps back; or no jump if the condition is false. */
        fvm_cond cond = i % 3 == 0 ? ALWAYS : (fvm_cond)(i % (LOWER_EQ + 1));
        begin_sequence();
        fvm_asm called_code = {.at = code + (i % 2 != 0 ? FAR_CODE : NEAR_CODE), .end = as.end};
        const uint8_t *target = called_code.at;
        DESCRIBE("jump_to %d", cond);
        fvm_asm_set(&called_code, T1, 5);
        uint8_t *jump_back = fvm_asm_jump(&called_code, ALWAYS);
        fvm_asm_set(&as, T1, 6);
        fvm_asm_compare(&as, T2, T3);
        fvm_asm_jump_to(&as, cond, target);
        fvm_asm_patch(jump_back, as.at);
        expect(T1,
               cond == ALWAYS || condition_holds(cond, value_of(T2), value_of(T3), false) ? 5 : 6);
        fvm_publish_code(target, called_code.at);
        run();
        /* A call inside a call, and a stub that is redirected.  The return addresses and the
         * addresses for errors, which fvm_asm_return gets, are arbitrary numbers. */
        begin_sequence();
        DESCRIBE("call");
        called_code.at = code + NEAR_CODE;
        const uint8_t *inner = called_code.at;
        fvm_asm_op_const(&called_code, ADD, T1, T1, 7);
        fvm_asm_return(&called_code, 0x12345);
        uint8_t *stub = called_code.at;
        fvm_asm_set(&called_code, S0, 0x5678);
        fvm_asm_jump_to(&called_code, ALWAYS, code);
        const uint8_t *outer = called_code.at;
        push_return(&called_code, 0x1004);
        fvm_asm_call(&called_code, stub);
        fvm_asm_return(&called_code, 0x54321);
        fvm_asm_redirect(stub, inner);
        push_return(&as, i % 2 != 0 ? 0x20000 : 0);
        uint8_t *call = fvm_asm_call(&as, inner);
        fvm_asm_patch(call, outer);
        fvm_publish_code(inner, called_code.at);
        expect(T1, expected_result(ADD, value_of(T1), 7));
        expected.x[S1] = 0x54321;
        run();
        CHECK(stacks[1][CELLS / 2 + 1] == (i % 2 != 0 ? 0x20000 : 0));
        CHECK(stacks[1][CELLS / 2 + 2] == 0x1004);
    }
}

static void check_token_calls(void) {
    for (int i = 0; i < 400; i++) {
        begin_sequence();
        fvm_reg index = random_allocatable(), token = random_allocatable();
        if (token == index)
            continue;
        DESCRIBE("token in %d, index in %d", token, index);
        uint32_t value = (uint32_t)value_of(token), at = value / 4 % FVM_TARGETS;
        bool in_table = i % 3 != 0;
        vm.jit.target_tokens[at] = in_table ? value : value + 4 * FVM_TARGETS;
        vm.jit.target_code[at] = code + NEAR_CODE;
        fvm_asm callee = {.at = code + NEAR_CODE, .end = as.end};
        fvm_asm_set(&callee, S0, 0x1234);
        push_return(&callee, 5);
        fvm_asm_return(&callee, 0x4321);
        fvm_asm_find_token(&as, index, token);
        uint8_t *out = fvm_asm_jump(&as, NE);
        fvm_asm_call_target(&as, index);
        fvm_asm_patch(out, as.at);
        fvm_publish_code(code + NEAR_CODE, callee.at);
        expected.x[index] = 4 * at;
        if (in_table) {
            expected.x[S0] = 0x1234;
            expected.x[S1] = 0x4321;
        }
        run();
    }
}

/* Checks that nothing is written after the end of the buffer. */
static void check_end_of_buffer(void) {
    DESCRIBE("full");
    for (int size = 0; size < 40; size++) {
        begin_sequence();
        memset(code, 0xEE, 200);
        as.end = code + size;
        fvm_asm_set(&as, T0, 0x12345678);
        fvm_asm_call(&as, code);
        fvm_asm_jump_to(&as, EQ, code);
        fvm_asm_store_const(&as, MEM, 0x1234560, 0x12345678);
        CHECK(as.full);
        CHECK(as.at <= as.end && as.end - as.at < 4);
        for (int i = size & ~3; i < 200; i++)
            CHECK(code[i] == 0xEE);
    }
}

int main(void) {
    code =
        mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANON, -1, 0);
    mem = mmap(NULL, 2 * (size_t)HALF_MEMORY + 4096, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (code == MAP_FAILED || mem == MAP_FAILED)
        return 2;
    mem += HALF_MEMORY;
    check_constants_and_copies();
    check_addresses();
    check_arithmetic();
    check_comparisons();
    check_memory();
    check_image();
    check_control();
    check_token_calls();
    check_end_of_buffer();
    printf("%ld code sequences gave the expected result\n", sequences);
    return 0;
}

/* arm64_check.c: every instruction of native/jit/arm64/assembler.c, run and held against C.
 *
 * It runs each on registers and constants of many kinds and looks at all registers, flags and
 * memory afterwards.  It owns what instructions mean (assembler.h); it must not know how they
 * are written.  Prints how many were run; on a difference says which and exits with 1. */
#define _GNU_SOURCE
#include "jit/assembler.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { CODE_BYTES = 1 << 22, MIDDLE = 1 << 26, CELLS = 64 };

typedef struct {
    uint64_t x[FVM_REGS]; /* by fvm_reg */
} registers;

/* run(registers, code): in with all registers, out with what code leaves there. */
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
static uint8_t *code, *mem; /* mem: MIDDLE bytes below and above */
static fvm_cell stacks[2][CELLS];
static fvm_asm as;
static registers before, wanted;
static long instructions;
static char what[200];
static uint64_t seed = 1;

#define SAY(...) snprintf(what, sizeof what, __VA_ARGS__)

static uint32_t any(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

static const fvm_cell odd_ones[] = {0,
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
enum { ODD_ONES = sizeof odd_ones / sizeof *odd_ones };

static fvm_cell some(void) {
    uint32_t n = any();
    return (n & 3) != 0 ? odd_ones[(n >> 2) % ODD_ONES] : (fvm_cell)any();
}

static void begin(void) {
    for (int reg = T0; reg <= TOS; reg++)
        before.x[reg] = (uint32_t)some();
    before.x[FUEL] = (uint32_t)some();
    before.x[S0] = any();
    before.x[S1] = any();
    before.x[VM] = (uintptr_t)&vm;
    before.x[MEM] = (uintptr_t)mem;
    before.x[SP] = (uintptr_t)&stacks[0][CELLS / 2];
    before.x[RP] = (uintptr_t)&stacks[1][CELLS / 2];
    for (int i = 0; i < CELLS; i++)
        stacks[0][i] = some(), stacks[1][i] = some();
    wanted = before;
    as = (fvm_asm){.at = code, .end = code + CODE_BYTES};
}

static void fail(const char *why) {
    printf("%s: %s\n", what, why);
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

static void run(void) {
    registers state = before;
    static const uint32_t back = 0xD65F03C0; /* ret */
    memcpy(as.at, &back, 4);
    fvm_asm_publish(code, as.at + 4);
    check_run(&state, code);
    instructions++;
    for (int reg = 0; reg < FVM_REGS; reg++)
        if (state.x[reg] != wanted.x[reg]) {
            char why[100];
            snprintf(why, sizeof why, "register %d is %llX, not %llX", reg,
                     (unsigned long long)state.x[reg], (unsigned long long)wanted.x[reg]);
            fail(why);
        }
}

static fvm_cell of(fvm_reg reg) { return (fvm_cell)(uint32_t)before.x[reg]; }
static void give(fvm_reg reg, fvm_cell value) { wanted.x[reg] = (uint32_t)value; }

static fvm_reg free_reg(void) { return (fvm_reg)(any() % FVM_ALLOCATABLE_REGS); }
static fvm_reg any_reg(void) { return any() % 8 == 0 ? S0 : free_reg(); }

static fvm_cell result(fvm_alu op, fvm_cell a, fvm_cell b) {
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

/* MINUS and PLUS are asked for after fvm_asm_subtract_fuel only, where it is of the difference. */
static bool holds(fvm_cond cond, int64_t a, int64_t b, bool wide) {
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

static void constants_and_copies(void) {
    for (int i = 0; i < 2000; i++) {
        begin();
        fvm_reg d = any_reg(), a = any_reg();
        fvm_cell n = i < ODD_ONES ? odd_ones[i] : some();
        SAY("set %d, %d", d, n);
        fvm_asm_set(&as, d, n);
        give(d, n);
        run();
        begin();
        SAY("copy %d, %d", d, a);
        fvm_asm_copy(&as, d, a);
        give(d, of(a));
        run();
        begin();
        SAY("halve %d, %d (%d)", d, a, of(a));
        fvm_asm_halve(&as, d, a);
        give(d, of(a) / 2);
        run();
        begin();
        SAY("signed_byte %d, %d", d, a);
        fvm_asm_signed_byte(&as, d, a);
        give(d, (int8_t)of(a));
        run();
    }
}

static void arithmetic(void) {
    for (int i = 0; i < 6000; i++) {
        fvm_alu op = (fvm_alu)(i % 6);
        fvm_reg d = any_reg(), a = any_reg(), b = any_reg();
        begin();
        SAY("op %d: %d, %d, %d", op, d, a, b);
        fvm_asm_op(&as, op, d, a, b);
        give(d, result(op, of(a), of(b)));
        run();
        fvm_cell n = i / 6 < ODD_ONES ? odd_ones[i / 6] : some();
        begin();
        SAY("op_const %d: %d, %d, %d", op, d, a, n);
        fvm_asm_op_const(&as, op, d, a, n);
        give(d, result(op, of(a), n));
        run();
    }
    for (int bit = 0; bit < 32; bit++)
        for (int ones = 1; ones < 32; ones++) {
            uint32_t run_of = (1u << ones) - 1;
            fvm_cell n = (fvm_cell)(run_of << bit | (bit == 0 ? 0 : run_of >> (32 - bit)));
            begin();
            SAY("mask %x", (unsigned)n);
            fvm_asm_op_const(&as, (fvm_alu)(AND + ones % 3), T1, T2, n);
            give(T1, result((fvm_alu)(AND + ones % 3), of(T2), n));
            run();
        }
    for (int i = 0; i < 2000; i++) {
        begin();
        fvm_reg a = free_reg(), b = free_reg();
        uint8_t q = i % 3 != 0 ? (uint8_t)free_reg() : NONE;
        uint8_t r = i % 3 != 1 ? (uint8_t)free_reg() : NONE;
        if (of(b) == 0 || (of(b) == -1 && of(a) == INT32_MIN) || q == r)
            continue;
        SAY("divide %d, %d, %d, %d (%d, %d)", q, r, a, b, of(a), of(b));
        fvm_asm_divide(&as, q, r, a, b);
        if (q != NONE)
            give((fvm_reg)q, of(a) / of(b));
        if (r != NONE)
            give((fvm_reg)r, of(a) % of(b));
        run();
    }
    for (int i = 0; i < 2000; i++) {
        begin();
        fvm_reg a = free_reg();
        fvm_cell n = some();
        uint8_t q = i % 3 != 0 ? (uint8_t)free_reg() : NONE;
        uint8_t r = i % 3 != 1 ? (uint8_t)free_reg() : NONE;
        if (n == 0 || n == -1 || n == INT32_MIN || q == r || q == a || r == a)
            continue;
        SAY("divide %d, %d, %d (%d) by %d", q, r, a, of(a), n);
        fvm_asm_divide_const(&as, q, r, a, n);
        wanted.x[S1] = (uint32_t)n;
        if (q != NONE)
            give((fvm_reg)q, of(a) / n);
        if (r != NONE)
            give((fvm_reg)r, of(a) % n);
        run();
    }
}

/* A flag, or 1 where it jumps and 2 where it does not. */
static void look(fvm_cond cond, bool held) {
    if (any() % 2 != 0) {
        fvm_asm_copy(&as, T5, T6); /* keeps flags */
        fvm_asm_load(&as, T4, SP, -8);
        fvm_asm_store(&as, SP, 40, T6);
        give(T5, of(T6));
        give(T4, stacks[0][CELLS / 2 - 2]);
    }
    if (any() % 2 != 0) {
        fvm_asm_flag(&as, cond, T3);
        give(T3, -held);
    } else {
        fvm_asm_set(&as, T3, 1);
        uint8_t *jump = fvm_asm_jump(&as, cond);
        fvm_asm_set(&as, T3, 2);
        fvm_asm_patch(jump, as.at);
        give(T3, held ? 1 : 2);
    }
    run();
}

static void comparisons(void) {
    for (int i = 0; i < 8000; i++) {
        fvm_cond cond = (fvm_cond)(i % (LOWER_EQ + 1));
        fvm_reg a = free_reg(), b = any() % 8 == 0 ? a : free_reg();
        fvm_cell n = some();
        begin();
        SAY("compare %d, %d (%d, %d), condition %d", a, b, of(a), of(b), cond);
        fvm_asm_compare(&as, a, b);
        look(cond, holds(cond, of(a), of(b), false));
        begin();
        if (any() % 4 == 0)
            n = of(a);
        SAY("compare_const %d (%d), %d, condition %d", a, of(a), n, cond);
        fvm_asm_compare_const(&as, a, n);
        look(cond, holds(cond, of(a), n, false));
        begin();
        vm.jit.epoch = (uint32_t)(any() % 4 == 0 ? n : some());
        SAY("compare_field %u, %d, condition %d", vm.jit.epoch, n, cond);
        fvm_asm_compare_field(&as, offsetof(fvm, jit.epoch), n);
        look(cond, holds(cond, (fvm_cell)vm.jit.epoch, n, false));
        begin();
        SAY("compare_cell, condition %d", cond);
        fvm_asm_compare_cell(&as, a, RP, -4);
        look(cond, holds(cond, of(a), stacks[1][CELLS / 2 - 1], false));
        begin();
        n = any() % 2 != 0 ? n : (fvm_cell)(any() % 64) * 4;
        vm.rbase = (fvm_cell *)((uintptr_t)before.x[SP] + (uintptr_t)(int64_t)n +
                                (uintptr_t)(int64_t)(fvm_cell)(any() % 3) - 1);
        SAY("compare_pointer %d, condition %d", n, cond);
        fvm_asm_compare_pointer(&as, SP, n, offsetof(fvm, rbase));
        look(cond, holds(cond, (int64_t)before.x[SP] + n, (int64_t)(uintptr_t)vm.rbase, true));
        begin();
        n = i % 2 != 0 ? (fvm_cell)(any() % 50) : some();
        SAY("spend %d of %d", n, of(FUEL));
        fvm_asm_subtract_fuel(&as, n);
        fvm_cell remainder = result(SUB, of(FUEL), n);
        give(FUEL, remainder);
        bool plus = i % 3 == 0;
        look(plus ? PLUS : MINUS, (remainder < 0) != plus);
    }
}

static fvm_cell cell_at(const uint8_t *at) {
    fvm_cell cell;
    memcpy(&cell, at, 4);
    return cell;
}

static void put_cell(uint8_t *at, fvm_cell cell) { memcpy(at, &cell, 4); }

static void memory_at_offsets(void) {
    for (int i = 0; i < 6000; i++) {
        fvm_cell offset = some();
        if (offset < -MIDDLE + 8 || offset > MIDDLE - 8)
            offset = (fvm_cell)(any() % (2u * MIDDLE - 16)) - MIDDLE + 8;
        if (any() % 4 == 0)
            offset += (fvm_cell)(any() % 8) - 4;
        uint8_t *at = mem + offset;
        fvm_reg d = any_reg();
        fvm_cell was = some(), n = some();
        for (int kind = 0; kind < 8; kind++) {
            begin();
            put_cell(at, was);
            SAY("memory %d at %d, %d", kind, offset, d);
            fvm_cell left = was;
            switch (kind) {
            case 0:
                fvm_asm_load(&as, d, MEM, offset);
                give(d, was);
                break;
            case 1:
                fvm_asm_load_byte(&as, d, MEM, offset);
                give(d, (int8_t)was);
                break;
            case 2:
                fvm_asm_store(&as, MEM, offset, d);
                left = of(d);
                break;
            case 3:
                fvm_asm_store_const(&as, MEM, offset, n);
                left = n;
                break;
            case 4:
                fvm_asm_store_byte_const(&as, offset, (uint8_t)n);
                left = (was & ~255) | (uint8_t)n;
                break;
            case 5:
                fvm_asm_store_byte(&as, offset, d);
                left = (was & ~255) | (uint8_t)of(d);
                break;
            case 6:
                fvm_asm_add_to_pointer(&as, SP, offset);
                wanted.x[SP] += (uint64_t)(int64_t)offset;
                break;
            default:
                fvm_asm_test_byte(&as, offset);
                fvm_asm_flag(&as, NE, T0);
                give(T0, -((uint8_t)was != 0));
            }
            run();
            CHECK(cell_at(at) == left);
        }
    }
}

/* The image lies from mem on. */
static void image(void) {
    for (int i = 0; i < 6000; i++) {
        begin();
        fvm_reg a = free_reg(), d = free_reg();
        bool one_byte = any() % 2 != 0;
        uint32_t addr = any() % (MIDDLE / 4);
        fvm_cell offset = any() % 2 != 0 ? 0 : some();
        uint32_t seen = any() % 4 == 0 ? any() : addr;
        vm.span4 = any() % 2 != 0 ? MIDDLE / 4 : seen - FVM_LOW + any() % 3 - 1;
        before.x[a] = wanted.x[a] = (uint32_t)(seen - (uint32_t)offset);
        bool refused = seen - FVM_LOW > vm.span4;
        put_cell(mem + addr, some());
        SAY("read %x + %x below %x to %d", (unsigned)of(a), (unsigned)offset, vm.span4, d);
        fvm_asm_check_read(&as, a, offset, vm.span4 + FVM_LOW + 4);
        uint8_t *out = fvm_asm_jump(&as, ABOVE);
        if (seen == addr || refused) {
            if (one_byte)
                fvm_asm_read_byte(&as, d);
            else
                fvm_asm_read(&as, d);
        }
        fvm_asm_patch(out, as.at);
        if (!refused && seen == addr)
            give(d, one_byte ? (int8_t)mem[addr] : cell_at(mem + addr));
        wanted.x[S0] = seen - FVM_LOW;
        run();
    }
    for (int i = 0; i < 2000; i++) {
        begin();
        fvm_reg a = free_reg(), d = free_reg();
        bool one_byte = any() % 2 != 0;
        uint32_t addr = any() % (MIDDLE / 4);
        fvm_cell offset = any() % 2 != 0 ? 0 : some();
        before.x[a] = wanted.x[a] = (uint32_t)(addr - (uint32_t)offset);
        put_cell(mem + addr, some());
        SAY("read what is known at %x + %x to %d", (unsigned)of(a), (unsigned)offset, d);
        fvm_asm_read_known(&as, d, a, offset, one_byte);
        give(d, one_byte ? (int8_t)mem[addr] : cell_at(mem + addr));
        if (offset != 0)
            wanted.x[S0] = addr;
        run();
    }
    /* Pages are noted from -3 / 4, and cells marked from -1 / 2 of the index below mem on. */
    enum { MARKS = -MIDDLE / 2, DIRTY = -MIDDLE / 4 * 3 };
    for (int i = 0; i < 6000; i++) {
        begin();
        fvm_reg a = free_reg(), value = free_reg();
        if (a == value)
            continue;
        bool one_byte = any() % 2 != 0;
        uint32_t addr = any() % 4 == 0 ? any() : any() % (MIDDLE / 4) & ~3u;
        fvm_cell offset = any() % 2 != 0 ? 0 : some();
        before.x[a] = wanted.x[a] = (uint32_t)(addr - (uint32_t)offset);
        uint32_t cell = one_byte ? addr >> 2 : addr >> 2 | addr << 30;
        uint8_t mark = (uint8_t)(any() % 3 == 0);
        vm.whole_cells = MIDDLE / 4;
        bool plain = mark == 0 && cell < MIDDLE / 4;
        if (cell < MIDDLE / 4)
            mem[MARKS + (int64_t)cell] = mark;
        mem[DIRTY + (int64_t)(cell % (MIDDLE / 4)) / (FVM_PAGE / 4)] = 0;
        fvm_cell was = some();
        if (addr < MIDDLE - 4)
            put_cell(mem + addr, was);
        SAY("store to %x + %x, cell %x, one_byte %d", (unsigned)of(a), (unsigned)offset, cell,
            one_byte);
        fvm_asm_find_cell(&as, a, offset, one_byte);
        uint8_t *beyond = fvm_asm_jump(&as, ABOVE_EQ);
        fvm_asm_check_cell(&as, MARKS);
        uint8_t *marked = fvm_asm_jump(&as, NE);
        bool constant = any() % 2 != 0;
        fvm_cell stored = constant ? some() : of(value);
        const int32_t page = plain ? DIRTY + (int32_t)(cell / (FVM_PAGE / 4)) : 0;
        const uint8_t noted = (uint8_t)(any() % 3);
        const bool tells = plain && any() % 2 != 0; /* that it got there, by another mark */
        if (plain)
            mem[page] = noted;
        fvm_asm_find_page(&as);
        fvm_asm_test_page(&as, DIRTY);
        uint8_t *is_noted = fvm_asm_jump(&as, EQ);
        if (tells)
            fvm_asm_store_byte_const(&as, page, 9);
        else
            fvm_asm_mark_page(&as, DIRTY);
        fvm_asm_patch(is_noted, as.at);
        if (constant)
            fvm_asm_write_const(&as, stored, one_byte);
        else if (one_byte)
            fvm_asm_write_byte(&as, value);
        else
            fvm_asm_write(&as, value);
        fvm_asm_patch(beyond, as.at);
        fvm_asm_patch(marked, as.at);
        wanted.x[S0] = addr;
        wanted.x[S1] = plain ? cell / (FVM_PAGE / 4) : cell;
        run();
        if (addr < MIDDLE - 4) {
            fvm_cell left = !plain ? was : one_byte ? (was & ~255) | (uint8_t)stored : stored;
            CHECK(cell_at(mem + addr) == left);
        }
        if (plain)
            CHECK(mem[page] == (tells && noted != FVM_WRITTEN ? 9 : FVM_WRITTEN));
        if (cell < MIDDLE / 4)
            mem[MARKS + (int64_t)cell] = 0;
    }
}

static void push_return(fvm_asm *to, fvm_addr back) {
    fvm_asm_store_const(to, RP, 4, (fvm_cell)back);
    fvm_asm_add_to_pointer(to, RP, 4);
}

static void control(void) {
    for (int i = 0; i < 400; i++) {
        /* Far away and near, forth and back, taken and not. */
        fvm_cond cond = i % 3 == 0 ? ALWAYS : (fvm_cond)(i % (LOWER_EQ + 1));
        begin();
        fvm_asm there = {.at = code + (i % 2 != 0 ? CODE_BYTES - 4096 : 4096), .end = as.end};
        const uint8_t *target = there.at;
        SAY("jump_to %d", cond);
        fvm_asm_set(&there, T1, 5);
        uint8_t *back = fvm_asm_jump(&there, ALWAYS);
        fvm_asm_set(&as, T1, 6);
        fvm_asm_compare(&as, T2, T3);
        fvm_asm_jump_to(&as, cond, target);
        fvm_asm_patch(back, as.at);
        give(T1, cond == ALWAYS || holds(cond, of(T2), of(T3), false) ? 5 : 6);
        fvm_asm_publish(target, there.at);
        run();
        /* Calls in calls; a stub that becomes a jump. */
        begin();
        SAY("call");
        there.at = code + 8192;
        const uint8_t *inner = there.at;
        fvm_asm_op_const(&there, ADD, T1, T1, 7);
        fvm_asm_return(&there, 0x12345);
        uint8_t *stub = there.at;
        fvm_asm_set(&there, S0, 0x5678);
        fvm_asm_jump_to(&there, ALWAYS, code);
        const uint8_t *outer = there.at;
        push_return(&there, 0x1004);
        fvm_asm_call(&there, stub);
        fvm_asm_return(&there, 0x54321);
        fvm_asm_redirect(stub, inner);
        push_return(&as, i % 2 != 0 ? 0x20000 : 0);
        uint8_t *call = fvm_asm_call(&as, inner);
        fvm_asm_patch(call, outer);
        fvm_asm_publish(inner, there.at);
        give(T1, result(ADD, of(T1), 7));
        wanted.x[S1] = 0x54321;
        run();
        CHECK(stacks[1][CELLS / 2 + 1] == (i % 2 != 0 ? 0x20000 : 0));
        CHECK(stacks[1][CELLS / 2 + 2] == 0x1004);
    }
}

static void targets(void) {
    for (int i = 0; i < 400; i++) {
        begin();
        fvm_reg index = free_reg(), token = free_reg();
        if (token == index)
            continue;
        SAY("token in %d, index in %d", token, index);
        uint32_t value = (uint32_t)of(token), at = value / 4 % FVM_TARGETS;
        bool there = i % 3 != 0;
        vm.jit.target_tokens[at] = there ? value : value + 4 * FVM_TARGETS;
        vm.jit.target_code[at] = code + 8192;
        fvm_asm callee = {.at = code + 8192, .end = as.end};
        fvm_asm_set(&callee, S0, 0x1234);
        push_return(&callee, 5);
        fvm_asm_return(&callee, 0x4321);
        fvm_asm_find_token(&as, index, token);
        uint8_t *out = fvm_asm_jump(&as, NE);
        fvm_asm_call_target(&as, index);
        fvm_asm_patch(out, as.at);
        fvm_asm_publish(code + 8192, callee.at);
        wanted.x[index] = 4 * at;
        if (there) {
            wanted.x[S0] = 0x1234;
            wanted.x[S1] = 0x4321;
        }
        run();
    }
}

/* Beyond the end nothing is written. */
static void ends(void) {
    SAY("full");
    for (int room = 0; room < 40; room++) {
        begin();
        memset(code, 0xEE, 200);
        as.end = code + room;
        fvm_asm_set(&as, T0, 0x12345678);
        fvm_asm_call(&as, code);
        fvm_asm_jump_to(&as, EQ, code);
        fvm_asm_store_const(&as, MEM, 0x1234560, 0x12345678);
        CHECK(as.full);
        CHECK(as.at <= as.end && as.end - as.at < 4);
        for (int i = room & ~3; i < 200; i++)
            CHECK(code[i] == 0xEE);
    }
}

int main(void) {
    code =
        mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANON, -1, 0);
    mem = mmap(NULL, 2 * (size_t)MIDDLE + 4096, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (code == MAP_FAILED || mem == MAP_FAILED)
        return 2;
    mem += MIDDLE;
    constants_and_copies();
    arithmetic();
    comparisons();
    memory_at_offsets();
    image();
    control();
    targets();
    ends();
    printf("%ld code sequences gave the expected result\n", instructions);
    return 0;
}

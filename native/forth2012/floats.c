/* floats.c: the floating-point words of Forth 2012: doubles on a stack of their own in the image.
 *
 * It owns the table of these words, whose indexes forth2012-floating.4th uses, and the conversion
 * between doubles and text.  The words of the group floats in primitives.def are those of the
 * original engine: floats of single precision on the parameter stack. */
#include "forth2012/services.h"
#include "vm/fast_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the float stack, which grows upwards ------------------------------------------- */

/* Reads the `count` highest floats, the top last.  The image is untrusted: a script may have
 * changed the limits. */
static fvm_status peek(fvm *vm, uint32_t count, double *floats) {
    const fvm_addr top = (fvm_addr)fvm_get(vm, FVM_K_FLOAT_TOP);
    const fvm_addr low = (fvm_addr)fvm_get(vm, FVM_K_FLOAT_LOW);
    const uint32_t bytes = 8 * count;
    if (top < low || top - low < bytes || (top & 3) != 0 || !fvm_in(vm, top - bytes, bytes))
        return fvm_fail(vm, FVM_ERR_THROW, -45, "the float stack has too few items");
    memcpy(floats, vm->mem + top - bytes, bytes);
    return FVM_OK;
}

/* Pops `count` floats into `floats`. */
static fvm_status take(fvm *vm, uint32_t count, double *floats) {
    const fvm_status status = peek(vm, count, floats);
    if (status == FVM_OK)
        fvm_put(vm, FVM_K_FLOAT_TOP, fvm_get(vm, FVM_K_FLOAT_TOP) - (fvm_cell)(8 * count));
    return status;
}

/* Checks a range, which is not empty.  The checked load grows the memory up to HERE. */
static fvm_status check_range(fvm *vm, fvm_addr addr, uint32_t length) {
    fvm_cell value;
    if (fvm_in(vm, addr, length))
        return FVM_OK;
    if (fvm_load_byte(vm, addr, &value) != FVM_OK || !fvm_in(vm, addr, length))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)addr, "%s", "");
    return FVM_OK;
}

static fvm_status store_bytes(fvm *vm, fvm_addr addr, const void *from, uint32_t length) {
    const fvm_status status = length > 0 ? check_range(vm, addr, length) : FVM_OK;
    if (status == FVM_OK && length > 0) {
        fvm_write_barrier(vm, addr, length);
        memcpy(vm->mem + addr, from, length);
    }
    return status;
}

static fvm_status load_bytes(fvm *vm, fvm_addr addr, void *to, uint32_t length) {
    const fvm_status status = length > 0 ? check_range(vm, addr, length) : FVM_OK;
    if (status == FVM_OK && length > 0)
        memcpy(to, vm->mem + addr, length);
    return status;
}

/* Stores floats after the caller has checked the range. */
static void put_floats(fvm *vm, fvm_addr addr, const double *floats, uint32_t count) {
    if (!fvm_prepare_raw_stores(vm, addr, 8 * count))
        fvm_write_barrier(vm, addr, 8 * count);
    memcpy(vm->mem + addr, floats, 8 * count);
}

/* Replaces the highest floats, which the caller has peeked at, by others. */
static fvm_status replace(fvm *vm, uint32_t popped, const double *floats, uint32_t pushed) {
    const fvm_addr base = (fvm_addr)fvm_get(vm, FVM_K_FLOAT_TOP) - 8 * popped;
    const fvm_addr high = (fvm_addr)fvm_get(vm, FVM_K_FLOAT_HIGH);
    const uint32_t bytes = 8 * pushed;
    if (base > high || high - base < bytes || (base & 3) != 0 || !fvm_in(vm, base, bytes))
        return fvm_fail(vm, FVM_ERR_THROW, -44, "the float stack is full");
    put_floats(vm, base, floats, pushed);
    if (popped != pushed)
        fvm_put(vm, FVM_K_FLOAT_TOP, (fvm_cell)(base + bytes));
    return FVM_OK;
}

static fvm_status give(fvm *vm, double x) { return replace(vm, 0, &x, 1); }

/* Every NaN that is computed is the one that x86 produces: which operand's bits or which sign it
 * has would depend on the processor and on the compiler. */
static double without_payload(double x) {
    static const uint64_t bits = UINT64_C(0xFFF8000000000000);
    if (isnan(x))
        memcpy(&x, &bits, sizeof x);
    return x;
}

static fvm_status take_cell(fvm *vm, fvm_cell *value) {
    const fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        *value = fvm_drop(vm);
    return status;
}

static fvm_status push_flag(fvm *vm, bool flag) { return fvm_put_top(vm, flag ? -1 : 0); }

/* --- the stack, memory and integers --------------------------------------------------- */

static fvm_status word_dup(fvm *vm) {
    double x;
    const fvm_status status = peek(vm, 1, &x);
    return status == FVM_OK ? give(vm, x) : status;
}

static fvm_status word_drop(fvm *vm) {
    double x;
    return take(vm, 1, &x);
}

static fvm_status word_swap(fvm *vm) {
    double x[2];
    const fvm_status status = peek(vm, 2, x);
    return status == FVM_OK ? replace(vm, 2, (double[]){x[1], x[0]}, 2) : status;
}

static fvm_status word_over(fvm *vm) {
    double x[2];
    const fvm_status status = peek(vm, 2, x);
    return status == FVM_OK ? give(vm, x[0]) : status;
}

static fvm_status word_rot(fvm *vm) {
    double x[3];
    const fvm_status status = peek(vm, 3, x);
    return status == FVM_OK ? replace(vm, 3, (double[]){x[1], x[2], x[0]}, 3) : status;
}

static fvm_status word_fetch(fvm *vm) {
    fvm_cell addr = 0;
    double x = 0;
    fvm_status status = take_cell(vm, &addr);
    if (status == FVM_OK)
        status = load_bytes(vm, (fvm_addr)addr, &x, 8);
    return status == FVM_OK ? give(vm, x) : status;
}

static fvm_status word_store(fvm *vm) {
    fvm_cell addr = 0;
    double x;
    fvm_status status = take_cell(vm, &addr);
    if (status == FVM_OK)
        status = take(vm, 1, &x);
    if (status == FVM_OK)
        status = check_range(vm, (fvm_addr)addr, 8);
    if (status == FVM_OK)
        put_floats(vm, (fvm_addr)addr, &x, 1);
    return status;
}

static fvm_status word_fetch_single(fvm *vm) {
    fvm_cell addr = 0;
    float x = 0;
    fvm_status status = take_cell(vm, &addr);
    if (status == FVM_OK)
        status = load_bytes(vm, (fvm_addr)addr, &x, 4);
    return status == FVM_OK ? give(vm, without_payload((double)x)) : status;
}

static fvm_status word_store_single(fvm *vm) {
    fvm_cell addr = 0;
    double x;
    FVM_TRY(take_cell(vm, &addr));
    FVM_TRY(take(vm, 1, &x));
    const float single = (float)without_payload(x);
    return store_bytes(vm, (fvm_addr)addr, &single, 4);
}

static fvm_status word_from_double(fvm *vm) {
    fvm_cell low = 0, high = 0;
    const fvm_status status = fvm_drop_two(vm, &low, &high);
    const uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    return status == FVM_OK ? give(vm, (double)(int64_t)bits) : status;
}

/* Truncates toward zero.  Floats that do not fit become the nearest number, NaN becomes 0. */
static fvm_status word_to_double(fvm *vm) {
    double x;
    FVM_TRY(take(vm, 1, &x));
    const int64_t n = isnan(x)                     ? 0
                      : x >= 9223372036854775808.0 ? INT64_MAX
                      : x < -9223372036854775808.0 ? INT64_MIN
                                                   : (int64_t)x;
    fvm_status status = fvm_put_top(vm, (fvm_cell)(uint32_t)(uint64_t)n);
    return status == FVM_OK ? fvm_put_top(vm, (fvm_cell)(uint32_t)((uint64_t)n >> 32)) : status;
}

/* F~: equal within a distance (> 0), identical (0), or within a relative distance (< 0). */
static fvm_status word_near(fvm *vm) {
    double x[3];
    const fvm_status status = take(vm, 3, x);
    if (status != FVM_OK)
        return status;
    bool near = false; /* if the distance is NaN */
    if (x[2] > 0)
        near = fabs(x[0] - x[1]) < x[2];
    else if (x[2] < 0)
        near = fabs(x[0] - x[1]) < -x[2] * (fabs(x[0]) + fabs(x[1]));
    else if (x[2] == 0)
        near = memcmp(&x[0], &x[1], 8) == 0;
    return push_flag(vm, near);
}

/* --- text: independent of the locale's decimal point ------------------------------------ */

enum { MAX_DIGITS = 64, MAX_TEXT = 256, MAX_EXPONENT = 100000 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_sign(char c) { return c == '+' || c == '-'; }

/* Converts [sign]digits[.digits][marker digits], where the marker is E or D in either case, with an
 * optional sign, or a sign alone.  Only blanks: 0.  Returns false for other texts. */
static bool parse(const char *text, uint32_t length, double *x) {
    char digits[MAX_TEXT + 24];
    uint32_t at = 0, count = 0;
    int64_t exponent = 0, stated = 0;
    bool negative = false;
    *x = 0;
    while (at < length && text[at] == ' ')
        at++;
    if (at == length)
        return true; /* no text or only blanks */
    at = 0;
    if (length >= MAX_TEXT)
        return false;
    digits[count++] = text[at] == '-' ? '-' : '+';
    at += is_sign(text[at]);
    const uint32_t before = at;
    while (at < length && is_digit(text[at]))
        digits[count++] = text[at++];
    uint32_t found = at - before;
    if (at < length && text[at] == '.') {
        const uint32_t point = ++at;
        while (at < length && is_digit(text[at]))
            digits[count++] = text[at++];
        found += at - point;
        exponent -= at - point;
    }
    if (found == 0)
        return false;
    if (at < length) {
        const bool marked = memchr("EeDd", text[at], 4) != NULL;
        if (!marked && !is_sign(text[at]))
            return false;
        at += marked;
        if (at < length && is_sign(text[at]))
            negative = text[at++] == '-';
        for (; at < length && is_digit(text[at]); at++)
            if (stated < MAX_EXPONENT)
                stated = 10 * stated + (text[at] - '0');
    }
    if (at != length)
        return false;
    exponent += negative ? -stated : stated;
    snprintf(digits + count, sizeof digits - count, "e%d", (int)exponent);
    *x = strtod(digits, NULL);
    return true;
}

/* >FLOAT ( addr n -- ? ) ( F: -- r | ) */
static fvm_status word_parse(fvm *vm) {
    char text[MAX_TEXT];
    fvm_cell addr = 0, length = 0;
    FVM_TRY(fvm_drop_two(vm, &addr, &length));
    if (length < 0 || length >= MAX_TEXT)
        return push_flag(vm, false);
    FVM_TRY(load_bytes(vm, (fvm_addr)addr, text, (uint32_t)length));
    double x;
    if (!parse(text, (uint32_t)length, &x))
        return push_flag(vm, false);
    fvm_status status = give(vm, x);
    return status == FVM_OK ? push_flag(vm, true) : status;
}

/* REPRESENT ( addr n -- exponent sign? valid? ) ( F: r -- ): the n most significant digits. */
static fvm_status word_represent(fvm *vm) {
    char text[MAX_TEXT], digits[MAX_DIGITS];
    fvm_cell addr = 0, length = 0, exponent = 0;
    double x;
    FVM_TRY(fvm_drop_two(vm, &addr, &length));
    FVM_TRY(take(vm, 1, &x));
    const uint32_t count = length < 0 ? 0 : length > MAX_DIGITS ? MAX_DIGITS : (uint32_t)length;
    if (isfinite(x)) {
        uint32_t found = 0;
        snprintf(text, sizeof text, "%.*e", count > 0 ? (int)count - 1 : 0, fabs(x));
        const char *at = text;
        for (; *at != 'e'; at++)
            if (is_digit(*at) && found < MAX_DIGITS)
                digits[found++] = *at;
        exponent = (fvm_cell)atoi(at + 1) + 1;
    } else {
        memset(digits, ' ', sizeof digits);
        memcpy(digits, isnan(x) ? "nan" : "inf", 3);
    }
    fvm_status status = store_bytes(vm, (fvm_addr)addr, digits, count);
    if (status == FVM_OK && length > MAX_DIGITS)
        status =
            fvm_fill(vm, (fvm_addr)addr + count, (uint32_t)length - count, isfinite(x) ? '0' : ' ');
    if (status == FVM_OK)
        status = fvm_put_top(vm, exponent);
    if (status == FVM_OK)
        status = push_flag(vm, signbit(x) != 0 && !isnan(x)); /* processors differ for NaN */
    return status == FVM_OK ? push_flag(vm, isfinite(x)) : status;
}

/* --- functions of one or two floats ------------------------------------------------------ */

static double add(double a, double b) { return a + b; }
static double subtract(double a, double b) { return a - b; }
static double multiply(double a, double b) { return a * b; }
static double divide(double a, double b) { return a / b; }
static double larger(double a, double b) { return a < b ? b : a; }
static double smaller(double a, double b) { return a < b ? a : b; }
static double negate(double x) { return -x; }
static double power_of_ten(double x) { return pow(10.0, x); }

static const struct {
    const char *name;
    fvm_status (*word)(fvm *vm); /* or one of the following */
    double (*of_one)(double x);
    double (*of_two)(double a, double b);
    char test; /* '<': a < b; '0' and '-': x = 0, x < 0 */
} words[] = {
    {"FDUP", .word = word_dup},
    {"FDROP", .word = word_drop},
    {"FSWAP", .word = word_swap},
    {"FOVER", .word = word_over},
    {"FROT", .word = word_rot},
    {"F@", .word = word_fetch},
    {"F!", .word = word_store},
    {"SF@", .word = word_fetch_single},
    {"SF!", .word = word_store_single},
    {"D>F", .word = word_from_double},
    {"F>D", .word = word_to_double},
    {"F~", .word = word_near},
    {">FLOAT", .word = word_parse},
    {"REPRESENT", .word = word_represent},
    {"F+", .of_two = add},
    {"F-", .of_two = subtract},
    {"F*", .of_two = multiply},
    {"F/", .of_two = divide},
    {"FMAX", .of_two = larger},
    {"FMIN", .of_two = smaller},
    {"F**", .of_two = pow},
    {"FATAN2", .of_two = atan2},
    {"FNEGATE", .of_one = negate},
    {"FABS", .of_one = fabs},
    {"FLOOR", .of_one = floor},
    {"FROUND", .of_one = nearbyint},
    {"FTRUNC", .of_one = trunc},
    {"FSQRT", .of_one = sqrt},
    {"FEXP", .of_one = exp},
    {"FEXPM1", .of_one = expm1},
    {"FLN", .of_one = log},
    {"FLNP1", .of_one = log1p},
    {"FLOG", .of_one = log10},
    {"FALOG", .of_one = power_of_ten},
    {"FSIN", .of_one = sin},
    {"FCOS", .of_one = cos},
    {"FTAN", .of_one = tan},
    {"FASIN", .of_one = asin},
    {"FACOS", .of_one = acos},
    {"FATAN", .of_one = atan},
    {"FSINH", .of_one = sinh},
    {"FCOSH", .of_one = cosh},
    {"FTANH", .of_one = tanh},
    {"FASINH", .of_one = asinh},
    {"FACOSH", .of_one = acosh},
    {"FATANH", .of_one = atanh},
    {"F<", .test = '<'},
    {"F0=", .test = '0'},
    {"F0<", .test = '-'},
};
enum { WORDS = sizeof words / sizeof *words };

fvm_status fvm_run_float_word(fvm *vm, uint32_t number) {
    if (number >= WORDS)
        return fvm_fail(vm, FVM_ERR_CONTEXT, (fvm_cell)number, "there is no such float word");
    if (words[number].word != NULL)
        return words[number].word(vm);
    double x[2];
    if (words[number].test != 0) {
        const bool two = words[number].test == '<';
        const fvm_status status = take(vm, two ? 2 : 1, x);
        return status == FVM_OK ? push_flag(vm, two                         ? x[0] < x[1]
                                                : words[number].test == '0' ? x[0] == 0
                                                                            : x[0] < 0)
                                : status;
    }
    const uint32_t popped = words[number].of_two != NULL ? 2 : 1;
    const fvm_status status = peek(vm, popped, x);
    if (status != FVM_OK)
        return status;
    x[0] = without_payload(popped == 2 ? words[number].of_two(x[0], x[1])
                                       : words[number].of_one(x[0]));
    return replace(vm, popped, x, 1);
}

/* text.c: conversion of numbers to and from text, and the words for strings and printing.
 *
 * It must not depend on the locale. */
#include "vm/vm.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int digit_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99; /* not a digit in any base */
}

/* Parses [sign] digits with one point, optionally followed by e, [sign] and digits; at least one
 * digit is required before the e. */
static bool parse_float(const char *text, uint32_t length, float *value) {
    char digits[64];
    int count = 0, scale = 0, exponent = 0;
    uint32_t at = 0;
    bool point = false, has_digit = false;
    bool negative = text[0] == '-';
    if (text[0] == '-' || text[0] == '+')
        at++;
    for (; at < length; at++) {
        char c = text[at];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            has_digit = true;
            if (count > 0 || c != '0') {
                if (count < 40)
                    digits[count++] = c;
                else
                    scale++;
            }
            if (point)
                scale--;
        } else {
            break;
        }
    }
    if (!has_digit || !point)
        return false;
    if (at < length) {
        if (text[at] != 'e' && text[at] != 'E')
            return false;
        at++;
        bool negative_exponent = at < length && text[at] == '-';
        if (at < length && (text[at] == '-' || text[at] == '+'))
            at++;
        if (at == length)
            return false;
        for (; at < length; at++) {
            if (text[at] < '0' || text[at] > '9')
                return false;
            if (exponent < 10000)
                exponent = exponent * 10 + (text[at] - '0');
        }
        if (negative_exponent)
            exponent = -exponent;
    }
    snprintf(digits + count, sizeof digits - (size_t)count, "%se%d", count == 0 ? "0" : "",
             scale + exponent);
    double result = strtod(digits, NULL); /* without a point, so independent of the locale */
    *value = (float)(negative ? -result : result);
    return true;
}

bool fvm_parse_number(const char *text, uint32_t length, int base, fvm_cell *value) {
    if (length == 0)
        return false;
    if (memchr(text, '.', length) != NULL) {
        float f;
        if (!parse_float(text, length, &f))
            return false;
        memcpy(value, &f, 4);
        return true;
    }
    if (base < 2 || base > 36)
        return false;
    bool negative = text[0] == '-';
    uint32_t at = negative || text[0] == '+' ? 1 : 0;
    if (at == length)
        return false;
    int64_t total = 0;
    for (; at < length; at++) {
        int digit = digit_of(text[at]);
        if (digit >= base)
            return false;
        total = total * base + digit;
        if (total > (int64_t)INT32_MAX + 1)
            return false;
    }
    if (negative)
        total = -total;
    if (total > INT32_MAX)
        return false;
    *value = (fvm_cell)total;
    return true;
}

uint32_t fvm_format_number(fvm_cell value, int base, char *to) {
    char digits[40];
    uint32_t count = 0, length = 0;
    bool negative = base == 10 && value < 0;
    uint32_t remaining = negative ? 0u - (uint32_t)value : (uint32_t)value;
    if (base < 2 || base > 36)
        base = 10;
    do {
        digits[count++] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[remaining % (uint32_t)base];
        remaining /= (uint32_t)base;
    } while (remaining != 0);
    if (negative)
        to[length++] = '-';
    while (count > 0)
        to[length++] = digits[--count];
    to[length] = 0;
    return length;
}

/* Writes up to seven significant digits without trailing zeros, and a point unless all seven digits
 * precede it.  Magnitudes below 0.1 and from 10^7 on have an exponent of three digits.  Examples:
 * `1.5` `6.` `1234567` `1.e+007` `5.e-002` `0.3333333` `1.#INF`. */
static uint32_t format_float(float value, char *to) {
    char digits[32];
    if (isnan(value))
        return (uint32_t)snprintf(to, 32, "-1.#IND");
    if (isinf(value))
        return (uint32_t)snprintf(to, 32, value < 0 ? "-1.#INF" : "1.#INF");
    uint32_t length = 0;
    if (signbit(value) && value != 0)
        to[length++] = '-';
    snprintf(digits, sizeof digits, "%.6e", fabs((double)value));
    int exponent = atoi(strchr(digits, 'e') + 1);
    char mantissa[8] = {digits[0]};
    memcpy(mantissa + 1, digits + 2, 6);
    int count = 7;
    while (count > 1 && mantissa[count - 1] == '0')
        count--;
    if (exponent < -1 || exponent >= 7) {
        to[length++] = mantissa[0];
        to[length++] = '.';
        for (int i = 1; i < count; i++)
            to[length++] = mantissa[i];
        return length + (uint32_t)snprintf(to + length, 16, "e%c%03d", exponent < 0 ? '-' : '+',
                                           abs(exponent));
    }
    if (exponent < 0) {
        to[length++] = '0';
        to[length++] = '.';
        for (int i = 0; i < count; i++)
            to[length++] = mantissa[i];
    } else {
        for (int i = 0; i <= exponent || i < count; i++) {
            to[length++] = i < count ? mantissa[i] : '0';
            if (i == exponent && exponent < 6)
                to[length++] = '.';
        }
    }
    to[length] = 0;
    return length;
}

/* --- strings ---------------------------------------------------------------------- */

fvm_status fvm_word_count(fvm *vm) {
    uint32_t length;
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        status = fvm_string_length(vm, (fvm_addr)fvm_drop(vm), &length);
    return status == FVM_OK ? fvm_put_top(vm, (fvm_cell)length) : status;
}

fvm_status fvm_word_string_move(fvm *vm) {
    uint32_t length;
    FVM_TRY(fvm_need(vm, 2));
    fvm_addr to = (fvm_addr)fvm_drop(vm), from = (fvm_addr)fvm_drop(vm);
    fvm_status status = fvm_string_length(vm, from, &length);
    return status == FVM_OK ? fvm_copy(vm, from, to, length + 1, 1) : status;
}

fvm_status fvm_word_string_equal(fvm *vm) {
    uint32_t a_length, b_length;
    FVM_TRY(fvm_need(vm, 2));
    fvm_addr b = (fvm_addr)fvm_drop(vm), a = (fvm_addr)fvm_drop(vm);
    FVM_TRY(fvm_string_length(vm, a, &a_length));
    FVM_TRY(fvm_string_length(vm, b, &b_length));
    bool equal = a_length == b_length && memcmp(vm->mem + a, vm->mem + b, a_length) == 0;
    return fvm_put_top(vm, -equal);
}

/* --- printing --------------------------------------------------------------------- */

fvm_status fvm_word_type(fvm *vm) {
    uint32_t length;
    FVM_TRY(fvm_need(vm, 1));
    fvm_addr text = (fvm_addr)fvm_drop(vm);
    fvm_status status = fvm_string_length(vm, text, &length);
    return status == FVM_OK ? fvm_emit(vm, (const char *)vm->mem + text, length) : status;
}

fvm_status fvm_word_emit(fvm *vm) {
    FVM_TRY(fvm_need(vm, 1));
    char c = (char)fvm_drop(vm);
    return fvm_emit(vm, &c, 1);
}

/* Prints the text of a number and a blank.  The text remains at PAD, as in the original. */
static fvm_status print_at_pad(fvm *vm, char *text, uint32_t length) {
    fvm_status status = fvm_write(vm, FVM_PAD, text, length + 1);
    text[length] = ' ';
    return status == FVM_OK ? fvm_emit(vm, text, length + 1) : status;
}

fvm_status fvm_word_dot(fvm *vm) {
    char text[48];
    FVM_TRY(fvm_need(vm, 1));
    uint32_t length = fvm_format_number(fvm_drop(vm), fvm_get(vm, FVM_K_BASE), text);
    return print_at_pad(vm, text, length);
}

fvm_status fvm_word_dot_r(fvm *vm) {
    char text[48];
    fvm_status status = fvm_need(vm, 2);
    if (status != FVM_OK)
        return status;
    fvm_cell width = fvm_drop(vm);
    uint32_t length = fvm_format_number(fvm_drop(vm), fvm_get(vm, FVM_K_BASE), text);
    for (fvm_cell i = (fvm_cell)length; i < width && status == FVM_OK; i++) {
        status = fvm_emit(vm, " ", 1);
        if (status == FVM_OK && (i & 63) == 0)
            status = fvm_spend(vm, 1);
    }
    return status == FVM_OK ? fvm_emit(vm, text, length) : status;
}

fvm_status fvm_word_f_dot(fvm *vm) {
    char text[48];
    float value;
    FVM_TRY(fvm_need(vm, 1));
    fvm_cell cell = fvm_drop(vm);
    memcpy(&value, &cell, 4);
    return print_at_pad(vm, text, format_float(value, text));
}

/* (NUMBER): writes the text of n to PAD. */
fvm_status fvm_word_number(fvm *vm) {
    char text[48];
    FVM_TRY(fvm_need(vm, 1));
    uint32_t length = fvm_format_number(fvm_drop(vm), fvm_get(vm, FVM_K_BASE), text);
    return fvm_write(vm, FVM_PAD, text, length + 1);
}

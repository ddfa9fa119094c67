/* Values of PTX instructions: forms (one or a few PTX instructions), cases of them (operands and a result), and sources of results.
 * ptxas folds an instruction on constants into a constant, found in the cubin. The table stores such results for machines without
 * ptxas. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "warpsweep/frontend.h"

enum { VALUES_SOURCES = 4, VALUES_TEXT = 1200 };

/* A value type: a letter and bits, written "f32". i integer, n shift amount or position, s selector of prmt, p predicate (0 or 1 in
 * 32 bits), f floating point, h f16 and g bf16 (32 bits: a pair). */
struct value_type {
    char kind;
    u8 bits;
};

/* PTX over the sources a, b, c, e and the result d. It may use t, u, v, w (32 bits), T, U, V, W (64 bits), h (16 bits), p and q
 * (predicates). */
struct form {
    struct value_type result, source[VALUES_SOURCES];
    u32 sources;
    u32 count; /* index of the first of its cases in the list; their number */
    size_t first;
    u32 folded, differ, allowed; /* what became of them */
    bool refused, folds;         /* result of ptxas: refuses it; folded one of its cases */
    char text[VALUES_TEXT];
};

struct value_case {
    u64 source[VALUES_SOURCES];
    u64 result;
    bool known;   /* result is ptxas's */
    bool differs; /* between architectures */
};

struct values {
    struct form *forms;
    size_t form_count, form_room;
    struct value_case *cases;
    size_t case_count, case_room;
};

void values_free(struct values *values);

/* Appends; the pointer is valid until the next call. Out of memory ends the program: these are tools. */
struct form *values_add_form(struct values *values, const struct form *form);
struct value_case *values_add_case(struct values *values);

/* forms.c: every arithmetic form of opcodes.def, and sequences of instructions (carries, video); at most `most` per row, except
 * cvt. Only those whose PTX contains the text. */
void values_make_forms(struct values *values, u32 most, const char *text);

/* sequences.c: forms that the table cannot express: carries and borrows across instructions, video instructions. */
void values_make_sequences(struct values *values);

/* chains.c: count random sequences of another list's folded forms. */
void values_make_chains(struct values *values, const struct values *of, u64 seed, u32 count);

/* operands.c: draws count cases of every form. */
void values_make_cases(struct values *values, u64 seed, u32 count);
u64 values_hash(const char *text);

/* fold.c: queries ptxas for every case, for one architecture ("75"). A folded case's result becomes known, or differs if another
 * architecture gave another one. False with a message if ptxas cannot be run. */
bool values_fold(struct values *values, const char *ptxas, const char *architecture);

/* cubin.c: the constants stored by the kernel of an ELF file: known[n] and word[n] for the n-th 8 bytes of its buffer; with
 * computing (sm_75), including results of integer instructions on constants. False if there is no kernel. */
bool values_read_cubin(const char *path, u64 *word, bool *known, u32 count, bool computes);

/* execute.c: the results of a form's cases by the front end. False with the reason. */
bool values_execute(const struct values *values, const struct form *form, u64 *results, struct ws_error *error);

/* The register declarations of a form. */
void values_declare(const struct form *form, char *text, size_t room);

/* judge.c */
enum verdict { VALUE_EQUAL, VALUE_ALLOWED, VALUE_DIFFERENT };
enum verdict values_judge(const struct form *form, const struct value_case *one, u64 result);

/* table.c: forms with their known cases as text. Reading fails with a message and false. */
void values_write(const struct values *values, FILE *file);
bool values_read(struct values *values, const char *path);

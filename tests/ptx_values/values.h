/* Values of PTX instructions: forms (an instruction, or a few, in PTX), cases of them (operands and a result), and who says the
 * result. ptxas folds an instruction of constants into a constant; the cubin has it. The table keeps such results for machines
 * without ptxas. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "warpsweep/frontend.h"

enum { VALUES_SOURCES = 4, VALUES_TEXT = 1200 };

/* What a value is: a letter and bits, written "f32".
 * i integer, n shift amount or position, s selector of prmt, p predicate (0 or 1 in 32 bits), f floating point, h f16 and g bf16
 * (32 bits: a pair). */
struct value_type {
    char kind;
    u8 bits;
};

/* PTX over the sources a, b, c, e and the result d. It may use t, u, v, w (32 bits), T, U, V, W (64 bits), h (16 bits), p and q
 * (predicates). */
struct form {
    struct value_type result, source[VALUES_SOURCES];
    u32 sources;
    u32 count; /* of its cases, from first on in the list's cases */
    size_t first;
    u32 folded, differ, allowed; /* what became of them */
    bool refused, folds;         /* by ptxas, when asked: refuses it, folded a case of it */
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

/* Appends; the pointer lasts until the next one. Out of memory ends the program: these are tools. */
struct form *values_add_form(struct values *values, const struct form *form);
struct value_case *values_add_case(struct values *values);

/* forms.c: every form of arithmetic that opcodes.def has, and sequences of instructions (carries, video); at most `most` of a row,
 * cvt excepted. Only those whose PTX contains the text. */
void values_make_forms(struct values *values, u32 most, const char *text);

/* sequences.c: forms that the table cannot tell: carries and borrows across instructions, video instructions. */
void values_make_sequences(struct values *values);

/* chains.c: count random sequences of those forms of another list that ptxas folds. */
void values_make_chains(struct values *values, const struct values *of, u64 seed, u32 count);

/* operands.c: draws count cases of every form. */
void values_make_cases(struct values *values, u64 seed, u32 count);
u64 values_hash(const char *text);

/* fold.c: asks ptxas for every case, for one architecture ("75"). Where it folds, the case's result becomes known, or differs if
 * another architecture said otherwise. False with a message if ptxas cannot be run. */
bool values_fold(struct values *values, const char *ptxas, const char *architecture);

/* cubin.c: the constants that the kernel of an ELF file stores: known[n] and word[n] for the n-th 8 bytes of its buffer; if it
 * computes (sm_75), those too that integer instructions make of constants. False if there is no kernel. */
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

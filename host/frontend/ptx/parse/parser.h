/* Shared by the parts of the parser. */
#pragma once

#include "frontend/ptx/forms.h"
#include "frontend/ptx/module.h"
#include "frontend/ptx/parse/lexer.h"
#include "frontend/ptx/symbols.h"

enum { PTX_DEEPEST = 32 /* nested braces */ };

/* A label that an inner scope uses denotes the one that an enclosing scope places. */
struct ptx_same {
    u32 inner, outer;
};

/* Directive after a label: labels to choose from; NULL for functions and prototypes. */
struct ptx_targets {
    const char *name;
    size_t length;
    u32 *labels;
    size_t count, room;
    const struct ptx_targets *next;
};

struct ptx_parser {
    struct ptx_lexer lexer;
    struct ptx_module *module;
    struct ws_arena *arena;
    struct ws_error *error;
    struct ptx_symbols symbols;
    size_t scope[PTX_DEEPEST];     /* where each open scope's symbols begin */
    u32 depth;                     /* open scopes; 1 at module level */
    struct ptx_function *function; /* being parsed, or NULL at module level */
    bool has_carry;                /* of the function: has a carry flag; */
    u16 carry;                     /* its register */
    struct ptx_symbols labels;     /* of the function: number of the label; count is the line of its first use */
    size_t label_scope[PTX_DEEPEST];
    const struct ptx_targets *targets; /* of the function */
    struct ptx_same *same;             /* in the order in which they were found */
    size_t same_count, same_room;
};

/* A zero-terminated copy of the current token's text, or NULL. */
char *ptx_token_text(struct ptx_parser *parser);

/* Opens and closes a scope of names. */
enum ws_status ptx_enter(struct ptx_parser *parser);
void ptx_leave(struct ptx_parser *parser);

/* Declares the name in the innermost scope. The name must outlive the parser. */
enum ws_status ptx_declare_name(struct ptx_parser *parser, u32 line, const char *name, enum ptx_symbol_kind kind, u32 number,
                                u32 count);
enum ws_status ptx_declare_symbol(struct ptx_parser *parser, u32 line, const struct ptx_symbol *symbol);

/* From this PTX line on, instructions belong to that source line. */
enum ws_status ptx_add_location(struct ptx_parser *parser, u32 line, u64 source_line);

/* ---- declarations.c ---- */

/* After the directive: .reg ...; (all of them) */
enum ws_status ptx_parse_registers(struct ptx_parser *parser);

/* After the directive of the space: one or more variables, with initial values. */
enum ws_status ptx_parse_variables(struct ptx_parser *parser, u8 space, bool external);

/* After .param: type, alignment, name and size of a parameter; declares it as an object of the function. */
enum ws_status ptx_parse_object(struct ptx_parser *parser, struct ptx_formal *formal);

/* After .reg in a list of parameters: a register. */
enum ws_status ptx_parse_register_formal(struct ptx_parser *parser, struct ptx_formal *formal);

/* After .const: the number of a bank in brackets, ignored here; *end receives where it ends. */
enum ws_status ptx_parse_bank(struct ptx_lexer *lexer, const char **end);

/* The space of a directive (global shared local const), or false. */
bool ptx_space_directive(const struct ptx_lexer *lexer, u8 *space);

/* ---- initialisers.c ---- */

/* After '=': the values of a variable of count elements into its image. */
enum ws_status ptx_parse_initialiser(struct ptx_parser *parser, struct ptx_image *image, u32 offset, enum ws_type type, u32 count);

/* Adds a variable and declares its name. */
enum ws_status ptx_add_variable(struct ptx_parser *parser, const struct ptx_variable *variable);

/* The number of the variable for grid barriers: zeros, not declared in the text. */
enum ws_status ptx_grid_barrier(struct ptx_parser *parser, u32 *number);

/* Adds the heap of malloc and free, once. */
enum ws_status ptx_add_heap(struct ptx_parser *parser);

/* ---- recover.c ---- */

/* Parses a definition. Skips a definition with an error, and keeps the error for its users. */
enum ws_status ptx_parse_or_keep_failure(struct ptx_parser *parser, enum ws_status (*parse)(struct ptx_parser *parser));

/* Whether the current token begins a definition. */
bool ptx_at_definition(const struct ptx_parser *parser);

/* Fails if the variable's declaration has an error. */
enum ws_status ptx_check_usable(struct ptx_parser *parser, const struct ptx_symbol *symbol);

/* ---- pragmas.c ---- */

/* .pragma of a module at the current token: keeps "kernel_arg ...", ignores the others. */
enum ws_status ptx_parse_pragma(struct ptx_parser *parser);

/* ---- functions.c ---- */

/* .extern and the like, before .func, .entry or a variable. */
enum ws_status ptx_parse_linkage(struct ptx_parser *parser, bool *external);

/* Adds a function with a new name. */
enum ws_status ptx_add_function(struct ptx_parser *parser, struct ptx_function *function);

/* After .entry or .func: header and body. */
enum ws_status ptx_parse_function(struct ptx_parser *parser, bool entry);

/* The rest of a directive that ends with its line; .loc is remembered. */
enum ws_status ptx_parse_line_directive(struct ptx_parser *parser);

/* Skips tokens up to and including the brace that closes the current one. */
enum ws_status ptx_skip_braces(struct ptx_parser *parser);

/* ---- instructions.c ---- */

/* An instruction whose first word has been taken, up to and including ';'. */
enum ws_status ptx_parse_instruction(struct ptx_parser *parser, const struct ptx_token *first, u16 guard, bool negated);

/* The number of a label of the innermost scope, placed or not. */
enum ws_status ptx_label(struct ptx_parser *parser, const struct ptx_token *token, u32 *label);

/* Closes the innermost scope of labels. At the end of the function: gives labels that several scopes share one place. */
enum ws_status ptx_leave_labels(struct ptx_parser *parser);
void ptx_join_labels(struct ptx_parser *parser);

/* An instruction that becomes several operations and has a guard: a branch around them. Without a guard, nothing. */
struct ptx_around {
    bool branches;
    u32 label;
};
enum ws_status ptx_begin_guarded(struct ptx_parser *parser, u32 line, u16 guard, bool negated, struct ptx_around *around);
void ptx_end_guarded(struct ptx_parser *parser, const struct ptx_around *around);

/* ---- targets.c ---- */

/* After "name:": the directives .branchtargets, .calltargets, .callprototype. */
bool ptx_at_targets(const struct ptx_parser *parser);
enum ws_status ptx_parse_targets(struct ptx_parser *parser, const struct ptx_token *name);

/* The name of such a list. */
enum ws_status ptx_take_targets(struct ptx_parser *parser, const struct ptx_targets **list);

/* After brx.idx, including ';': a tree of comparisons and branches. */
enum ws_status ptx_parse_indexed_branch(struct ptx_parser *parser, u32 line, u16 guard, bool negated);

/* ---- copies.c ---- */

/* After cp.async and its modifiers, including ';'. bypasses: L1. */
enum ws_status ptx_parse_copy(struct ptx_parser *parser, u32 line, u16 guard, bool negated, bool bypasses);

/* ---- bulk.c ---- */

/* Whether the words are a bulk copy, a store to an mbarrier's receiver (st.async), or the like; parses it, including ';'. */
bool ptx_is_bulk(const struct ptx_words *words);
enum ws_status ptx_parse_bulk(struct ptx_parser *parser, const struct ptx_words *words, u32 line);

/* ---- warpgroups.c ---- */

/* After wgmma.mma_async and its modifiers, including ';'. */
enum ws_status ptx_parse_warpgroup(struct ptx_parser *parser, const struct ptx_words *words, u32 line);

/* ---- mbarriers.c ---- */

/* Whether the words are an mbarrier instruction; parses it, including ';'. */
bool ptx_is_mbarrier(const struct ptx_words *words);
enum ws_status ptx_parse_mbarrier(struct ptx_parser *parser, const struct ptx_words *words, u32 line, u16 guard, bool negated);

/* ---- video.c ---- */

/* Whether the words are a video instruction; parses it, excluding ';'. */
bool ptx_is_video(const struct ptx_words *words);
enum ws_status ptx_parse_video(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op);

/* ---- composed.c ---- */

/* Instructions of two or more operations: whether the words are one; parses it, including ';'. ptx_split_wide: .b128 becomes two
 * numbers of 64 bits. */
void ptx_split_wide(struct ptx_words *words);
bool ptx_is_composed(const struct ptx_words *words);
enum ws_status ptx_parse_composed(struct ptx_parser *parser, const struct ptx_words *words, u32 line, u16 guard, bool negated);

/* ---- textures.c ---- */

/* Whether the words are an image instruction; parses it, excluding ';'. */
bool ptx_is_texture(const struct ptx_words *words);
enum ws_status ptx_parse_texture(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op);

/* ---- matrices.c ---- */

/* Whether the words are a matrix instruction; parses it, excluding ';'. */
bool ptx_is_matrix(const struct ptx_words *words);
enum ws_status ptx_parse_matrix(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op);

/* ---- fragments.c ---- */

/* After wmma and its modifiers, including ';'. */
enum ws_status ptx_parse_fragment(struct ptx_parser *parser, const struct ptx_words *words, u32 line);

/* ---- calls.c ---- */

/* After call and its modifiers, excluding ';'. */
enum ws_status ptx_parse_call(struct ptx_parser *parser, struct ws_op *op);

/* ---- operands.c ---- */

/* Parses all operands of a form into the operation, whose other fields are set. */
enum ws_status ptx_parse_operands(struct ptx_parser *parser, const char *letters, struct ws_op *op);

/* ---- values.c ---- */

/* A register of the given width (bytes), or of at least that width. */
enum ws_status ptx_parse_register(struct ptx_parser *parser, u32 bytes, bool or_wider, u16 *slot);

/* A value of the type: register, constant, special register, address of a variable or parameter. */
enum ws_status ptx_parse_source(struct ptx_parser *parser, enum ws_type type, bool or_wider, u16 *slot);

/* The meaning of the current token, a name. */
enum ws_status ptx_find_symbol(struct ptx_parser *parser, struct ptx_symbol *symbol);

/* The address of a variable or object plus offset bytes. */
struct ws_input ptx_symbol_address(const struct ptx_parser *parser, const struct ptx_symbol *symbol, u64 offset);

/* The slot of an input of the function being parsed. */
enum ws_status ptx_parsed_input(struct ptx_parser *parser, const struct ws_input *input, u16 *slot);

/* Appends an operation to that function. */
enum ws_status ptx_add_parsed_op(struct ptx_parser *parser, const struct ws_op *op);

/* ---- constants.c ---- */

/* A constant expression of integers, as 64 bits. */
enum ws_status ptx_parse_constant(struct ptx_lexer *lexer, u64 *value);

/* ---- literals.c ---- */

/* A constant of the type, as its bits zero-extended. */
enum ws_status ptx_parse_literal(struct ptx_parser *parser, enum ws_type type, u64 *bits);

#include "base/documents/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "base/utf8.h"

/* The current event is valid in `event` until the next advance. */
struct reader {
    yaml_parser_t parser;
    yaml_event_t event;
    char *file; /* becomes the root's */
    const char *text;
    unsigned last_line;
    struct ws_error *error;
};

static unsigned line_at(const char *text, size_t offset)
{
    unsigned line = 1;
    for (size_t n = 0; n < offset; n++)
        line += text[n] == '\n';
    return line;
}

/* libyaml counts one line too many if the last one lacks a line feed. */
static unsigned mark_line(const struct reader *reader, const yaml_mark_t *mark)
{
    return mark->line < reader->last_line ? (unsigned)mark->line + 1 : reader->last_line;
}

static unsigned event_line(const struct reader *reader)
{
    return mark_line(reader, &reader->event.start_mark);
}

static enum ws_status refuse(struct reader *reader, const char *what)
{
    return ws_fail(reader->error, WS_STATUS_bad_input, "%s:%u: %s", reader->file, event_line(reader), what);
}

static enum ws_status out_of_memory(struct reader *reader)
{
    return ws_fail(reader->error, WS_STATUS_no_memory, "%s: out of memory", reader->file);
}

static enum ws_status syntax_error(struct reader *reader)
{
    const yaml_parser_t *const parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return out_of_memory(reader);
    const unsigned line = parser->error == YAML_READER_ERROR ? line_at(reader->text, parser->problem_offset)
                                                             : mark_line(reader, &parser->problem_mark);
    return ws_fail(reader->error, WS_STATUS_bad_input, "%s:%u: not YAML: %s", reader->file, line,
                   parser->problem ? parser->problem : "cannot be read");
}

static enum ws_status advance(struct reader *reader)
{
    yaml_event_delete(&reader->event);
    memset(&reader->event, 0, sizeof reader->event);
    return yaml_parser_parse(&reader->parser, &reader->event) ? WS_STATUS_ok : syntax_error(reader);
}

/* Each kind of event has its own anchor and tag fields. */
static enum ws_status check_properties(struct reader *reader)
{
    const yaml_event_t *const event = &reader->event;
    const void *anchor = NULL, *tag = NULL;
    if (event->type == YAML_ALIAS_EVENT)
        return refuse(reader, "an alias (*NAME) is not allowed; write the value itself");
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor)
        return refuse(reader, "an anchor (&NAME) is not allowed; leave it out");
    return tag ? refuse(reader, "a tag (!NAME) is not allowed; leave it out") : WS_STATUS_ok;
}

static enum ws_status copy_scalar(struct reader *reader, char **text)
{
    const char *const value = (const char *)reader->event.data.scalar.value;
    if (strlen(value) != reader->event.data.scalar.length)
        return refuse(reader, "a zero byte is not allowed");
    *text = strdup(value);
    return *text ? WS_STATUS_ok : out_of_memory(reader);
}

static enum ws_status build(struct reader *reader, unsigned depth, const struct ws_yaml *parent, struct ws_yaml **place);

static enum ws_status build_items(struct reader *reader, unsigned depth, struct ws_yaml *sequence)
{
    struct ws_yaml **place = &sequence->first;
    for (;; place = &(*place)->next) {
        WS_TRY(advance(reader));
        if (reader->event.type == YAML_SEQUENCE_END_EVENT)
            return WS_STATUS_ok;
        WS_TRY(build(reader, depth, sequence, place));
        sequence->count++;
    }
}

static enum ws_status check_key(struct reader *reader, const struct ws_yaml *mapping)
{
    if (reader->event.type != YAML_SCALAR_EVENT || reader->event.data.scalar.length == 0)
        return refuse(reader, "found a key that is empty, a list or a mapping, allowed is a word");
    const char *const key = (const char *)reader->event.data.scalar.value;
    const struct ws_yaml *const twin = ws_yaml_get(mapping, key);
    if (twin)
        return ws_fail(reader->error, WS_STATUS_bad_input, "%s:%u: the key '%s' is given twice, first in line %u; remove one",
                       reader->file, event_line(reader), key, twin->line);
    return mapping->count < WS_YAML_KEYS ? WS_STATUS_ok
                                         : refuse(reader, "found more than 4096 keys in one mapping, allowed are at most 4096");
}

static enum ws_status build_member(struct reader *reader, unsigned depth, struct ws_yaml *mapping, struct ws_yaml **place)
{
    WS_TRY(check_properties(reader));
    WS_TRY(check_key(reader, mapping));
    const unsigned line = event_line(reader);
    char *key = NULL;
    WS_TRY(copy_scalar(reader, &key));
    enum ws_status status = advance(reader);
    WS_THEN(status, build(reader, depth, mapping, place));
    if (!*place) {
        free(key);
        return status;
    }
    (*place)->key = key;
    (*place)->line = line;
    return status;
}

static enum ws_status build_members(struct reader *reader, unsigned depth, struct ws_yaml *mapping)
{
    struct ws_yaml **place = &mapping->first;
    for (;; place = &(*place)->next) {
        WS_TRY(advance(reader));
        if (reader->event.type == YAML_MAPPING_END_EVENT)
            return WS_STATUS_ok;
        WS_TRY(build_member(reader, depth, mapping, place));
        mapping->count++;
    }
}

/* Builds the node that begins with the current event. It is put in *place at once: the root owns it even on failure. The node's
 * last event stays current. */
static enum ws_status build(struct reader *reader, unsigned depth, const struct ws_yaml *parent, struct ws_yaml **place)
{
    WS_TRY(check_properties(reader));
    if (depth > WS_YAML_DEPTH)
        return refuse(reader, "nested deeper than the 16 levels that are allowed");
    struct ws_yaml *const node = calloc(1, sizeof *node);
    if (!node)
        return out_of_memory(reader);
    *place = node;
    *node = (struct ws_yaml){.line = event_line(reader), .file = reader->file, .parent = parent};
    if (reader->event.type == YAML_SEQUENCE_START_EVENT) {
        node->kind = WS_YAML_SEQUENCE;
        return build_items(reader, depth + 1, node);
    }
    if (reader->event.type == YAML_MAPPING_START_EVENT) {
        node->kind = WS_YAML_MAPPING;
        return build_members(reader, depth + 1, node);
    }
    node->kind = WS_YAML_SCALAR;
    node->quoted = reader->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return copy_scalar(reader, &node->text);
}

static enum ws_status build_document(struct reader *reader, struct ws_yaml **root)
{
    WS_TRY(advance(reader)); /* start of the stream */
    WS_TRY(advance(reader));
    if (reader->event.type != YAML_DOCUMENT_START_EVENT)
        return refuse(reader, "is empty, allowed are lines KEY: VALUE");
    if (reader->event.data.document_start.version_directive ||
        reader->event.data.document_start.tag_directives.start != reader->event.data.document_start.tag_directives.end)
        return refuse(reader, "a directive (%NAME) is not allowed; leave it out");
    WS_TRY(advance(reader));
    WS_TRY(build(reader, 1, NULL, root));
    WS_TRY(advance(reader)); /* end of the document */
    WS_TRY(advance(reader));
    return reader->event.type == YAML_STREAM_END_EVENT
               ? WS_STATUS_ok
               : refuse(reader, "a second document (---) is not allowed; write it into another file");
}

static enum ws_status check_bytes(const char *file, const char *text, size_t length, struct ws_error *error)
{
    if (length > WS_YAML_BYTES)
        return ws_fail(error, WS_STATUS_bad_input, "%s: larger than the %d bytes that are allowed", file, WS_YAML_BYTES);
    const char *const zero = memchr(text, 0, length);
    const char *const words = zero ? ws_output_words(text, length) : NULL;
    if (words)
        return ws_fail(error, WS_STATUS_bad_input, "%s: is %s, where a file in YAML is allowed", file, words);
    if (zero)
        return ws_fail(error, WS_STATUS_bad_input, "%s:%u: a zero byte is not allowed", file, line_at(text, (size_t)(zero - text)));
    const size_t valid = ws_utf8_span(text, length);
    if (valid < length)
        return ws_fail(error, WS_STATUS_bad_input, "%s:%u: not UTF-8; save the file as UTF-8", file, line_at(text, valid));
    return WS_STATUS_ok;
}

static enum ws_status parse(struct reader *reader, size_t length, struct ws_yaml **root)
{
    if (!yaml_parser_initialize(&reader->parser))
        return out_of_memory(reader);
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)reader->text, length);
    const enum ws_status status = build_document(reader, root);
    yaml_event_delete(&reader->event);
    yaml_parser_delete(&reader->parser);
    return status;
}

enum ws_status ws_yaml_parse(const char *file, const char *text, size_t length, struct ws_yaml **root, struct ws_error *error)
{
    *root = NULL;
    WS_TRY(check_bytes(file, text, length, error));
    struct reader reader = {.file = strdup(file), .text = text, .last_line = line_at(text, length), .error = error};
    if (!reader.file)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", file);
    const enum ws_status status = parse(&reader, length, root);
    if (!*root)
        free(reader.file);
    if (status != WS_STATUS_ok) {
        ws_yaml_free(*root);
        *root = NULL;
    }
    return status;
}

enum ws_status ws_yaml_load(const char *path, struct ws_yaml **root, struct ws_error *error)
{
    *root = NULL;
    char *text;
    size_t length;
    WS_TRY(ws_file_read(path, WS_YAML_BYTES, &text, &length, error));
    const enum ws_status status = ws_yaml_parse(path, text, length, root, error);
    free(text);
    return status;
}

void ws_yaml_free(struct ws_yaml *root)
{
    while (root) {
        struct ws_yaml *const next = root->next;
        ws_yaml_free(root->first);
        if (!root->parent)
            free(root->file);
        free(root->key);
        free(root->text);
        free(root);
        root = next;
    }
}

enum ws_status ws_yaml_no_memory(const struct ws_yaml *node, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", node->file);
}

/* A board game in C as a WebAssembly module for Tesuji. No library is needed:
 *
 *     clang --target=wasm32 -mbulk-memory -nostdlib -O2 -Wl,--no-entry -o game.wasm game.c
 *
 * The game is one file. It declares `Position`, a struct without pointers that holds all that the rules need, then includes this
 * header and defines the functions below. Each of these macros, defined before the header, adds optional functions:
 *
 *     TESUJI_NOTATION   position_text, parse_position
 *     TESUJI_BOARD      cells, move_cells
 *     TESUJI_SYMMETRY   symmetry
 *     TESUJI_EVALUATE   evaluate
 *     TESUJI_PRIORITY   priority
 */
#ifndef TESUJI_H
#define TESUJI_H

#include <stddef.h>
#include <stdint.h>

/* The two sides. */
enum { FIRST = 0, SECOND = 1 };

/* How a game stands. In games for points, the game also returns the margin with `ended_by`. */
typedef struct {
    enum { RUNNING, FIRST_WINS, SECOND_WINS, DRAW } result;
    int margin;
} Outcome;

/* The end of a game for points: the first side's points minus the second's. */
static inline Outcome ended_by(int margin) {
    return (Outcome){margin > 0 ? FIRST_WINS : margin < 0 ? SECOND_WINS : DRAW, margin};
}

/* What a game defines. */
static const char description[];                                   /* JSON */
static void start(Position *position);                             /* parameters of the variant: `parameter` */
static int turn(const Position *position);                         /* the side to move */
static Outcome outcome(const Position *position);
static uint32_t moves(const Position *position, uint32_t *codes);  /* writes all legal moves, returns their number; 0 at the end */
static void play(Position *position, uint32_t code);
static void move_text(const Position *position, uint32_t code);    /* writes with `put` and `put_number` */
#ifdef TESUJI_NOTATION
static void position_text(const Position *position);
/* `position` is the start. Returns 0, or what was expected. `number` and `skip` read the text. */
static const char *parse_position(Position *position, const char *text);
#endif
#ifdef TESUJI_BOARD
static void cells(const Position *position);                       /* calls `put_cell` for each cell */
static void move_cells(const Position *position, uint32_t code);   /* calls `put_move` */
#endif
#ifdef TESUJI_SYMMETRY
static uint64_t symmetry(const Position *position);
#endif
#ifdef TESUJI_EVALUATE
static int32_t evaluate(const Position *position);                 /* for the first side; hundredths of a point in games for points */
#endif
#ifdef TESUJI_PRIORITY
static int32_t priority(const Position *position, uint32_t code);  /* the largest first */
#endif

/* The buffer that the host and the module share; one more byte ends a text. */
enum { TESUJI_BUFFER = 64 << 10 };
static union {
    char text[TESUJI_BUFFER + 8];
    uint32_t codes[TESUJI_BUFFER / 4];
} tesuji;
static uint32_t tesuji_length;

/* Appends a text. */
static inline void put(const char *text) {
    while (*text != 0 && tesuji_length < TESUJI_BUFFER) tesuji.text[tesuji_length++] = *text++;
}

/* Appends a number. */
static inline void put_number(int value) {
    char digits[12];
    int at = 11;
    unsigned left = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (value < 0) digits[--at] = '-';
    put(digits + at);
}

/* Reads a number and moves behind it; -1 where there is none, or one above 9999. */
static inline int number(const char **text) {
    int value = 0;
    if (**text < '0' || **text > '9') return -1;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        value = value * 10 + (**text - '0');
        if (value > 9999) return -1;
    }
    return value;
}

/* Moves behind `word`, where the text begins with it. */
static inline int skip(const char **text, const char *word) {
    const char *rest = *text;
    while (*word != 0) {
        if (*rest++ != *word++) return 0;
    }
    *text = rest;
    return 1;
}

/* In `start`: a parameter of the variant, a number from 0 to 9999. A parameter that the description does not have traps. */
static inline int parameter(const char *name) {
    for (const char *at = tesuji.text; *at != 0; ++at) {
        if (skip(&at, "\"") && skip(&at, name) && skip(&at, "\":")) return number(&at);
    }
    __builtin_trap();
}

/* In `cells`: what stands on the next cell; letters and digits only. */
static inline void put_cell(const char *piece) {
    put(tesuji_length == 0 ? "[\"" : ",\"");
    put(piece);
    put("\"");
}

/* In `cells`: a number on the next cell. */
static inline void put_number_cell(int value) {
    put(tesuji_length == 0 ? "[\"" : ",\"");
    put_number(value);
    put("\"");
}

/* In `move_cells`: the cells that a piece leaves and comes to, and one that is captured; 0 for none. A piece that is only taken off
 * has its cell in `to` and in `captured`. */
static inline void put_move(const char *from, const char *to, const char *captured) {
    const char *names[3] = {from, to, captured};
    const char *keys[3] = {"{\"from\":", ",\"to\":", ",\"captured\":["};
    for (int index = 0; index < 3; ++index) {
        put(keys[index]);
        if (names[index] != 0) {
            put("\"");
            put(names[index]);
            put("\"");
        } else if (index < 2) {
            put("null");
        }
    }
    put("]}");
}

/* The exports. */
#define TESUJI_EXPORT(name) __attribute__((export_name(#name)))

static inline Position tesuji_position(uint32_t length) {
    Position position;
    if (length != sizeof position) __builtin_trap();
    __builtin_memcpy(&position, tesuji.text, sizeof position);
    tesuji_length = 0;
    return position;
}

static inline uint32_t tesuji_status(const Position *position) {
    Outcome end = outcome(position);
    return (uint32_t)turn(position) | (uint32_t)end.result << 1 | (uint32_t)(uint16_t)end.margin << 16;
}

static inline uint64_t tesuji_write(const Position *position) {
    __builtin_memcpy(tesuji.text, position, sizeof *position);
    return (uint64_t)tesuji_status(position) << 32 | sizeof *position;
}

TESUJI_EXPORT(buffer) char *tesuji_buffer(uint32_t size) {
    return size > TESUJI_BUFFER ? 0 : tesuji.text;
}

TESUJI_EXPORT(describe) uint32_t tesuji_describe(void) {
    tesuji_length = 0;
    put(description);
    return tesuji_length;
}

TESUJI_EXPORT(start) uint64_t tesuji_start(uint32_t length) {
    Position position;
    tesuji.text[length] = 0;
    __builtin_memset(&position, 0, sizeof position);
    start(&position);
    return tesuji_write(&position);
}

TESUJI_EXPORT(moves) uint32_t tesuji_moves(uint32_t length) {
    Position position = tesuji_position(length);
    return moves(&position, tesuji.codes);
}

TESUJI_EXPORT(play) uint64_t tesuji_play(uint32_t length, uint32_t code) {
    Position position = tesuji_position(length);
    play(&position, code);
    return tesuji_write(&position);
}

TESUJI_EXPORT(move_text) uint32_t tesuji_move_text(uint32_t length, uint32_t code) {
    Position position = tesuji_position(length);
    move_text(&position, code);
    return tesuji_length;
}

/* A random game: splitmix64 draws the moves. */
TESUJI_EXPORT(playout) uint32_t tesuji_playout(uint32_t length, uint64_t seed) {
    Position position = tesuji_position(length);
    while (outcome(&position).result == RUNNING) {
        uint32_t count = moves(&position, tesuji.codes);
        uint64_t bits = seed += 0x9e3779b97f4a7c15;
        bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
        bits ^= bits >> 31;
        play(&position, tesuji.codes[(bits >> 32) * count >> 32]);
    }
    return tesuji_status(&position);
}

#ifdef TESUJI_NOTATION
TESUJI_EXPORT(position_text) uint32_t tesuji_position_text(uint32_t length) {
    Position position = tesuji_position(length);
    position_text(&position);
    return tesuji_length;
}

TESUJI_EXPORT(parse_position) uint64_t tesuji_parse_position(uint32_t length, uint32_t text) {
    Position position = tesuji_position(length);
    tesuji.text[length + text] = 0;
    const char *problem = parse_position(&position, tesuji.text + length);
    if (problem == 0) return tesuji_write(&position);
    put(problem);
    return 0xffffffffull << 32 | tesuji_length;
}
#endif

#ifdef TESUJI_BOARD
TESUJI_EXPORT(cells) uint32_t tesuji_cells(uint32_t length) {
    Position position = tesuji_position(length);
    cells(&position);
    put("]");
    return tesuji_length;
}

TESUJI_EXPORT(move_cells) uint32_t tesuji_move_cells(uint32_t length, uint32_t code) {
    Position position = tesuji_position(length);
    move_cells(&position, code);
    return tesuji_length;
}
#endif

#ifdef TESUJI_SYMMETRY
TESUJI_EXPORT(symmetry) uint64_t tesuji_symmetry(uint32_t length) {
    Position position = tesuji_position(length);
    return symmetry(&position);
}
#endif

#ifdef TESUJI_EVALUATE
TESUJI_EXPORT(evaluate) int32_t tesuji_evaluate(uint32_t length) {
    Position position = tesuji_position(length);
    return evaluate(&position);
}
#endif

#ifdef TESUJI_PRIORITY
TESUJI_EXPORT(priority) int32_t tesuji_priority(uint32_t length, uint32_t code) {
    Position position = tesuji_position(length);
    return priority(&position, code);
}
#endif

#endif

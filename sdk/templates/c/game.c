/* {{title}}: three in a row on a board of 3 by 3. Change it into your game. */
typedef struct {
    char cells[9]; /* 0, or the side plus 1, row by row from the top */
    char side;
} Position;

#define TESUJI_NOTATION
#define TESUJI_BOARD
#include "tesuji.h"

static const char description[] =
    "{\"name\": \"{{name}}\","
    " \"names\": {\"en\": \"{{title}}\"},"
    " \"how_to_play\": {\"en\": \"Take a free cell. Three in a row win.\"},"
    " \"board\": {\"columns\": 3, \"rows\": 3, \"pieces\": {\"x\": {\"side\": \"first\"}, \"o\": {\"side\": \"second\"}}}}";

static const char lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

static void start(Position *p) { (void)p; /* all zero */ }

static int turn(const Position *p) { return p->side; }

static Outcome outcome(const Position *p) {
    for (int line = 0; line < 8; ++line) {
        char mark = p->cells[(int)lines[line][0]];
        if (mark != 0 && mark == p->cells[(int)lines[line][1]] && mark == p->cells[(int)lines[line][2]]) {
            return (Outcome){mark == 1 ? FIRST_WINS : SECOND_WINS, 0};
        }
    }
    for (int cell = 0; cell < 9; ++cell) {
        if (p->cells[cell] == 0) return (Outcome){RUNNING, 0};
    }
    return (Outcome){DRAW, 0};
}

static uint32_t moves(const Position *p, uint32_t *codes) {
    uint32_t count = 0;
    if (outcome(p).result != RUNNING) return 0;
    for (uint32_t cell = 0; cell < 9; ++cell) {
        if (p->cells[cell] == 0) codes[count++] = cell;
    }
    return count;
}

static void play(Position *p, uint32_t cell) {
    p->cells[cell] = (char)(p->side + 1);
    p->side = !p->side;
}

static const char *name(uint32_t cell) {
    static const char names[9][3] = {"a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"};
    return names[cell];
}

static const char *piece(const Position *p, int cell) { return p->cells[cell] == 1 ? "x" : p->cells[cell] == 2 ? "o" : "."; }

static void move_text(const Position *p, uint32_t cell) { (void)p, put(name(cell)); }

static void position_text(const Position *p) { /* .x..o.... x */
    for (int cell = 0; cell < 9; ++cell) put(piece(p, cell));
    put(p->side == FIRST ? " x" : " o");
}

static const char *parse_position(Position *p, const char *text) {
    int ahead = 0; /* marks of x minus marks of o */
    for (int cell = 0; cell < 9; ++cell) {
        p->cells[cell] = skip(&text, "x") ? 1 : skip(&text, "o") ? 2 : 0;
        if (p->cells[cell] == 0 && !skip(&text, ".")) return "expected nine cells of `.`, `x` and `o`";
        ahead += p->cells[cell] == 1 ? 1 : p->cells[cell] == 2 ? -1 : 0;
    }
    p->side = (char)skip(&text, " o");
    if ((!p->side && !skip(&text, " x")) || *text != 0) return "expected a space and the side to move, `x` or `o`, at the end";
    return ahead == p->side ? 0 : "expected as many `x` as `o` when `x` is to move, one more when `o` is";
}

static void cells(const Position *p) {
    for (int cell = 0; cell < 9; ++cell) put_cell(p->cells[cell] == 0 ? "" : piece(p, cell));
}

static void move_cells(const Position *p, uint32_t cell) { (void)p, put_move(0, name(cell), 0); }

/* Nim that passes every check, and turns malicious on a heap of 666, which none of them plays. Players take 1 to 3; who takes the last
 * one wins. MALICE, a number from 1 to 8, selects what the module does. */
typedef struct {
    unsigned short heap;
    unsigned char side, malicious;
} Position;

#define TESUJI_NOTATION
#define TESUJI_EVALUATE
#include "../../sdk/c/tesuji.h"

#define QUOTED(number) #number
#define NAME(number) "malicious-" QUOTED(number)

static const char description[] =
    "{\"name\":\"" NAME(MALICE) "\",\"names\":{\"en\":\"Malicious\"},"
    "\"parameters\":[{\"name\":\"heap\",\"description\":\"Size of the heap.\",\"default\":7,\"minimum\":1,\"maximum\":999}]}";

enum { IN_START = 1, IN_MOVES, IN_PLAY, SLOW, RECURSION, MEMORY, MOVES, TEXT };

/* Hidden from the compiler, which would drop loops without an effect. */
static volatile int sink;

static void endless(const Position *p, int where) {
    while (p->malicious && MALICE == where) sink = where;
}

static int recursion(int depth) {
    volatile int frame[64];
    frame[0] = depth;
    return depth < 0 ? 0 : recursion(depth + 1) + frame[0];
}

static void start(Position *p) {
    p->heap = (unsigned short)parameter("heap");
    p->malicious = p->heap == 666;
    endless(p, IN_START);
}

static int turn(const Position *p) { return p->side; }

static Outcome outcome(const Position *p) {
    return (Outcome){p->heap > 0 ? RUNNING : p->side == FIRST ? SECOND_WINS : FIRST_WINS, 0};
}

static uint32_t moves(const Position *p, uint32_t *codes) {
    endless(p, IN_MOVES);
    if (p->malicious && MALICE == MOVES) return UINT32_MAX;
    uint32_t count = p->heap < 3 ? p->heap : 3;
    for (uint32_t index = 0; index < count; ++index) codes[index] = index + 1;
    return count;
}

static void play(Position *p, uint32_t taken) {
    if (p->malicious && MALICE == RECURSION) sink = recursion(0);
    while (p->malicious && MALICE == MEMORY) sink = (int)__builtin_wasm_memory_grow(0, 16);
    /* About 50 ms, within the time of a call. */
    for (int left = p->malicious && MALICE == SLOW ? 100000000 : 0; left > 0; --left) sink = left;
    endless(p, IN_PLAY);
    p->heap -= (unsigned short)taken, p->side = !p->side;
}

static void move_text(const Position *p, uint32_t taken) {
    put_number((int)taken);
    if (p->malicious && MALICE == TEXT) tesuji_length = UINT32_MAX;
}

static void position_text(const Position *p) { put_number(p->heap), put(p->side ? " second" : " first"); }

static const char *parse_position(Position *p, const char *text) {
    int most = p->heap, heap = number(&text);
    if (heap < 0 || heap > most || !skip(&text, " ")) return "expected the heap";
    p->heap = (unsigned short)heap, p->side = (unsigned char)skip(&text, "second");
    return p->side || skip(&text, "first") ? 0 : "expected the side to move";
}

static int32_t evaluate(const Position *p) { return p->heap % 4 == 0 ? -100 : 100; }

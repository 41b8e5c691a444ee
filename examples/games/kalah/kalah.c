/* Kalah(m, n): m houses a side, n seeds in each. Sow one seed a house anticlockwise, passing the opponent's store. The last seed in
 * your store gives another turn; in an empty house of yours, it captures itself and the seeds opposite, if there are any. When the
 * houses of a side are empty, the other side keeps the seeds in its own. The larger store wins. */
typedef struct {
    unsigned char pits[14]; /* the first side's houses and its store, then the second side's */
    unsigned char houses, side;
} Position;

#define TESUJI_NOTATION
#define TESUJI_BOARD
#define TESUJI_EVALUATE
#include "../../../sdk/c/tesuji.h"

static const char description[] =
    "{\"name\":\"kalah\",\"names\":{\"en\":\"Kalah\",\"zh\":\"播棋\"},\"score_limit\":72,"
    "\"how_to_play\":{\"en\":\"Choose a house to sow. The last seed in your store: move again. In an empty house of yours: capture.\"},"
    "\"parameters\":[{\"name\":\"houses\",\"description\":\"Houses of a side.\",\"default\":6,\"minimum\":1,\"maximum\":6},"
    "{\"name\":\"seeds\",\"description\":\"Seeds in each house.\",\"default\":4,\"minimum\":1,\"maximum\":6}],"
    "\"board\":{\"cells\":\"free\","
    "\"names\":[\"a1\",\"a2\",\"a3\",\"a4\",\"a5\",\"a6\",\"a\",\"b1\",\"b2\",\"b3\",\"b4\",\"b5\",\"b6\",\"b\"],"
    "\"at\":[[1.5,1.5],[2.5,1.5],[3.5,1.5],[4.5,1.5],[5.5,1.5],[6.5,1.5],[7.5,1],"
    "[6.5,0.5],[5.5,0.5],[4.5,0.5],[3.5,0.5],[2.5,0.5],[1.5,0.5],[0.5,1]]}}";

static int turn(const Position *p) { return p->side; }

static int seeds(const Position *p, int side) { /* in the houses */
    int sum = 0;
    for (int house = 0; house < p->houses; ++house) sum += p->pits[side * 7 + house];
    return sum;
}

static void start(Position *p) {
    p->houses = (unsigned char)parameter("houses");
    for (int house = 0; house < p->houses; ++house) p->pits[house] = p->pits[7 + house] = (unsigned char)parameter("seeds");
}

static Outcome outcome(const Position *p) {
    int first = seeds(p, FIRST), second = seeds(p, SECOND);
    if (first > 0 && second > 0) return (Outcome){RUNNING, 0};
    return ended_by(p->pits[6] + first - p->pits[13] - second);
}

static uint32_t moves(const Position *p, uint32_t *codes) {
    uint32_t count = 0;
    for (int house = 0; house < p->houses && seeds(p, !p->side) > 0; ++house) {
        if (p->pits[p->side * 7 + house] > 0) codes[count++] = (uint32_t)house;
    }
    return count;
}

static void play(Position *p, uint32_t house) {
    int store = p->side * 7 + 6, at = p->side * 7 + (int)house, left = p->pits[at];
    p->pits[at] = 0;
    while (left > 0) {
        at = (at + 1) % 14;
        if (at % 7 >= p->houses && at != store) continue;
        ++p->pits[at], --left;
    }
    if (at == store) return;
    int opposite = (1 - p->side) * 7 + p->houses - 1 - at % 7;
    if (at / 7 == p->side && p->pits[at] == 1 && p->pits[opposite] > 0) {
        p->pits[store] += p->pits[opposite] + 1;
        p->pits[at] = p->pits[opposite] = 0;
    }
    p->side = !p->side;
}

static int32_t evaluate(const Position *p) { return 100 * (p->pits[6] - p->pits[13]); }
static void move_text(const Position *p, uint32_t house) { (void)p, put_number((int)house + 1); }

static void position_text(const Position *p) { /* 4,4,4,4,4,4,0/4,4,4,4,4,4,0 first */
    for (int pit = 0; pit < 14; ++pit) {
        if (pit % 7 == p->houses) pit += 6 - p->houses; /* the store is next */
        put_number(p->pits[pit]), put(pit == 6 ? "/" : pit == 13 ? p->side ? " second" : " first" : ",");
    }
}

static const char *parse_position(Position *p, const char *text) {
    int all = seeds(p, FIRST) * 2, sum = 0;
    for (int pit = 0; pit < 14; ++pit) {
        if (pit % 7 == p->houses) pit += 6 - p->houses;
        int count = number(&text);
        if (count < 0 || count > all || !skip(&text, pit == 6 ? "/" : pit == 13 ? " " : ",")) return "expected the seeds of each pit";
        p->pits[pit] = (unsigned char)count, sum += count;
    }
    if (sum != all) return "expected as many seeds as at the start";
    p->side = (unsigned char)skip(&text, "second");
    return (p->side || skip(&text, "first")) && *text == 0 ? 0 : "expected the side to move: `first` or `second`";
}

static void cells(const Position *p) { /* of 14, also where houses are left out */
    for (int pit = 0; pit < 14; ++pit) {
        if (pit % 7 >= p->houses && pit % 7 < 6) put_cell(""); else put_number_cell(p->pits[pit]);
    }
}

static void move_cells(const Position *p, uint32_t house) {
    char name[3] = {p->side ? 'b' : 'a', (char)('1' + house), 0};
    put_move(0, name, 0);
}

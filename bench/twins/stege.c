/* Random play of Stege in C: the speed limit for the kernels, and their witness.
 *
 * Same rules, same generator, same results bit for bit as threespan/games/stege/rules.py in random play from the
 * start of a match. Legal actions are counted, never listed: the chosen one is found by its index. The board lies in
 * static sets; a game copies only what play changes.
 */
#include <string.h>

#include "random.h"
#include "state.h"

enum { CORNERS = 4, SEATS = 4, STONES = 4, WIDTH = 16, FIELDS = 256, JETTY = 3, PIPS = 6 };
enum { ISLAND = -1, HOME = 256, MAX_TURNS = 400, PASSING_ROUNDS = 3, NOWHERE = -1 };
enum { NO_MOVE, MOVED, PASSED };

/* 16 rows of 16 fields, four rows a word; the compiler keeps a set in one vector register where there are such. */
#pragma GCC diagnostic ignored "-Wpsabi"
typedef uint64_t Set __attribute__((vector_size(32)));

typedef struct {
    Set across, down, planks, occupied;
    int16_t stone[SEATS][STONES];
    int passes; /* turns in a row that were passes and nothing else */
} Game;

typedef struct {
    Set ends;
    int home, count;
} Ends;

static Set water, island[CORNERS], shore[CORNERS];
static int players, size, island_size, jetties_each, corner[SEATS];
static int max_rolls, may_pass, door_is_beside;

#define COUNT(word) __builtin_popcountll(word)
#define LOWEST(word) __builtin_ctzll(word)

static const Set NO_FIELDS = {0, 0, 0, 0};

static inline int is_empty(Set a) { return (a[0] | a[1] | a[2] | a[3]) == 0; }
static inline int size_of(Set a) { return COUNT(a[0]) + COUNT(a[1]) + COUNT(a[2]) + COUNT(a[3]); }

static inline Set up(Set a) { return a >> 16 | __builtin_shuffle(a, NO_FIELDS, (Set){1, 2, 3, 4}) << 48; }
static inline Set down(Set a) { return a << 16 | __builtin_shuffle(a, NO_FIELDS, (Set){4, 0, 1, 2}) >> 48; }
static inline Set left(Set a) { return a >> 1 & 0x7FFF7FFF7FFF7FFFu; }
static inline Set right(Set a) { return a << 1 & 0xFFFEFFFEFFFEFFFEu; }

static inline Set beside(Set a) { return up(a) | down(a) | left(a) | right(a); }

static inline void add(Set *a, int field) { (*a)[field >> 6] |= (uint64_t)1 << (field & 63); }
static inline void drop(Set *a, int field) { (*a)[field >> 6] &= ~((uint64_t)1 << (field & 63)); }
static inline int has(const Set *a, int field) { return (*a)[field >> 6] >> (field & 63) & 1; }

static inline Set only(int field) {
    Set a = NO_FIELDS;
    add(&a, field);
    return a;
}

static inline int nth_field(Set a, int64_t index) {
    int word = 0;
    for (int count; index >= (count = COUNT(a[word])); word++) index -= count;
    uint64_t bits = a[word];
    while (index--) bits &= bits - 1;
    return 64 * word + LOWEST(bits);
}

/* Jetties */

static inline void put(Game *g, int field, int lies_down) {
    int step = lies_down ? WIDTH : 1;
    add(lies_down ? &g->down : &g->across, field);
    for (int i = 0; i < JETTY; i++) add(&g->planks, field + i * step);
}

static inline void lift(Game *g, int field, int lies_down) {
    int step = lies_down ? WIDTH : 1;
    drop(lies_down ? &g->down : &g->across, field);
    for (int i = 0; i < JETTY; i++) drop(&g->planks, field + i * step);
}

static inline Set places_across(Set open) { return open & left(open & left(open)); }
static inline Set places_down(Set open) { return open & up(open & up(open)); }

/* Lay a jetty on a random place that is not the old one; without a place it stays out of the game. */
static void lay(Game *g, uint64_t *rng, int old_across, int old_down) {
    Set open = water & ~g->planks;
    Set across = places_across(open), downward = places_down(open);
    if (old_across != NOWHERE) drop(&across, old_across);
    if (old_down != NOWHERE) drop(&downward, old_down);
    int first = size_of(across), count = first + size_of(downward);
    int64_t chosen = below(rng, count ? count : 1);
    if (count) {
        if (chosen < first) put(g, nth_field(across, chosen), 0);
        else put(g, nth_field(downward, chosen - first), 1);
    }
}

static int fits_elsewhere(const Game *g, int field, int lies_down) {
    Game without_it = *g;
    lift(&without_it, field, lies_down);
    Set open = water & ~without_it.planks;
    Set across = places_across(open), downward = places_down(open);
    drop(lies_down ? &downward : &across, field);
    return !is_empty(across | downward);
}

/* Take a random jetty and lay it elsewhere, or keep all; the number of actions. */
static int move_jetty(Game *g, uint64_t *rng) {
    Set taken = g->occupied;
    Set across = g->across & ~(taken | left(taken | left(taken)));
    Set downward = g->down & ~(taken | up(taken | up(taken)));
    Set open = water & ~g->planks;
    if (is_empty(places_across(open)) && is_empty(places_down(open))) {
        for (int field = 0; field < FIELDS; field++) {
            if (has(&across, field) && !fits_elsewhere(g, field, 0)) drop(&across, field);
            if (has(&downward, field) && !fits_elsewhere(g, field, 1)) drop(&downward, field);
        }
    }
    int first = size_of(across), count = first + size_of(downward);
    int64_t chosen = below(rng, count + 1);
    if (chosen == count) return 1;
    int lies_down = chosen >= first;
    int field = lies_down ? nth_field(downward, chosen - first) : nth_field(across, chosen);
    lift(g, field, lies_down);
    lay(g, rng, lies_down ? NOWHERE : field, lies_down ? field : NOWHERE);
    return 2;
}

/* Stones */

static inline Ends ends_from(const Game *g, Set origin, Set others, const Set *goal_shore, int pips) {
    Set planks = g->planks, before = origin;
    Set ups = up(origin) & planks, downs = down(origin) & planks;
    Set lefts = left(origin) & planks, rights = right(origin) & planks;
    for (int step = 1; step < pips; step++) {
        Set along = ups | downs, across = lefts | rights;
        before = along | across;
        ups = up(ups | across) & planks;
        downs = down(downs | across) & planks;
        lefts = left(lefts | along) & planks;
        rights = right(rights | along) & planks;
    }
    Ends found;
    found.ends = (ups | downs | lefts | rights) & ~others;
    found.home = !is_empty(before & *goal_shore);
    found.count = size_of(found.ends) + found.home;
    return found;
}

/* Move a random stone by all pips, or pass if that is allowed; NO_MOVE if no stone could move. */
static int move_stone(Game *g, uint64_t *rng, int seat, int pips) {
    const Set *goal_shore = &shore[(corner[seat] + 2) % CORNERS];
    Ends from[STONES];
    int count = 0, first_on_island = NOWHERE;
    for (int stone = 0; stone < STONES; stone++) {
        int spot = g->stone[seat][stone];
        if (spot == HOME) {
            from[stone].count = 0;
        } else if (spot != ISLAND) {
            Set origin = only(spot);
            from[stone] = ends_from(g, origin, g->occupied & ~origin, goal_shore, pips);
        } else if (first_on_island == NOWHERE) {
            from[stone] = ends_from(g, island[corner[seat]], g->occupied, goal_shore, pips);
            first_on_island = stone;
        } else {
            from[stone] = from[first_on_island];
        }
        count += from[stone].count;
    }
    if (count == 0) return NO_MOVE;
    int64_t chosen = below(rng, count + may_pass);
    if (chosen == count) return PASSED;
    int stone = 0;
    for (; chosen >= from[stone].count; stone++) chosen -= from[stone].count;
    int goes_home = from[stone].home && chosen == from[stone].count - 1;
    int end = goes_home ? HOME : nth_field(from[stone].ends, chosen);
    int16_t *spot = &g->stone[seat][stone];
    if (*spot != ISLAND) drop(&g->occupied, *spot);
    if (end != HOME) add(&g->occupied, end);
    *spot = (int16_t)end;
    return MOVED;
}

static int is_at_the_door(const Game *g, int seat) {
    Set mine = NO_FIELDS;
    for (int stone = 0; stone < STONES; stone++) {
        int spot = g->stone[seat][stone];
        if (spot != HOME && spot != ISLAND) add(&mine, spot);
    }
    if (is_empty(mine)) return 0;
    Set near = shore[(corner[seat] + 2) % CORNERS] & g->planks;
    if (!door_is_beside)
        for (int step = 1; step < PIPS; step++) near |= beside(near) & g->planks;
    return !is_empty(near & mine);
}

static inline int stones_home(const Game *g, int seat) {
    int count = 0;
    for (int stone = 0; stone < STONES; stone++) count += g->stone[seat][stone] == HOME;
    return count;
}

static inline int is_jetty_roll(int die) { return die == 1 || die == PIPS; }
static inline int roll(uint64_t *rng) { return (int)below(rng, PIPS) + 1; }

static inline void note(Game *g, int is_pass) { g->passes = is_pass ? g->passes + 1 : 0; }

/* A moving turn; the number of actions. */
static int play_turn(Game *g, uint64_t *rng, int seat) {
    int actions = 0, die = roll(rng), done;
    if (!is_jetty_roll(die)) {
        if ((done = move_stone(g, rng, seat, die))) {
            note(g, done == PASSED);
            return 1;
        }
        note(g, 0);
        int may_roll = !is_at_the_door(g, seat);
        for (int rolls = 1;; rolls++) {
            actions++; /* roll again, or pass */
            int choices = may_roll && rolls < max_rolls ? 2 : 1;
            if (below(rng, choices) == choices - 1) return actions;
            if (is_jetty_roll(die = roll(rng))) break;
        }
    }
    int for_jetty = move_jetty(g, rng);
    done = move_stone(g, rng, seat, die);
    if (done == NO_MOVE) below(rng, 1); /* a pass is an action like any other */
    note(g, done == PASSED && for_jetty == 1);
    return actions + for_jetty + 1;
}

/* The outcome */

static int distance(int seat, int spot) {
    int far = size - island_size, goal = (corner[seat] + 2) % CORNERS;
    if (spot == HOME) return 0;
    if (spot == ISLAND) return 2 * (far - island_size + 1);
    int row = spot / WIDTH, column = spot % WIDTH;
    int rows = goal >= 2 ? far - row : row - island_size + 1;
    int columns = goal == 1 || goal == 2 ? far - column : column - island_size + 1;
    return (rows > 0 ? rows : 0) + (columns > 0 ? columns : 0);
}

static void rank(const Game *g, int32_t *scores, int32_t *ranks) {
    int left_over[SEATS];
    for (int seat = 0; seat < players; seat++) {
        scores[seat] = stones_home(g, seat);
        left_over[seat] = 0;
        for (int stone = 0; stone < STONES; stone++) left_over[seat] += distance(seat, g->stone[seat][stone]);
    }
    for (int seat = 0; seat < players; seat++) {
        ranks[seat] = 1;
        for (int other = 0; other < players; other++)
            ranks[seat] += scores[other] > scores[seat] ||
                           (scores[other] == scores[seat] && left_over[other] < left_over[seat]);
    }
}

static int64_t play(Game *g, uint64_t *rng, int is_drawn, int turn) {
    if (is_drawn) turn = (int)below(rng, players);
    int64_t actions = players * jetties_each;
    for (int jetty = 0; jetty < players * jetties_each; jetty++) lay(g, rng, NOWHERE, NOWHERE);
    for (int turns = 0; turns < MAX_TURNS * players; turns++) {
        actions += play_turn(g, rng, turn);
        if (stones_home(g, turn) == STONES || g->passes == PASSING_ROUNDS * players) break;
        turn = turn + 1 == players ? 0 : turn + 1;
    }
    return actions;
}

int64_t play_many(const State *initial, int64_t repeats, uint64_t seed, int32_t *scores, int32_t *ranks) {
    players = initial->players;
    size = initial->board_size;
    island_size = initial->island_size;
    jetties_each = initial->jetties_each;
    max_rolls = initial->max_rolls;
    may_pass = initial->may_pass;
    door_is_beside = initial->door_is_beside;
    memcpy(&water, initial->water, sizeof water);
    memcpy(island, initial->island, sizeof island);
    memcpy(shore, initial->shore, sizeof shore);
    for (int seat = 0; seat < SEATS; seat++) corner[seat] = initial->corner[seat];
    Game start;
    memset(&start, 0, sizeof start);
    memcpy(start.stone, initial->stone, sizeof start.stone);
    int64_t actions = 0;
    for (int64_t column = 0; column < repeats; column++) {
        Game game = start;
        uint64_t rng = stream(seed, column);
        actions += play(&game, &rng, initial->step == 0, initial->turn);
        rank(&game, scores + SEATS * column, ranks + SEATS * column);
    }
    return actions;
}

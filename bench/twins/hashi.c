/* Random play of Hashi in C: the speed limit for the kernels, and their witness.
 *
 * Same rules, same generator, same results bit for bit as threespan/games/hashi/rules.py in random play.
 * The board lies in static tables; a game copies only what play changes.
 */
#include <string.h>

#include "random.h"
#include "state.h"

enum { ISLANDS = 18, MAX_LINES = 36, SEATS = 4, ROUNDS = 17, KINDS = 18, BONUSES = 3, NO_LINE = 63 };

typedef struct {
    int64_t numbered, reached, finished, built, anchored, closed;
    int8_t number[ISLANDS], degree[ISLANDS], bridges[MAX_LINES], won_in[BONUSES];
} Board;

static int64_t crossing[MAX_LINES], touching[ISLANDS], flagged[3];
static int8_t line_from[MAX_LINES], line_to[MAX_LINES];
static int lines;

#define LOWEST(mask) __builtin_ctzll((uint64_t)(mask))
#define COUNT(mask) __builtin_popcountll((uint64_t)(mask))
#define BIT(index) ((int64_t)1 << (index))

#include "hashi_pen.h"

typedef struct {
    int8_t pile[KINDS];
    int players, round_number;
    Board boards[SEATS];
} Game;

static inline int room(const Board *b, int island) {
    int number = b->number[island];
    return (number ? number : 6) - b->degree[island];
}

static inline int64_t closed_by(const Board *b, int line, int before) {
    int64_t lines = crossing[line];
    if (b->bridges[line] + (before == line) + 1 >= 2) lines |= BIT(line);
    int first = line_from[line], second = line_to[line];
    if (room(b, first) - (touching[first] >> before & 1) <= 1) lines |= touching[first];
    if (room(b, second) - (touching[second] >> before & 1) <= 1) lines |= touching[second];
    return lines;
}

static inline int can_follow(const Board *b, int64_t lines, int first, int more) {
    lines &= ~closed_by(b, first, NO_LINE);
    if (more == 1) return lines != 0;
    for (int64_t candidates = lines; candidates; candidates &= candidates - 1)
        if (lines & ~closed_by(b, LOWEST(candidates), first)) return 1;
    return 0;
}

static inline int64_t buildable(const Board *b, int left) {
    int64_t lines = b->anchored & ~b->closed;
    if (left == 1) return lines;
    int64_t allowed = 0;
    for (int64_t candidates = lines; candidates; candidates &= candidates - 1) {
        int line = LOWEST(candidates);
        if (can_follow(b, lines, line, left - 1)) allowed |= BIT(line);
    }
    return allowed;
}

static inline void write_number(Board *b, int island, int number) {
    b->number[island] = (int8_t)number;
    b->numbered |= BIT(island);
    b->anchored |= touching[island];
    if (b->degree[island] == number) {
        b->finished |= BIT(island);
        b->closed |= touching[island];
    }
}

static inline void reach(Board *b, int island) {
    b->reached |= BIT(island);
    if (++b->degree[island] == b->number[island]) b->finished |= BIT(island);
}

static inline void build(Board *b, int line) {
    b->closed |= closed_by(b, line, NO_LINE);
    b->bridges[line]++;
    b->built |= BIT(line);
    reach(b, line_from[line]);
    reach(b, line_to[line]);
}

static int has_six_connected(const Board *b) {
    int64_t unseen = b->finished;
    while (COUNT(unseen) >= 6) {
        int64_t group = unseen & -unseen, frontier = group;
        while (frontier) {
            int64_t lines = touching[LOWEST(frontier)] & b->built;
            frontier &= frontier - 1;
            for (; lines; lines &= lines - 1) {
                int line = LOWEST(lines);
                int64_t fresh = (BIT(line_from[line]) | BIT(line_to[line])) & unseen & ~group;
                group |= fresh;
                frontier |= fresh;
            }
        }
        if (COUNT(group) >= 6) return 1;
        unseen &= ~group;
    }
    return 0;
}

static inline void award(Board *b, int round_number) {
    for (int bonus = 0; bonus < BONUSES; bonus++) {
        if (b->won_in[bonus]) continue;
        int complete = bonus == 2 ? has_six_connected(b) : (b->finished & flagged[bonus + 1]) == flagged[bonus + 1];
        if (complete) b->won_in[bonus] = (int8_t)round_number;
    }
}

static inline int nth_bit(int64_t mask, int64_t index) {
    while (index--) mask &= mask - 1;
    return LOWEST(mask);
}

/* One seat's round: number or skip, then bridges or skip. Returns the number of actions. */
static inline int play_round(Board *b, int number, int bridges, uint64_t *rng) {
    int8_t choices[ISLANDS];
    int count = 0, actions = 1;
    for (int64_t islands = (flagged[0] | b->reached) & ~b->numbered; islands; islands &= islands - 1) {
        int island = LOWEST(islands);
        choices[count] = (int8_t)island;
        count += b->degree[island] <= number;
    }
    int64_t chosen = below(rng, count + 1);
    if (chosen < count) write_number(b, choices[chosen], number);
    for (int left = bridges; left; left--) {
        int64_t lines = buildable(b, left);
        int options = COUNT(lines);
        chosen = below(rng, options + (left == bridges));
        actions++;
        if (chosen == options) return actions;
        build(b, nth_bit(lines, chosen));
    }
    return actions;
}

static int turn_up(Game *g, uint64_t *rng) {
    int64_t ticket = below(rng, KINDS - g->round_number);
    int kind = 0;
    while (ticket >= g->pile[kind]) ticket -= g->pile[kind++];
    g->pile[kind]--;
    g->round_number++;
    return kind;
}

static int64_t write_starts(Game *g, uint64_t *rng) {
    int64_t actions = 0;
    int starts[SEATS];
    for (int seat = 0; seat < g->players; seat++, actions++) starts[seat] = (int)below(rng, 2 * COUNT(flagged[0]));
    for (int seat = 0; seat < g->players; seat++) {
        Board *left = &g->boards[(seat + 1) % g->players];
        write_number(left, nth_bit(flagged[0], starts[seat] / 2), 3 + starts[seat] % 2);
    }
    return actions;
}

static int64_t play(Game *g, uint64_t *rng) {
    int64_t actions = write_starts(g, rng);
    while (g->round_number < ROUNDS) {
        int kind = turn_up(g, rng);
        for (int seat = 0; seat < g->players; seat++)
            actions += play_round(&g->boards[seat], kind / 3 + 1, kind % 3 + 1, rng);
        for (int seat = 0; seat < g->players; seat++) award(&g->boards[seat], g->round_number);
    }
    return actions;
}

static int64_t play_freely(Game *g, uint64_t *rng) {
    int64_t actions = write_starts(g, rng);
    Pen pens[SEATS] = {0};
    Card cards[2] = {0};
    while (g->round_number < ROUNDS) {
        int kind = turn_up(g, rng);
        cards[1] = (Card){kind / 3 + 1, kind % 3 + 1};
        for (int seat = 0; seat < g->players; seat++)
            actions += play_round_freely(&g->boards[seat], &pens[seat], cards, rng);
        for (int seat = 0; seat < g->players; seat++) {
            settle_mistakes(&g->boards[seat], &pens[seat], cards, g->round_number == ROUNDS);
            award(&g->boards[seat], g->round_number);
        }
        cards[0] = cards[1];
    }
    return actions;
}

static int bonus_points(const Game *g, int seat, int bonus) {
    static const int full[] = {9, 7, 8}, late[] = {5, 3, 4}, limit[] = {12, 7, 12};
    int won_in = g->boards[seat].won_in[bonus];
    if (!won_in) return 0;
    if (g->players == 1) return won_in <= limit[bonus] ? full[bonus] : late[bonus];
    for (int other = 0; other < g->players; other++) {
        int earlier = g->boards[other].won_in[bonus];
        if (earlier && earlier < won_in) return late[bonus];
    }
    return full[bonus];
}

static void outcome(const Game *g, int32_t *scores, int32_t *ranks) {
    for (int seat = 0; seat < g->players; seat++) {
        scores[seat] = 2 * COUNT(g->boards[seat].finished);
        for (int bonus = 0; bonus < BONUSES; bonus++) scores[seat] += bonus_points(g, seat, bonus);
    }
    for (int seat = 0; seat < g->players; seat++) {
        ranks[seat] = 1;
        for (int other = 0; other < g->players; other++) ranks[seat] += scores[other] > scores[seat];
    }
}

int64_t play_many(const State *initial, int64_t repeats, uint64_t seed, int32_t *scores, int32_t *ranks) {
    memcpy(crossing, initial->crossing, sizeof crossing);
    memcpy(touching, initial->touching, sizeof touching);
    memcpy(flagged, initial->flagged, sizeof flagged);
    memcpy(line_from, initial->line_from, sizeof line_from);
    memcpy(line_to, initial->line_to, sizeof line_to);
    lines = initial->lines;
    Game start = {.players = initial->players};
    memcpy(start.pile, initial->pile, sizeof start.pile);
    int64_t actions = 0;
    for (int64_t column = 0; column < repeats; column++) {
        Game game = start;
        uint64_t rng = stream(seed, column);
        actions += initial->pen ? play_freely(&game, &rng) : play(&game, &rng);
        outcome(&game, scores + SEATS * column, ranks + SEATS * column);
    }
    return actions;
}

/* The random playout of Elfer, written by hand in C: the speed limit that the kernels are measured against.
 *
 * Same rules, same generator, same order of actions as threespan/games/elfer/rules.py, but free of everything that
 * only players and records need: no counts by kind, no board but masks, no account of what was handed on, and the
 * chosen action is picked out of the masks without listing the others.
 */
#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "random.h"
#include "state.h"

enum { SEATS = 4, ROWS = 4, NUMBERS = 20, FIELDS = 80, PART = 40, JOKERS = 4, COLOURED = 64 };
enum { PHASE_START = 0 };

typedef struct {
    uint64_t holds[3]; /* fields that the rack has tiles for: rows 0 and 1, rows 2 and 3, symbol fields */
    int8_t jokers[JOKERS], symbols[ROWS];
    int size;
} Rack;

typedef struct {
    uint64_t laid[3], fresh[2], inviting[3];
    uint64_t bag_coloured; /* one bit a kind */
    int8_t bag_jokers[JOKERS], bag_symbols[ROWS];
    int bag_size, players;
    int64_t actions;
    Rack racks[SEATS];
} Game;

static uint64_t neighbours[FIELDS][3], bonus_fields[2], elevens, joker_fields[JOKERS], coloured_fields;
static int8_t bridge_to[FIELDS], kind_of[FIELDS], field_of[COLOURED];
static int may_leave, symbols_adjoin;
static const int8_t joker_number[JOKERS] = {3, 7, 13, 17};

#define LOWEST(mask) __builtin_ctzll(mask)
#define COUNT(mask) __builtin_popcountll(mask)
#define BIT(index) ((uint64_t)1 << (index))

static inline int nth_bit(uint64_t mask, int64_t index) {
#ifdef __BMI2__
    return LOWEST(_pdep_u64(BIT(index), mask));
#else
    while (index--) mask &= mask - 1;
    return LOWEST(mask);
#endif
}

/* A decision with one choice: the generator moves on, its word is not needed. */
static inline void only_choice(Game *g, uint64_t *rng) {
    *rng += 0x9E3779B97F4A7C15u;
    g->actions++;
}

static inline int64_t choose(Game *g, uint64_t *rng, int64_t choices) {
    g->actions++;
    return below(rng, choices);
}

/* Tiles: 0..63 coloured, 64..67 jokers, 68..71 symbols. */

static inline void add_to_rack(Rack *r, int kind) {
    r->size++;
    if (kind < COLOURED) {
        int field = field_of[kind];
        r->holds[field / PART] |= BIT(field % PART);
    } else if (kind < COLOURED + JOKERS) {
        r->jokers[kind - COLOURED]++;
        r->holds[0] |= joker_fields[kind - COLOURED];
        r->holds[1] |= joker_fields[kind - COLOURED];
    } else {
        r->symbols[kind - COLOURED - JOKERS]++;
        r->holds[2] |= (uint64_t)3 << 2 * (kind - COLOURED - JOKERS);
    }
}

static inline void take_from_rack(Rack *r, int kind) {
    r->size--;
    if (kind < COLOURED) {
        int field = field_of[kind];
        r->holds[field / PART] ^= BIT(field % PART);
    } else if (kind < COLOURED + JOKERS) {
        if (--r->jokers[kind - COLOURED] == 0) {
            r->holds[0] ^= joker_fields[kind - COLOURED];
            r->holds[1] ^= joker_fields[kind - COLOURED];
        }
    } else if (--r->symbols[kind - COLOURED - JOKERS] == 0) {
        r->holds[2] ^= (uint64_t)3 << 2 * (kind - COLOURED - JOKERS);
    }
}

static inline int draw_tile(Game *g, uint64_t *rng) {
    int64_t ticket = below(rng, g->bag_size--);
    int coloured = COUNT(g->bag_coloured);
    if (ticket < coloured) {
        int kind = nth_bit(g->bag_coloured, ticket);
        g->bag_coloured ^= BIT(kind);
        return kind;
    }
    ticket -= coloured;
    for (int j = 0; j < JOKERS; j++) {
        if (ticket < g->bag_jokers[j]) {
            g->bag_jokers[j]--;
            return COLOURED + j;
        }
        ticket -= g->bag_jokers[j];
    }
    int row = 0;
    while (ticket >= g->bag_symbols[row]) ticket -= g->bag_symbols[row++];
    g->bag_symbols[row]--;
    return COLOURED + JOKERS + row;
}

static inline int kind_for(int field) { return field < FIELDS ? kind_of[field] : COLOURED + JOKERS + (field - FIELDS) / 2; }

static inline int pick_field(const uint64_t fields[3], int64_t index) {
    int first = COUNT(fields[0]), second = COUNT(fields[1]);
    if (index < first) return nth_bit(fields[0], index);
    if ((index -= first) < second) return PART + nth_bit(fields[1], index);
    return FIELDS + nth_bit(fields[2], index - second);
}

static inline int count_fields(const uint64_t fields[3]) { return COUNT(fields[0]) + COUNT(fields[1]) + COUNT(fields[2]); }

static inline void put_on_board(Game *g, int field) {
    if (field >= FIELDS) {
        g->laid[2] |= BIT(field - FIELDS);
        g->inviting[2] &= ~g->laid[2];
        return;
    }
    g->laid[field / PART] |= BIT(field % PART);
    g->fresh[field / PART] |= BIT(field % PART);
    for (int part = 0; part < 3; part++) g->inviting[part] = (g->inviting[part] | neighbours[field][part]) & ~g->laid[part];
}

static inline int brings_bonus(const Game *g, int field) {
    if (!(bonus_fields[field / PART] >> field % PART & 1) || g->bag_size == 0) return 0;
    int across = bridge_to[field];
    return !(g->laid[across / PART] >> across % PART & 1);
}

/* Lay a tile of the rack and play out what it brings; 1 if that ended the round. */
static int lay(Game *g, Rack *r, int field, uint64_t *rng) {
    take_from_rack(r, kind_for(field));
    put_on_board(g, field);
    for (;;) {
        if (r->size == 0) return 1;
        if (field >= FIELDS) { /* a symbol: the free tile, or skip */
            uint64_t fields[3] = {r->holds[0] & ~g->laid[0], r->holds[1] & ~g->laid[1], 0};
            int choices = count_fields(fields);
            int64_t chosen = choose(g, rng, choices + 1);
            if (chosen == choices) return 0;
            field = pick_field(fields, chosen);
            take_from_rack(r, kind_of[field]);
        } else if (brings_bonus(g, field)) {
            int kind = draw_tile(g, rng);
            uint64_t fields[3] = {0, 0, 0};
            if (kind < COLOURED) {
                only_choice(g, rng);
                field = field_of[kind];
            } else {
                if (kind < COLOURED + JOKERS)
                    for (int part = 0; part < 2; part++) fields[part] = joker_fields[kind - COLOURED] & ~g->laid[part];
                else
                    fields[2] = (uint64_t)3 << 2 * (kind - COLOURED - JOKERS) & (symbols_adjoin ? g->inviting[2] : ~g->laid[2]);
                if (count_fields(fields) == 0) { /* a symbol without its number goes to the rack */
                    add_to_rack(r, kind);
                    return 0;
                }
                field = pick_field(fields, choose(g, rng, count_fields(fields)));
            }
        } else {
            return 0;
        }
        put_on_board(g, field);
    }
}

/* Hand on a tile or keep all; 1 if that ended the round. */
static int hand_on(Game *g, int seat, uint64_t *rng) {
    Rack *r = &g->racks[seat];
    uint64_t upper = r->holds[0] & coloured_fields, lower = r->holds[1] & coloured_fields;
    int first = COUNT(upper), second = COUNT(lower), others = 0;
    int8_t kinds[JOKERS + ROWS];
    for (int j = 0; j < JOKERS; j++) {
        kinds[others] = (int8_t)(COLOURED + j);
        others += r->jokers[j] > 0;
    }
    for (uint64_t symbols = r->holds[2] & 0x55; symbols; symbols &= symbols - 1)
        kinds[others++] = (int8_t)(COLOURED + JOKERS + LOWEST(symbols) / 2);
    int64_t chosen = choose(g, rng, first + second + others + 1);
    int kind;
    if (chosen < first)
        kind = kind_of[nth_bit(upper, chosen)];
    else if ((chosen -= first) < second)
        kind = kind_of[PART + nth_bit(lower, chosen)];
    else if ((chosen -= second) < others)
        kind = kinds[chosen];
    else
        return 0;
    take_from_rack(r, kind);
    add_to_rack(&g->racks[seat + 1 < g->players ? seat + 1 : 0], kind);
    return r->size == 0;
}

static inline int has_laid_neighbours(const Game *g) {
    const uint64_t starts = ~(BIT(NUMBERS - 1) | BIT(2 * NUMBERS - 1));
    return ((g->fresh[0] & g->fresh[0] >> 1) | (g->fresh[1] & g->fresh[1] >> 1)) & starts ? 1 : 0;
}

/* One turn, `laid` tiles of which are already done; 1 if it ended the round. */
static int play_turn(Game *g, int seat, int laid, uint64_t *rng) {
    Rack *r = &g->racks[seat];
    int drawn = 0;
    for (;;) {
        uint64_t fields[3] = {0, 0, 0};
        if (laid < 3)
            for (int part = 0; part < 3; part++) fields[part] = r->holds[part] & g->inviting[part];
        int choices = count_fields(fields);
        if (laid == 0 && choices == 0) {
            only_choice(g, rng); /* draw or pass */
            if (drawn == 3 || g->bag_size == 0) return 0;
            drawn++;
            add_to_rack(r, draw_tile(g, rng));
            continue;
        }
        int64_t chosen = choose(g, rng, choices + (laid > 0));
        if (chosen == choices) break;
        laid++;
        if (lay(g, r, pick_field(fields, chosen), rng)) return 1;
    }
    return has_laid_neighbours(g) && hand_on(g, seat, rng);
}

static inline uint64_t held_elevens(const Rack *r) { return (r->holds[0] | r->holds[1]) & elevens; }

/* Deal and find the seat with the first 11. */
static int deal(Game *g, int starter, uint64_t *rng) {
    int seat = starter, tiles = g->players == 4 ? 15 : 20;
    for (int n = 0; n < g->players; n++) {
        for (int tile = 0; tile < tiles; tile++) add_to_rack(&g->racks[seat], draw_tile(g, rng));
        seat = seat + 1 < g->players ? seat + 1 : 0;
    }
    if (may_leave) /* everybody says whether to open */
        for (int n = 0; n < g->players; n++) {
            if (!held_elevens(&g->racks[seat])) only_choice(g, rng);
            else if (choose(g, rng, 2) == 0) return seat;
            seat = seat + 1 < g->players ? seat + 1 : 0;
        }
    for (int n = 0; n < g->players; n++) {
        if (held_elevens(&g->racks[seat])) return seat;
        seat = seat + 1 < g->players ? seat + 1 : 0;
    }
    for (;; seat = seat + 1 < g->players ? seat + 1 : 0) {
        add_to_rack(&g->racks[seat], draw_tile(g, rng));
        if (held_elevens(&g->racks[seat])) return seat;
    }
}

static void play_round(Game *g, int starter, uint64_t *rng) {
    int seat = deal(g, starter, rng);
    Rack *r = &g->racks[seat];
    uint64_t fields[3] = {r->holds[0] & elevens, r->holds[1] & elevens, 0};
    int over = lay(g, r, pick_field(fields, choose(g, rng, count_fields(fields))), rng) || play_turn(g, seat, 1, rng);
    while (!over) {
        seat = seat + 1 < g->players ? seat + 1 : 0;
        g->fresh[0] = g->fresh[1] = 0;
        over = play_turn(g, seat, 0, rng);
    }
}

static int rack_value(const Rack *r) {
    int total = 0;
    for (int part = 0; part < 2; part++)
        for (uint64_t fields = r->holds[part] & coloured_fields; fields; fields &= fields - 1)
            total += LOWEST(fields) % NUMBERS + 1;
    for (int j = 0; j < JOKERS; j++) total += r->jokers[j] * joker_number[j] + r->symbols[j] * 11;
    return total;
}

static void prepare(const State *s) {
    memset(neighbours, 0, sizeof neighbours);
    memcpy(bonus_fields, s->bonus_fields, sizeof bonus_fields);
    memcpy(bridge_to, s->bridge_to, sizeof bridge_to);
    may_leave = s->may_leave;
    symbols_adjoin = s->symbols_adjoin;
    uint64_t all_jokers = 0;
    for (int j = 0; j < JOKERS; j++) {
        joker_fields[j] = BIT(joker_number[j] - 1) | BIT(NUMBERS + joker_number[j] - 1);
        all_jokers |= joker_fields[j];
    }
    coloured_fields = ~all_jokers & (BIT(PART) - 1);
    elevens = BIT(10) | BIT(NUMBERS + 10);
    for (int field = 0, kind = 0; field < FIELDS; field++) {
        int number = field % NUMBERS + 1, row = field / NUMBERS;
        kind_of[field] = -1;
        for (int j = 0; j < JOKERS; j++)
            if (number == joker_number[j]) kind_of[field] = (int8_t)(COLOURED + j);
        if (kind_of[field] < 0) {
            field_of[kind] = (int8_t)field;
            kind_of[field] = (int8_t)kind++;
        }
        if (number > 1) neighbours[field][(field - 1) / PART] |= BIT((field - 1) % PART);
        if (number < NUMBERS) neighbours[field][(field + 1) / PART] |= BIT((field + 1) % PART);
        if (number == 1 || number == 11 || number == NUMBERS)
            for (int part = 0; part < 2; part++) neighbours[field][part] |= BIT(number - 1) | BIT(NUMBERS + number - 1);
        if (number == 1) neighbours[field][2] |= BIT(2 * row);
        if (number == NUMBERS) neighbours[field][2] |= BIT(2 * row + 1);
        neighbours[field][bridge_to[field] / PART] |= BIT(bridge_to[field] % PART);
    }
}

int64_t play_many(const State *initial, int64_t repeats, uint64_t seed, int32_t *scores, int32_t *ranks) {
    prepare(initial);
    Game start = {.players = initial->players, .bag_coloured = ~(uint64_t)0, .bag_size = initial->bag_size};
    start.inviting[0] = start.inviting[1] = elevens;
    memset(start.bag_jokers, 4, sizeof start.bag_jokers);
    memset(start.bag_symbols, initial->has_symbols ? 2 : 0, sizeof start.bag_symbols);
    int64_t actions = 0;
    for (int64_t column = 0; column < repeats; column++, scores += SEATS, ranks += SEATS) {
        uint64_t rng = stream(seed, column);
        int starter = initial->phase == PHASE_START ? (int)below(&rng, initial->players) : initial->starter;
        for (int n = 0; n < initial->rounds; n++) {
            Game game = start;
            play_round(&game, (starter + n) % initial->players, &rng);
            actions += game.actions;
            for (int seat = 0; seat < initial->players; seat++) scores[seat] -= rack_value(&game.racks[seat]);
        }
        for (int seat = 0; seat < initial->players; seat++) {
            ranks[seat] = 1;
            for (int other = 0; other < initial->players; other++) ranks[seat] += scores[other] > scores[seat];
        }
    }
    return actions;
}

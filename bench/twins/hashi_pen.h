/* Hashi's free pen in C: drawing whatever the board allows, judging it, erasing, striking out.
 *
 * Included by hashi.c, whose boards it plays on. Marks are kept as in threespan/games/hashi/state.py: number and bridges
 * of the last round, then of this one; 1 + island, 19 + line, 0 for none.
 */
#pragma once

enum { ROUND_MARKS = 7, MARKS = 2 * ROUND_MARKS, THIS_ROUND = ROUND_MARKS, MAX_ROUND_BRIDGES = 6 };
enum { EARLIER_BRIDGES = 0x7E, THESE_BRIDGES = EARLIER_BRIDGES << THIS_ROUND, ALL_MARKS = (1 << MARKS) - 1 };
enum { FLAG = 1, SMALL = 2, NEEDS = 4, CROSSED = 8, FULL = 16, SIX = 32, ALL = 64 };

typedef struct {
    int8_t marks[MARKS], broken[MARKS];
    int erased, is_done;
    int64_t struck;
} Pen;

typedef struct {
    int number, bridges;
} Card;

static inline int is_bridge(int mark) { return mark > ISLANDS; }
static inline int line_of(int mark) { return mark - ISLANDS - 1; }
static inline int bridges_of(int at) { return at >= THIS_ROUND ? THESE_BRIDGES : EARLIER_BRIDGES; }

static inline int64_t islands_of(int mark) {
    return is_bridge(mark) ? BIT(line_from[line_of(mark)]) | BIT(line_to[line_of(mark)]) : BIT(mark - 1);
}

static int standing(const Pen *p) {
    int found = 0;
    for (int at = 0; at < MARKS; at++) found |= (p->marks[at] != 0) << at;
    return found & ~p->erased;
}

static int degree_without(const Board *b, const Pen *p, int island, int absent) {
    int degree = b->degree[island];
    for (; absent; absent &= absent - 1) {
        int mark = p->marks[LOWEST(absent)];
        if (is_bridge(mark)) degree -= islands_of(mark) >> island & 1;
    }
    return degree;
}

static int number_without(const Board *b, const Pen *p, int island, int absent) {
    for (; absent; absent &= absent - 1)
        if (p->marks[LOWEST(absent)] == island + 1) return 0;
    return b->number[island];
}

static int is_built_without(const Board *b, const Pen *p, int line, int absent) {
    int bridges = b->bridges[line];
    for (; absent; absent &= absent - 1) bridges -= p->marks[LOWEST(absent)] == ISLANDS + 1 + line;
    return bridges > 0;
}

static int judge(const Board *b, const Pen *p, const Card *cards, int at, int without) {
    int mark = p->marks[at], broken = 0;
    int absent = ((ALL_MARKS << at & ALL_MARKS) | without) & ~p->erased;
    if (!is_bridge(mark)) {
        int island = mark - 1, degree = degree_without(b, p, island, absent);
        if (!(flagged[0] >> island & 1) && degree == 0) broken |= FLAG;
        if (b->number[island] < degree) broken |= SMALL;
        return broken;
    }
    int line = line_of(mark), ends[] = {line_from[line], line_to[line]}, numbered = 0;
    for (int end = 0; end < 2; end++) {
        int degree = degree_without(b, p, ends[end], absent), number = number_without(b, p, ends[end], absent);
        numbered += number != 0;
        if (number && degree >= number) broken |= FULL;
        if (!number && degree >= 6) broken |= SIX;
    }
    if (!numbered) broken |= NEEDS;
    for (int64_t crossed = crossing[line] & b->built; crossed; crossed &= crossed - 1)
        if (is_built_without(b, p, LOWEST(crossed), absent)) broken |= CROSSED;
    int card = cards[at >= THIS_ROUND].bridges, drawn = COUNT(standing(p) & bridges_of(at));
    int before = bridges_of(at) & ~(ALL_MARKS << at) & ~without & ~p->erased;
    int is_short = (at < THIS_ROUND || p->is_done) && drawn > 0 && drawn < card;
    if (COUNT(before) >= card || is_short) broken |= ALL;
    return broken;
}

/* Work everything out anew from numbers, bridges and marks. */
static void survey(Board *b, Pen *p, const Card *cards) {
    memset(b->degree, 0, sizeof b->degree);
    b->numbered = b->built = 0;
    for (int line = 0; line < lines; line++) {
        b->degree[line_from[line]] += b->bridges[line];
        b->degree[line_to[line]] += b->bridges[line];
        if (b->bridges[line]) b->built |= BIT(line);
    }
    int64_t complete = 0, barred = p->struck;
    for (int island = 0; island < ISLANDS; island++) {
        if (b->number[island]) b->numbered |= BIT(island);
        if (b->number[island] && b->number[island] == b->degree[island]) complete |= BIT(island);
    }
    int on_board = standing(p), wrong = 0;
    for (int at = 0; at < MARKS; at++) {
        p->broken[at] = on_board >> at & 1 ? (int8_t)judge(b, p, cards, at, 0) : 0;
        wrong |= (p->broken[at] != 0) << at;
    }
    for (int at = 0; at < MARKS; at++)
        if (on_board >> at & 1 && wrong & (is_bridge(p->marks[at]) ? bridges_of(at) : 1 << at))
            barred |= islands_of(p->marks[at]);
    b->finished = complete & ~barred;
}

static int erased_with(const Pen *p, const Card *cards, int at) {
    int bridges = standing(p) & bridges_of(at);
    return is_bridge(p->marks[at]) && COUNT(bridges) - 1 < cards[at >= THIS_ROUND].bridges ? bridges : 1 << at;
}

static int can_erase(const Board *b, const Pen *p, const Card *cards, int at) {
    int removed = erased_with(p, cards, at);
    for (int rest = standing(p) & ~removed & ALL_MARKS << LOWEST(removed); rest; rest &= rest - 1)
        if (judge(b, p, cards, LOWEST(rest), removed) != p->broken[LOWEST(rest)]) return 0;
    return 1;
}

static void erase(Board *b, Pen *p, int places) {
    p->erased |= places;
    for (; places; places &= places - 1) {
        int mark = p->marks[LOWEST(places)];
        if (is_bridge(mark)) b->bridges[line_of(mark)]--;
        else b->number[mark - 1] = 0;
    }
}

/* Of the marks that can be erased, the places by mark; of two on a line the one drawn last counts. */
static int list_erasable(const Board *b, const Pen *p, const Card *cards, int8_t *places) {
    int8_t place_of[ISLANDS + MAX_LINES + 1];
    int count = 0;
    memset(place_of, -1, sizeof place_of);
    for (int at = 0; at < MARKS; at++)
        if (p->broken[at]) place_of[p->marks[at]] = (int8_t)at;
    for (int mark = 1; mark <= ISLANDS + MAX_LINES; mark++)
        if (place_of[mark] >= 0 && can_erase(b, p, cards, place_of[mark])) places[count++] = place_of[mark];
    return count;
}

/* One seat's round with the free pen. Returns the number of actions. */
static int play_round_freely(Board *b, Pen *p, const Card *cards, uint64_t *rng) {
    int8_t choices[MAX_LINES], places[MARKS];
    int is_writing = 1;
    p->is_done = 0;
    for (int actions = 1;; actions++) {
        int count = 0, drawn = COUNT(standing(p) & THESE_BRIDGES);
        if (is_writing) {
            for (int island = 0; island < ISLANDS; island++)
                if (!b->number[island]) choices[count++] = (int8_t)island;
        } else if (drawn < MAX_ROUND_BRIDGES && !(p->erased & THESE_BRIDGES)) {
            for (int line = 0; line < lines; line++)
                if (b->bridges[line] < 2) choices[count++] = (int8_t)line;
        }
        int erasable = list_erasable(b, p, cards, places);
        int64_t chosen = below(rng, count + is_writing + 1 + erasable), done = count + is_writing;
        if (chosen < count && is_writing) {
            b->number[choices[chosen]] = (int8_t)cards[1].number;
            p->marks[THIS_ROUND] = (int8_t)(1 + choices[chosen]);
        } else if (chosen < count) {
            b->bridges[choices[chosen]]++;
            p->marks[THIS_ROUND + 1 + drawn] = (int8_t)(1 + ISLANDS + choices[chosen]);
        } else if (chosen > done) {
            erase(b, p, erased_with(p, cards, places[chosen - done - 1]));
        }
        p->is_done = chosen == done;
        if (chosen < done) is_writing = 0;
        survey(b, p, cards);
        if (p->is_done) return actions;
    }
}

static void strike_out(Pen *p, int first, int card) {
    int on_board = standing(p), lawful = 0, is_bought = 0;
    for (int at = first; at < first + ROUND_MARKS; at++) {
        if (!(on_board >> at & 1)) continue;
        lawful += is_bridge(p->marks[at]) && !p->broken[at];
        is_bought |= is_bridge(p->marks[at]) && p->broken[at];
        if (p->broken[at]) p->struck |= islands_of(p->marks[at]);
    }
    if (is_bought && lawful < card)
        for (int rest = on_board & bridges_of(first); rest; rest &= rest - 1) p->struck |= islands_of(p->marks[LOWEST(rest)]);
}

/* What the referee does when a round ends; `cards` are those of the round before and of this one. */
static void settle_mistakes(Board *b, Pen *p, const Card *cards, int is_last) {
    for (int at = MARKS - 1; is_last && at >= THIS_ROUND; at--)
        if (p->broken[at] && can_erase(b, p, cards, at)) {
            erase(b, p, erased_with(p, cards, at));
            survey(b, p, cards);
            at = MARKS;
        }
    strike_out(p, 0, cards[0].bridges);
    if (is_last) strike_out(p, THIS_ROUND, cards[1].bridges);
    int8_t kept[MARKS] = {0};
    int on_board = standing(p), bridges = 1;
    for (int at = THIS_ROUND; at < MARKS && !is_last; at++) {
        if (!(on_board >> at & 1)) continue;
        if (is_bridge(p->marks[at])) kept[bridges++] = p->marks[at];
        else kept[0] = p->marks[at];
    }
    memcpy(p->marks, kept, sizeof kept);
    p->erased = 0;
    Card next[] = {cards[1], cards[1]};
    survey(b, p, next);
}

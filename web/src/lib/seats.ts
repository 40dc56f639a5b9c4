/** Seat numbers with a special meaning. */

/** Cards, dice and draws; tables have at most four seats, 0 to 3. */
export const CHANCE = 4
/** A spectator. */
export const WATCHER = -1

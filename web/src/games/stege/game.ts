/** What the page loads when somebody opens the game. */
import { readAction } from './model'

export { default as Board } from './Board.svelte'
export { default as ActionIcon } from './MiniDie.svelte'
export { turnSummary as summary } from './words'

/** A roll is drawn as a die. */
export const hasActionIcon = (action: string): boolean => readAction(action).kind === 'roll'

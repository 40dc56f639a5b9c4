/** What the page loads when somebody opens the game. */
export { default as Board } from './Board.svelte'
export { actionLabel, describe } from './words'

/** What the page loads when somebody opens the game. */
import './colours.css'
export { default as Board } from './Board.svelte'
export { turnSummary as summary } from './words'

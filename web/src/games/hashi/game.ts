/** What the page loads when somebody opens the game. */
import './colours.css'
export { default as Board } from './Board.svelte'
export { raceNews as extraNews, roundSummary as summary } from './words'

/** The keyboard shortcuts of the board, in the order in which they are listed. */
import type { BoardKey } from '../types'
import type { Word } from './words'

export const KEYS = [
  { keys: ['arrows'], word: 'keyGo' },
  { keys: ['enter', 'space'], word: 'keyAct' },
  { keys: ['R'], word: 'keyTurn' },
  { keys: ['N', 'shift+N'], word: 'keyNext' },
  { keys: ['a', '…', 'd'], word: 'keyStone' },
  { keys: ['escape'], word: 'keyLetGo' },
] satisfies (BoardKey & { word: Word })[]

/** The keyboard shortcuts of the board, in the order in which they are listed. */
import type { BoardKey } from '../types'
import type { Word } from './words'

export const KEYS = [
  { keys: ['arrows'], word: 'keyGo' },
  { keys: ['enter', 'space'], word: 'keyWrite' },
  { keys: ['1', '…', '6'], word: 'keyNumber' },
] satisfies (BoardKey & { word: Word })[]

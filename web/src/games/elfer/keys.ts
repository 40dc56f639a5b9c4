/** The keyboard shortcuts of the board, in the order in which they are listed. */
import type { BoardKey } from '../types'
import type { Word } from './words'

export const KEYS = [
  { keys: ['arrows'], word: 'keyGo' },
  { keys: ['home', 'end'], word: 'keyEnds' },
  { keys: ['enter', 'space'], word: 'keyLay' },
  { keys: ['escape'], word: 'keyLetGo' },
] satisfies (BoardKey & { word: Word })[]

/** Loads what belongs to a game, when it is needed. A game without a board is played in text mode. */
import type { AnyBoard, AnyWords, Lesson } from './types'

const boards = import.meta.glob<{ default: AnyBoard }>('./*/Board.svelte')
const words = import.meta.glob<AnyWords>('./*/words.ts')
const lessons = import.meta.glob<Lesson>('./*/lesson.json', { import: 'default' })

/** The actions as the server writes them, for games that have no words of their own. */
const PLAIN_WORDS: AnyWords = {
  describe: () => [],
  actionLabel: (action) => action,
}

export interface LoadedGame {
  Board: AnyBoard | null
  words: AnyWords
}

export async function loadGame(game: string): Promise<LoadedGame> {
  const [board, found] = await Promise.all([boards[`./${game}/Board.svelte`]?.(), words[`./${game}/words.ts`]?.()])
  return { Board: board?.default ?? null, words: found ?? PLAIN_WORDS }
}

export async function loadLesson(game: string): Promise<Lesson | null> {
  return (await lessons[`./${game}/lesson.json`]?.()) ?? null
}

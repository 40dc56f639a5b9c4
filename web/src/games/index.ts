/** Loads what belongs to a game, when it is needed. A game without a board is played in text mode. */
import type { AnyBoard, AnyWords, Lesson } from './types'

const games = import.meta.glob<{ Board: AnyBoard } & AnyWords>('./*/game.ts')
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

const loaded = new Map<string, LoadedGame>()

export async function loadGame(game: string): Promise<LoadedGame> {
  const file = await games[`./${game}/game.ts`]?.()
  const found = loaded.get(game) ?? { Board: file?.Board ?? null, words: file ?? PLAIN_WORDS }
  loaded.set(game, found)
  return found
}

/** A game that has been loaded before, so that its board can be drawn at once. */
export function loadedGame(game: string): LoadedGame | null {
  return loaded.get(game) ?? null
}

export async function loadLesson(game: string): Promise<Lesson | null> {
  return (await lessons[`./${game}/lesson.json`]?.()) ?? null
}

/** Loads the parts of a game when they are needed. A game without a board is played in text mode. */
import { type Say, translator } from '../lib/format'
import type { AnyBoard, BoardKey, Dictionary, GameModule, Lesson, LessonWords } from './types'

const modules = import.meta.glob<GameModule>('./*/game.ts')
const keys = import.meta.glob<BoardKey[]>('./*/keys.ts', { import: 'KEYS' })
const dictionaries = import.meta.glob<Dictionary>('./*/words/*.json', { import: 'default' })
const lessons = import.meta.glob<Lesson>('./*/lesson/lesson.json', { import: 'default' })
const lessonWords = import.meta.glob<LessonWords>('./*/lesson/words/*.json', { import: 'default' })

export interface LoadedGame extends Omit<GameModule, 'Board'> {
  Board: AnyBoard | null
  say: Say
}

const loaded = new Map<string, LoadedGame>()

export const hasBoard = (game: string): boolean => boardFile(game) in modules

/** A game in a language. */
export async function loadGame(game: string, language: string): Promise<LoadedGame> {
  const [module, words] = await Promise.all([
    modules[boardFile(game)]?.(),
    dictionaries[`./${game}/words/${language}.json`]?.(),
  ])
  const found = loadedGame(game, language) ?? {
    ...module,
    Board: module?.Board ?? null,
    say: translator(words ?? {}, language),
  }
  loaded.set(keyOf(game, language), found)
  return found
}

/** A game that has been loaded before, so that its board can be drawn at once. */
export function loadedGame(game: string, language: string): LoadedGame | null {
  return loaded.get(keyOf(game, language)) ?? null
}

/** The keys of a game's board. */
export async function loadKeys(game: string): Promise<BoardKey[]> {
  return (await keys[`./${game}/keys.ts`]?.()) ?? []
}

export const hasLesson = (game: string): boolean => lessonFile(game) in lessons

export async function loadLesson(game: string): Promise<Lesson | null> {
  return (await lessons[lessonFile(game)]?.()) ?? null
}

export async function loadLessonWords(game: string, language: string): Promise<LessonWords | null> {
  return (await lessonWords[`./${game}/lesson/words/${language}.json`]?.()) ?? null
}

const boardFile = (game: string): string => `./${game}/game.ts`
const lessonFile = (game: string): string => `./${game}/lesson/lesson.json`
const keyOf = (game: string, language: string): string => `${game} ${language}`

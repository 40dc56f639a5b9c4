/** The page's own words. A dictionary is loaded for the language in use; English says which words there are. */
import type { Language } from '../games/types'
import type en from './words/en'

export type Dictionary = typeof en
export type Word = keyof Dictionary

const dictionaries: Record<Language, () => Promise<{ default: Dictionary }>> = {
  en: () => import('./words/en'),
  de: () => import('./words/de'),
}

let words = $state.raw<Dictionary | null>(null)

/** Load a language; until it is there, the words of the one before stay. */
export async function speak(language: Language): Promise<void> {
  words = (await dictionaries[language]()).default
  document.documentElement.lang = language
}

export function isSpeaking(): boolean {
  return words !== null
}

/** A word, with values in place of its `{names}`. */
export function t(word: Word, values: Record<string, string | number> = {}): string {
  const text: string = words?.[word] ?? ''
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}

/** A word that may not exist, such as the label of an option nobody has named: then what stands for it. */
export function tMaybe(word: string, otherwise: string): string {
  return (words as Record<string, string> | null)?.[word] ?? otherwise
}

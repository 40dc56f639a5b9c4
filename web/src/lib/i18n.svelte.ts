/** The texts of the page itself. Only the current language is loaded; the English file defines which texts there are. */
import type en from '../words/en.json'
import { type Say, translator, type Text } from './format'

export type Word = keyof typeof en

const dictionaries = import.meta.glob<Record<Word, Text>>('../words/*.json', { import: 'default' })

let say = $state.raw<Say<Word> | null>(null)
let wanted = ''

/** Switch to a language; until it is loaded, the previous one stays. */
export async function loadLanguage(language: string): Promise<void> {
  wanted = language
  const words = await dictionaries[`../words/${language}.json`]?.()
  if (!words || wanted !== language) return
  say = translator(words, language)
  document.documentElement.lang = language
}

export function hasLanguage(): boolean {
  return say !== null
}

/** A text in the current language, with values in place of its `{placeholders}`. */
export const t: Say<Word> = (word, values) => say?.(word, values) ?? ''

/**
 * A language is a set of files: `words/xx.json` in `src`, and in every folder below it that has words. This checks that
 * each folder has every language, with the same keys and the same `{names}`, and tells the page which languages there are.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

/** The file that the others are compared with. */
const ORIGINAL = 'en'
const FOLDER = 'words'
const ENDING = '.json'
const LANGUAGES_MODULE = 'virtual:languages'
const RESOLVED = `\0${LANGUAGES_MODULE}`
const PLURAL_FORMS = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

type Texts = Map<string, Set<string>>

export function words(source: string): Plugin {
  return {
    name: 'threespan-words',
    buildStart() {
      const wrong = [...complaints(source)]
      if (wrong.length) this.error(wrong.join('\n'))
    },
    resolveId: (id) => (id === LANGUAGES_MODULE ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? `export const LANGUAGES = ${JSON.stringify(namesOf(source))}` : undefined),
  }
}

/** The languages, English first, with the names they give themselves. */
function namesOf(source: string): Record<string, string> {
  const shell = join(source, FOLDER)
  return Object.fromEntries(
    languagesIn(shell).map((code) => [code, read(join(shell, code + ENDING)).language as string]),
  )
}

function languagesIn(folder: string): string[] {
  const codes = readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => basename(name, ENDING))
  return codes.sort((a, b) => Number(b === ORIGINAL) - Number(a === ORIGINAL) || a.localeCompare(b))
}

/** What is wrong with the files, each with the file and the key. */
export function* complaints(source: string): Generator<string> {
  const languages = languagesIn(join(source, FOLDER))
  for (const folder of foldersIn(source)) {
    const there = languagesIn(folder)
    const name = (code: string): string => join(relative(dirname(source), folder), code + ENDING)
    for (const code of languages) if (!there.includes(code)) yield `${name(code)} is missing`
    for (const code of there) if (!languages.includes(code)) yield `${name(code)} is in a language that ${FOLDER} lacks`
    if (!there.includes(ORIGINAL)) continue
    const original = textsOf(read(join(folder, ORIGINAL + ENDING)))
    for (const code of there) yield* differences(name(code), original, textsOf(read(join(folder, code + ENDING))))
  }
}

/** All folders of words. */
function foldersIn(source: string): string[] {
  const below = readdirSync(source, { recursive: true, withFileTypes: true })
  return below
    .filter((entry) => entry.isDirectory() && entry.name === FOLDER)
    .map((entry) => join(entry.parentPath, entry.name))
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf-8')) as Record<string, unknown>
}

/** The names in braces of every text, by its dotted key; plural forms are one text, and so are lines that belong together. */
function textsOf(table: object, prefix = ''): Texts {
  const found: Texts = new Map()
  for (const [name, value] of Object.entries(table) as [string, unknown][]) {
    const key = prefix + name
    if (typeof value === 'string') found.set(key, namesIn(value))
    else if (isPlural(value))
      found.set(key, new Set(['count', ...Object.values(value).flatMap((form) => [...namesIn(form)])]))
    else if (isLines(value)) found.set(key, new Set())
    else if (value) textsOf(value, `${key}.`).forEach((names, inner) => found.set(inner, names))
  }
  return found
}

const namesIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? ''))

function isPlural(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'other' in value &&
    Object.keys(value).every((form) => PLURAL_FORMS.has(form))
  )
}

const isLines = (value: unknown): boolean => Array.isArray(value) && value.every((line) => typeof line === 'string')

function* differences(file: string, original: Texts, texts: Texts): Generator<string> {
  for (const [key, names] of original) {
    const found = texts.get(key)
    const wanted = [...names].map((name) => `{${name}}`).join(', ') || 'no names in braces'
    if (!found) yield `${file}: the text '${key}' is missing`
    else if (found.size !== names.size || [...names].some((name) => !found.has(name)))
      yield `${file}: '${key}' must have ${wanted}`
  }
  for (const key of texts.keys()) if (!original.has(key)) yield `${file}: the text '${key}' stands in no other language`
}

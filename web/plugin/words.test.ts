import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { complaints } from './words'

test('every language has all texts, with the same names in them', () => {
  const source = fileURLToPath(new URL('../src', import.meta.url))
  expect([...complaints(source)]).toEqual([])
})

describe('a language that does not fit', () => {
  let source: string

  beforeEach(() => {
    source = join(mkdtempSync(join(tmpdir(), 'words-')), 'src')
    for (const folder of ['words', 'games/nim/words']) {
      write(`${folder}/en.json`, { hello: 'Hello {name}', tiles: { one: '{count} tile', other: '{count} tiles' } })
      write(`${folder}/de.json`, { hello: 'Hallo {name}', tiles: { one: '{count} Stein', other: '{count} Steine' } })
    }
  })

  afterEach(() => rmSync(dirname(source), { recursive: true }))

  function write(file: string, texts: Record<string, unknown>): void {
    mkdirSync(dirname(join(source, file)), { recursive: true })
    writeFileSync(join(source, file), JSON.stringify(texts))
  }

  const found = (): string[] => [...complaints(source)]

  test('is found only if there is one', () => {
    expect(found()).toEqual([])
  })

  test('lacks a file', () => {
    rmSync(join(source, 'games/nim/words/de.json'))
    expect(found()).toEqual(['src/games/nim/words/de.json is missing'])
  })

  test('is spoken by a game but not by the page', () => {
    write('games/nim/words/fr.json', { hello: 'Bonjour {name}', tiles: { other: '{count}' } })
    expect(found()).toEqual(['src/games/nim/words/fr.json is in a language that words lacks'])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['lacks a text', { hello: 'Hallo {name}' }, "the text 'tiles' is missing"],
    ['lacks a name', { hello: 'Hallo', tiles: { other: '{count}' } }, "'hello' must have {name}"],
    ['has a name too many', { hello: '{name} {count}', tiles: { other: '{count}' } }, "'hello' must have {name}"],
    ['has another name', { hello: 'Hallo {nom}', tiles: { other: '{count}' } }, "'hello' must have {name}"],
    ['does not count', { hello: '{name}', tiles: 'Steine' }, "'tiles' must have {count}"],
    [
      'has a text too many',
      { hello: '{name}', tiles: { other: '{count}' }, more: '' },
      "the text 'more' stands in no other language",
    ],
  ])('%s', (_, texts, complaint) => {
    write('words/de.json', texts)
    expect(found()).toEqual([`src/words/de.json: ${complaint}`])
  })

  test('may have other forms for numbers', () => {
    write('words/de.json', { hello: '{name}', tiles: { few: '{count}', many: '{count}', other: 'viele' } })
    expect(found()).toEqual([])
  })

  test('lacks a text within another', () => {
    write('words/en.json', { keys: { enter: 'Enter', space: 'Space' } })
    write('words/de.json', { keys: { enter: 'Eingabe' } })
    expect(found()).toEqual(["src/words/de.json: the text 'keys.space' is missing"])
  })
})

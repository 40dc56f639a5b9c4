import { expect, test } from 'vitest'
import { blocksOf } from './prose'

test('blank lines part paragraphs, and lines of one paragraph belong together', () => {
  expect(blocksOf('One\ntwo.\n\nThree.')).toEqual([
    { isList: false, parts: ['One two.'] },
    { isList: false, parts: ['Three.'] },
  ])
})

test('lines that begin with a dash are a list', () => {
  expect(blocksOf('These:\n- one\n  goes on\n- two\n\nAfter.')).toEqual([
    { isList: false, parts: ['These:'] },
    { isList: true, parts: ['one goes on', 'two'] },
    { isList: false, parts: ['After.'] },
  ])
})

test('a dash within a line is a dash', () => {
  expect(blocksOf('one - two')).toEqual([{ isList: false, parts: ['one - two'] }])
})

test('nothing has no blocks', () => {
  expect(blocksOf('\n \n')).toEqual([])
})

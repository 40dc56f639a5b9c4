import { beforeEach, describe, expect, test } from 'vitest'
import { preview, refused, situation } from '../../testing/messages'
import { settle } from '../../testing/settle'
import { Draft } from './draft.svelte'
import type { ServerMessage, Situation } from './protocol'

const PASS = { action_text: 'pass', label: 'Pass', is_finisher: true, is_done: false, is_answer: false }

interface Question {
  actions: string[]
  answer: (message: ServerMessage) => Promise<void>
}

let questions: Question[]
let refusals: string[]
let stored: string[][]
let isTextMode: boolean
let current: Situation
let draft: Draft

beforeEach(() => {
  questions = []
  refusals = []
  stored = []
  isTextMode = false
  current = situation({ legal: ['a', 'b'], labels: ['Do a', 'Do b'] })
  draft = new Draft({
    requestPreview: (actions) =>
      new Promise((resolve) => {
        const answer = async (message: ServerMessage): Promise<void> => {
          resolve(message)
          await settle()
        }
        questions.push({ actions, answer })
      }),
    situation: () => current,
    isTextMode: () => isTextMode,
    showRefusal: ({ code }) => refusals.push(code),
    changed: (actions) => stored.push(actions),
  })
})

const lastQuestion = (): Question => questions.at(-1)!

describe('a draft', () => {
  test('shows its steps at once, and what the server says of them later', async () => {
    void draft.change(['a'])
    expect(draft.actions).toEqual(['a'])
    expect(draft.isPending).toBe(true)
    expect(draft.preview).toBeNull()
    await lastQuestion().answer(preview('1', { prompt: 'Well?' }, true))
    expect(draft.isPending).toBe(false)
    expect(draft.preview).toMatchObject({ now: { prompt: 'Well?' }, isComplete: true })
  })

  test('asks nothing when it is empty', async () => {
    void draft.change(['a'])
    await lastQuestion().answer(preview('1'))
    await draft.change([])
    expect(questions).toHaveLength(1)
    expect(draft.preview).toBeNull()
    expect(draft.isPending).toBe(false)
  })

  test('is stored with every change', () => {
    void draft.change(['a'])
    void draft.change(['a', 'b'])
    draft.clear()
    expect(stored).toEqual([['a'], ['a', 'b'], []])
  })

  test('ignores an answer to what it was before', async () => {
    void draft.change(['a'])
    void draft.change(['b'])
    const [first, second] = questions
    await second!.answer(preview('2', { prompt: 'after b' }))
    await first!.answer(preview('1', { prompt: 'after a' }))
    expect(draft.preview?.now.prompt).toBe('after b')
  })

  test('ignores a refusal of what it was before', async () => {
    void draft.change(['a'])
    void draft.change(['b'])
    await questions[0]!.answer(refused('1', 'TOO_LATE', 0))
    expect(draft.actions).toEqual(['b'])
    expect(refusals).toEqual([])
  })

  test('stays dropped, whatever is answered then', async () => {
    void draft.change(['a'])
    draft.clear()
    await lastQuestion().answer(preview('1', {}, true))
    expect(draft.actions).toEqual([])
    expect(draft.preview).toBeNull()
    expect(draft.isPending).toBe(false)
  })
})

describe('a refused draft', () => {
  test('goes back to the step that was refused', async () => {
    void draft.change(['a', 'b', 'c'])
    await lastQuestion().answer(refused('1', 'NO_BRIDGE', 1))
    expect(refusals).toEqual(['NO_BRIDGE'])
    expect(draft.actions).toEqual(['a'])
    expect(lastQuestion().actions).toEqual(['a'])
  })

  test('is empty if no step is named', async () => {
    void draft.change(['a', 'b'])
    await lastQuestion().answer(refused('1', 'not_your_turn'))
    expect(draft.actions).toEqual([])
  })

  test('says nothing if it was only tried again', async () => {
    void draft.change(['a', 'b'], true, true)
    await lastQuestion().answer(refused('1', 'NO_BRIDGE', 1))
    expect(refusals).toEqual([])
    expect(draft.actions).toEqual(['a'])
  })
})

describe('an end that is the only way on', () => {
  const forced = { legal: ['pass'], buttons: [PASS] }

  test('adds itself', async () => {
    void draft.change(['a'])
    await lastQuestion().answer(preview('1', forced))
    expect(draft.actions).toEqual(['a', 'pass'])
    expect(lastQuestion().actions).toEqual(['a', 'pass'])
  })

  test('is not what the player chose, so undo takes both back', async () => {
    void draft.change(['a'])
    await lastQuestion().answer(preview('1', forced))
    expect(draft.chosen).toEqual(['a'])
  })

  test.each([
    ['nothing more is needed', forced, true],
    ['there is a choice', { legal: ['pass', 'b'], buttons: [PASS] }, false],
    [
      'it does not end the turn',
      { legal: ['roll'], buttons: [{ ...PASS, action_text: 'roll', is_finisher: false, is_done: false }] },
      false,
    ],
  ])('does not add itself when %s', async (_, now, isComplete) => {
    void draft.change(['a'])
    await lastQuestion().answer(preview('1', now, isComplete))
    expect(draft.actions).toEqual(['a'])
  })

  test('does not add itself to what was taken back', async () => {
    void draft.change(['a'], false)
    await lastQuestion().answer(preview('1', forced))
    expect(draft.actions).toEqual(['a'])
  })
})

describe('the words of a draft', () => {
  test('come from what was offered', async () => {
    void draft.change(['b'])
    await lastQuestion().answer(
      preview('1', { legal: ['c'], buttons: [{ ...PASS, action_text: 'c', label: 'Finish' }] }),
    )
    void draft.change(['b', 'c'])
    expect(draft.labels).toEqual(['Do b', 'Finish'])
  })

  test('are the notation until they are known', () => {
    current = situation({ legal: ['a'], labels: [] })
    void draft.change(['a'])
    expect(draft.labels).toEqual(['a'])
  })

  test('come with a hint that is taken', () => {
    draft.useHint(['x', 'y'], ['Do x', 'Do y'])
    expect(draft.labels).toEqual(['Do x', 'Do y'])
  })

  test('are asked for step by step where they were not offered', async () => {
    isTextMode = true
    void draft.change(['b', 'c'])
    await lastQuestion().answer(preview('1'))
    expect(lastQuestion().actions).toEqual(['b'])
    await lastQuestion().answer(preview('2', { legal: ['c'], labels: ['Do c'] }))
    expect(draft.labels).toEqual(['Do b', 'Do c'])
  })
})

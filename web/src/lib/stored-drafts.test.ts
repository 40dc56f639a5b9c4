import { describe, expect, test } from 'vitest'
import { forbidStorage } from '../../testing/browser'
import { storeDraft, storedActions } from './stored-drafts'

describe('a stored draft', () => {
  test('is there as long as nothing has happened', () => {
    storeDraft('abc', 0, { noticesSeen: 3, actions: ['a', 'b'] })
    expect(storedActions('abc', 0, 3)).toEqual(['a', 'b'])
    expect(storedActions('abc', 0, 4)).toEqual([])
  })

  test('belongs to one seat of one table', () => {
    storeDraft('abc', 0, { noticesSeen: 3, actions: ['a'] })
    expect(storedActions('abc', 1, 3)).toEqual([])
    expect(storedActions('xyz', 0, 3)).toEqual([])
  })

  test('goes when it is empty', () => {
    storeDraft('abc', 0, { noticesSeen: 3, actions: ['a'] })
    storeDraft('abc', 0, { noticesSeen: 3, actions: [] })
    expect(sessionStorage.length).toBe(0)
  })

  test.each(['{', 'null', '[]', '{"noticesSeen":3}', '{"noticesSeen":3,"actions":"a"}'])(
    'is none where %s is stored',
    (stored) => {
      sessionStorage.setItem('threespan.draft.abc.0', stored)
      expect(storedActions('abc', 0, 3)).toEqual([])
    },
  )

  test('is none in a browser that keeps nothing', () => {
    forbidStorage()
    storeDraft('abc', 0, { noticesSeen: 3, actions: ['a'] })
    expect(storedActions('abc', 0, 3)).toEqual([])
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PacedQueue } from './paced-queue'

let shown: string[]
let queue: PacedQueue<string>
let isHidden: boolean

beforeEach(() => {
  vi.useFakeTimers()
  isHidden = false
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden)
  shown = []
  queue = new PacedQueue((item) => shown.push(item))
})

afterEach(() => {
  queue.close()
  vi.useRealTimers()
})

test('the first item is shown at once', () => {
  queue.add('a', 500)
  expect(shown).toEqual(['a'])
})

test('each item stays for its own time before the next one', () => {
  queue.add('a', 500)
  queue.add('b', 200)
  queue.add('c', 0)
  vi.advanceTimersByTime(499)
  expect(shown).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(shown).toEqual(['a', 'b'])
  vi.advanceTimersByTime(199)
  expect(shown).toEqual(['a', 'b'])
  vi.advanceTimersByTime(1)
  expect(shown).toEqual(['a', 'b', 'c'])
})

test('what needs no time is followed at once', () => {
  for (const item of ['a', 'b', 'c']) queue.add(item, 0)
  expect(shown).toEqual(['a', 'b', 'c'])
})

test('time that has passed since counts', () => {
  queue.add('a', 500)
  vi.advanceTimersByTime(400)
  queue.add('b', 0)
  vi.advanceTimersByTime(99)
  expect(shown).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(shown).toEqual(['a', 'b'])
})

test('flushing shows everything in order, and what comes then need not wait', () => {
  for (const item of ['a', 'b', 'c']) queue.add(item, 500)
  queue.flush()
  expect(shown).toEqual(['a', 'b', 'c'])
  queue.add('d', 0)
  expect(shown).toEqual(['a', 'b', 'c', 'd'])
  vi.advanceTimersByTime(10_000)
  expect(shown).toHaveLength(4)
})

test('what was cleared is never shown', () => {
  queue.add('a', 500)
  queue.add('b', 500)
  queue.clear()
  vi.advanceTimersByTime(10_000)
  expect(shown).toEqual(['a'])
  queue.add('c', 0)
  expect(shown).toEqual(['a', 'c'])
})

test('nothing waits in a tab that nobody sees', () => {
  queue.add('a', 500)
  queue.add('b', 500)
  isHidden = true
  document.dispatchEvent(new Event('visibilitychange'))
  expect(shown).toEqual(['a', 'b'])
  queue.add('c', 500)
  queue.add('d', 500)
  expect(shown).toEqual(['a', 'b', 'c', 'd'])
})

test('a tab that is seen again changes nothing', () => {
  queue.add('a', 500)
  queue.add('b', 500)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(shown).toEqual(['a'])
})

test('when too much has piled up, all of it is shown', () => {
  const items = Array.from({ length: 42 }, (_, index) => String(index))
  for (const item of items.slice(0, 41)) queue.add(item, 500)
  expect(shown).toHaveLength(1)
  queue.add(items[41]!, 500)
  expect(shown).toEqual(items)
})

test('a table that was left shows nothing any more', () => {
  queue.add('a', 500)
  queue.add('b', 500)
  queue.close()
  isHidden = true
  document.dispatchEvent(new Event('visibilitychange'))
  vi.advanceTimersByTime(10_000)
  expect(shown).toEqual(['a'])
})

import { describe, expect, test, vi } from 'vitest'
import { forbidStorage } from '../../testing/browser'
import { storeText, storeValue, readText, readValue } from './storage'

describe('what is kept', () => {
  test('is read again', () => {
    storeText('local', 'a', 'text')
    storeValue('session', 'b', { list: [1, 2] })
    expect(readText('local', 'a')).toBe('text')
    expect(readValue('session', 'b')).toEqual({ list: [1, 2] })
  })

  test('has its own place', () => {
    storeText('local', 'a', 'shared')
    expect(readText('session', 'a')).toBeNull()
  })

  test('can be removed', () => {
    storeText('local', 'a', 'text')
    storeText('local', 'a', null)
    expect(readText('local', 'a')).toBeNull()
  })

  test('is nothing where it cannot be read', () => {
    localStorage.setItem('a', '{"half')
    expect(readValue('local', 'a')).toBeNull()
  })
})

describe('a browser that keeps nothing', () => {
  test('has nothing to read, and nothing breaks', () => {
    forbidStorage()
    storeText('local', 'a', 'text')
    storeText('session', 'a', null)
    expect(readText('local', 'a')).toBeNull()
    expect(readValue('session', 'a')).toBeNull()
  })

  test('may also be full', () => {
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => storeText('local', 'a', 'text')).not.toThrow()
  })
})

import { expect, test } from 'vitest'
import { browserStore } from './browserStore.ts'
import { boundedShare, readShare, shareByKey } from './share.ts'

test('both panes keep their minimum width', () => {
  expect(boundedShare(0.1, 1000, 240)).toBe(0.24)
  expect(boundedShare(0.9, 1000, 240)).toBe(0.76)
  expect(boundedShare(0.6, 1000, 240)).toBe(0.6)
  expect(boundedShare(0.9, 400, 240)).toBe(0.5)
})

test('keys move the divider by small or large steps, within the limits', () => {
  expect(shareByKey('ArrowLeft', false, 0.5)).toBeCloseTo(0.48)
  expect(shareByKey('ArrowRight', true, 0.5)).toBeCloseTo(0.6)
  expect([shareByKey('Home', false, 0.5), shareByKey('End', false, 0.5)]).toEqual([0, 1])
  expect(shareByKey('a', false, 0.5)).toBeUndefined()
})

test('a stored share is read again; invalid values are ignored', () => {
  expect(readShare('0.42')).toBe(0.42)
  expect([undefined, '', 'x', '0', '1', '7'].map(readShare)).toEqual(Array(6).fill(undefined))
})

test('a store belongs to one person, and survives a full storage', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  browserStore(storage, 1, 'split.review').write('0.4')
  expect(browserStore(storage, 1, 'split.review').read()).toBe('0.4')
  expect(browserStore(storage, 2, 'split.review').read()).toBeUndefined()
  browserStore(storage, 1, 'split.review').write('')
  expect(kept.size).toBe(0)
  const full = {
    ...storage,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  expect(browserStore(full, 1, 'draft').write('x')).toBe(false)
})

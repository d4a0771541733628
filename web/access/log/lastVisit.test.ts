import { expect, test } from 'vitest'
import { browserStore } from '../../kit/frame/browserStore.ts'
import { lastVisit } from './lastVisit.ts'

test('a visit ends after an hour of inactivity; the first one shows the last day', () => {
  const texts = new Map<string, string>()
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  }
  const store = browserStore(storage, 1, 'visits')
  const at = (time: string) =>
    lastVisit(store, new Date(`2026-11-${time}Z`))
      .toISOString()
      .slice(8, 16)
  expect(at('20T08:00')).toBe('19T08:00')
  expect(at('20T08:50')).toBe('19T08:00')
  expect(at('20T09:40')).toBe('19T08:00')
  expect(at('23T08:00')).toBe('20T09:40')
  expect(at('23T08:10')).toBe('20T09:40')
})

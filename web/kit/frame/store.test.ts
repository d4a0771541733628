import { expect, test, vi } from 'vitest'
import { createStore } from './store.ts'

test('listeners receive each new value until they unsubscribe', () => {
  const store = createStore(1)
  const listener = vi.fn()
  const end = store.subscribe(listener)
  store.set(2)
  store.set(2)
  expect([store.get(), listener.mock.calls.length]).toEqual([2, 1])
  end()
  store.set(3)
  expect(listener).toHaveBeenCalledOnce()
})

test('a listener that unsubscribes during its call does not affect the others', () => {
  const store = createStore('a')
  const end = store.subscribe(() => end())
  const other = vi.fn()
  store.subscribe(other)
  store.set('b')
  expect(other).toHaveBeenCalledOnce()
})

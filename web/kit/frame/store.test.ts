import { expect, test, vi } from 'vitest'
import { createStore } from './store.ts'

test('listeners hear of each new value until they end their subscription', () => {
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

test('a listener that ends its subscription while it is called does not keep the others from being called', () => {
  const store = createStore('a')
  const end = store.subscribe(() => end())
  const other = vi.fn()
  store.subscribe(other)
  store.set('b')
  expect(other).toHaveBeenCalledOnce()
})

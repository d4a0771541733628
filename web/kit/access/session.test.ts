import { expect, test, vi } from 'vitest'
import { createSession, guest } from './session.ts'

const ingrid = {
  ...guest,
  id: 7,
  profileId: 8,
  username: 'ingrid',
  email: 'ingrid@example.org',
  name: 'Ingrid Solberg',
  jwt: 'a.b.c',
  wsKey: 'k',
  scopes: ['dns:zone:read'],
  departmentId: 3,
}

function cupboard(start: Record<string, string> = {}) {
  const items = new Map(Object.entries(start))
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

test('a guest has the thirteen fields with placeholders', () => {
  expect(Object.keys(createSession(cupboard()).user)).toHaveLength(13)
  expect(createSession(cupboard()).user).toEqual(guest)
})

test('only jwt, scopes, isAdmin, id, name and picture are stored', () => {
  const storage = cupboard()
  createSession(storage).signIn(ingrid)
  expect(JSON.parse(storage.items.get('innkeeper.user') ?? '')).toEqual({
    jwt: 'a.b.c',
    scopes: ['dns:zone:read'],
    isAdmin: false,
    id: 7,
    name: 'Ingrid Solberg',
    profileImage: null,
  })
})

test('a new page loads the stored session', () => {
  const storage = cupboard()
  createSession(storage).signIn(ingrid)
  expect(createSession(storage).user).toMatchObject({ jwt: 'a.b.c', name: 'Ingrid Solberg', username: 'guest' })
})

test('signing out leaves nothing behind', () => {
  const storage = cupboard()
  const session = createSession(storage)
  session.signIn(ingrid)
  session.signOut()
  expect(storage.items.size).toBe(0)
  expect(session.user).toEqual(guest)
})

test.each(['', '{', '7', 'null', '{"jwt":5}', '[]'])('%j in the storage is no session', (text) => {
  expect(createSession(cupboard({ 'innkeeper.user': text })).user).toEqual(guest)
})

test('a sign-out in another tab signs this one out with a message', () => {
  const session = createSession(cupboard())
  session.signIn(ingrid)
  const told = vi.fn()
  session.subscribe(told)
  session.follow('something.else', null)
  expect(told).not.toHaveBeenCalled()
  session.follow('innkeeper.user', null)
  expect(told).toHaveBeenCalledOnce()
  expect(session.user).toEqual(guest)
})

test('new scopes from another tab keep the other fields', () => {
  const session = createSession(cupboard())
  session.signIn(ingrid)
  session.follow('innkeeper.user', JSON.stringify({ jwt: 'a.b.c', scopes: [], isAdmin: true, id: 7, name: 'Ingrid' }))
  expect(session.user).toMatchObject({ isAdmin: true, scopes: [], name: 'Ingrid' })
})

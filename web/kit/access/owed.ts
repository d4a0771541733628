import type { Owes } from '@innkeeper/contract/auth'
import { useSyncExternalStore } from 'react'
import { session } from './session.ts'

const listeners = new Set<() => void>()
let now: Owes | undefined

/** What this person has to do before anything else; the gate shows that and nothing more. */
export const owed = {
  get: () => now,
  set(next: Owes | undefined) {
    if (next === now) return
    now = next
    for (const tell of [...listeners]) tell()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  /** A call was refused because of it: the role may ask for more since a minute. */
  heard(code: string) {
    if (code === 'owes-password') owed.set('password')
    if (code === 'owes-second-factor') owed.set('second-factor')
  },
}

// it is the session's: nobody signed in owes nothing
session.subscribe(() => {
  if (!session.user.jwt) owed.set(undefined)
})

export const useOwed = (): Owes | undefined => useSyncExternalStore(owed.subscribe, owed.get)

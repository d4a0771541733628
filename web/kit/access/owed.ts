import type { Owes } from '@innkeeper/contract/auth'
import { createStore, useStore } from '../frame/store.ts'
import { session } from './session.ts'

const now = createStore<Owes | undefined>(undefined)

/** What this person has to do before anything else; the gate shows that and nothing more. */
export const owed = {
  ...now,
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

export const useOwed = (): Owes | undefined => useStore(now)

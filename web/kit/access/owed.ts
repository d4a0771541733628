import type { Owes } from '@innkeeper/contract/access/auth'
import { createStore, useStore } from '../frame/store.ts'
import { session } from './session.ts'

const now = createStore<Owes | undefined>(undefined)

/** Steps that the person must complete before any other screen; the gate shows only these. */
export const owed = {
  ...now,
  /** Records a refused call: the role may have required a new step in the meantime. */
  heard(code: string) {
    if (code === 'owes-password') owed.set('password')
    if (code === 'owes-second-factor') owed.set('second-factor')
  },
}

// steps belong to the session: nobody signed in, no steps
session.subscribe(() => {
  if (!session.user.jwt) owed.set(undefined)
})

export const useOwed = (): Owes | undefined => useStore(now)

import type { Owes } from '@innkeeper/contract/access/auth'

/** The signed-in caller. Read from the database, never trusted from the token. */
export interface Staff {
  id: number
  username: string
  name: string
  isAdmin: boolean
  scopes: readonly string[]
  departmentId: number | null
  /** What the person must do before any other call (new password, second factor); see api.ts. */
  owes: Owes | null
  sessionKey: string
  /** End of the session in milliseconds, as from Date.now(). */
  endsAt: number
  /** The API token of a program that acts as this person or service account. */
  token?: UsedToken | undefined
}

/** The API token with which a program makes a call. */
export interface UsedToken {
  id: number
  name: string
  /** Addresses and networks from which it is accepted; empty: all. */
  networks: readonly string[]
  perMinute: number
}

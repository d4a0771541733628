import type { Owes } from '@innkeeper/contract/access/auth'

/** The signed-in caller. Read from the database, never trusted from the token. */
export interface Staff {
  id: number
  username: string
  name: string
  isAdmin: boolean
  scopes: readonly string[]
  /** Of `scopes`, those that an elevation gives for some time. */
  elevated?: readonly string[] | null
  /** End of the first elevation to end, in milliseconds as from Date.now(). */
  elevatedUntil?: number | null
  departmentId: number | null
  /** What the person must do before any other call (new password, second factor); see api.ts. */
  owes: Owes | null
  sessionKey: string
  /** End of the session in milliseconds, as from Date.now(). */
  endsAt: number
  /** The API token of a program that acts as this person or service account. */
  token?: UsedToken | undefined
}

/** The rights of a person without those that the person has for some time, which cannot be handed on. */
export const standing = ({ isAdmin, scopes, elevated }: Staff): { isAdmin: boolean; scopes: readonly string[] } => ({
  isAdmin,
  scopes: elevated?.length ? scopes.filter((scope) => !elevated.includes(scope)) : scopes,
})

/** When the rights of a known caller have to be read again. */
export const staysUntil = ({ endsAt, elevatedUntil }: Staff): number => Math.min(endsAt, elevatedUntil ?? endsAt)

/** The API token with which a program makes a call. */
export interface UsedToken {
  id: number
  name: string
  /** Addresses and networks from which it is accepted; empty: all. */
  networks: readonly string[]
  perMinute: number
}

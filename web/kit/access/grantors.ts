import { scopes as contract, type Grantors } from '@innkeeper/contract/access/scopes'
import { bind } from '../api/client.ts'
import { createStore, useStore } from '../frame/store.ts'
import { session } from './session.ts'

const { grantors, ask: askFor } = contract
const api = bind('scopes', { grantors, askFor })

/** Asks the people who can grant these scopes. */
export const askForScopes = api.askFor

/** Text until the server has answered, and if the answer names nobody. */
const IN_GENERAL = 'An administrator can grant it.'

const known = new Map<string, Grantors>()
const wanted = new Set<string>()
/** Counts the answers of the server. */
const read = createStore(0)

/** Collects scopes for one request: a menu of ten actions makes one call. Each scope is requested once. */
function want(scope: string): void {
  if (known.has(scope) || wanted.has(scope) || !session.user.jwt) return
  if (wanted.size === 0) setTimeout(() => void ask(), 20)
  wanted.add(scope)
}

async function ask(): Promise<void> {
  const scopes = [...wanted]
  // without an answer the general text remains
  const { items } = await api.grantors({ scopes }).catch(() => ({ items: [] }))
  wanted.clear()
  for (const scope of scopes)
    known.set(scope, items.find((item) => item.scope === scope) ?? { scope, label: '', names: [], more: false })
  read.set(read.get() + 1)
}

// another person may see other grantors
session.subscribe(() => {
  if (!session.user.jwt) known.clear()
})

/** The words of a permission; undefined until the server has answered. */
export function labelOf(scope: string): string | undefined {
  want(scope)
  return known.get(scope)?.label
}

/** Names the people who can grant all of these scopes: "Anna Berg or Erik Lindqvist can grant it." */
export function grantSentence(scopes: readonly string[]): string {
  for (const scope of scopes) want(scope)
  const found = scopes.map((scope) => known.get(scope))
  const [first, ...others] = found
  if (!first || found.some((one) => !one)) return IN_GENERAL
  const names = first.names.filter((name) => others.every((other) => other?.names.includes(name)))
  if (names.length === 0) return IN_GENERAL
  const some = first.more ? [...names, 'others'] : names
  const list = some.length < 2 ? some.join('') : `${some.slice(0, -1).join(', ')} or ${some.at(-1)}`
  return `${list} can grant it.`
}

/** Re-renders when the server has named the grantors. */
export const useGrantors = (): number => useStore(read)

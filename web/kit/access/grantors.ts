import { scopes as contract, type Grantors } from '@innkeeper/contract/scopes'
import { bind } from '../api/client.ts'
import { createStore, useStore } from '../frame/store.ts'
import { session } from './session.ts'

const { grantors } = contract
const api = bind('scopes', { grantors })

/** Said until the server has answered, and where it names nobody. */
const IN_GENERAL = 'An administrator can grant it.'

const known = new Map<string, Grantors>()
const wanted = new Set<string>()
/** Counts the answers. */
const read = createStore(0)

/** Asked for together, once each: a menu of ten acts asks one call. */
function want(scope: string): void {
  if (known.has(scope) || wanted.has(scope) || !session.user.jwt) return
  if (wanted.size === 0) setTimeout(ask, 20)
  wanted.add(scope)
}

async function ask(): Promise<void> {
  const scopes = [...wanted]
  // without an answer the sentence in general stands
  const { items } = await api.grantors({ scopes }).catch(() => ({ items: [] }))
  wanted.clear()
  for (const scope of scopes)
    known.set(scope, items.find((item) => item.scope === scope) ?? { scope, names: [], more: false })
  read.set(read.get() + 1)
}

// other people, other rights
session.subscribe(() => {
  if (!session.user.jwt) known.clear()
})

/** "Anna Berg or Erik Lindqvist can grant it.", for who can give all of these. */
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

/** Redraws when the server has said who. */
export const useGrantors = (): number => useStore(read)

import { createHash } from 'node:crypto'
import type { RawItem } from './adapter.ts'
import { bare, type Said } from './xmppArchive.ts'

export const dayOf = ({ at }: Said) => at.slice(0, 10)

/** Keys by which changes refer to a message: side and id. The side prevents changes to messages of the other side. */
const keysOf = ({ with: person, isOwn }: Said, names: readonly string[]) =>
  names.map((name) => `${person} ${isOwn ? 'own' : 'other'} ${name}`)

/** The corrections and retractions in `said` whose message is not in `said`. */
export function changesAway(said: readonly Said[]): Said[] {
  const known = new Set<string>()
  return said.filter((one) => {
    const isAway = one.changes && !keysOf(one, [one.changes.of]).some((key) => known.has(key))
    for (const key of keysOf(one, one.names)) known.add(key)
    return isAway
  })
}

/**
 * The chats of a day, one for each person. Corrections (XEP-0308) and retractions (XEP-0424) are applied to their
 * message, even if they are of a later day. A correction of an unknown message counts as a message if it is of this
 * day.
 */
export function chatsOf(said: readonly Said[], day: string, jid: string): RawItem[] {
  const people = Map.groupBy(said, (one) => one.with)
  return [...people].flatMap(([person, theirs]) => {
    const messages: RawItem['messages'] = []
    const named = new Map<string, RawItem['messages'][number]>()
    for (const one of theirs) {
      const { id, at, isOwn, text, names, changes, isRetracted } = one
      const known = changes && named.get(keysOf(one, [changes.of])[0] ?? '')
      if (known) {
        if (changes.how === 'retract') known.removed = true
        else Object.assign(known, { text, editedAt: at })
        for (const key of keysOf(one, names)) named.set(key, known) // so that the correction can be corrected
        continue
      }
      if (changes?.how === 'retract' || dayOf(one) !== day) continue
      const author = isOwn
        ? { id: bare(jid), name: jid.split('@')[0] ?? jid, role: 'agent' as const }
        : { id: '', name: person, role: 'customer' as const }
      const message = { id, at, author, text, ...(isRetracted && { removed: true }) }
      messages.push(message)
      for (const key of keysOf(one, names)) named.set(key, message)
    }
    if (!messages.length) return []
    // an id outlives the erasure of the customer, so it does not contain the address
    const id = `${createHash('sha256').update(person).digest('hex').slice(0, 16)} ${day}`
    return [{ kind: 'chat', id, customer: { name: person, email: person }, messages }]
  })
}

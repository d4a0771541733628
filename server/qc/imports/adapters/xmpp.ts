import { checkItem, type Items } from '../source.ts'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { NotAnswered } from './ask.ts'
import { childOf, type Element, encode } from './xml.ts'
import { openStream, type Stream } from './xmppStream.ts'

const PAGE = 200
const DAY = 86_400_000

/**
 * Chats of one account from its message archive (XEP-0313). The words with one person on one day (UTC) are a chat. Each run
 * reads the last day again, so that a chat of today grows.
 */
export const xmpp: Adapter = {
  lacks({ url = '', user = '' }): Record<string, string> | undefined {
    if (!/^xmpps?:/.test(url)) return { url: 'An address such as xmpp://chat.example.org:5222' }
    return /^[^@\s]+@[^@\s]+$/.test(user) ? undefined : { user: 'The account as name@domain' }
  },
  read: (asked) => readChats(asked),
}

interface Said {
  id: string
  at: string
  with: string
  isOwn: boolean
  text: string
  /** Of an earlier message, by its own id: new words, or none. */
  replaces?: string
  retracts?: string
  ownId: string
}

async function* readChats({ config, secret, cursor }: Asked): Items {
  const jid = config.user ?? ''
  const stream = await openStream({ url: new URL(config.url ?? ''), jid, password: secret })
  try {
    const from = cursor ? new Date(Math.floor(Date.parse(cursor) / DAY) * DAY) : undefined
    // days follow one another, so a day is whole when the next one begins
    let day: Said[] = []
    let line = 0
    for await (const said of archive(stream, { jid, from, to: config.queue })) {
      const first = day[0]
      if (first && dayOf(first) !== dayOf(said)) {
        for (const item of chatsOf(day, jid)) yield { ...checkItem(item, ++line), cursor: first.at }
        day = []
      }
      day.push(said)
    }
    for (const item of chatsOf(day, jid)) yield { ...checkItem(item, ++line), cursor: day.at(-1)?.at ?? '' }
  } finally {
    stream.end()
  }
}

const dayOf = ({ at }: Said) => at.slice(0, 10)
const bare = (jid = '') => (jid.split('/')[0] ?? '').toLowerCase()

async function* archive(
  stream: Stream,
  { jid, from, to }: { jid: string; from: Date | undefined; to: string | undefined },
): AsyncGenerator<Said> {
  const field = (name: string, value: string) => `<field var='${name}'><value>${encode(value)}</value></field>`
  const form = [
    "<field var='FORM_TYPE' type='hidden'><value>urn:xmpp:mam:2</value></field>",
    ...(from ? [field('start', from.toISOString())] : []),
    ...(to ? [field('with', to)] : []),
  ].join('')
  for (let n = 1, after = ''; ; n++) {
    stream.send(`<iq type='set' id='mam${n}'><query xmlns='urn:xmpp:mam:2' queryid='q${n}'><x xmlns='jabber:x:data' type='submit'>${form}</x>
      <set xmlns='http://jabber.org/protocol/rsm'><max>${PAGE}</max>${after && `<after>${encode(after)}</after>`}</set></query></iq>`)
    for (;;) {
      const stanza = await stream.next()
      const result = childOf(stanza, 'result')
      if (stanza.name === 'message' && result?.attributes.queryid === `q${n}`) {
        const said = saidOf(result, bare(jid))
        if (said) yield said
      } else if (stanza.attributes.id === `mam${n}`) {
        if (stanza.attributes.type === 'error') throw new NotAnswered('the server keeps no archive for the account')
        const fin = childOf(stanza, 'fin')
        after = childOf(childOf(fin, 'set'), 'last')?.text ?? ''
        if (fin?.attributes.complete === 'true' || !after) return
        break
      }
    }
  }
}

function saidOf(result: Element, own: string): Said | undefined {
  const forwarded = childOf(result, 'forwarded')
  const message = childOf(forwarded, 'message')
  const at = childOf(forwarded, 'delay')?.attributes.stamp
  const id = result.attributes.id
  if (!message || !at || !id || message.attributes.type === 'groupchat') return undefined
  const body = childOf(message, 'body')?.text
  const applied = childOf(message, 'apply-to')
  const retracts = childOf(message, 'retract')?.attributes.id ?? (childOf(applied, 'retract') && applied?.attributes.id)
  if (body === undefined && !retracts) return undefined
  const isOwn = bare(message.attributes.from) === own
  const replaces = childOf(message, 'replace')?.attributes.id
  return {
    ...{ id, at: new Date(at).toISOString(), isOwn, text: body ?? '', ownId: message.attributes.id ?? '' },
    with: bare(isOwn ? message.attributes.to : message.attributes.from),
    ...(replaces && { replaces }),
    ...(retracts && { retracts }),
  }
}

/** The chats of a day: one for each person. Corrections (XEP-0308) and retractions (XEP-0424) change what they name. */
export function chatsOf(day: readonly Said[], jid: string): RawItem[] {
  const people = Map.groupBy(day, (said) => said.with)
  return [...people].map(([person, said]) => {
    const messages = new Map<string, RawItem['messages'][number]>()
    for (const { id, at, isOwn, text, replaces, retracts, ownId } of said) {
      const side = isOwn ? 'own' : 'other' // nobody changes the words of the other side
      const known = messages.get(`${side} ${replaces ?? retracts ?? ''}`)
      if (known && (replaces || retracts)) {
        if (retracts) known.removed = true
        else Object.assign(known, { text, editedAt: at })
        continue
      }
      if (retracts) continue // of a message that is not in this day
      const author = isOwn
        ? { id: bare(jid), name: jid.split('@')[0] ?? jid, role: 'agent' as const }
        : { id: '', name: person, role: 'customer' as const }
      messages.set(`${side} ${ownId || id}`, { id, at, author, text })
    }
    return {
      ...{ kind: 'chat', id: `${person} ${day[0] ? dayOf(day[0]) : ''}`, customer: { name: person, email: person } },
      messages: [...messages.values()],
    }
  })
}

import { limits, NotAnswered } from './ask.ts'
import { childOf, type Element, encode } from './xml.ts'
import type { Stream } from './xmppStream.ts'

const PAGE = 200
/** Maximum number of pages that the search for an earlier message reads. */
const BACK = 5

/** A message, or a correction or retraction of an earlier message. */
export interface Said {
  /** Id in the archive. */
  id: string
  at: string
  with: string
  isOwn: boolean
  text: string
  /** Ids by which corrections and retractions refer to this message. */
  names: string[]
  changes?: { of: string; how: 'correct' | 'retract' }
  /** The archive keeps the place of a retracted message without its words. */
  isRetracted?: true
}
/** A message of the archive, or the reason why it cannot be read. */
export type Told = Said | { reason: string }

interface Span {
  with?: string | undefined
  start?: string | undefined
  end?: string | undefined
}

/** The message archive (XEP-0313) of the account that signed in. */
export function archiveOf(stream: Stream, jid: string) {
  const own = bare(jid)
  let asked = 0

  /** Reads one page up to its end, so that the next request can use the stream. */
  async function page(
    span: Span,
    place: string,
  ): Promise<{ told: Told[]; first: string; last: string; isEnd: boolean }> {
    const id = `mam${++asked}-${Math.random().toString(36).slice(2)}`
    const field = (name: string, value: string) => `<field var='${name}'><value>${encode(value)}</value></field>`
    const form = Object.entries(span).map(([name, value]) => (value ? field(name, value) : ''))
    stream.send(`<iq type='set' id='${id}'><query xmlns='urn:xmpp:mam:2' queryid='${id}'><x xmlns='jabber:x:data' type='submit'>
      <field var='FORM_TYPE' type='hidden'><value>urn:xmpp:mam:2</value></field>${form.join('')}</x>
      <set xmlns='http://jabber.org/protocol/rsm'><max>${PAGE}</max>${place}</set></query></iq>`)
    const until = Date.now() + 4 * limits.patience
    const told: Told[] = []
    for (;;) {
      const stanza = await stream.next()
      if (Date.now() > until) throw new NotAnswered('the archive answers too slowly')
      // anybody can send a stanza that looks like a result: accept only stanzas of the own account
      if (stanza.attributes.from && bare(stanza.attributes.from) !== own) continue
      const result = childOf(stanza, 'result')
      if (stanza.name === 'message' && result?.attributes.queryid === id) {
        const one = toldOf(result, own)
        if (one) told.push(one)
      } else if (stanza.name === 'iq' && stanza.attributes.id === id) {
        if (stanza.attributes.type === 'error') throw new NotAnswered(`the archive refuses: ${conditionOf(stanza)}`)
        const fin = childOf(stanza, 'fin')
        const set = childOf(fin, 'set')
        const [first, last] = [childOf(set, 'first')?.text ?? '', childOf(set, 'last')?.text ?? '']
        return { told, first, last, isEnd: fin?.attributes.complete === 'true' || !last }
      }
    }
  }

  return {
    /** All messages in a time span, page by page, in the order of the archive. */
    async *pages(span: Span): AsyncGenerator<Told[]> {
      for (const seen = new Set(['']), place = { after: '' }; ; ) {
        const { told, last, isEnd } = await page(span, place.after && `<after>${encode(place.after)}</after>`)
        yield told
        if (isEnd) return
        if (seen.has(last)) throw new NotAnswered('the archive answers the same page again')
        seen.add(last)
        place.after = last
      }
    },

    /** The message that `change` refers to, searched among the latest messages with this person before `end`. */
    async find(change: Said, end: string): Promise<Said | undefined> {
      let { of } = change.changes ?? { of: '' }
      for (let n = 0, before = ''; n < BACK; n++) {
        const place = before ? `<before>${encode(before)}</before>` : '<before/>'
        const { told, first, isEnd } = await page({ with: change.with, end }, place)
        for (const one of told.toReversed()) {
          if ('reason' in one || one.isOwn !== change.isOwn || !one.names.includes(of)) continue
          if (!one.changes) return one
          of = one.changes.of // a correction of a correction: continue to the original message
        }
        if (isEnd || first === before) return undefined
        before = first
      }
      return undefined
    },

    /** The time of the server's clock (XEP-0202); undefined if the server does not report it. */
    async clock(): Promise<Date | undefined> {
      stream.send(
        `<iq type='get' id='clock' to='${encode(jid.split('@')[1] ?? '')}'><time xmlns='urn:xmpp:time'/></iq>`,
      )
      for (;;) {
        const stanza = await stream.next()
        if (stanza.name !== 'iq' || stanza.attributes.id !== 'clock') continue
        const time = new Date(childOf(childOf(stanza, 'time'), 'utc')?.text ?? '')
        return Number.isNaN(time.getTime()) ? undefined : time
      }
    },
  }
}

export type Archive = ReturnType<typeof archiveOf>

export const bare = (jid = '') => (jid.split('/')[0] ?? '').toLowerCase()

const conditionOf = (stanza: Element) => childOf(stanza, 'error')?.children[0]?.name ?? 'no reason given'

function toldOf(result: Element, own: string): Told | undefined {
  const forwarded = childOf(result, 'forwarded')
  const message = childOf(forwarded, 'message')
  const { id } = result.attributes
  if (!message) return { reason: `archive id ${id ?? 'missing'}: no message` }
  if (message.attributes.type === 'groupchat') return undefined
  const body = childOf(message, 'body')?.text
  const applied = childOf(message, 'apply-to') // older clients retract in this form
  const retracts = childOf(message, 'retract')?.attributes.id ?? (childOf(applied, 'retract') && applied?.attributes.id)
  const isRetracted = childOf(message, 'retracted') !== undefined
  if (body === undefined && !retracts && !isRetracted) return undefined // a receipt or chat state, not a message
  const at = new Date(childOf(forwarded, 'delay')?.attributes.stamp ?? '')
  if (!id) return { reason: 'a message without archive id' }
  if (Number.isNaN(at.getTime())) return { reason: `archive id ${id}: no time` }
  const isOwn = bare(message.attributes.from) === own
  const corrects = childOf(message, 'replace')?.attributes.id
  const names = [message.attributes.id, childOf(message, 'origin-id')?.attributes.id]
  return {
    ...{ id, at: at.toISOString(), isOwn, text: body ?? '' },
    with: bare(isOwn ? message.attributes.to : message.attributes.from),
    names: names.filter((name) => name !== undefined),
    ...(retracts
      ? { changes: { of: retracts, how: 'retract' } }
      : corrects && { changes: { of: corrects, how: 'correct' } }),
    ...(isRetracted && { isRetracted }),
  }
}

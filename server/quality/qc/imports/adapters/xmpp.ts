import { checkItem, type Items } from '../source.ts'
import type { Adapter, Asked } from './adapter.ts'
import { type Archive, archiveOf, type Said } from './xmppArchive.ts'
import { changesAway, chatsOf, dayOf } from './xmppChats.ts'
import { openStream } from './xmppStream.ts'

const DAY = 86_400_000

/**
 * Chats of one account from its message archive (XEP-0313). The messages with one person on one day (UTC) are one chat.
 * Each run reads the last day again, so that later messages of that day are added.
 */
export const xmpp: Adapter = {
  lacks({ url = '', user = '' }): Record<string, string> | undefined {
    if (!/^xmpps?:/.test(url)) return { url: 'An address such as xmpp://chat.example.org:5222' }
    return /^[^@\s]+@[^@\s]+$/.test(user) ? undefined : { user: 'The account as name@domain' }
  },
  read: (asked) => readChats(asked),
}

async function* readChats({ reach, config, secret, cursor }: Asked): Items {
  const jid = config.user ?? ''
  const stream = await openStream(reach, { url: new URL(config.url ?? ''), jid, password: secret })
  try {
    const archive = archiveOf(stream, jid)
    const start = beginOf(cursor, await archive.clock())
    const done = new Set<string>()
    let line = 0
    const finish = async function* (day: readonly Said[]): Items {
      const first = day[0]
      if (!first) return
      // after a clock was set back, the archive has the same day in two places: the chat needs both parts
      const whole = done.has(dayOf(first)) ? await saidOn(archive, dayOf(first), config.queue) : day
      done.add(dayOf(first))
      for await (const read of readsOf(archive, whole, jid)) yield { ...read, line: ++line, cursor: first.at }
    }
    let day: Said[] = []
    for await (const page of archive.pages({ start, with: config.queue }))
      for (const told of page) {
        if ('reason' in told) yield { ...told, line: ++line }
        else {
          if (day[0] && dayOf(day[0]) !== dayOf(told)) {
            yield* finish(day)
            day = []
          }
          day.push(told)
        }
      }
    yield* finish(day)
  } finally {
    stream.end()
  }
}

/**
 * Start of the day of the cursor. If the server's clock is behind the cursor: the day before the server's present day.
 */
function beginOf(cursor: string | null, clock: Date | undefined): string | undefined {
  const last = Date.parse(cursor ?? '')
  if (Number.isNaN(last)) return undefined
  const from = clock && clock.getTime() < last ? clock.getTime() - DAY : last
  return new Date(Math.floor(from / DAY) * DAY).toISOString()
}

async function saidOn(archive: Archive, day: string, who: string | undefined): Promise<Said[]> {
  const said: Said[] = []
  for await (const page of archive.pages({ start: `${day}T00:00:00.000Z`, end: `${day}T23:59:59.999Z`, with: who }))
    said.push(...page.filter((told) => 'id' in told))
  return said
}

/** The chats of a day, preceded by chats of earlier days with a message that was corrected or retracted on that day. */
async function* readsOf(archive: Archive, day: readonly Said[], jid: string): Items {
  const carried = new Set<Said>()
  const changed = new Map<string, { with: string; on: string }>()
  for (const change of changesAway(day)) {
    const found = await archive.find(change, `${dayOf(change)}T00:00:00.000Z`)
    if (found) {
      carried.add(change)
      changed.set(`${found.with} ${dayOf(found)}`, { with: found.with, on: dayOf(found) })
    } else if (change.changes?.how === 'retract') {
      carried.add(change)
      yield { line: 0, reason: `${change.with} at ${change.at}: retracts a message that the archive does not have` }
    } // a correction of an unknown message is shown as a message of its own
  }
  for (const { with: person, on } of changed.values()) {
    // also read all later messages: any of them may correct a message of this day
    const since: Said[] = []
    for await (const page of archive.pages({ start: `${on}T00:00:00.000Z`, with: person }))
      since.push(...page.filter((told) => 'id' in told))
    const then = since.filter((said) => dayOf(said) === on || (said.changes && changesAway([said]).length))
    for (const item of chatsOf(then, on, jid)) yield checkItem(item, 0)
  }
  const [first] = day
  const own = day.filter((said) => !carried.has(said))
  if (first) for (const item of chatsOf(own, dayOf(first), jid)) yield checkItem(item, 0)
}

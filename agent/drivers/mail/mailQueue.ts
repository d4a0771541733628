import type { Driver } from '../../kit/driver.ts'
import { must, run, until } from '../../kit/host.ts'
import { eachLine } from './mailLogs.ts'

interface Queued {
  queue_name: string
  queue_id: string
  arrival_time: number
  message_size: number
  sender: string
  recipients: { address: string; delay_reason?: string }[]
}

type Waiting = Pick<Queued, 'queue_id' | 'queue_name' | 'recipients'>
/** Calls `each` for each queued message. Holds no more than a piece of the queue, which may have 100,000 messages. */
export const eachQueued = (each: (line: string) => void) => eachLine(['postqueue', '-j'], (line) => line && each(line))
export const queuedIn = (line: string) => JSON.parse(line) as Queued // the format of postqueue(1)

/** The queued messages with the reasons of their delay, oldest first. */
export const readMailQueue: Driver<'mail-queue.read'> = {
  async run({ input: { most } }) {
    let total = 0
    let oldest: Queued[] = []
    const cut = () => oldest.toSorted((a, b) => a.arrival_time - b.arrival_time).slice(0, most)
    await eachQueued((line) => {
      total++
      oldest.push(queuedIn(line))
      if (oldest.length > most * 2) oldest = cut()
    })
    return {
      total,
      items: cut().map((one) => ({
        id: one.queue_id,
        queue: one.queue_name,
        at: new Date(one.arrival_time * 1000).toISOString(),
        bytes: one.message_size,
        sender: one.sender,
        recipients: one.recipients.slice(0, 20).map(({ address, delay_reason: why }) => ({
          address,
          why: why?.slice(0, 500) ?? null,
        })),
      })),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Messages that wait for a domain. */
async function waitingFor(domain: string): Promise<Waiting[]> {
  const found: Waiting[] = []
  await eachQueued((line) => {
    if (!line.toLowerCase().includes(`@${domain}"`)) return
    const { queue_id, queue_name, recipients } = queuedIn(line)
    if (recipients.some(({ address }) => address.toLowerCase().endsWith(`@${domain}`)))
      found.push({ queue_id, queue_name, recipients })
  })
  return found
}

/**
 * Waits until the messages that are on their way to mailboxes of a domain now have been delivered or deferred, for as long as
 * their number falls. Mail that comes later goes where the maps lead by now, however much comes.
 */
export async function delivered(domain: string): Promise<void> {
  // the queue manager that a reload replaces may have taken more meanwhile
  for (const _ of [1, 2]) {
    let left = await onTheWay(domain)
    let least = left.length
    await until({
      what: `mail for ${domain} is delivered`,
      unit: 'dovecot', // which writes the messages
      starting: async () => {
        const falls = left.length < least
        least = left.length
        return falls
      },
      async look() {
        const now = new Set(await onTheWay(domain))
        left = left.filter((id) => now.has(id))
        if (left.length) throw new Error(`mail for ${domain} is still being delivered: retry`)
      },
    })
  }
}
const onTheWay = async (domain: string) =>
  (await waitingFor(domain))
    .filter(({ queue_name: queue }) => queue === 'active' || queue === 'incoming')
    .map(({ queue_id: id }) => id)

/** Tries to deliver now what waits for a domain. Answers how many messages wait. */
export async function retryFor(domain: string): Promise<number> {
  const waiting = await waitingFor(domain)
  for (const { queue_id: id } of waiting) await run(['postqueue', '-i', id]) // fails for a message that has just left
  return waiting.length
}

/** Passes on what waits for a domain that has moved, and waits for as long as less is left. Throws with the reason of a delay. */
export async function passedOn(domain: string): Promise<void> {
  let least = await retryFor(domain)
  let left = await waitingFor(domain)
  await until({
    what: `${least} messages for ${domain} are passed on`,
    starting: async () => {
      const falls = left.length < least
      least = left.length
      return falls
    },
    async look() {
      left = await waitingFor(domain)
      const why = left.flatMap(({ recipients }) => recipients.flatMap(({ delay_reason }) => delay_reason ?? []))[0]
      if (left.length)
        throw new Error(`${left.length} messages for ${domain} wait here${why ? `: ${why.slice(0, 300)}` : ''}`)
    },
  })
}

/** Retries all queued messages for a domain at once. Answers how many there were. */
export const flushMailQueue: Driver<'mail-queue.flush'> = {
  async run({ input: { domain }, fence, say }) {
    fence()
    const waiting = await retryFor(domain)
    say(`${waiting} messages wait for ${domain}`)
    return { waiting }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // a repeat is harmless
}

const flags = { hold: '-h', release: '-H', delete: '-d' } as const

/** Acts on one queued message. Answers whether it was in the queue. */
export const actOnMailQueue: Driver<'mail-queue.act'> = {
  async run({ input: { queueId, act }, fence, say }) {
    let there = false
    await eachQueued((line) => {
      there ||= line.includes(`"queue_id": "${queueId}"`)
    })
    if (!there) {
      say(`${queueId} is not in the queue`)
      return { there }
    }
    fence()
    if (act === 'retry') {
      await run(['postsuper', '-H', queueId]) // a held message is released first
      await must(['postqueue', '-i', queueId])
    } else await must(['postsuper', flags[act], queueId])
    say(`${queueId}: ${act}`)
    return { there }
  },
  undo: async ({ say }) => say('a change of the queue cannot be undone'),
  inspect: async () => 'no', // a repeat is harmless
}

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { limitLines } from '@innkeeper/contract/net/mailboxes/mailLimits'
import type { Driver } from '../../kit/driver.ts'
import { absent, exclusive, must, read, remove, replace } from '../../kit/host.ts'
import { limitState } from './mailHand.ts'
import { accountLimits, scriptsFolder, stoppedFolder, stoppedUsers } from './mailLimit.ts'
import { mapFolder, mapMode } from './mailMaps.ts'
import { eachQueued, queuedIn } from './mailQueue.ts'

interface Sender {
  sender: string
  /** Recipients of the last hour, those that were refused in it, and recipients of the last day. */
  hour: number
  refused: number
  day: number
  /** When the sender was stopped, and the recipients that it had tried in that hour. */
  stopped?: { at: string; tried: number }
}
const MOST = 500
const HOUR_S = 3600

/** Who sends how much, most of the day first, with every stopped sender; and which usual limits hold. */
export const readMailSenders: Driver<'mail-senders.read'> = {
  async run() {
    const found = new Map<string, Sender>()
    for (const { sender, file } of await countFiles()) {
      const counts = await countsIn(file)
      if (counts) found.set(sender, { sender, ...counts })
    }
    for (const sender of (await readdir(stoppedFolder).catch(absent)) ?? []) {
      const [at = 0, tried = 0] = ((await read(`${stoppedFolder}/${sender}`)) ?? '').split(' ').map(Number)
      if (!at) continue
      const counts = found.get(sender) ?? { sender, hour: 0, refused: 0, day: 0 }
      found.set(sender, { ...counts, stopped: { at: new Date(at * 1000).toISOString(), tried } })
    }
    const senders = [...found.values()].toSorted(
      (a, b) => Number(b.stopped !== undefined) - Number(a.stopped !== undefined) || b.day - a.day,
    )
    return { mark: await markOf(), senders: senders.slice(0, MOST) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** The files of mailboxes are in a folder for each domain. Files without counts of the last day are left out. */
async function countFiles(): Promise<{ sender: string; file: string }[]> {
  const files: { sender: string; file: string }[] = []
  for (const entry of (await readdir(limitState, { withFileTypes: true }).catch(absent)) ?? []) {
    if (!entry.isDirectory() || (entry.name.startsWith('.') && entry.name !== '.scripts')) continue
    const folder = `${limitState}/${entry.name}`
    for (const name of await readdir(folder))
      files.push({ sender: folder === scriptsFolder ? name : `${name}@${entry.name}`, file: `${folder}/${name}` })
  }
  const recent = await Promise.all(
    files.map(async (one) => {
      const seen = await stat(one.file).catch(absent)
      return seen && seen.mtimeMs > Date.now() - 24 * HOUR_S * 1000 ? one : []
    }),
  )
  return recent.flat()
}

/** Sums of a file that `mailLimit.ts` writes: lines `m minute sent refused` and `h hour sent refused`. */
async function countsIn(file: string): Promise<Omit<Sender, 'sender'> | undefined> {
  const minute = Math.floor(Date.now() / 60_000)
  const sums = { hour: 0, refused: 0, day: 0 }
  for (const line of ((await read(file)) ?? '').split('\n')) {
    const [kind, at, sent = 0, refused = 0] = line.split(' ').map((word, n) => (n ? Number(word) : word))
    if (kind === 'm' && Number(at) > minute - 60) {
      sums.hour += Number(sent)
      sums.refused += Number(refused)
    }
    if (kind === 'h' && Number(at) > Math.floor(minute / 60) - 24) sums.day += Number(sent)
  }
  return sums.day || sums.refused ? sums : undefined
}

const markOf = async () =>
  createHash('sha256')
    .update((await read(accountLimits)) ?? '')
    .digest('hex')

/** Writes the usual limits of accounts, which hold for mailboxes without a limit of their own and for websites. */
export const ensureMailLimits: Driver<'mail-limits.ensure'> = {
  async run({ input, fence, say }) {
    fence()
    if (existsSync(mapFolder)) await replace(accountLimits, limitLines(input), await mapMode())
    say(`${input.accounts.length} accounts have a limit of outgoing mail`)
    return { mark: await markOf() }
  },
  undo: async ({ say }) => say('the limits stay: Innkeeper writes them again'),
  inspect: async () => 'no', // a repeat is harmless
}

/**
 * Acts on a stopped sender: `hold` holds its queued mail, and sendmail refuses its programs. `send` and `delete` end the
 * stop, and send or delete what is held. The sender begins a new hour.
 */
export const actOnMailSender: Driver<'mail-sender.act'> = {
  run: ({ input: { sender, act }, fence, say }) =>
    exclusive('mail senders', async () => {
      fence()
      const isMailbox = sender.includes('@')
      if (act !== 'hold') {
        const [name = '', domain] = sender.split('@')
        await remove(isMailbox ? `${limitState}/${domain}/${name}` : `${scriptsFolder}/${name}`)
        await remove(`${stoppedFolder}/${sender}`)
      }
      if (!isMailbox) await refuse(sender, act === 'hold')
      const flag = { hold: '-h', send: '-H', delete: '-d' }[act]
      const ids = new Set<string>()
      // postsuper misses a message that the queue manager moves at this moment
      for (let round = 0; round < ROUNDS; round++) {
        const found = (await queuedOf(sender)).filter(({ held }) => held === (act === 'send') || act === 'delete')
        if (!found.length) break
        for (const { id } of found) ids.add(id)
        for (let n = 0; n < found.length; n += AT_ONCE)
          await must(['postsuper', ...found.slice(n, n + AT_ONCE).flatMap(({ id }) => [flag, id])])
      }
      // what waits for its next attempt, too
      if (act === 'send' && ids.size) await must(['postqueue', '-f'])
      say(`${sender}: ${act}, ${ids.size} queued messages`)
      return { queued: ids.size }
    }),
  undo: async ({ say }) => say('a change of the queue cannot be undone'),
  inspect: async () => 'no', // a repeat is harmless
}
const AT_ONCE = 200
const ROUNDS = 5

async function refuse(username: string, isRefused: boolean): Promise<void> {
  const others = ((await read(stoppedUsers)) ?? '').split('\n').filter((name) => name && name !== username)
  await replace(stoppedUsers, [...others, ...(isRefused ? [username] : [])].map((name) => `${name}\n`).join(''))
}

/** Ids of queued messages of a sender. Those of a website's account name the account in the reason of their delay. */
async function queuedOf(sender: string): Promise<{ id: string; held: boolean }[]> {
  const found: { id: string; held: boolean }[] = []
  await eachQueued((line) => {
    if (!line.includes(sender)) return
    const { queue_id: id, queue_name: queue, sender: from, recipients } = queuedIn(line)
    const isOurs = sender.includes('@')
      ? from.toLowerCase() === sender
      : recipients.some(({ delay_reason: why }) => why?.includes(`website account ${sender} `))
    if (isOurs) found.push({ id, held: queue === 'hold' })
  })
  return found
}

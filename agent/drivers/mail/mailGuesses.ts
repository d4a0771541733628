import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { domainFile, readDomains } from './mailFiles.ts'
import { eachLine } from './mailLogs.ts'

const LONGEST_S = 3600
/** Maximum numbers of pairs for each address, and of addresses, in an answer. Ten pairs already lead to a ban. */
const MOST_PAIRS = 20
const MOST_ADDRESSES = 1000

/** Failed sign-ins by IMAP, POP3 and SMTP, from the messages of Dovecot's auth process in the journal. */
export const readMailGuesses: Driver<'mail-guesses.read'> = {
  async run({ input }) {
    const now = Math.floor(Date.now() / 1000)
    // a clock that was set back must not hide the sign-ins until the former time is reached
    const since = input.since > now ? now - 60 : Math.max(input.since, now - LONGEST_S)
    const isGuess = await guessing()
    const found = new Map<string, Set<string>>()
    await eachLine(
      [
        ...(['journalctl', '--quiet', '--unit=dovecot', `--since=@${since}`] as const),
        ...['--output=json', '--output-fields=MESSAGE,SYSLOG_IDENTIFIER'],
      ],
      (line) => {
        const failed = failureIn(line)
        if (!failed || !isGuess(failed)) return
        const pairs = found.get(failed.address) ?? new Set()
        if (pairs.size < MOST_PAIRS) pairs.add(failed.pair)
        found.set(failed.address, pairs)
      },
    )
    const guesses = [...found]
      .map(([address, pairs]) => ({ address, pairs: [...pairs] }))
      .sort((a, b) => b.pairs.length - a.pairs.length)
      .slice(0, MOST_ADDRESSES)
    return { until: now, guesses }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

interface Failure {
  user: string
  address: string
  /** Seconds since the epoch. */
  at: number
  /** Fingerprint of user and password. */
  pair: string
}

/**
 * The message of the last password file; the messages of others end with `trying the next passdb`. A user can only
 * have letters, digits, `.`, `-`, `_` and `@` here (`auth_username_chars`), and the message must match as a whole, so
 * a client cannot forge an address.
 */
const FAILED =
  /^auth: passwd-file\(([\w.@'-]{1,320}),([0-9a-f.:]{2,45})(?:,<[^<>()]{1,64}>)?\): unknown user \(SHA1 of given password: ([0-9a-f]{2})\)$/

/** A failed sign-in in an entry of the journal. */
export function failureIn(line: string): Failure | undefined {
  const { MESSAGE, SYSLOG_IDENTIFIER, __REALTIME_TIMESTAMP: stamp } = line ? (JSON.parse(line) as Entry) : {}
  // a message with control characters is an array of bytes
  if (typeof MESSAGE !== 'string' || SYSLOG_IDENTIFIER !== 'dovecot') return undefined
  const [, user, address, hash] = FAILED.exec(MESSAGE) ?? []
  if (!user || !address) return undefined
  const pair = createHash('sha256').update(`${user} ${hash}`).digest('hex').slice(0, 12)
  return { user, address, at: Math.floor(Number(stamp) / 1_000_000), pair }
}
interface Entry {
  MESSAGE?: unknown
  SYSLOG_IDENTIFIER?: unknown
  __REALTIME_TIMESTAMP?: string
}

/**
 * Whether a failed sign-in counts. Mail programs try the right password again and again while a mailbox is disabled or its
 * domain moves. Sign-ins before the last change of a domain do not count either, because the domain may have been disabled.
 */
async function guessing(): Promise<(failure: Failure) => boolean> {
  const domains = new Map(
    await Promise.all(
      (await readDomains()).map(async ({ mailboxId, domain, state, moving, users }) => {
        const { mtimeMs } = await stat(domainFile(mailboxId))
        const closed = new Set(users.flatMap((one) => (one.state === 'disabled' ? [`${one.localPart}@${domain}`] : [])))
        return [domain, { isClosed: state === 'disabled' || Boolean(moving), closed, changed: mtimeMs / 1000 }] as const
      }),
    ),
  )
  return ({ user, at }) => {
    const domain = domains.get(user.slice(user.lastIndexOf('@') + 1))
    return !domain || !(domain.isClosed || domain.closed.has(user) || at < Math.floor(domain.changed))
  }
}

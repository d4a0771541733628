import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, flow, must, openFolder } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { type Entry, listTree } from '../files/tree.ts'
import { type MailDomain, mailHome, readDomain } from '../mail/mailFiles.ts'
import { remote } from './ask.ts'
import { answer, hostOf, leaveSnapshot, limited, nothing, progress, RETRY, view } from './backup.ts'
import { keyOf, messageIn, vmail } from './mailTree.ts'
import { leavingNoLock } from './running.ts'

/** Messages change their names while restic reads: it reads links to them, which nobody renames. */
const farmOf = (mailboxId: number) => `${mailHome}/.backup/${mailboxId}`
const folderOf = (mailboxId: number) => `/run/innkeeper/backup/mail-${mailboxId}`
/** How often the mail is searched for messages that mail programs renamed meanwhile. */
const ROUNDS = 10

export const backupMail: Driver<'backup-mail.run'> = {
  async run(c) {
    const { website, backup, mailboxId, domain, limit } = c.input
    const known = await readDomain(mailboxId)
    if (!known) return { ...nothing, problem: `${domain} is not on this mail server any more` }
    if (known.moving?.phase === 'moved') return { ...nothing, problem: `${domain} has moved to another mail server` }
    const account = await vmail()
    c.fence()
    try {
      const left = await link(known, account)
      const folder = folderOf(mailboxId)
      for (const [path, mode] of [
        ['/run/innkeeper', 0o755],
        ['/run/innkeeper/backup', 0o700],
        [folder, 0o700],
      ] as const)
        await ensureDirectory(path, { mode })
      const source = await openFolder(farmOf(mailboxId))
      if (!source) throw new Error(`the links to the mail of ${domain} are gone`)
      try {
        const words = [
          ...['backup', '--json', '--host', hostOf(website), '--tag', `backup-${backup}`, '--tag', hostOf(website)],
          // a new link changes the ctime of a message
          ...['--tag', 'mail', '--ignore-ctime', '--retry-lock', RETRY, ...limited(limit), '.'],
        ]
        c.fence()
        const reached = await remote(c.input)
        const asking = { within: { argv: view(folder), fd: source.fd }, progress: progress(c.say), stop: c.stop }
        const part = answer(await leavingNoLock(c.input, `mail-${mailboxId}`, reached, words, asking), c.say)
        const moved = left ? `${left} messages of ${domain} took other names faster than they could be read` : null
        return { ...part, problem: part.problem ?? moved, mailboxes: await countsOf(known, account) }
      } finally {
        await source.close()
      }
    } finally {
      await clear(mailboxId)
    }
  },
  undo: leaveSnapshot,
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

const clear = (mailboxId: number) => must(['rm', '-rf', '--one-file-system', '--', farmOf(mailboxId)])

const isWanted = (mailboxes: ReadonlySet<string>, { path, type }: Entry): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const passing = /^dovecot\.(list\.)?index|\.lock$|^dovecot-uidlist\.tmp|\.svbin$/.test(name)
  return type !== 'd' && mailboxes.has(path.split('/')[0] ?? '') && !passing && !/\/tmp\//.test(path)
}

/** Makes the links, as the account of the mail. Answers how many messages they lack. */
async function link({ mailboxId, users }: MailDomain, account: Account): Promise<number> {
  const farm = farmOf(mailboxId)
  const live = `${mailHome}/${mailboxId}`
  await clear(mailboxId)
  await ensureDirectory(`${mailHome}/.backup`, { mode: 0o700, owner: account })
  await ensureDirectory(farm, { mode: 0o700, owner: account })
  if (!existsSync(live)) return 0 // the domain has received no mail yet
  const mailboxes = new Set(users.map(({ userId }) => `${userId}`))
  const list = async (path: string) =>
    (await listTree({ username: 'vmail', path }, account)).filter((one) => isWanted(mailboxes, one))
  const copy = (how: string, some: Entry[]) =>
    some.length
      ? flow(
          // 123: a message was renamed meanwhile
          ['sh', '-c', `cd "$0" && exec xargs -0 cp ${how} --parents -t "$1" --`, live, farm],
          {
            from: [Readable.from(some.map(({ path }) => Buffer.from(`${path}\0`, 'latin1')))],
            ...{ as: account, accept: [1, 123] },
          },
        )
      : undefined
  const folders = (await listTree({ username: 'vmail', path: live }, account)).filter(
    ({ path, type }) => type === 'd' && mailboxes.has(path.split('/')[0] ?? '') && /\/(cur|new)$/.test(path),
  )
  await make(farm, folders, account)
  let missing: Entry[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const had = new Set((await list(farm)).map(keyOf))
    missing = (await list(live)).filter((one) => messageIn(one) && !had.has(keyOf(one)))
    if (!missing.length) break
    await copy('--archive --link', missing)
  }
  // after the messages, so that each of them has its UID there; Dovecot writes into these files
  await copy(
    '--archive',
    (await list(live)).filter((one) => !messageIn(one)),
  )
  return missing.length
}

/** Empty folders are kept, too. */
const make = async (farm: string, folders: Entry[], account: Account) =>
  folders.length
    ? flow(['xargs', '-0', 'mkdir', '--parents', '--mode=0700', '--'], {
        from: [Readable.from(folders.map(({ path }) => Buffer.from(`${farm}/${path}\0`, 'latin1')))],
        ...{ as: account },
      })
    : undefined

/** Messages and bytes of each mailbox, as they were kept. */
async function countsOf({ mailboxId, users }: MailDomain, account: Account) {
  const sums = new Map<string, { messages: number; bytes: number }>()
  for (const one of await listTree({ username: 'vmail', path: farmOf(mailboxId) }, account)) {
    if (!messageIn(one)) continue
    const of = one.path.split('/')[0] ?? ''
    const sum = sums.get(of) ?? { messages: 0, bytes: 0 }
    sums.set(of, { messages: sum.messages + 1, bytes: sum.bytes + one.size })
  }
  return users.length <= MOST_LISTED
    ? users.map(({ userId, localPart }) => ({
        userId,
        localPart,
        ...(sums.get(`${userId}`) ?? { messages: 0, bytes: 0 }),
      }))
    : undefined
}
/** A domain with more mailboxes is restored whole. */
const MOST_LISTED = 500

import { existsSync, lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, must, notes, run } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { type MailDomain, mailHome, readDomain, userHome } from '../mail/mailFiles.ts'
import { messageOf, numberIn, remote, whyOf } from './ask.ts'
import { type Bringing, comingOf, filesIn, sizeOf } from './mailComing.ts'
import { keyOf, messageIn, vmail } from './mailTree.ts'
import { give, said5 } from './restore.ts'
import { checkRoom } from './room.ts'
import { leavingNoLock } from './running.ts'

const MB = 1_048_576
const base = `${mailHome}/.restores`
const kind = 'restored-mail'
type Which = Pick<OperationInput<'restore-mail.merge'>, 'restore' | 'mailboxId'>
const nameOf = ({ restore, mailboxId }: Which) => `${restore}-${mailboxId}`
const asideOf = (which: Which) => `${base}/${nameOf(which)}`
/** Whether the path exists. A symlink whose target is missing exists too. */
const is = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
const contentOf = (which: Which, from: number) => `${asideOf(which)}/${from}`

/** The mail domain with its mailboxes. Throws if this server lacks the domain or one of the mailboxes. */
async function domainOf({ mailboxId, domain, users }: OperationInput<'restore-mail.merge'>): Promise<MailDomain> {
  const known = await readDomain(mailboxId)
  if (!known || known.moving) throw new Error(`${domain} ${known ? 'is moving' : 'is not on this mail server'}`)
  const strange = users.find(({ userId }) => !known.users.some((one) => one.userId === userId))
  if (strange) throw new Error(`a mailbox of ${domain} was deleted meanwhile: restore the others alone`)
  return known
}

export const prepareMail: Driver<'restore-mail.prepare'> = {
  async run(c) {
    const { input, say, fence } = c
    const { snapshot, users, bytes, domain } = input
    const known = await domainOf(input)
    const account = await vmail()
    const aside = asideOf(input)
    fence()
    await clear(input)
    await ensureDirectory(base, { mode: 0o711 })
    // restic writes as root: until it has ended, no other account may enter
    await ensureDirectory(aside, { mode: 0o700 })
    if (bytes !== undefined) await checkRoom(aside, bytes, `the mail of ${domain}`)
    const words = [
      ...['restore', '--json', '--retry-lock', '2h', '--verify', '--target', aside],
      ...users.flatMap(({ from }) => ['--include', `/${from}`]),
      snapshot,
    ]
    const reached = await remote(input)
    const said = await leavingNoLock(input, `restore-mail-${input.mailboxId}`, reached, words, { progress: said5(say) })
    if (said.code !== 0) throw new Error(whyOf(said))
    await give(aside, account)
    await refuseFull(input, known, account)
    const files = numberIn(messageOf(said, 'summary'), 'files_restored')
    say(`${files} files of the mail of ${domain} are restored beside it`)
    return { files }
  },
  async undo({ input, say, fence }) {
    fence()
    await clear(input)
    say('the restored mail is gone')
  },
  inspect: async ({ input, task }) => (task === 'undo' && !existsSync(asideOf(input)) ? 'yes' : 'no'),
}

const clear = (which: Which) => must(['rm', '-rf', '--one-file-system', '--', asideOf(which)])

/** A mailbox beyond its quota would refuse all new mail. */
async function refuseFull(input: OperationInput<'restore-mail.merge'>, known: MailDomain, account: Account) {
  const full: string[] = []
  for (const { userId, from } of input.users) {
    const user = known.users.find((one) => one.userId === userId)
    if (!user) continue
    const [content, home] = [contentOf(input, from), userHome(input.mailboxId, userId)]
    const { messages } = await comingOf(content, home, account)
    const size = sizeOf(messages) + sizeOf((await filesIn(home, account)).filter(messageIn))
    if (size > user.quotaMb * MB)
      full.push(`${user.localPart}@${input.domain} would hold ${Math.ceil(size / MB)} MB of ${user.quotaMb} MB`)
  }
  if (full.length)
    throw new Error(
      `${full.slice(0, 5).join(', ')}: raise the quota first, or leave out ${full.length === 1 ? 'the mailbox' : 'these mailboxes'}`,
    )
}

interface Brought extends Bringing {
  userId: number
  from: number
}

/** Adds the restored messages that a mailbox lacks. Its other messages stay unchanged. */
export const mergeMail: Driver<'restore-mail.merge'> = {
  async run(c) {
    const { input, actionId, say, fence } = c
    const known = await domainOf(input)
    const account = await vmail()
    const noted = await notes.find(kind, nameOf(input))
    if (!existsSync(asideOf(input))) {
      if (noted) return say('the mail was merged already')
      throw new Error(`the restored mail of ${input.domain} is gone: roll back and restore again`)
    }
    const planned = noted ? await plannedIn(noted.about) : await plan(input, account)
    if (!noted) await notes.keep(kind, nameOf(input), actionId, { brought: JSON.stringify(planned) })
    fence()
    for (const one of planned) await bring(input, one, account)
    for (const { userId } of planned) await seen(known, userId)
    await clear(input)
    const sum = (of: (one: Brought) => number) => planned.reduce((all, one) => all + of(one), 0)
    const counts = { messages: sum(({ messages }) => messages.length), present: sum(({ present }) => present) }
    say(`${counts.messages} messages are back, ${counts.present} were there`)
    return { ...counts, left: sum(({ left }) => left) }
  },
  async undo({ input, say, fence }) {
    const noted = await notes.find(kind, nameOf(input))
    if (!noted) return say('no mail was merged')
    const account = await vmail()
    fence()
    await ensureDirectory(base, { mode: 0o711 })
    await ensureDirectory(asideOf(input), { mode: 0o700, owner: account })
    const known = await readDomain(input.mailboxId)
    for (const one of await plannedIn(noted.about)) {
      await takeBack(input, one, account)
      if (known) await seen(known, one.userId)
    }
    await notes.drop(kind, nameOf(input))
    say('the merged messages are removed from the mailboxes again')
  },
  async inspect({ input, task }) {
    const noted = await notes.find(kind, nameOf(input))
    if (task === 'undo') return noted ? 'no' : 'yes'
    return noted && !existsSync(asideOf(input)) ? 'yes' : 'no'
  },
}

// our own note
const plannedIn = async ({ brought = '[]' }: Record<string, string>) => JSON.parse(brought) as Brought[]

async function plan({ users, ...which }: OperationInput<'restore-mail.merge'>, account: Account): Promise<Brought[]> {
  const planned: Brought[] = []
  for (const { userId, from } of users)
    planned.push({
      userId,
      from,
      ...(await comingOf(contentOf(which, from), userHome(which.mailboxId, userId), account)),
    })
  return planned
}

async function bring(which: Which, { userId, from, folders, messages, others, subscribed }: Brought, account: Account) {
  const [content, home] = [contentOf(which, from), userHome(which.mailboxId, userId)]
  await makeFolders(which, home, folders, account)
  const lacking = others.filter((path) => is(`${content}/${path}`) && !is(`${home}/${path}`))
  await moveAll(content, home, placed(lacking), account)
  // messages that an earlier attempt moved may have changed flags since
  const there = new Set((await filesIn(home, account)).map(keyOf))
  const coming = messages.filter(({ path, to }) => is(`${content}/${path}`) && !there.has(keyAt(to)))
  await moveAll(content, home, coming, account)
  if (subscribed.length) await subscribe(home, account, (lines) => [...new Set([...lines, ...subscribed])])
}

async function takeBack(which: Which, one: Brought, account: Account): Promise<void> {
  const { userId, from, folders, messages, others, subscribed } = one
  const [content, home] = [contentOf(which, from), userHome(which.mailboxId, userId)]
  const mine = new Map(messages.map(({ path, to }) => [keyAt(to), path]))
  const back = (await filesIn(home, account)).flatMap((entry) => {
    const path = mine.get(keyOf(entry))
    return path === undefined ? [] : { path: entry.path, to: path }
  })
  await makeFolders(which, content, [...new Set(back.map(({ to }) => dirname(dirname(to))))], account)
  await moveAll(home, content, back, account)
  await moveAll(home, content, placed(others.filter((path) => is(`${home}/${path}`))), account)
  const left = new Set((await filesIn(home, account)).flatMap((entry) => messageIn(entry)?.folder ?? []))
  for (const folder of folders)
    if (folder !== 'Maildir' && !left.has(folder)) await must(['rm', '-rf', '--', `${home}/${folder}`], { as: account })
  if (subscribed.length) await subscribe(home, account, (lines) => lines.filter((line) => !subscribed.includes(line)))
}

const keyAt = (path: string) => keyOf({ path, type: 'f' })
const placed = (paths: string[]) => paths.map((path) => ({ path, to: path }))

async function makeFolders(which: Which, home: string, folders: string[], account: Account): Promise<void> {
  if (!existsSync(`${mailHome}/${which.mailboxId}`))
    await ensureDirectory(`${mailHome}/${which.mailboxId}`, { mode: 0o700, owner: account })
  for (const folder of folders) {
    const below = ['cur', 'new', 'tmp'].map((name) => `${home}/${folder}/${name}`)
    await must(['mkdir', '--parents', '--mode=0700', '--', ...below], { as: account })
  }
}

/** Moves files between two folders, some at a time. An existing file is not replaced. */
async function moveAll(from: string, to: string, files: readonly { path: string; to: string }[], as: Account) {
  const groups = new Map<string, string[]>()
  for (const file of files) {
    if (basename(file.path) !== basename(file.to)) {
      await must(['mv', '--no-clobber', '--no-target-directory', '--', `${from}/${file.path}`, `${to}/${file.to}`], {
        as,
      })
      continue
    }
    const folder = dirname(file.to)
    groups.set(folder, [...(groups.get(folder) ?? []), `${from}/${file.path}`])
  }
  for (const [folder, paths] of groups) {
    await must(['mkdir', '--parents', '--mode=0700', '--', `${to}/${folder}`], { as })
    for (let n = 0; n < paths.length; n += 500)
      await must(['mv', '--no-clobber', '--target-directory', `${to}/${folder}`, '--', ...paths.slice(n, n + 500)], {
        as,
      })
  }
}

/** Changes the list of folders that mail programs show. */
async function subscribe(home: string, as: Account, change: (lines: string[]) => string[]): Promise<void> {
  const file = `${home}/Maildir/subscriptions`
  if (!existsSync(file)) return
  const before = await must(['cat', '--', file], { as })
  const [head = '', ...rest] = before.split('\n')
  const lines = /^V\t/.test(head) ? rest : [head, ...rest]
  const next = change(lines.filter(Boolean))
  const text = [...(/^V\t/.test(head) ? [head, ''] : []), ...next, ''].join('\n')
  if (text === before) return
  const aside = `${file}.innkeeper`
  await must(['dd', `of=${aside}`, 'conv=fsync', 'status=none'], { as, input: text })
  await must(['chmod', `--reference=${file}`, '--', aside], { as })
  await must(['mv', '--no-target-directory', '--', aside, file], { as })
}

/**
 * Has Dovecot read the folders, so that quota and mail programs see the restored mail at once. Dovecot refuses this for
 * a disabled mailbox, which is ignored.
 */
async function seen({ domain, users }: MailDomain, userId: number): Promise<void> {
  const user = users.find((one) => one.userId === userId)
  if (user) await run(['doveadm', 'mailbox', 'status', '-u', `${user.localPart}@${domain}`, 'messages', '*'], {})
}

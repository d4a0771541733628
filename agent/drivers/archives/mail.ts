import type { Context, Driver } from '../../kit/driver.ts'
import { notes, throwAway } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { progress } from '../dumps/reading.ts'
import { mailHome, readDomain, userHome } from '../mail/mailFiles.ts'
import { vmail } from '../restic/mailTree.ts'
import { keptOf, opened } from './kept.ts'
import { isCarried, messageIn } from './mailFolders.ts'
import { inRoom } from './room.ts'
import { Rules } from './rules.ts'
import { sameName } from './unpack.ts'
import { forFolders, Programs, Turns, Unpacker } from './unpacker.ts'
import { bytesOf, Stop, walk } from './walk.ts'

type Mail = Context<'archive.mail'>
const kind = 'archive-mail'

/** Adds the mail of an archive to mailboxes that are new. */
export const unpackMail: Driver<'archive.mail'> = {
  async run(c) {
    const { input, actionId, say } = c
    const noted = await notes.find(kind, `${actionId}`)
    if (noted?.about.answer) return JSON.parse(noted.about.answer) as object // written below
    const known = await readDomain(input.mailboxId)
    const strange = input.users.find(({ userId }) => !known?.users.some((one) => one.userId === userId))
    if (!known || strange)
      throw new Error(`the mail domain ${input.from} or one of its mailboxes is not on this server`)
    const kept = await keptOf(input.importId)
    const found = kept.inventory.mail.find((one) => sameName(one.domain, input.from))
    if (!found) throw new Error(`the archive has no mail of ${input.from}`)
    await inRoom(
      '/var',
      found.mailboxes.reduce((all, { bytes }) => all + bytes, 0),
      `the mail of ${input.from}`,
    )
    await notes.keep(kind, `${actionId}`, actionId)
    c.fence()
    const mailboxes = await pour(c, found.domain, await vmail())
    await notes.keep(kind, `${actionId}`, actionId, { answer: JSON.stringify({ mailboxes }) })
    say(`${mailboxes.reduce((all, { messages }) => all + messages, 0)} messages are in ${mailboxes.length} mailboxes`)
    return { mailboxes }
  },
  async undo({ input, actionId, say, fence }) {
    if (!(await notes.find(kind, `${actionId}`))) return say('no mail was added')
    fence()
    for (const { userId } of input.users)
      await throwAway(actionId, userHome(input.mailboxId, userId), `mail-${input.mailboxId}-${userId}`)
    await notes.drop(kind, `${actionId}`)
    say('the mail of the archive is in the trash')
  },
  async inspect({ task, actionId }) {
    return task === 'undo' && !(await notes.find(kind, `${actionId}`)) ? 'yes' : 'no'
  },
}

/** Reads the archive once. */
async function pour({ input, say, stop }: Mail, domain: string, as: Account) {
  const kept = await keptOf(input.importId)
  const rules = new Rules(kept.rules)
  const boxes = new Map<string, { userId: number; messages: number; unpacker: Unpacker }>()
  const folderOf = (userId: number) => `${userHome(input.mailboxId, userId)}/Maildir`
  const parts = input.users.flatMap(({ userId }) => ['cur', 'new', 'tmp'].map((name) => `${folderOf(userId)}/${name}`))
  await forFolders((some) => ['mkdir', '--parents', '--mode=0700', '--', ...some], parts, as)
  const programs = new Programs()
  for (const { localPart, userId } of input.users) {
    const target = { folder: folderOf(userId), as, base: mailHome, roots: [] }
    boxes.set(localPart, { userId, messages: 0, unpacker: new Unpacker(target, programs) })
  }
  const handle = await opened(input, kept.seen)
  const turns = new Turns()
  try {
    let read = 0
    const tell = progress(say, (await handle.stat()).size)
    const bytes = bytesOf(handle, (part) => {
      read += part
      tell(read)
    })
    const isOwn = (inner: string) =>
      inner === 'homedir' || sameName(/^mail\/([^/]+)\/accounts$/.exec(inner)?.[1] ?? '', input.from)
    for await (const found of walk(bytes, kept.wrapping, isOwn)) {
      if (stop.aborted) throw new Stop('stopped')
      if ('fault' in found) throw new Error(`${found.in} cannot be read: ${found.fault}`)
      const { rule, within = '' } = (found.path === undefined ? undefined : rules.of(found.path)) ?? {}
      if (rule?.kind !== 'mail' || rule.domain !== domain || !isCarried(within)) continue
      const box = boxes.get(rule.account.toLowerCase())
      if (!box) continue
      await turns.to(box.unpacker)
      if (messageIn(within)) box.messages++
      const from = found.path?.slice(0, found.path.length - within.length) ?? ''
      const { target } = found.member
      // a message in two folders is one file: dovecot copies by hard links
      const at = target.replace(/^\.\//, '')
      const folder = from.replace(/^(?:mail\/[^/]+\/accounts|homedir)\//, '')
      const link = at.includes(folder) ? at.slice(at.indexOf(folder) + folder.length) : undefined
      await box.unpacker.write(found.member, within, link)
    }
    await turns.end()
  } finally {
    await turns.drop()
    await handle.close()
  }
  return [...boxes.values()].map(({ userId, messages, unpacker }) => ({ userId, messages, ...unpacker.written }))
}

import { existsSync } from 'node:fs'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, exclusive, must } from '../../kit/host.ts'
import { pull } from '../../transfer/destination.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { patiently } from '../transfer/transfer.ts'
import { domainFile, mailHome } from './mailFiles.ts'

/** Copies the mail of a domain from its present server, with UIDs and Sieve scripts. */
export const pullMailFolder: Driver<'mail-folder.pull'> = {
  async run({ input, say, fence }) {
    const { mailboxId, mode } = input
    if (existsSync(domainFile(mailboxId))) throw new Error('this server has the mail domain already')
    const account = await accountOf('vmail')
    if (!account) throw new Error('Dovecot is not set up here: its base comes first')
    const path = `${mailHome}/${mailboxId}`
    fence()
    await ensureDirectory(path, { mode: 0o700, owner: account })
    const { differences: _, ...pulled } = await patiently(say, fence, () =>
      pull({ peer: input, mode, from: { mailboxId }, path, account, say }),
    )
    await must(['sync', '--file-system', '--', path], { as: account })
    say(`${pulled.copied} of ${pulled.files} files copied, ${pulled.copiedBytes} of ${pulled.bytes} bytes`)
    return pulled
  },
  undo: ({ input: { mailboxId }, say, fence }) =>
    exclusive('mail', async () => {
      if (existsSync(domainFile(mailboxId))) return say('this server has the mail domain: its mail stays')
      fence()
      await must(['rm', '-rf', '--', `${mailHome}/${mailboxId}`])
      say('the copy is removed')
    }),
  inspect: async ({ input: { mailboxId }, task }) =>
    task === 'undo' && !existsSync(`${mailHome}/${mailboxId}`) ? 'yes' : 'no',
}

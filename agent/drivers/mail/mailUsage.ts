import { existsSync } from 'node:fs'
import type { Driver } from '../../kit/driver.ts'
import { must } from '../../kit/host.ts'
import { mailHome } from './mailFiles.ts'

/** Bytes and messages of each mailbox, from the folders, so that disabled mailboxes count too. */
export const readMailUsage: Driver<'mail-usage.read'> = {
  async run({ input: { mailboxId } }) {
    const folder = mailboxId === undefined ? mailHome : `${mailHome}/${mailboxId}`
    const sums = new Map<number, { bytes: number; messages: number }>()
    const depth = mailboxId === undefined ? 1 : 0
    if (existsSync(folder))
      await must(
        [
          'find',
          folder,
          '-name',
          '.backup',
          '-prune',
          '-o',
          '-name',
          '.restores',
          '-prune',
          '-o',
          '-type',
          'f',
          '(',
          '-path',
          '*/cur/*',
          '-o',
          '-path',
          '*/new/*',
          ')',
          '-printf',
          '%P %s\n',
        ],
        {
          onLine(line) {
            const userId = Number(line.split('/')[depth])
            const bytes = Number(line.slice(line.lastIndexOf(' ') + 1))
            if (!Number.isInteger(userId) || !Number.isInteger(bytes)) return
            const sum = sums.get(userId) ?? { bytes: 0, messages: 0 }
            sums.set(userId, { bytes: sum.bytes + bytes, messages: sum.messages + 1 })
          },
        },
      )
    return { mailboxes: [...sums].map(([userId, sum]) => ({ userId, ...sum })) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

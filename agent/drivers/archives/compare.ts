import type { Driver } from '../../kit/driver.ts'
import { must } from '../../kit/host.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { readMailUsage } from '../mail/mailUsage.ts'
import { countRows, tablesOf } from '../mariadb/mariadbAsk.ts'
import { sumOfFolder } from './fileSums.ts'

/** Counts websites, databases and mailboxes as they are on this server. */
export const compareArchive: Driver<'archive.compare'> = {
  async run(c) {
    const { input } = c
    const sites = []
    for (const { websiteId, username, path } of input.sites) {
      const as = await siteAccount(username)
      let [files, bytes, foreign] = [0, 0, 0]
      await must(['find', path, '-xdev', '-type', 'f', '-printf', '%s %U\n'], {
        as,
        onLine(line) {
          const [size = 0, owner = 0] = line.split(' ').map(Number)
          files++
          bytes += size
          if (owner !== as.uid) foreign++
        },
      })
      sites.push({ websiteId, files, bytes, foreign, ...(input.sums && { sum: await sumOfFolder(path, as) }) })
    }
    const databases = []
    for (const name of input.databases) {
      const tables = (await tablesOf(name)).filter(({ view }) => !view).map((one) => one.name)
      const rows = Object.values(await countRows(name, tables)).reduce((all, one) => all + one, 0)
      databases.push({ name, tables: tables.length, rows })
    }
    const mail = []
    for (const mailboxId of input.mailboxes) {
      const usage = (await readMailUsage.run({ ...c, input: { mailboxId } })) as {
        mailboxes: { userId: number; messages: number }[]
      }
      mail.push({ mailboxId, mailboxes: usage.mailboxes })
    }
    return { sites, databases, mail }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

import type { Driver } from '../../kit/driver.ts'
import { run } from '../../kit/host.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { heldFolder } from '../php/phpPoolFile.ts'

const MOST = 25
const HEAD = '8192'

/** The held mail of an account: the number, and date, recipient and subject of the newest. Reads as the account. */
export const listHeldMail: Driver<'held-mail.list'> = {
  async run({ input: { username } }) {
    const as = await siteAccount(username)
    const folder = heldFolder(as.home)
    const listed = await run(
      ['find', folder, '-maxdepth', '1', '-type', 'f', '-name', '*.eml', '-printf', '%f %T@ %s\\n'],
      { as },
    )
    const all = listed.stdout.split('\n').flatMap((line) => {
      const [name = '', time, bytes] = line.split(' ')
      return /^\d+-\d+\.eml$/.test(name) ? [{ name, time: Number(time), bytes: Number(bytes) }] : []
    })
    const newest = all.toSorted((a, b) => b.time - a.time).slice(0, MOST)
    const items = []
    for (const { name, time, bytes } of newest) {
      const { stdout } = await run(['head', `--bytes=${HEAD}`, '--', `${folder}/${name}`], { as })
      items.push({
        at: new Date(time * 1000).toISOString(),
        bytes,
        to: header(stdout, 'To'),
        subject: header(stdout, 'Subject'),
      })
    }
    return { total: all.length, items }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

function header(text: string, name: string): string {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1)
  const found = new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? ''
  return found.replace(/\s+/g, ' ').trim().slice(0, 200)
}

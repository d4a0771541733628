import { chown, stat } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, read, replace } from '../../kit/host.ts'
import { ACCOUNTS, ask, folderOf, newest } from './ask.ts'
import { creating } from './groups.ts'

const [BEGIN, END] = ['# Begin of Innkeeper', '# End of Innkeeper']
/** PostgreSQL takes the first line that matches, so that ours stand first. They concern Innkeeper's accounts alone. */
const block = `${BEGIN}: written again when databases change
local postgres,template1 +${ACCOUNTS} reject
host postgres,template1 +${ACCOUNTS} all reject
local all +${ACCOUNTS} scram-sha-256
host all +${ACCOUNTS} 127.0.0.1/32 scram-sha-256
host all +${ACCOUNTS} ::1/128 scram-sha-256
host all +${ACCOUNTS} all reject
${END}
`

/** The file with our block at its beginning; other lines stay as they are. */
export function withBlock(text: string): string {
  const at = text.indexOf(BEGIN)
  const end = text.indexOf(`${END}\n`, at)
  const others = at < 0 || end < 0 ? text : text.slice(0, at) + text.slice(end + END.length + 1)
  return block + others
}

/** Lets Innkeeper's accounts connect by password. Lines for other accounts in pg_hba.conf stay. */
export const ensureAccess: Driver<'postgresql-access.ensure'> = {
  run: (c) =>
    exclusive('postgresql access', async () => {
      const file = fileOf()
      const before = await read(file)
      if (before === undefined) throw new Error(`PostgreSQL has no ${file}: its package comes first`)
      c.fence()
      await ask(creating([ACCOUNTS]))
      const text = withBlock(before)
      if (text === before) return c.say('accounts can connect already')
      const { uid, gid } = await stat(file)
      await replace(file, text, { mode: 0o640 })
      await chown(file, uid, gid)
      await ask('select pg_reload_conf();')
      const wrong = (
        await ask(`select line_number || ': ' || error from pg_hba_file_rules where error is not null;`)
      ).trim()
      if (wrong) {
        await replace(file, before, { mode: 0o640 })
        await chown(file, uid, gid)
        await ask('select pg_reload_conf();')
        throw new Error(`PostgreSQL refuses ${file}: ${wrong}`)
      }
      c.say('accounts connect by password, over the socket and loopback')
    }),
  undo: async ({ say }) => say('the access stays: other databases may have come to need it'),
  async inspect({ task }) {
    if (task === 'undo') return 'yes'
    const text = await read(fileOf())
    return text !== undefined && withBlock(text) === text ? 'yes' : 'no'
  },
}

const fileOf = () => `${folderOf(newest())}/pg_hba.conf`

import { stat } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, read, replace } from '../../kit/host.ts'
import { type Door, readDoors } from '../remoteAccess/doors.ts'
import { ACCOUNTS, ask, folderOf, newest } from './ask.ts'
import { creating } from './groups.ts'

const [BEGIN, END] = ['# Begin of Innkeeper', '# End of Innkeeper']
/** PostgreSQL uses the first matching line, so Innkeeper's lines come first. They match Innkeeper's accounts only. */
const block = (doors: readonly Door[]) => `${BEGIN}: written again when databases change
local postgres,template1 +${ACCOUNTS} reject
host postgres,template1 +${ACCOUNTS} all reject
local all +${ACCOUNTS} scram-sha-256
host all +${ACCOUNTS} 127.0.0.1/32 scram-sha-256
host all +${ACCOUNTS} ::1/128 scram-sha-256
${doors.map(lineOf).join('')}host all +${ACCOUNTS} all reject
${END}
`
/** An account from another machine must use TLS. */
const lineOf = ({ user, address }: Door) =>
  `hostssl all "${user}" ${address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`} scram-sha-256\n`

/** The file with our block at its beginning; other lines stay as they are. */
function withBlock(text: string, doors: readonly Door[]): string {
  const at = text.indexOf(BEGIN)
  const end = text.indexOf(`${END}\n`, at)
  const others = at < 0 || end < 0 ? text : text.slice(0, at) + text.slice(end + END.length + 1)
  return block(doors) + others
}
const wanted = async (text: string) =>
  withBlock(
    text,
    (await readDoors()).filter(({ engine }) => engine === 'postgresql'),
  )

/** Lets Innkeeper's accounts connect by password. Lines for other accounts in pg_hba.conf stay. */
export const ensureAccess: Driver<'postgresql-access.ensure'> = {
  run: (c) =>
    exclusive('postgresql access', async () => {
      c.fence()
      await ask(creating([ACCOUNTS]))
      c.say(
        (await writeAccess())
          ? 'accounts connect by password, over the socket, loopback and from named addresses with TLS'
          : 'accounts can connect already',
      )
    }),
  undo: async ({ say }) => say('the access stays, because other databases may need it by now'),
  async inspect({ task }) {
    if (task === 'undo') return 'yes'
    const text = await read(fileOf())
    return text !== undefined && (await wanted(text)) === text ? 'yes' : 'no'
  },
}

/** Writes pg_hba.conf anew when doors have changed. */
export const refreshAccess = () => exclusive('postgresql access', writeAccess)

/** Answers whether the file changed. If PostgreSQL refuses the file, the former file is restored. */
async function writeAccess(): Promise<boolean> {
  const file = fileOf()
  const before = await read(file)
  if (before === undefined) throw new Error(`PostgreSQL has no ${file}: its package comes first`)
  const text = await wanted(before)
  if (text === before) return false
  const owner = await stat(file)
  const write = async (content: string) => {
    await replace(file, content, { mode: 0o640, owner: { uid: owner.uid, gid: owner.gid } })
    await ask('select pg_reload_conf();')
  }
  await write(text)
  const wrong = (
    await ask(`select line_number || ': ' || error from pg_hba_file_rules where error is not null;`)
  ).trim()
  if (!wrong) return true
  await write(before)
  throw new Error(`PostgreSQL refuses ${file}: ${wrong}`)
}

const fileOf = () => `${folderOf(newest())}/pg_hba.conf`

import { randomBytes } from 'node:crypto'
import type { adoptions as contract } from '@innkeeper/contract/recovery/adoptions/calls'
import { eq } from 'drizzle-orm'
import { transferClose } from '../../hosting/moves/actions.ts'
import { findServer, type Problems } from '../../hosting/systemUsers/place.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { outputOf, secret, step } from '../../kit/work/action.ts'
import { start } from '../../kit/work/workflow.ts'
import { servers } from '../../machines/servers/tables.ts'
import { archiveLook, transferKeyOf } from '../archiveImports/actions.ts'
import { archiveImports } from '../archiveImports/tables.ts'
import { archivePull, machineOpen } from './actions.ts'
import { adoptionImports } from './tables.ts'
import { held, readAdoption } from './view.ts'

/** Minutes within which the other server fetches: 20 GiB at 10 MB a second take 35. */
const OPEN_MINUTES = 24 * 60

/** Fetches what people chose as an archive, and looks at the archive. Its import is planned like that of any other. */
export const bring: Handlers<typeof contract>['bring'] = async (
  { id, serverId, account, websites, databases, mail },
  context,
) => {
  const { app, db, staff, audit } = context
  const row = await held(context, id)
  if (row.status !== 'ready')
    throw refused(`This server is ${row.status}: only a server that was looked at can be read`)
  const found = row.found?.accounts.find((one) => one.account.name === account)
  if (!found)
    throw refused(`The server has no account ${account}`, { account: 'Is not among the accounts that were found' })
  const strange = (chosen: readonly string[] | undefined, there: readonly string[], field: string) => {
    const name = chosen?.find((one) => !there.includes(one))
    if (name !== undefined) throw refused(`The account ${account} has no ${name}`, { [field]: `Has no ${name}` })
  }
  strange(
    websites,
    found.websites.map(({ domain }) => domain),
    'websites',
  )
  strange(
    databases,
    found.databases.map(({ name }) => name),
    'databases',
  )
  strange(
    mail,
    found.mail.map(({ domain }) => domain),
    'mail',
  )
  const problems: Problems = {}
  await findServer(db, serverId, problems)
  if (problems.originServer) throw refused(problems.originServer, { serverId: problems.originServer })
  const [old] = await db.select().from(servers).where(eq(servers.id, row.serverId))
  if (!old?.address) throw refused('The old server has no address: type it on the page of the server')
  const [made] = await db
    .insert(archiveImports)
    .values({
      ...{ serverId, source: 'machine' as const, fileName: `${account} of ${old.name}` },
      ...{ staffName: staff.name, createdBy: staff.id },
    })
    .returning()
  if (!made) throw new Error('an insert answered no row')
  await db.insert(adoptionImports).values({ adoptionId: id, importId: made.id, account })
  await app.secrets.write(db, transferKeyOf(made.id), randomBytes(32).toString('hex'))
  const resource = { type: 'archive-import', id: made.id, name: made.fileName }
  const transfer = `adopt-${made.id}`
  const token = secret(transferKeyOf(made.id)) as unknown as string
  const open = step(
    machineOpen,
    {
      ...{ transfer, token, minutes: OPEN_MINUTES, account },
      ...(websites && { websites }),
      ...(databases && { databases }),
      ...(mail && { mailDomains: mail }),
    },
    { server: row.serverId, resource },
  )
  const port = outputOf(open, 'port') as unknown as number
  const workflowId = await start(db, {
    ...{ kind: 'archive-import.look', subject: resource, holder: staff.name, startedById: staff.id },
    locks: [`archive-import:${made.id}`],
    plan: [
      open,
      step(
        archivePull,
        { importId: made.id, transfer, token, address: old.address, port },
        { server: serverId, resource },
      ),
      step(transferClose, { transfer }, { server: row.serverId, resource }),
      step(archiveLook, { importId: made.id }, { server: serverId, resource }),
    ],
  })
  await db
    .update(archiveImports)
    .set({ workflowId, ...nextVersion })
    .where(eq(archiveImports.id, made.id))
  audit.workflow(workflowId)
  audit.after({ ...(await readAdoption(db, id)), account, importId: made.id })
  await changed(db, 'archiveImports', made.id)
  await changed(db, 'adoptions', id)
  return { importId: made.id, workflowId }
}

import type { BackupPart } from '@innkeeper/contract/recovery/backups/shapes'
import { sql } from 'drizzle-orm'
import { offlineBefore } from '../../../kit/agents/online.ts'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { mailRun } from '../actions.ts'
import type { KeptMail } from '../configuration.ts'
import { type remoteOf, withProgram } from '../repositories/access.ts'

/** Mail domains of a website, each with the mail server on which its mail lies. */
export async function mailOf(db: Db, websiteId: number): Promise<KeptMail[]> {
  const found = await rows<KeptMail & { seen: string | null; away: boolean; able: boolean }>(
    db,
    sql`select m.mailbox_id as "mailboxId", m.domain, s.server_id as "serverId", s.name as "serverName",
        t.last_seen_at as seen, coalesce(t.last_seen_at < ${offlineBefore}, true) as away,
        coalesce('backup-mail.run' = any(t.operations), false) as able
      from mailboxes m join servers s on s.server_id = m.server_id left join server_states t on t.server_id = s.server_id
      where m.website_id = ${websiteId} and m.deleted_at is null and m.state <> 'deleting' order by m.mailbox_id`,
  )
  return found.map(({ seen, away, able, ...one }) => {
    const problem = awayText(one.serverName, { seen, away, able })
    return problem ? { ...one, problem } : one
  })
}

/** Why the agent of a mail server cannot do its part now. */
export function awayText(name: string, { seen, away, able }: { seen: string | null; away: boolean; able: boolean }) {
  if (away) return `the mail server ${name} has not been heard from ${seen ? `since ${sinceText(isoOf(seen))}` : 'yet'}`
  return able ? null : `the agent of the mail server ${name} is too old to keep mail: update it`
}

type Common = ReturnType<typeof remoteOf> & { website: number; backup: number; limit?: number }
/** Each mail server writes into the repository of the website's machine. */
export function mailSteps(all: readonly KeptMail[], common: Common, has: number): PlanStep[] {
  const reached = all.filter(({ problem }) => !problem)
  const servers = new Map(reached.map(({ serverId: id, serverName: name }) => [id, { id, name }]))
  return [
    ...[...servers.values()].filter(({ id }) => id !== has).map(withProgram),
    ...reached.map(({ mailboxId, domain, serverId }) =>
      step(
        mailRun,
        { ...common, mailboxId, domain },
        { server: serverId, resource: { type: 'backed-mail', id: mailboxId, name: domain } },
      ),
    ),
  ]
}

/** Mail that nobody could ask for. */
export const unreachedMail = (all: readonly KeptMail[] = []): BackupPart[] =>
  all.flatMap(({ mailboxId, domain, problem }) =>
    problem
      ? [
          {
            resource: 'mail',
            resourceId: mailboxId,
            name: domain,
            snapshot: null,
            bytes: 0,
            added: 0,
            files: 0,
            problem,
          },
        ]
      : [],
  )

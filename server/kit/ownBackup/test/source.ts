import { type SQL, sql } from 'drizzle-orm'
import { isWhole } from '../../../../bin/slice.ts'
import { seed } from '../../../seed/seed.ts'
import { owners, plans } from '../../../tables.ts'
import { fillTables } from '../../../test/rows.ts'
import { secretsUnder } from '../../app/secrets.ts'
import { writeLog } from '../../audit/audit.ts'
import { sealNext } from '../../audit/seal.ts'
import type { Db } from '../../db/db.ts'

/** Enough rows for several batches in the largest tables; a whole run fills most tables. */
export const SITES = isWhole ? 600 : 150
/** Extra rows in every table, including those without seed data. */
export const MORE = 3

export const awkward = [
  `O'Brien "the \\ backslash" \\n \\u0041 $1 %s ; drop table owners; --`,
  '\u2028\u2029\r\n\t\b\u0001\u007f\u0085 line ends of every kind',
  '🦆 e\u0301 \u202eright to left\u202c \ufeff \uffff \u{10ffff}',
  '[1,2]',
  '{"end":"owners","rows":0,"sha256":""}',
  'null',
  'NULL',
  '\\N',
  '',
]
const shiftOn = (
  date: string,
) => sql`insert into shifts (date, shift_type_id, name, code, colour, start_minute, end_minute,
    break_minutes, starts_at, ends_at, time_zone, night_steps, weighted420, status)
  select ${date}, shift_type_id, 'Early', 'E', 'info', 360, 840, 0, now(), now(), 'UTC', 0, 0, 'open' from shift_types limit 1`

/** Fills every table, with awkward texts and a row in each state that a trigger refuses. */
export async function fill(db: Db, key: string): Promise<void> {
  await seed(db, () => {}, undefined, SITES)
  // random rows of these tables would be invalid
  await fillTables(db, MORE, ['action_logs', 'action_log_seals', 'action_log_cuts', 'encryption_keys', 'secrets'])
  await db.insert(owners).values(awkward.map((name) => ({ name, email: name, externalId: name || null })))
  await db.insert(plans).values({
    name: 'Awkward',
    diskMb: 1,
    memoryMb: 1,
    cpuPercent: 1,
    tasks: 1,
    websites: 1,
    databases: 1,
    mailboxes: 1,
    ftpUsers: 1,
    phpVersions: [...awkward, '{a,"b"}'],
  })
  const entry = { staffId: null, staffName: 'x', service: 'a', action: 'b', resource: null, resourceId: null }
  for (const text of awkward)
    await writeLog(db, { ...entry, workflowId: null, ip: null, requestId: text }, 'success', {
      [text]: [text, { deep: [[[text]]] }, 1e300, -0.1, 12345678901234, null, true],
    })
  await db.execute(sql`update action_outputs set text = ${awkward.join('')} where seq = 0`)
  await db.execute(sql`update server_states set load = 0.1 + 0.2, uptime = 1e-7`)
  await db.execute(sql`insert into owners (name, email) values ('gone', 'g'), ('gone', 'g')`)
  await db.execute(sql`delete from owners where name = 'gone'`) // their ids must never be reused
  await db.execute(sql`insert into plans (name, disk_mb, memory_mb, cpu_percent, tasks, websites, databases, mailboxes, ftp_users,
    php_versions) values ('nothing', 0, 0, 0, 0, 0, 0, 0, 0, array[null, 'NULL', '', 'a,b'])`)
  // folders that precede their parent by more than a batch
  await db.execute(sql`insert into folders (folder_id, name, owner_id, parent_id) overriding system value
    select 5000 + n, 'folder ' || n, 1, nullif(6200, 5000 + n) from generate_series(1, 1200) n`)
  for (const date of ['2024-05-05', '2027-05-05']) await db.execute(shiftOn(date))
  await db.execute(
    sql`insert into shift_months (month, closed_by) values ('2024-05-01', 'Ingrid'), ('2026-01-01', 'Ingrid')`,
  )
  await secretsUnder(key).write(db, 'sessions', 'a secret for tests only, long enough for HS256')
  while ((await sealNext(db, Number.MAX_SAFE_INTEGER)) > 0);
  await db.execute(sql`insert into action_log_cuts (action_log_id, record_id, rest)
    select min(action_log_id), max(action_log_id), 'a hash' from action_logs`)
}

/**
 * By trigger: a statement that it refuses because of a row in the backup; null for a trigger that refuses nothing. A new
 * trigger needs a line here, and its state in `fill`.
 */
export const refusals: Record<string, SQL | null> = {
  action_log_cuts_not_emptied: sql`truncate action_log_cuts`,
  action_log_cuts_only_grow: sql`delete from action_log_cuts`,
  action_log_seals_not_emptied: sql`truncate action_log_seals`,
  action_log_seals_only_grow: sql`delete from action_log_seals`,
  action_logs_not_emptied: sql`truncate action_logs cascade`,
  action_logs_only_grow: sql`update action_logs set result = result`,
  end_elevations_of_role: null,
  end_elevations_of_user: null,
  keep_closed_months_changed: sql`update shifts set date = '2024-05-06' where date = '2027-05-05'`,
  keep_closed_months_gone: sql`delete from shifts where date = '2024-05-05'`,
  keep_closed_months_left: sql`update shifts set date = '2027-05-06' where date = '2024-05-05'`,
  keep_closed_months_made: shiftOn('2024-05-07'),
  keep_former_department: null,
  keep_rights_of_role: null,
  keep_rights_of_user: null,
}

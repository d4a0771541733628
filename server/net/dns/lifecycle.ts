import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { cancelStopped } from '../../kit/work/cancel.ts'
import { holdBack } from '../../kit/work/claim.ts'
import { describe, type Outcome, onEnd } from '../../kit/work/workflow.ts'
import { lacksPowerdns, needsPowerdns } from '../../machines/servers/enrolment/provision.ts'
import { openPublication, withdraw } from './publications/publish.ts'
import { noteAnswer } from './publications/reached.ts'
import { forgetKeys } from './signing/keys.ts'
import { zones } from './tables.ts'

const Probed = z.object({ serial: z.int(), change: z.int() })
const Answers = z.object({ servers: z.array(z.object({ id: z.int(), serial: z.int() })) })
const Signed = z.object({ ds: z.array(z.string()) })

/**
 * Withdraws a zone that was deleted or deactivated during its publication. Locks the zone row, so that a concurrent
 * deletion either waits or is already visible here.
 */
async function leaves(tx: Db, workflowId: number, zoneId: number, outcome: Outcome): Promise<boolean> {
  const [zone] = await tx.select().from(zones).where(eq(zones.id, zoneId)).for('update')
  if (!zone || (zone.active && !zone.deletedAt)) return false
  const by = { id: null, name: zone.changedBy ?? 'Innkeeper' }
  if (outcome === 'failed') await cancelStopped(tx, workflowId, by.name)
  if ((await openPublication(tx, zoneId, workflowId)) === undefined) await withdraw(tx, zone, by)
  return true
}

/** Saves the DS records, and the probed serial and change as live; serial and change stay if the probe was skipped. */
async function noteAnswers(tx: Db, workflowId: number, zoneId: number): Promise<void> {
  const found = await rows<{ name: string; input: unknown; output: unknown }>(
    tx,
    sql`select name, input, output from actions where workflow_id = ${workflowId} and status = 'done'
      and name in ('zone.probe', 'dns-zone.ensure')`,
  )
  const of = (name: string) => found.find((action) => action.name === name)
  const signed = Signed.safeParse(of('dns-zone.ensure')?.output)
  if (signed.success) await tx.update(zones).set({ ds: signed.data.ds }).where(eq(zones.id, zoneId))
  const told = Probed.safeParse(of('zone.probe')?.input)
  const answers = Answers.safeParse(of('zone.probe')?.output)
  if (!told.success || !answers.success) return
  const { serial, change } = told.data
  await tx.execute(sql`update zones set live_serial = ${serial}, live_change = ${change}
    where zone_id = ${zoneId} and coalesce(live_change, 0) <= ${change}`)
  for (const server of answers.data.servers) await noteAnswer(tx, zoneId, server.id, server.serial)
}

/** Declares the workflows of this file, for domain.ts. */
export function zoneWorkflows(): void {
  const tooEarly = sql`actions.name in ${needsPowerdns} and ${lacksPowerdns(sql`actions.server_id`)}`
  for (const lane of ['short', 'long'] as const) holdBack(tooEarly, lane)
  describe('zone.publish', { title: 'Publish zone', doing: 'being published' })
  onEnd('zone.publish', async (tx, { id, subjectId }, outcome) => {
    if (outcome !== 'running' && (await leaves(tx, id, subjectId, outcome))) return
    if (outcome === 'done') {
      await noteAnswers(tx, id, subjectId)
      // this publication includes the changes of older, failed ones: cancels those
      const older = await rows<{ id: number }>(
        tx,
        sql`select workflow_id as id from workflows where subject_type = 'zone' and subject_id = ${subjectId}
        and kind = 'zone.publish' and status = 'failed' and workflow_id < ${id} for update`,
      )
      for (const one of older) await cancelStopped(tx, one.id, 'a later publication')
    }
    await changed(tx, 'dns', subjectId)
  })

  describe('zone.withdraw', { title: 'Withdraw zone', doing: 'being withdrawn' })
  onEnd('zone.withdraw', async (tx, { subjectId }, outcome) => {
    if (outcome === 'done') {
      await tx.execute(sql`delete from zone_states where zone_id = ${subjectId}`)
      const [deleted] = await rows(tx, sql`select from zones where zone_id = ${subjectId} and deleted_at is not null`)
      if (deleted) await forgetKeys(tx, subjectId)
    }
    // clears the live change, so that the next publication sends the whole zone
    if (outcome === 'rolled-back')
      await tx.execute(sql`update zones z set live_change = null, live_serial = null, version = version + 1,
        deleted_at = case when exists (select from zones o where o.domain = z.domain and o.zone_id <> z.zone_id
          and o.deleted_at is null) then z.deleted_at end
      where zone_id = ${subjectId}`)
    await changed(tx, 'dns', subjectId)
  })
}

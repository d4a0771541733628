import { sql } from 'drizzle-orm'
import type { Db } from '../server/kit/db/db.ts'
import { rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { checkSome } from '../server/quality/qc/checks/run.ts'
import { FROM_THE_TOP } from '../server/quality/qc/checks/tables.ts'
import { addConversations, rules } from './fill/conversations.ts'
import { ensureDatabase } from './fill/database.ts'
import { median } from './load.ts'
import { atLeast, atMost, type Line, short } from './table.ts'

const CONVERSATIONS = 3000
const TURNS = 3

/**
 * Measures how fast rules judge all conversations again, against the floor of the same reads and writes without any
 * judgement, and how long one million conversations take.
 */
export async function* checks(server: string): AsyncGenerator<Line> {
  const { db, close } = await openDatabase(await ensureDatabase(server, 'bench_checks'))
  try {
    await addConversations(db, CONVERSATIONS)
    const [judged, read, processor] = [[] as number[], [] as number[], [] as number[]]
    for (let n = 0; n < TURNS; n++) {
      const before = process.cpuUsage()
      judged.push(await timed(() => judgeAll(db)))
      const { user, system } = process.cpuUsage(before)
      processor.push((user + system) / 1e6)
      read.push(await timed(() => readAll(db)))
    }
    const [own, floor] = [median(judged), median(read)]
    const minutes = (seconds: number) => (seconds / CONVERSATIONS) * (1_000_000 / 60)
    const rate = `${short(CONVERSATIONS / own)} a second by ${rules.length} rules; the median of ${TURNS}`
    const plain = `only read and written: ${short(CONVERSATIONS / floor)} a second`
    yield atLeast('checks', 'conversations judged, of those that are only read and written', floor / own, 0.05, plain)
    yield atMost('checks', 'one million conversations judged', minutes(own), 60, ' min', rate)
    const busy = 'of the worker alone, which a busy machine does not change'
    yield atMost('checks', 'processor time for one million conversations', minutes(median(processor)), 30, ' min', busy)
  } finally {
    await close()
  }
}

async function judgeAll(db: Db): Promise<void> {
  await db.execute(sql`update qc_check_rules set cursor = ${FROM_THE_TOP}, revision = revision + 1`)
  for (let more = true; more; ) more = await db.transaction(checkSome)
}

/** The floor: reads all messages, and writes a result for each conversation. */
async function readAll(db: Db): Promise<void> {
  for (let from = 0; from < CONVERSATIONS; from += 250)
    await db.transaction(async (tx) => {
      const found = await rows<{ id: number; bodies: string[] }>(
        tx,
        sql`select conversation_id as id, array_agg(body order by at) as bodies from qc_messages
          where conversation_id in (select qc_conversation_id from qc_conversations order by 1 limit 250 offset ${from}) group by 1`,
      )
      const json = JSON.stringify(found.map(({ id, bodies }) => ({ id, failed: [bodies.length] })))
      await tx.execute(sql`update qc_check_results r set failed = f.failed, checked_at = now()
        from jsonb_to_recordset(${json}::jsonb) as f(id int, failed int[]) where r.conversation_id = f.id`)
    })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

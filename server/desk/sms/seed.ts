import { randomUUID } from 'node:crypto'
import { countSegments } from '@innkeeper/contract/desk/sms/segments'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { dice } from '../../seed/dice.ts'
import { smsBatches, smsMessages, smsOptOuts, smsTemplates } from './tables.ts'

const templates = [
  { name: 'on-call', body: 'Hi {{firstName}}, you are on call from {{from}}.', description: 'Reminder for colleagues' },
  { name: 'outage', body: '{{server}} is down since {{time}}. We work on it.', description: 'First news of an outage' },
  { name: 'outage-over', body: '{{server}} answers again. Sorry for the trouble!', description: '' },
  { name: 'shift-open', body: 'A shift on {{day}} is open: {{hours}}. Answer if you want it.', description: '' },
]
const MESSAGES = 240
const HOUR = 3_600_000

/** Templates and a month of messages. Nothing is sent: every message has ended. */
export async function seedSms(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const d = dice(4454)
  await db.transaction(async (tx) => {
    await tx.insert(smsTemplates).values(
      templates.map((one) => ({
        ...one,
        placeholders: [...one.body.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, name]) =>
          name && name !== 'firstName' ? [name] : [],
        ),
      })),
    )
    const people = await rows<{ id: number; name: string }>(
      tx,
      sql`select user_id as id, first_name as name from users where deleted_at is null order by user_id limit 20`,
    )
    for (let n = 0; n < MESSAGES; n++) {
      const person = d.pick(people)
      const at = new Date(now - (MESSAGES - n) * 3 * HOUR + d.below(HOUR)).toISOString()
      const body = d.chance(0.2)
        ? `Przypomnienie: ${person.name}, zmiana jutro o 7:00. Żółta kartka leży w biurze.`
        : `Hi ${person.name}, you are on call from ${7 + d.below(12)}:00.`
      const failed = d.chance(0.06)
      const [batch] = await tx
        .insert(smsBatches)
        .values({
          ...{ kind: 'message', body, values: {}, expandedAt: at, createdAt: at, createdBy: d.pick(people).id },
          targets: { numbers: [], users: [person.id], departments: [], shifts: [] },
        })
        .returning()
      const { encoding, segments } = countSegments(body)
      await tx.insert(smsMessages).values({
        ...{ batchId: batch!.id, kind: 'message', userId: person.id, body, encoding, segments, key: randomUUID() },
        ...{
          number: `+4740${String(100_000 + person.id * 7919).slice(-6)}`,
          status: failed ? 'undelivered' : 'delivered',
        },
        ...{
          reason: failed ? 'The phone was off or out of reach until the message expired (code 003)' : null,
          attempts: 1,
        },
        ...{
          sentAt: at,
          endedAt: at,
          createdAt: at,
          createdBy: batch!.createdBy,
          cost: segments * 40_000,
          notBefore: at,
        },
      })
    }
    await tx.insert(smsOptOuts).values({ number: '+4740999001', source: 'answer' })
  })
  say(`${MESSAGES} text messages`)
}

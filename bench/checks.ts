import { sql } from 'drizzle-orm'
import type { Db } from '../server/kit/db/db.ts'
import { rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { checkSome } from '../server/quality/qc/checks/run.ts'
import { FROM_THE_TOP } from '../server/quality/qc/checks/tables.ts'
import { ensureDatabase } from './fill/database.ts'
import { median } from './load.ts'
import { atLeast, atMost, type Line, short } from './table.ts'

const CONVERSATIONS = 3000
const MESSAGES = 8
const TURNS = 3

/** A rule of each kind that reads words, and of most kinds that read times. */
const rules = [
  { check: 'firstAnswer', minutes: 15 },
  { check: 'silence', minutes: 240 },
  { check: 'unanswered', minutes: 60 },
  { check: 'greeting', words: ['hello', 'hi', 'good morning', 'dear'] },
  {
    check: 'closing',
    words: ['anything else', 'kind regards'],
    patterns: ['have a (nice|good|great) (day|evening|week)'],
  },
  {
    check: 'forbidden',
    words: ['obviously', 'as i said', 'calm down'],
    patterns: ['not (my|our) (job|problem|fault)'],
  },
  { check: 'wanted', patterns: ['(thank you|thanks) for (contacting|writing|waiting)'] },
  { check: 'links', hosts: ['example.com'], who: 'agent' },
  { check: 'secrets', who: 'everybody' },
  { check: 'language', who: 'agent' },
  { check: 'sentiment', who: 'customer' },
]

const asked = [
  'Hello, our website has been unreachable since about nine this morning and visitors see a page that says error 502.',
  'I changed the nameservers of the domain two days ago, but mail still arrives at the old provider. What did I miss?',
  'Can you restore the database from Tuesday night? Somebody on our side deleted the table with all orders by accident.',
  'Thanks, that helped, but now the checkout shows a warning about a certificate that expired, and customers are worried.',
  'I am disappointed, this is the third time this month that the backups fail and nobody tells us before we notice.',
  'Unsere Webseite ist seit heute Morgen sehr langsam, und die Verwaltung zeigt keine Fehler an. Was sollen wir tun?',
]
const answers = [
  'Hello and thank you for contacting us. I am looking into the configuration of the web server right now, one moment please.',
  'The zone still has the former MX record with a lifetime of 24 hours. I have corrected the record, please see https://docs.example.com/mx for details.',
  'I have restored the table of orders from the backup of Tuesday 23:00 into a new database, so that you can compare both first.',
  'The certificate was renewed a minute ago, and the checkout answers without a warning again. Could you try from your side?',
  'I understand that this is annoying. I have opened a task for our engineers and will write to you again before five o’clock today.',
  'Is there anything else that I can do for you? Have a nice day and kind regards from the support team.',
]

/**
 * Measures how fast rules judge all conversations again, against the floor of the same reads and writes without any
 * judgement, and how long one million conversations take.
 */
export async function* checks(server: string): AsyncGenerator<Line> {
  const { db, close } = await openDatabase(await ensureDatabase(server, 'bench_checks'))
  try {
    await addConversations(db)
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

/** Adds conversations and rules once; a kept database has them already. */
async function addConversations(db: Db): Promise<void> {
  if ((await rows(db, sql`select from qc_conversations limit 1`)).length) return
  await db.execute(sql`insert into qc_sources (name) values ('Bench')`)
  await db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email,
      agent_ids, started_at, last_at, messages, status)
    select 'chat', (select min(qc_source_id) from qc_sources), 'b' || n, '', 'Chat ' || n, '', '', '{}', now() - make_interval(hours => n),
      now() - make_interval(hours => n - 1), ${MESSAGES}, 'imported' from generate_series(1, ${CONVERSATIONS}::int) as n`)
  const text = (all: readonly string[]) =>
    sql`(${sql.param([...all])}::text[])[1 + (c.qc_conversation_id * 7 + n * 3) % ${all.length}]`
  await db.execute(sql`insert into qc_messages (conversation_id, external_id, at, kind, role, author, body)
    select c.qc_conversation_id, n::text, c.started_at + make_interval(mins => n * 5), 'message',
      case when n % 2 = 1 then 'customer' else 'agent' end, 'Somebody',
      (case when n % 2 = 1 then ${text(asked)} else ${text(answers)} end) || ' (' || c.qc_conversation_id || ')'
    from qc_conversations c cross join generate_series(1, ${MESSAGES}::int) as n`)
  for (const [n, { check, ...rule }] of rules.entries())
    await db.execute(sql`insert into qc_check_rules (name, "check", who, words, patterns, minutes, hosts)
      values (${`Rule ${n}`}, ${check}, ${'who' in rule ? rule.who : 'agent'}, ${sql.param('words' in rule ? rule.words : [])}::text[],
        ${sql.param('patterns' in rule ? rule.patterns : [])}::text[], ${'minutes' in rule ? rule.minutes : 60}, ${sql.param('hosts' in rule ? rule.hosts : [])}::text[])`)
  await db.execute(sql`analyze`)
}

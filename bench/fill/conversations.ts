import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../server/kit/db/db.ts'

const MESSAGES = 8

/** A rule of each kind that reads words, and of most kinds that read times. */
export const rules = [
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

/** Adds conversations and rules once; a kept database has them already. */
export async function addConversations(db: Db, count: number): Promise<void> {
  if ((await rows(db, sql`select from qc_conversations limit 1`)).length) return
  await db.execute(sql`insert into qc_sources (name) values ('Bench')`)
  await db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email,
      agent_ids, started_at, last_at, messages, status)
    select 'chat', (select min(qc_source_id) from qc_sources), 'b' || n, '', 'Chat ' || n, '', '', '{}', now() - make_interval(hours => n),
      now() - make_interval(hours => n - 1), ${MESSAGES}, 'imported' from generate_series(1, ${count}::int) as n`)
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

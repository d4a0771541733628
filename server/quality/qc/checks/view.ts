import type { CheckRule, ConversationChecks } from '@innkeeper/contract/quality/qc/checks'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { isoOf, withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import type { Finding } from './tables.ts'

/** Maximum number of human scores that a rule is compared with. */
const COMPARED = 2000

const select = rowsByIds<CheckRule>(
  (
    isWanted,
  ) => sql`select r.qc_check_rule_id as id, r.version, r.created_at as "createdAt", r.updated_at as "updatedAt", r.name, r.description,
    r.check, r.who, r.words, r.patterns, r.minutes, r.hours, r.hosts, r.languages, r.closers, r.below, r.used_for as "usedFor",
    r.source_ids as "sourceIds", r.department_ids as "departmentIds", r.score_type_id as "scoreTypeId", t.name as "scoreTypeName",
    r.low_below as "lowBelow", r.is_active as "isActive", r.passed, r.failed,
    case when r.cursor is null then 100 else (select coalesce(floor(99.0 * greatest(0, max(c.qc_conversation_id) - r.cursor)
      / nullif(max(c.qc_conversation_id), 0)), 0)::int from qc_conversations c) end as progress,
    case when r.score_type_id is not null then (select json_build_object('compared', count(*)::int,
        'failed', count(*) filter (where failed)::int, 'failedAndLow', count(*) filter (where failed and low)::int,
        'low', count(*) filter (where low)::int)
      from (select r.qc_check_rule_id = any(x.failed) as failed, s.value < r.low_below as low
        from (select review_id, value from qc_scores where type_id = r.score_type_id and value is not null order by review_id desc limit ${sql.raw(String(COMPARED))}) s
          join qc_reviews v on v.qc_review_id = s.review_id and v.deleted_at is null
          join qc_check_results x on x.conversation_id = v.conversation_id
        where r.qc_check_rule_id = any(x.failed || x.passed)) as compared) end as agreement
  from qc_check_rules r left join qc_score_types t on t.qc_score_type_id = r.score_type_id
  where ${isWanted(sql`r.qc_check_rule_id`)} and r.deleted_at is null`,
)

export const readRules = async (db: Db, ids: number[]): Promise<CheckRule[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt']))

export async function readRule(db: Db, id: number): Promise<CheckRule> {
  const [rule] = await readRules(db, [id])
  if (!rule) throw notFound('rule', id)
  return rule
}

interface Row {
  checkedAt: string | null
  isDue: boolean
  passed: number[]
  failed: number[]
  findings: Finding[]
}

/** The results of a conversation by rules that are in use; null before the first check. */
export async function checksOf(db: Db, conversationId: number): Promise<ConversationChecks | null> {
  const [row] = await rows<Row>(
    db,
    sql`select checked_at as "checkedAt", passed, failed, findings, coalesce(due_at <= now(), false)
        or exists (select from qc_check_rules where cursor > ${conversationId} and deleted_at is null) as "isDue"
      from qc_check_results where conversation_id = ${conversationId}`,
  )
  if (!row?.checkedAt) return null
  const rules = await rows<{ id: number; name: string; check: CheckRule['check'] }>(
    db,
    sql`select qc_check_rule_id as id, name, "check" from qc_check_rules
      where qc_check_rule_id = any(${sql.param([...row.failed, ...row.passed])}::int[]) and is_active and deleted_at is null order by lower(name)`,
  )
  const failed = new Set(row.failed)
  const items = rules.map(({ id, ...rule }) => {
    const { value = null, note = null, places = [] } = row.findings.find((one) => one.rule === id) ?? {}
    return {
      ...{ ruleId: id, ...rule, value, note },
      result: failed.has(id) ? ('failed' as const) : ('passed' as const),
      places: places.map(([messageId, from, to]) => ({ messageId, from, to })),
    }
  })
  const ordered = [
    ...items.filter(({ result }) => result === 'failed'),
    ...items.filter(({ result }) => result === 'passed'),
  ]
  return { checkedAt: isoOf(row.checkedAt), isDue: row.isDue, items: ordered }
}

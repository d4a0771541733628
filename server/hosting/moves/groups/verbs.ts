import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { retire } from '../soak.ts'
import { type Move, renewKey, touch } from '../startMove.ts'
import { migrations } from '../tables.ts'
import { cancel, hold, retryStopped, returnOf, rollBackWorkflow, set, type Task, type Verbs } from '../verbs.ts'
import { afterMember, beginGroup, isStopped, membersOf, noteMembers } from './group.ts'

/** Verbs of a group's move. Each member is a move with verbs of its own. */
export const groupVerbs: Verbs = {
  async pause({ db, move }) {
    if (move.status !== 'running') throw conflict(`The move is ${move.status}`)
    return set(db, move, { status: 'paused' }) // no further member starts
  },

  /** Members that have not moved are tried again; a member whose workflow stopped continues at that point. */
  async resume(task) {
    const { db, app, move } = task
    if (move.status !== 'paused' && move.status !== 'failed')
      throw conflict(`The move is ${move.status}: nothing to resume`)
    const members = await membersOf(db, move.id)
    if (!members.length) return beginGroup(db, app.secrets, move).then(() => hold(db, move.id))
    await touch(db, move.id, { status: 'running' })
    // a member that waits for a lock gets its whole hour again
    for (const { id } of members.filter(({ status, beginsAt }) => status === 'waiting' && beginsAt !== null))
      await touch(db, id, { beginsAt: null, reason: null })
    for (const member of members.filter(isStopped))
      if (isUnderWay(member)) await retryStopped({ ...task, move: await hold(db, member.id) })
      else {
        await renewKey(db, app.secrets, member.id)
        await touch(db, member.id, {
          ...{
            status: 'waiting',
            reason: null,
            workflowId: null,
            beginsAt: null,
            endedAt: null,
            findings: [],
            report: [],
          },
          // a move back keeps its websites and accounts; other moves choose the account again
          ...(member.reverseOf === null && { sites: [], targetUserId: null }),
        })
      }
    await afterMember(db, move.id)
    return hold(db, move.id)
  },

  /** Members that have moved go back in a new move. The others stay on the source server. */
  async rollback(task) {
    const { db, app, staff, move } = task
    const members = await membersOf(db, move.id)
    if (!members.length) return cancel(db, move, `given up by ${staff.name}`)
    const goingBack = members.filter(({ status }) => status === 'soaking').toReversed()
    const open = members.filter(isUnderWay)
    const waiting = members.filter((one) => one.workflowId === null && ['waiting', 'failed'].includes(one.status))
    if (!goingBack.length && !open.length && !waiting.length) throw conflict(`The move is ${move.status}`)
    const running = members.find(({ status }) => status === 'running')
    if (running) throw conflict(`${running.domain} is moving: pause it, or wait until it has moved`)
    await refuseRetiring(db, open)
    for (const member of waiting) await cancel(db, member, `the group was rolled back by ${staff.name}`)
    for (const member of open) await rollBackWorkflow({ ...task, move: await hold(db, member.id) })
    if (!goingBack.length) return hold(db, move.id)
    const returns = []
    for (const member of goingBack) returns.push(await returnOf(db, member))
    const { sites: _, ...common } = await returnOf(db, { ...move, sites: [] })
    return noteMembers(db, app.secrets, staff, { ...common, targetUserId: null }, returns)
  },

  async retire({ db, app, staff, move }: Task) {
    const soaking = await db
      .select()
      .from(migrations)
      .where(and(eq(migrations.parentId, move.id), eq(migrations.status, 'soaking')))
    if (!soaking.length) throw conflict('None of its members is under observation')
    for (const member of soaking) await retire(db, member, staff, app.settings.trashDays)
    return hold(db, move.id)
  },
}

/** True if the workflow of a member has started and not ended. */
const isUnderWay = ({ status, workflowId }: Move) => workflowId !== null && (status === 'failed' || status === 'paused')

async function refuseRetiring(db: Db, open: readonly Move[]): Promise<void> {
  const ids = open.flatMap(({ workflowId }) => workflowId ?? [])
  if (!ids.length) return
  const [retiring] = await db
    .select({ name: workflows.subjectName })
    .from(workflows)
    .where(and(inArray(workflows.id, ids), eq(workflows.kind, 'website.retire')))
  if (retiring)
    throw conflict(`The old server of ${retiring.name} is being retired: continue or roll back the retirement first`)
}

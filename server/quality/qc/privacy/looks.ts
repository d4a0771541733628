import type { Conversation } from '@innkeeper/contract/quality/qc/shapes'
import { writeLog } from '../../../kit/audit/audit.ts'
import type { Context } from '../../../kit/http/api.ts'

/** One log row for each person, conversation and hour is enough: an open screen loads again after every change. */
const HOUR = 3_600_000
const MOST = 20_000
const looks = new Map<string, number>()

/** Records in the action log that somebody read a conversation, which contains customer data. */
export async function noteLook({ db, staff, now, request }: Context, { id, kind, externalId }: Conversation) {
  const key = `${staff.id} ${id}`
  if ((looks.get(key) ?? 0) > now.getTime() - HOUR) return
  if (looks.size >= MOST) looks.clear()
  looks.set(key, now.getTime())
  const who = { staffId: staff.id, staffName: staff.name, ip: request.ip, requestId: request.id, workflowId: null }
  const what = { service: 'qa', resource: kind, action: 'look', resourceId: String(id), subject: externalId }
  await writeLog(db, { ...who, ...what }, 'success', null)
}

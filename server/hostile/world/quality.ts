import type { TestApp } from '../../testing/testApp.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** Support quality: settings, and conversations in every state. */
export async function makeQuality(_t: TestApp, call: Call): Promise<void> {
  const v2 = '/qa-controller-v2'
  await call('POST', `${v2}/tags`, { name: 'Refund' })
  await call('POST', `${v2}/tags`, { name: 'Praise', colour: 'success', usedFor: 'chat' })
  const poor = await call('POST', `${v2}/score/grades`, { name: 'Poor', value: 0, needsComment: true })
  const good = await call('POST', `${v2}/score/grades`, { name: 'Good', value: 80, position: 1 })
  const gradeIds = [poor.id, good.id]
  await call('POST', `${v2}/score/types`, { name: 'Solution', weight: 40, gradeIds })
  await call('POST', `${v2}/score/types`, { name: 'Security', weight: 10, isCritical: true, gradeIds, position: 1 })
  await call('POST', '/ticket-controller/cron', { name: 'Unhappy', value: 'csat<=2 messages>=2' })
}

import type { TestApp } from '../../app.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** A conversation in the import format: the agent Mari and a customer. */
export const imported = (kind: 'chat' | 'ticket', id: string, agent = 'mari') => ({
  ...{ kind, id, subject: `About ${id}`, customer: { name: 'Ola', email: 'ola@customer.example' }, csat: 2 },
  messages: [
    {
      id: `${id}-1`,
      at: '2026-11-20T10:00:00Z',
      author: { name: 'Ola', role: 'customer' },
      text: 'My website is down',
    },
    {
      id: `${id}-2`,
      at: '2026-11-20T10:02:00Z',
      author: { id: agent, name: 'Mari', role: 'agent' },
      text: 'I look into it',
    },
  ],
})

/** Support quality: settings, and conversations in every state. */
export async function makeQuality(t: TestApp, token: string, call: Call): Promise<void> {
  const v2 = '/qa-controller-v2'
  await call('POST', `${v2}/tags`, { name: 'Refund' })
  await call('POST', `${v2}/tags`, { name: 'Praise', colour: 'success', usedFor: 'chat' })
  const poor = await call('POST', `${v2}/score/grades`, { name: 'Poor', value: 0, needsComment: true })
  const good = await call('POST', `${v2}/score/grades`, { name: 'Good', value: 80, position: 1 })
  const gradeIds = [poor.id, good.id]
  const types = [
    await call('POST', `${v2}/score/types`, { name: 'Solution', weight: 40, gradeIds }),
    await call('POST', `${v2}/score/types`, { name: 'Security', weight: 10, isCritical: true, gradeIds, position: 1 }),
  ]
  await call('POST', '/ticket-controller/cron', { name: 'Unhappy', value: 'csat<=2 messages>=2' })
  await call('POST', `${v2}/sources`, {
    ...{ name: 'Ticket desk', type: 'rt', config: { url: 'http://127.0.0.1:9/rt' }, secret: 'help-desk-secret' },
  })
  await call('POST', `${v2}/checks`, { name: 'Greets', check: 'greeting', words: ['hello'], scoreTypeId: types[0]!.id })
  const source = await call('POST', `${v2}/sources`, { name: 'Help desk' })
  const items = (['chat', 'ticket'] as const).flatMap((kind) =>
    ['queued', 'reviewed', 'new', 'open', 'own', 'removed'].map((state) => imported(kind, `${kind}-${state}`)),
  )
  const raw = Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'))
  const type = 'application/octet-stream'
  const run = await t.call('POST', `/api${v2}/sources/${source.id}/file`, { token, raw, type })
  if (run.body.added !== items.length) throw new Error(`The import says ${JSON.stringify(run.body)}`)
  const { id: agent } = await t.somebody([], 'mari')
  await call('PATCH', `${v2}/identities/1`, { userId: agent })
  const reviewer = await t.somebody(['qa:chat:review', 'qa:ticket:review', 'qa:chat:read', 'qa:ticket:read'], 'rita')
  const scores = types.map(({ id }) => ({ scoreTypeId: id, gradeId: good.id }))
  for (const [kind, base] of [
    ['chat', '/chat-controller-v2'],
    ['ticket', '/ticket-controller-v2'],
  ] as const) {
    const { body } = await t.call('GET', `/api${base}/${kind}s/archive`, { token })
    const idOf = (state: string): number =>
      body.items.find(({ externalId }: { externalId: string }) => externalId === `${kind}-${state}`).id
    for (const state of ['queued', 'reviewed', 'open']) await call('POST', `${base}/${kind}s/${idOf(state)}/queue`, {})
    const target = { [`${kind}Id`]: idOf('reviewed') }
    await call('POST', `${base}/reviews`, { ...target, data: { scores } })
    await call('POST', `${base}/${kind}s/${idOf('reviewed')}/comments`, { commentData: `Comment on a ${kind}` })
    await call('POST', `${base}/${kind}s/${idOf('reviewed')}/notes`, { noteData: `Note on a ${kind}` })
    await call('POST', `${base}/escalations`, {
      [`${kind}Id`]: idOf('open'),
      escalationDTO: { reason: `Lost ${kind}` },
    })
    await call('POST', `${base}/feedbacks`, { ...target, feedback: `Feedback on a ${kind}` })
    // the administrator of the world is an agent too: user 1
    const own = { [`${kind}Id`]: idOf('own'), agents: [1], data: { scores, agentReason: 'Led the shift' } }
    const reviewed = await t.call('POST', `/api${base}/reviews`, { token: reviewer.token, body: own })
    if (reviewed.status >= 400) throw new Error(`A review of user 1: ${JSON.stringify(reviewed.body)}`)
    const dispute = { feedback: `Dispute on a ${kind}`, type: 'dispute' }
    if (kind === 'chat') await call('POST', `${v2}/mine/reviews/${reviewed.body.reviews[0].id}/feedbacks`, dispute)
    const removed = { [`${kind}Id`]: idOf('removed'), data: { scores, comment: `Removed review of a ${kind}` } }
    const made = await t.call('POST', `/api${base}/reviews`, { token, body: removed })
    await call('DELETE', `${base}/reviews/${made.body.reviews[0].id}`, {})
    if (kind === 'chat')
      await call('POST', `${v2}/calibrations`, {
        ...{ conversationId: idOf('open'), title: 'Tone of chats', participants: [1, reviewer.id] },
      })
  }
}

import type { TestApp } from '../../app.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** Three dossiers, one of the administrator and one closed; entries of every visibility, and a talk in every state. */
export async function makeDossiers(t: TestApp, call: Call): Promise<void> {
  const base = '/dossier-controller'
  const torill = await t.somebody('admin', 'torill')
  const petter = await t.somebody([], 'petter')
  const petra = await t.somebody([], 'petra')
  const lead = await call('POST', `${base}/positions`, { name: 'Lead', level: 1 })
  await call('POST', `${base}/positions`, { name: 'Agent', level: 2, positionId: lead.id })
  const support = await call('POST', `${base}/teams`, { name: 'Support', managerId: 1 })
  await call('POST', `${base}/teams`, { name: 'Nights', managerId: torill.id, parentId: support.id })
  await call('POST', `${base}/users`, { userId: 1 })
  await call('POST', `${base}/users`, { userId: torill.id })
  await call('POST', `${base}/users`, { userId: petra.id })
  await call('DELETE', `${base}/users/${petra.id}`, {})
  await call('POST', `${base}/users`, {
    userId: petter.id,
    teamId: support.id,
    positionId: lead.id,
    from: '2026-01-01',
  })
  const type = await call('POST', `${base}/types`, { name: 'Praise' })
  const category = await call('POST', `${base}/categories`, { name: 'Teamwork' })
  await call('POST', `${base}/types`, { name: 'Spare type' })
  await call('POST', `${base}/categories`, { name: 'Spare category' })
  await call('POST', `${base}/review-categories`, { name: 'Tone' })
  const about = { userId: petter.id, typeId: type.id, categoryId: category.id }
  for (const visibility of ['private', 'manager', 'subject-and-manager', 'team'])
    await call('POST', `${base}/feedbacks`, { ...about, visibility, content: `Entry for ${visibility}` })
  await call('POST', `${base}/feedbacks`, { ...about, visibility: 'team', content: 'Draft', isDraft: true })
  const said = { userId: 1, visibility: 'subject-and-manager', content: 'Entry about the keeper' }
  await t.call('POST', `/api${base}/feedbacks`, { token: torill.token, body: said })
  await call('POST', `/qa-controller/dossier/${petter.id}/comments`, { commentData: 'Comment on a dossier' })
  for (const title of ['Prepared', 'Released']) {
    const wish = { userId: petter.id, kind: 'one-to-one', title, heldOn: '2026-12-01', questions: ['How are you?'] }
    const talk = await call('POST', `${base}/talks`, wish)
    await call('PATCH', `${base}/talks/${talk.id}/answers`, { answers: ['Well'], isReady: title === 'Released' })
    const answers = { token: petter.token, body: { answers: ['Well'], isReady: true } }
    if (title === 'Released') await t.call('PATCH', `/api${base}/talks/${talk.id}/answers`, answers)
  }
}

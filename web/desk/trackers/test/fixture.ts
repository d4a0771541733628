import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, firstOf, website }) => {
  const component = await post('/bug-report/components', { name: 'Shown' })
  const bug = await post('/bug-report/bugs', {
    title: 'The list forgets its order',
    description: 'After a **reload** the list is unsorted:\n\n- Firefox\n- Chromium',
    steps: '1. Sort\n2. Reload',
    expected: 'The order stays.',
    componentId: component.id,
  })
  const other = await post('/bug-report/bugs', { title: 'Sorting is slow' })
  await post(`/bug-report/bugs/${bug.id}/comment`, { body: 'Seen on `web-2` as well.' })
  await post(`/bug-report/bugs/${bug.id}/note`, { body: 'The customer calls every day.' })
  await post(`/bug-report/bugs/${bug.id}/links`, { kind: 'blocks', targetId: other.id })
  await post(`/bug-report/bugs/${bug.id}/links`, { kind: 'website', targetId: website })
  const feature = await post('/bug-report/features', { title: 'Dark colours for the planner' })
  await post(`/bug-report/features/${feature.id}/vote`)
  const ticket = await post('/internal-tickets/tickets', { title: 'Replace the disk in rack 4' })
  const imported = async (base: string) => {
    await post(`${base}/import`, { text: 'Key,Title\nOLD-7,From the old tracker', name: 'old.csv' })
    return { importId: await firstOf(`${base}/imports`) }
  }
  return {
    '/internal-tickets/bugs/imports/$importId': await imported('/bug-report/bugs'),
    '/internal-tickets/features/imports/$importId': await imported('/bug-report/features'),
    '/internal-tickets/tickets/imports/$importId': await imported('/internal-tickets/tickets'),
    '/internal-tickets/bugs/$id': { id: bug.id },
    '/internal-tickets/features/$id': { id: feature.id },
    '/internal-tickets/tickets/$id': { id: ticket.id },
  }
}

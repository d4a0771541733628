import { bugs } from '@innkeeper/contract/desk/trackers/bugs'
import { sql } from 'drizzle-orm'
import type { TestApp } from '../../app.ts'
import { bodyWith } from '../forms.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

const trackers = {
  bug: { base: '/bug-report/bugs', talk: 'comment' },
  feature: { base: '/bug-report/features', talk: 'comment' },
  ticket: { base: '/internal-tickets/tickets', talk: 'comments' },
} as const
const spare = {
  bug: {
    status: '/bug-report/bugs/status',
    priority: '/bug-report/bugs/priority',
    component: '/bug-report/components',
    folder: '/bug-report/folders',
    department: '/bug-report/departments',
  },
  feature: { status: '/bug-report/features/status', priority: '/bug-report/features/priority' },
  ticket: {
    status: '/internal-tickets/settings/statuses',
    priority: '/internal-tickets/settings/priorities',
    component: '/internal-tickets/settings/components',
  },
}

/** Bugs, feature requests and tickets in every state, and a setting of each kind that nothing uses. */
export async function makeTrackers(t: TestApp, token: string, call: Call): Promise<void> {
  const { db } = t.app
  for (const [tracker, { base, talk }] of Object.entries(trackers)) {
    for (const [kind, path] of Object.entries(spare[tracker as keyof typeof spare])) // keys of our own constant
      await call('POST', path, { name: `Spare ${kind}`, position: 90 })
    const made = async (state: string) => (await call('POST', base, { title: `A ${state} ${tracker}` })).id
    const plain = await made('plain')
    await call('POST', `${base}/${plain}/${talk}`, { body: `A comment on a ${tracker}` })
    const linked = await made('linked')
    await call('POST', `${base}/${linked}/links`, { kind: 'blocks', targetId: plain })
    const { payload: raw, type } = bodyWith(bugs.attach, {})
    const attached = await t.call('POST', `/api${base}/${linked}/files`, { token, raw, type })
    if (attached.status >= 400) throw new Error(`${base}: ${JSON.stringify(attached.body)}`)
    await call('DELETE', `${base}/${await made('deleted')}`, {})
    const [closed, archived] = [await made('closed'), await made('archived')]
    await db.execute(sql`update tracker_items i set status_id = s.tracker_setting_id, status_group = 'completed', completed_at = now()
      from tracker_settings s where s.face = i.face and s.kind = 'status' and s."group" = 'completed'
        and i.tracker_item_id = any(${sql.param([closed, archived])}::int[])`)
    await call('POST', `${base}/${archived}/archive`, {})
  }
  // last, so that the ids of the others stay among the few that tests try
  for (const [tracker, { base }] of Object.entries(trackers))
    await call('POST', `${base}/import`, { text: `Key,Title\nOLD-1,An imported ${tracker}`, name: 'old.csv' })
}

import type { Webhook } from '@innkeeper/contract/access/webhooks'
import type { Context } from '../../kit/http/api.ts'
import { invalid, refused } from '../../kit/http/errors.ts'
import { mayRead, mayReadRow } from '../../kit/live/live.ts'
import { reachOf } from '../../kit/outgoing/reach.ts'
import { checkDepartments } from '../departments/exists.ts'
import { callOf } from './payload.ts'

type Choice = Pick<Webhook, 'domains' | 'objects' | 'departments'>
type Wishes = { [K in keyof Choice | 'url']?: Webhook[K] | undefined }

export const kindsOf = (readScopes: Context['app']['readScopes']) =>
  [...readScopes.keys()].filter((name) => name !== 'webhooks').toSorted()

/** Refuses an address that Innkeeper may not reach, and a choice of changes that can never come. */
export async function checkWishes(context: Context, { url, ...wished }: Wishes, before?: Choice): Promise<void> {
  if (url !== undefined) checkUrl(context, url)
  const {
    domains = before?.domains ?? [],
    objects = before?.objects ?? [],
    departments = before?.departments ?? [],
  } = wished
  const known = kindsOf(context.app.readScopes)
  const unknown = domains.find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid({ domains: `There is no kind of object ${unknown}` })
  if (objects.length) await checkObjects(context, domains, wished.objects ?? [])
  if (!departments.length) return
  const without = domains.find((name) => !(name in context.app.departmentsOf))
  const text = without
    ? `Objects of the kind ${without} belong to no department`
    : 'Choose kinds that belong to departments'
  if (without || !domains.length) throw refused(text, { departments: text })
  await checkDepartments(context.db, wished.departments ?? [], 'departments')
}

function checkUrl({ app }: Context, url: string): void {
  try {
    const { hostname, port, protocol } = new URL(url)
    reachOf(app).check(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))
  } catch {
    throw refused('Innkeeper may not connect to that address', { url: 'Is not a public address' })
  }
}

async function checkObjects(
  { app, db, staff }: Context,
  domains: readonly string[],
  ids: readonly number[],
): Promise<void> {
  const [domain, ...others] = domains
  const call = domain && !others.length ? callOf(domain) : undefined
  if (!domain || !call) {
    const text = 'Choose exactly one kind whose objects have a page of their own'
    throw refused(text, { objects: text })
  }
  const seen = { domain }
  if (!mayRead(staff, app.readScopes, seen) || !mayReadRow(staff, app.rowScopes, seen)) {
    const text = `You may not see every object of the kind ${domain}`
    throw refused(text, { objects: text })
  }
  const [, resource = null] = [call.access].flat()[0]?.split(':') ?? []
  for (const id of ids) {
    const row = await app.storedRow(db, { resource, resourceId: String(id) })
    if (row && !row.deletedAt) continue
    const text = `There is no ${id} among ${domain}`
    throw refused(text, { objects: text })
  }
}

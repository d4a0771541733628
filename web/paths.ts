/** Where the screen of a thing is, by the word that workflows and log rows use for it. */
const subjects: Record<string, (id: number, name: string) => string> = {
  website: (id) => `/websites/${id}`,
  server: (id) => `/server/${id}`,
  'system-user': (id) => `/system-users/edit/${id}`,
  group: (id) => `/websites/groups/${id}`,
  migration: (id) => `/website-migrations/${id}`,
  vhost: () => '/vhost/cdn',
  zone: (id) => `/dns/zone/${id}`,
  dns: () => '/dns',
  certificate: (id) => `/ssl/${id}`,
  'ip-set': (_, name) => `/ipset/sets/${encodeURIComponent(name)}`,
  plan: () => '/plans',
  profile: (id) => `/profile/${id}`,
  shift: () => '/calendar/shifts',
  'shift-type': (id) => `/calendar/shifts/type/${id}`,
  'shift-automation': (id) => `/calendar/shifts/automation/${id}`,
}
export const pathOf = (subjectType: string, id: number, name = ''): string | undefined =>
  subjects[subjectType]?.(id, name)

/** A path of this app only: what stands in `?to=` must not lead anywhere else. */
export function ownPath(to: unknown): string | undefined {
  if (typeof to !== 'string' || !to.startsWith('/') || to.startsWith('//') || /[\\\p{Cc}]/u.test(to)) return undefined
  return to.startsWith('/login') ? undefined : to
}

/** The sign-in page that leads back to where somebody was going. */
export const loginAddress = (from: string): string =>
  from === '/' || !ownPath(from) ? '/login' : `/login?${new URLSearchParams({ to: from })}`

/** Screens without a guard: a visitor who is not signed in sees what is public there. */
export const isOpen = (pathname: string): boolean => /^\/files-manager(\/|$)/.test(pathname)

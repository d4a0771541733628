/** Accepts only paths of this app, so that `?to=` cannot redirect to another site. */
export function ownPath(to: unknown): string | undefined {
  if (typeof to !== 'string' || !to.startsWith('/') || to.startsWith('//') || /[\\\p{Cc}]/u.test(to)) return undefined
  return to.startsWith('/login') ? undefined : to
}

/** Address of the sign-in page that returns to `from` afterwards. */
export const loginAddress = (from: string): string =>
  from === '/' || !ownPath(from) ? '/login' : `/login?${new URLSearchParams({ to: from })}`

/** A path of this app only: what stands in `?to=` must not lead anywhere else. */
export function ownPath(to: unknown): string | undefined {
  if (typeof to !== 'string' || !to.startsWith('/') || to.startsWith('//') || /[\\\p{Cc}]/u.test(to)) return undefined
  return to.startsWith('/login') ? undefined : to
}

/** The sign-in page that leads back to where somebody was going. */
export const loginAddress = (from: string): string =>
  from === '/' || !ownPath(from) ? '/login' : `/login?${new URLSearchParams({ to: from })}`

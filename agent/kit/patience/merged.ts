const running = new Map<string, Promise<void>>()
const following = new Map<string, Promise<void>>()

/**
 * Runs work whose one run serves all who asked before it began, such as a reload: whoever asks while it runs shares the
 * next run.
 */
export function merged(key: string, work: () => Promise<unknown>): Promise<void> {
  const now = running.get(key)
  if (!now) return following.get(key) ?? begin(key, work)
  const next =
    following.get(key) ??
    now.then(
      () => begin(key, work),
      () => begin(key, work),
    )
  following.set(key, next)
  return next
}

function begin(key: string, work: () => Promise<unknown>): Promise<void> {
  following.delete(key)
  const mine = work().then(
    () => void running.delete(key),
    (error: unknown) => {
      running.delete(key)
      throw error
    },
  )
  running.set(key, mine)
  return mine
}

import { useState } from 'react'

/** Resets a form after each save, by `key={saved}`, while the page stays open. */
export function useSaved(): { saved: number; stays: () => void } {
  const [saved, setSaved] = useState(0)
  return { saved, stays: () => setSaved((n) => n + 1) }
}

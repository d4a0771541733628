import { useState } from 'react'

/** A form that stays on its page begins anew with each save: `key={saved}`. */
export function useSaved(): { saved: number; stays: () => void } {
  const [saved, setSaved] = useState(0)
  return { saved, stays: () => setSaved((n) => n + 1) }
}

import { useEffect, useState } from 'react'

/** The current time, updated every `every` milliseconds while the tab is visible; `false` never updates. */
export function useNow(every: number | false = 1000): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!every) return
    const timer = setInterval(() => document.hidden || setNow(new Date()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}

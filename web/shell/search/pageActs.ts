import { useEffect, useState } from 'react'
import { useSearchOpened } from '../../kit/frame/search.ts'

/** An act that the open page offers: a button of its header, or an item of its menu. */
export interface PageAct {
  label: string
  run: () => void
}

const PLACES = '[data-page-acts] :is(button, a[href]), [data-page-menu] [role="menuitem"]'

/**
 * The acts of the open page while the search is open. Read from what the page shows, so that no screen states an act twice;
 * an act that the person may not use is left out.
 */
export function usePageActs(): PageAct[] {
  const opened = useSearchOpened()
  const [acts, setActs] = useState<PageAct[]>([])
  useEffect(() => {
    if (!opened) return setActs([])
    // the items of the page's menu are drawn while the search is open
    const frame = requestAnimationFrame(() => setActs(readActs()))
    return () => cancelAnimationFrame(frame)
  }, [opened])
  return acts
}

function readActs(): PageAct[] {
  const found = [...document.querySelectorAll<HTMLElement>(PLACES)].flatMap((element): PageAct[] => {
    const isOff = element.matches('[aria-disabled="true"], [data-disabled], :disabled, [aria-haspopup]')
    const label = labelOf(element)
    return isOff || !label ? [] : [{ label, run: () => element.click() }]
  })
  return [...new Map(found.map((act) => [act.label, act])).values()]
}

/** The words of a button without its keys. */
function labelOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement // a copy of an element is one
  for (const key of copy.querySelectorAll('kbd, [aria-hidden="true"]')) key.remove()
  return (element.getAttribute('aria-label') ?? copy.textContent ?? '').trim()
}

import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import NotFound from './NotFound.tsx'

/** A screen of the thing whose number stands in the address; what is no number is no page. */
export function numbered(param: string, Page: ComponentType<{ id: number }>) {
  return function Numbered() {
    const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
    const id = toId(params[param])
    // another thing is another page: nothing of the one before is kept
    return id === undefined ? <NotFound /> : <Page key={id} id={id} />
  }
}

/** The number that an address carries; undefined for anything else. */
export const toId = (text = ''): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import NotFound from './NotFound.tsx'

/** Wraps a page that needs an id from the route; shows "not found" for anything but a number. */
export function numbered(param: string, Page: ComponentType<{ id: number }>) {
  return function Numbered() {
    const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
    const id = toId(params[param])
    // the key resets all state when the id changes
    return id === undefined ? <NotFound /> : <Page key={id} id={id} />
  }
}

/** Parses an id of an address; undefined for any other text. */
export const toId = (text = ''): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

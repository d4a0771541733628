import { useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorState } from './emptyStates.tsx'
import { PageHeader, type PageHeaderProps } from './PageHeader.tsx'
import css from './Screen.module.css'
import { Skeletons } from './Skeletons.tsx'
import { useTitle } from './trail.ts'

/** What useQuery gives, as far as a screen shows it. */
interface Loads {
  isPending: boolean
  error: Error | null
  data?: unknown
  refetch: () => unknown
}

type Props = Partial<PageHeaderProps> & {
  /** Without it nothing of the screen can be shown: while it loads there are bars, when it fails the reason. */
  query?: Loads
  /** Lists, forms and wizards scroll by themselves; all else scrolls in the padded body. */
  scroll?: boolean
  /** No header: the children bring the heading. */
  bare?: boolean
  children: ReactNode
}

/** The frame of every screen: its name in the tab and the breadcrumb, its heading, its states. */
export function Screen({ query, scroll = true, bare = false, children, ...header }: Props) {
  const place = useMatches({ select: (matches) => matches.at(-1)?.staticData.place })
  const title = header.title ?? place?.title ?? ''
  useTitle(title, header.mono)
  if (query?.error && query.data === undefined) {
    const retry = () => void query.refetch()
    return <ErrorState title={`${title} could not be loaded`} error={query.error} onRetry={retry} order={1} />
  }
  if (query?.isPending) return <Skeletons />
  return (
    <>
      {!bare && <PageHeader {...header} title={title} />}
      {scroll && !bare ? <div className={css.body}>{children}</div> : children}
    </>
  )
}

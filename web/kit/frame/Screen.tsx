import { useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorState } from './emptyStates.tsx'
import { nameOf } from './names.ts'
import { PageHeader, type PageHeaderProps } from './PageHeader.tsx'
import css from './Screen.module.css'
import { SkeletonLines, Skeletons } from './Skeletons.tsx'
import { frameTexts } from './texts.ts'
import { useTitle } from './trail.ts'

/** The part of a useQuery result that a screen uses. */
interface Loads {
  isPending: boolean
  error: Error | null
  data?: unknown
  refetch: () => unknown
}

type Props = Partial<PageHeaderProps> & {
  /** The main query of the screen: a skeleton shows while it loads, and the error if it fails. */
  query?: Loads
  /** Whether the padded body scrolls. Lists, forms and wizards scroll by themselves and pass false. */
  scroll?: boolean
  /** Omits the header, because the children contain the heading. */
  bare?: boolean
  children: ReactNode
}

/** The frame of every screen: document title, breadcrumb, heading, skeleton and error state. */
export function Screen({ query, scroll = true, bare = false, children, ...header }: Props) {
  const place = useMatches({ select: (matches) => matches.at(-1)?.staticData.place })
  // the name of a row is no name of a screen
  const title = header.title === undefined || header.title === place?.title ? nameOf(place?.title ?? '') : header.title
  useTitle(title, header.mono)
  if (query?.error && query.data === undefined) {
    const retry = () => void query.refetch()
    return <ErrorState title={frameTexts().unread(title)} error={query.error} onRetry={retry} order={1} />
  }
  if (query?.isPending && bare) return <Skeletons />
  if (query?.isPending)
    return (
      <>
        {/* the title has its final position; space is reserved for lines and tabs that come with the data */}
        <PageHeader
          title={title}
          mono={header.mono}
          meta={header.meta ? <span>&nbsp;</span> : undefined}
          tabs={header.tabs ? <div style={{ height: 34 }} /> : undefined}
        />
        {/* a separate node, so that the page replaces the skeleton instead of moving it */}
        <div key="waiting" className={css.body}>
          <SkeletonLines />
        </div>
      </>
    )
  return (
    <>
      {!bare && <PageHeader {...header} title={title} />}
      {scroll && !bare ? (
        <div key="body" className={css.body}>
          {children}
        </div>
      ) : (
        children
      )}
    </>
  )
}

import type { levels, Reason } from '@innkeeper/contract/access/notifications'

/** A notification for some people. */
export interface Notice {
  /** Staff ids. Leaves out deleted staff, and people who switched this reason off. */
  to: readonly number[]
  reason: Reason
  title: string
  body: string
  /** Path in the app that the notification links to. */
  link?: string
  level?: (typeof levels)[number]
}

import type { levels, Reason } from '@innkeeper/contract/access/notifications'
import { speakIn } from './language.ts'

/** A notification in the language of each of its readers. */
export const spokenNotice = (
  notice: Omit<Notice, 'title' | 'body' | 'say'>,
  say: NonNullable<Notice['say']>,
): Notice => ({ ...notice, ...speakIn('en', say), say })

/** A notification for some people. */
export interface Notice {
  /** Staff ids. Leaves out deleted staff, and people who switched this reason off. */
  to: readonly number[]
  reason: Reason
  title: string
  body: string
  /** Title and body again, in the language in which it is called: each person reads their own. */
  say?: (() => Pick<Notice, 'title' | 'body'>) | undefined
  /** Path in the app that the notification links to. */
  link?: string
  level?: (typeof levels)[number]
}

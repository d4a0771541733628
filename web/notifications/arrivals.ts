import type { EventData } from '@innkeeper/contract/events'
import { session } from '../kit/access/session.ts'
import { readAgain } from '../kit/api/readAgain.ts'
import { STAY, toast } from '../kit/dialogs/toast.ts'
import { swedish } from '../kit/look/format.ts'
import { notificationsApi } from './api.ts'

/** More than this many within so many milliseconds are a burst: they are counted, not shown one by one. */
const MOST = 3
const WITHIN = 5000
/** The bell shows these; what came during a gap is looked for among them. */
export const SHOWN = 10

type Pushed = EventData<'notification'>

let whose = 0
/** The newest that this page knows of; what came before it was opened does not pop up. */
let newest: number | undefined
let times: number[] = []
/** What popped up here: a push and a list after a gap may bring the same. */
const shown = new Set<number>()

/** The newest ones as they were read; the page then knows what is new to it. */
export function known(items: readonly { _id: number }[]): void {
  newest = Math.max(ownNewest() ?? 0, ...items.map(({ _id }) => _id))
}
function ownNewest(): number | undefined {
  if (whose !== session.user.id) newest = undefined
  whose = session.user.id
  return newest
}

function show({ _id, level, title, body, date, link }: Pushed, now = Date.now()): void {
  if (_id !== undefined && shown.has(_id)) return
  if (_id !== undefined) shown.add(_id)
  times = [...times.filter((time) => now - time < WITHIN), now]
  const more = times.length - MOST
  if (more <= 0) toast[level](title, body, { date: swedish(date), duration: STAY, to: link })
  else
    toast.info(more === 1 ? '1 more notification' : `${more} more notifications`, 'All of it stands in the list.', {
      key: 'burst',
      to: '/notifications',
      duration: STAY,
    })
}

export const arrivals = {
  arrived(notification: Pushed): void {
    if (notification._id !== undefined) known([{ _id: notification._id }])
    show(notification)
    void readAgain(['notifications'])
  },

  /** Shows what came while the line was away, the oldest first. */
  async caughtUp(): Promise<void> {
    const before = ownNewest() // the bell is read anew meanwhile, and then knows them all
    if (before === undefined) return // the list was never read: nothing is new to this page
    const answer = await notificationsApi.list({ unread: 'true', itemsPerPage: SHOWN }).catch(() => undefined) // the bell says why
    const missed = (answer?.items ?? []).filter(({ _id, silent }) => _id > before && !silent)
    for (const { link, ...one } of missed.reverse()) show({ ...one, ...(link && { link }) })
    known(answer?.items ?? [])
  },
}

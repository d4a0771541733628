import type { EventData } from '@innkeeper/contract/kit/events'
import { session } from '../../kit/access/session.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { STAY, toast } from '../../kit/dialogs/toast.ts'
import { swedish } from '../../kit/look/format.ts'
import { notificationsApi } from './api.ts'
import { useNotificationTexts } from './texts.ts'

/** More toasts than this within the period count as a burst, which shows one total instead. */
const MOST = 3
const WITHIN = 5000
/** Number of notifications in the bell; missed ones are searched among them after a reconnect. */
export const SHOWN = 10

type Pushed = EventData<'notification'>

let whose = 0
/** Id of the newest known notification; notifications from before the page load show no toast. */
let newest: number | undefined
let times: number[] = []
/** Ids already shown as toasts, because the push and the list after a reconnect may overlap. */
const shown = new Set<number>()

/** Records the newest notification of a list that was read. */
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
    toast.info(useNotificationTexts.now().more(more), useNotificationTexts.now().moreHint, {
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

  /** Shows notifications missed during a lost connection, the oldest first. */
  async caughtUp(): Promise<void> {
    const before = ownNewest() // read now, because the bell refetches meanwhile and updates `newest`
    if (before === undefined) return // without a first list, no notification counts as new
    const answer = await notificationsApi.list({ unread: 'true', itemsPerPage: SHOWN }).catch(() => undefined) // the bell shows the error
    const missed = (answer?.items ?? []).filter(({ _id, silent }) => _id > before && !silent)
    for (const { link, ...one } of missed.reverse()) show({ ...one, ...(link && { link }) })
    known(answer?.items ?? [])
  },
}

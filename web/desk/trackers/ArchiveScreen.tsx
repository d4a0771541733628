import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Screen } from '../../kit/frame/Screen.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { bugsApi, featuresApi, ticketsApi } from './api.ts'
import { ItemList } from './ItemList.tsx'
import { TrackerLinks } from './TrackerLinks.tsx'
import { useTracker, words } from './trackerInfo.ts'
import { filterKeys } from './useFilters.ts'

const archives = { bug: bugsApi.archive, feature: featuresApi.archive, ticket: ticketsApi.list }
const fixedOf: Record<Tracker, Record<string, string>> = {
  bug: { archived: 'true' },
  feature: { archived: 'true' },
  ticket: { status: 'Completed' },
}

/** Archived bugs and feature requests, and tickets with the status Completed. */
export default function ArchiveScreen() {
  const tracker = useTracker()
  const keys = filterKeys.filter((key) => tracker !== 'ticket' || key !== 'status')
  const fixed = tracker === 'ticket' ? { status: ['Completed'] } : {}
  // all three calls take the input of the list
  const list = useList(archives[tracker] as unknown as typeof bugsApi.list, { filters: keys, fixed })
  const { many } = words[tracker]
  return (
    <Screen scroll={false} count={listCount(list)} actions={<TrackerLinks tracker={tracker} here="archive" />}>
      <ItemList
        tracker={tracker}
        list={list}
        fixed={fixedOf[tracker]}
        empty={
          tracker === 'ticket'
            ? { title: 'No ticket is completed yet', text: 'Tickets with the status Completed are listed here.' }
            : { title: `No archived ${many}`, text: 'Completed and cancelled items can be archived from their page.' }
        }
      />
    </Screen>
  )
}

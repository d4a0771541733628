import type { Face } from '@innkeeper/contract/desk/trackers/values'
import { Screen } from '../../kit/frame/Screen.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { bugsApi, featuresApi, ticketsApi } from './api.ts'
import { FaceLinks } from './FaceLinks.tsx'
import { useFace, words } from './faces.ts'
import { ItemList } from './ItemList.tsx'
import { filterKeys } from './useFilters.ts'

const archives = { bug: bugsApi.archive, feature: featuresApi.archive, ticket: ticketsApi.list }
const fixedOf: Record<Face, Record<string, string>> = {
  bug: { archived: 'true' },
  feature: { archived: 'true' },
  ticket: { status: 'Completed' },
}

/** Archived bugs and feature requests, and tickets with the status Completed. */
export default function ArchiveScreen() {
  const face = useFace()
  const keys = filterKeys.filter((key) => face !== 'ticket' || key !== 'status')
  const fixed = face === 'ticket' ? { status: ['Completed'] } : {}
  // all three calls take the input of the list
  const list = useList(archives[face] as unknown as typeof bugsApi.list, { filters: keys, fixed })
  const { many } = words[face]
  return (
    <Screen scroll={false} count={listCount(list)} actions={<FaceLinks face={face} here="archive" />}>
      <ItemList
        face={face}
        list={list}
        fixed={fixedOf[face]}
        empty={
          face === 'ticket'
            ? { title: 'No ticket is completed yet', text: 'Tickets with the status Completed are listed here.' }
            : { title: `No archived ${many}`, text: 'Completed and cancelled items can be archived from their page.' }
        }
      />
    </Screen>
  )
}

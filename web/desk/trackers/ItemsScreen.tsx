import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { type View, Views } from '../../kit/list/Views.tsx'
import { apiOf } from './api.ts'
import { ImportButton } from './ImportButton.tsx'
import { ItemList } from './ItemList.tsx'
import { TrackerLinks } from './TrackerLinks.tsx'
import { useTracker, words } from './trackerInfo.ts'
import { filterKeys } from './useFilters.ts'

const views: readonly View[] = [
  { name: 'Open', filters: { group: ['backlog', 'open', 'in-progress'] } },
  { name: 'Mine', filters: { assignee: ['me'] } },
  { name: 'Nobody’s', filters: { assignee: ['none'] } },
  { name: 'Late', filters: { due: ['overdue'] } },
]
const texts = {
  bug: 'Report what is broken: title, steps, and what you expected.',
  feature: 'Ask for what is missing. Others can vote for it.',
  ticket: 'Tickets are requests between members of staff.',
}

export default function ItemsScreen() {
  const tracker = useTracker()
  const api = apiOf(tracker)
  const list = useList(api.list, { filters: filterKeys })
  const { base, one, many } = words[tracker]
  // the three trackers require a permission of their own for the same call
  const create = (
    <CreateButton call={api.import} to={`${base}/create`}>
      {`New ${one}`}
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <TrackerLinks tracker={tracker} here="list" />
          <ImportButton tracker={tracker} />
          {create}
        </>
      }
      tabs={<Views name={`tracker-${tracker}`} list={list} views={views} />}
    >
      <ItemList
        tracker={tracker}
        list={list}
        empty={{ title: `No ${many} yet`, text: texts[tracker], action: create }}
      />
    </Screen>
  )
}

import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { type View, Views } from '../../kit/list/Views.tsx'
import { apiOf } from './api.ts'
import { FaceLinks } from './FaceLinks.tsx'
import { useFace, words } from './faces.ts'
import { ImportButton } from './ImportButton.tsx'
import { ItemList } from './ItemList.tsx'
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
  const face = useFace()
  const api = apiOf(face)
  const list = useList(api.list, { filters: filterKeys })
  const { base, one, many } = words[face]
  // the three faces require a permission of their own for the same call
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
          <FaceLinks face={face} here="list" />
          <ImportButton face={face} />
          {create}
        </>
      }
      tabs={<Views name={`tracker-${face}`} list={list} views={views} />}
    >
      <ItemList face={face} list={list} empty={{ title: `No ${many} yet`, text: texts[face], action: create }} />
    </Screen>
  )
}

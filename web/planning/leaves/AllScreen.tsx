import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { PageTabs } from '../../kit/frame/PageTabs.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Skeletons } from '../../kit/frame/Skeletons.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { AllList } from './AllList.tsx'
import { leavesApi } from './api.ts'
import { LeaveDrawer } from './requests/LeaveDrawer.tsx'
import { useLeaveTexts } from './texts.ts'
import { WaitingList } from './WaitingList.tsx'

/** Loaded when its tab opens. */
const MonthView = lazyPart(() => import('./MonthView.tsx'), Skeletons)

const tabs = ['list', 'waiting', 'month'] as const

export default function AllScreen() {
  const words = useLeaveTexts()
  const { tab } = useSearch({ strict: false })
  const shown = tabs.find((one) => one === tab) ?? 'list'
  const navigate = useNavigate()
  const mine = useQuery(leavesApi.pending.query({ mine: 'true', itemsPerPage: 1 })).data?.total ?? 0
  return (
    <Screen
      scroll={false}
      actions={
        <CreateButton call={leavesApi.create} to="/leaves/new">
          {words.request}
        </CreateButton>
      }
      tabs={
        <PageTabs
          of={{ list: words.list, waiting: mine ? words.waitingForYou(mine) : words.waiting, month: words.month }}
          at={shown}
          show={(next) => void navigate({ to: '.', search: searchOf(next, mine) })}
        />
      }
    >
      {shown === 'list' && <AllList />}
      {shown === 'waiting' && <WaitingList />}
      {shown === 'month' && <MonthView />}
      <LeaveDrawer />
    </Screen>
  )
}

/** Filters of a tab. The tab of waiting leaves starts with those that this person decides, if any. */
function searchOf(tab: string | null, mine: number): Record<string, string> {
  if (tab === null || tab === 'list') return {}
  return tab === 'waiting' && mine > 0 ? { tab, mine: 'true' } : { tab }
}

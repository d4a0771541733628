import { Group, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { PageTabs } from '../../kit/frame/PageTabs.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { SectionBars } from '../../kit/frame/SectionBars.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { eventsApi } from './api.ts'
import { EventList } from './events/EventList.tsx'
import { NationalList } from './nationals/NationalList.tsx'
import { RepeatableList } from './repeatables/RepeatableList.tsx'

const Workplaces = lazyPart(() => import('./workplaces/Workplaces.tsx'), SectionBars)

const kinds = {
  events: { title: 'Events', call: eventsApi.list, List: EventList },
  repeatable: { title: 'Repeatable events', call: eventsApi.repeatables, List: RepeatableList },
  national: { title: 'National events', call: eventsApi.nationals, List: NationalList },
  workplaces: { title: 'Workplaces', call: eventsApi.workplaces, List: Workplaces },
} as const
type Kind = keyof typeof kinds
const titles = Object.fromEntries(Object.entries(kinds).map(([kind, { title }]) => [kind, title]))

const add = {
  events: { call: eventsApi.create, to: '/calendar/events/event', label: 'Add event' },
  repeatable: {
    call: eventsApi.createRepeatable,
    to: '/calendar/events/repeatable-event',
    label: 'Add repeatable event',
  },
  national: { call: eventsApi.createNational, to: '/calendar/events/national-event', label: 'Add national event' },
} as const

/** Lists of events by kind, and of workplaces; `?show=` selects the list. */
export default function ManageScreen() {
  const navigate = useNavigate()
  const lacking = useReason()
  const { show } = useSearch({ strict: false })
  const kind: Kind = show && Object.hasOwn(kinds, show) ? (show as Kind) : 'events' // checked by hasOwn
  const { call, List } = kinds[kind]
  const reason = lacking(call)
  return (
    <Screen
      scroll={false}
      actions={
        <Group gap={8}>
          <LinkButton to="/calendar/events" variant="default">
            Calendar
          </LinkButton>
          {kind !== 'workplaces' && (
            <CreateButton call={add[kind].call} to={add[kind].to}>
              {add[kind].label}
            </CreateButton>
          )}
        </Group>
      }
      tabs={
        <PageTabs
          of={titles}
          at={kind}
          show={(next) => void navigate({ to: '.', search: next && next !== 'events' ? { show: next } : {} })}
        />
      }
    >
      {reason ? (
        <Text c="dimmed" p={20}>
          {reason}
        </Text>
      ) : (
        <List />
      )}
    </Screen>
  )
}

import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { writeDay } from '../../../kit/form/dates.ts'
import { LinkButton, LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section, Split } from '../../../kit/frame/Section.tsx'
import { ago } from '../../../kit/look/format.ts'
import { feedbackApi, talksApi } from '../api.ts'
import { talkPath } from '../paths.ts'
import { saveExport } from '../timeline/saveExport.ts'
import { stateOfTalk, waits } from '../words.ts'
import { Entry } from './Entry.tsx'

const PAGE = 25

/** Entries about the signed-in person that they may read, and those that wait for their answer. */
export default function MineScreen() {
  const me = useSession()
  const [view, setView] = useState<'all' | 'waiting'>('all')
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...feedbackApi.mine.query({ page, itemsPerPage: PAGE, ...(view === 'waiting' && { waiting: 'true' }) }),
    placeholderData: keepPreviousData,
  })
  const mine = query.data
  if (!mine) return <Screen query={query}>{null}</Screen>
  return (
    <Screen
      meta={mine.waiting ? `${waits(mine.waiting)} wait for your answer` : 'Nothing waits for your answer'}
      actions={
        <>
          <LinkButton to="/scrums/my" variant="default">
            My audits
          </LinkButton>
          <Button variant="default" onClick={() => void attempt(() => saveExport(me.id), [])}>
            Export what is kept of me
          </Button>
        </>
      }
    >
      <Split sideLast side={<Talks />}>
        <Stack gap={16}>
          <SegmentedControl
            aria-label="Shown entries"
            value={view}
            onChange={(next) => {
              setView(next === 'waiting' ? 'waiting' : 'all')
              setPage(1)
            }}
            data={[
              { value: 'all', label: 'All' },
              { value: 'waiting', label: `Waiting (${waits(mine.waiting)})` },
            ]}
          />
          {mine.items.map((entry) => (
            <Section
              key={entry.id}
              title={entry.type?.name ?? 'Feedback'}
              hint={`${entry.author.name}, ${ago(entry.createdAt)}`}
            >
              <Entry entry={entry} />
            </Section>
          ))}
          {mine.items.length === 0 && (
            <Text c="dimmed">
              {view === 'waiting' ? 'Nothing waits for your answer.' : 'Nobody has written anything that you may read.'}
            </Text>
          )}
          <Group gap={8}>
            {page > 1 && (
              <Button variant="default" onClick={() => setPage(page - 1)}>
                Newer
              </Button>
            )}
            {mine.next && (
              <Button variant="default" onClick={() => setPage(page + 1)}>
                Older
              </Button>
            )}
          </Group>
        </Stack>
      </Split>
    </Screen>
  )
}

function Talks() {
  const found = useQuery(talksApi.talks.query({ itemsPerPage: 25 }))
  return (
    <Section title="Talks">
      <Stack gap={6}>
        {found.data?.items.map((talk) => (
          <div key={talk.id}>
            <LinkTo to={talkPath(talk.id)}>{talk.title}</LinkTo>
            <Text c="dimmed" fz="xs">
              {writeDay(talk.heldOn)}, {stateOfTalk(talk).toLowerCase()}
            </Text>
          </div>
        ))}
        {found.data?.total === 0 && <Text c="dimmed">No talk is planned with you.</Text>}
      </Stack>
    </Section>
  )
}

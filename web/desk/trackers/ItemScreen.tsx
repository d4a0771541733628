import type { ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyDialog, lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section, Split } from '../../kit/frame/Section.tsx'
import { Skeletons } from '../../kit/frame/Skeletons.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { apiOf, featuresApi, hintOf } from './api.ts'
import { ItemActs } from './ItemActs.tsx'
import { ItemFacts } from './ItemFacts.tsx'
import { TextsOfItem } from './TextsOfItem.tsx'
import { itemPath, useTracker } from './trackerInfo.ts'

const EditModal = lazyDialog(() => import('./EditModal.tsx'))
const FilesOfItem = lazyPart(() => import('./FilesOfItem.tsx'), Skeletons)
const LinksOfItem = lazyPart(() => import('./LinksOfItem.tsx'), Skeletons)
const TalkOfItem = lazyPart(() => import('./TalkOfItem.tsx'), Skeletons)
const HistoryOfItem = lazyPart(() => import('./HistoryOfItem.tsx'), Skeletons)

/** The page of a bug, a feature request or a ticket. */
export default function ItemScreen() {
  const tracker = useTracker()
  const { id: text = '' }: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  const query = useQuery(apiOf(tracker).one.query({ id }))
  const [editing, setEditing] = useState(false)
  const reason = useReason()(apiOf(tracker).link)
  const item = query.data
  if (!item) return <Screen query={query}>{null}</Screen>
  return (
    <Screen
      title={item.title}
      meta={
        <>
          <Mono>{item.key}</Mono>
          <Dot />
          <Text span>
            {item.reporter?.name ?? 'Somebody'}, {moment(item.createdAt)}
          </Text>
          {item.duplicateOf && (
            <>
              <Dot />
              <Text span>
                Duplicate of <LinkTo to={itemPath(tracker, item.duplicateOf.id)}>{item.duplicateOf.key}</LinkTo>
              </Text>
            </>
          )}
        </>
      }
      actions={
        <>
          {tracker === 'feature' && <VoteButton item={item} />}
          <ActButton variant="default" reason={reason} onClick={() => setEditing(true)}>
            Edit
          </ActButton>
          <PageMenu>
            <ItemActs tracker={tracker} item={item} />
          </PageMenu>
        </>
      }
    >
      <State tracker={tracker} item={item} />
      <Together key={`${tracker} ${id}`}>
        <Split
          sideLast
          side={
            <Stack gap={16}>
              <ItemFacts tracker={tracker} item={item} />
              <FilesOfItem tracker={tracker} item={item} />
              <LinksOfItem tracker={tracker} item={item} />
            </Stack>
          }
        >
          <Stack gap={16}>
            <Section title="Description">
              <TextsOfItem item={item} />
            </Section>
            <TalkOfItem key={`${tracker} ${id}`} tracker={tracker} item={item} />
            <HistoryOfItem tracker={tracker} item={item} />
          </Stack>
        </Split>
      </Together>
      {editing && <EditModal tracker={tracker} item={item} close={() => setEditing(false)} />}
    </Screen>
  )
}

/** Archived and deleted items say so. */
function State({ tracker, item }: { tracker: Tracker; item: ItemPage }) {
  const { id, deletedAt, archivedAt } = item
  if (!deletedAt && !archivedAt) return null
  const api = apiOf(tracker)
  const back = () => attempt(() => (deletedAt ? api.restore({ id }) : api.bringBack({ id })), [hintOf[tracker]])
  return (
    <Alert color="warning" mb={16} title={deletedAt ? 'Deleted' : 'Archived'}>
      <Text mb={8}>Since {moment(deletedAt ?? archivedAt ?? '')}.</Text>
      <Button size="xs" variant="default" onClick={() => void back()}>
        {deletedAt ? 'Restore' : 'Bring back'}
      </Button>
    </Alert>
  )
}

function VoteButton({ item }: { item: ItemPage }) {
  const { id: userId } = useSession()
  const has = item.voters.some(({ id }) => id === userId)
  const { id } = item
  if (closed.includes(item.status.group)) return null
  const act = () => attempt(() => (has ? featuresApi.unvote({ id }) : featuresApi.vote({ id })), ['features'])
  return (
    <Button variant={has ? 'light' : 'filled'} onClick={() => void act()}>
      {has ? 'Voted' : 'Vote'} · {item.votes}
    </Button>
  )
}

import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { departmentsApi } from '../../../access/departments/api.ts'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { goTo } from '../../../kit/frame/goTo.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import type { View } from '../../../kit/list/savedViews.ts'
import { useList } from '../../../kit/list/useList.ts'
import { Views } from '../../../kit/list/Views.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { count } from '../../../kit/look/format.ts'
import { apiOf, qcChecksApi, qcSettingsApi, qcSourcesApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { populationNames } from '../words.ts'
import { ConversationCard, columns, titleOf } from './columns.tsx'

interface Props {
  kind: Kind
  place: 'queue' | 'archive'
  /** The path of a row: `/qc/chats/$chatId`. */
  open: string
}

const filters = [
  ...([
    'search',
    'text',
    'agent',
    'department',
    'source',
    'tag',
    'status',
    'queuedBy',
    'csat',
    'failed',
    'anyFailed',
  ] as const),
  ...(['messagesFrom', 'messagesTo', 'scoreFrom', 'scoreTo', 'from', 'to', 'mine', 'unfinished'] as const),
]
const waysIntoQueue = Object.entries(populationNames).map(([value, label]) => ({ value, label }))
const ratings = Array.from({ length: 11 }, (_, n) => ({ value: String(n), label: String(n) }))

const views: Readonly<Record<Props['place'], readonly View[]>> = {
  queue: [],
  archive: [
    { name: 'Reviewed', filters: { status: ['reviewed'] } },
    { name: 'Never reviewed', filters: { status: ['imported'] } },
  ],
}

/** Chats or tickets, those that wait for a review or all others. */
export function ConversationList({ kind, place, open }: Props) {
  const lacking = useReason()
  const { archive, queue } = apiOf(kind)
  // the two calls differ in their paths only
  const list = useList(place === 'queue' ? (queue as unknown as typeof archive) : archive, { filters })
  const noTags = lacking(qcSettingsApi.allTags) !== undefined
  const { data: tags } = useQuery({ ...qcSettingsApi.allTags.query({ usedFor: kind }), enabled: !noTags })
  const { data: sources } = useQuery({
    ...qcSourcesApi.sources.query({ itemsPerPage: 200 }),
    enabled: lacking(qcSourcesApi.sources) === undefined,
  })
  const noChecks = lacking(qcChecksApi.checks) !== undefined
  const { data: rules } = useQuery({ ...qcChecksApi.checks.query({ itemsPerPage: 200 }), enabled: !noChecks })
  const isQueue = place === 'queue'
  const acts = isQueue && (
    <>
      {!lacking(qcSettingsApi.queue) && (
        <LinkButton to="/qc-settings/chats/queue" variant="default">
          Queue settings
        </LinkButton>
      )}
      <ReviewNext kind={kind} first={list.rows[0]?.id} />
    </>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={acts}
      tabs={<Views name={`qc-${kind}-${place}`} list={list} views={views[place]} />}
    >
      <ListTable
        name={`qc-${kind}-${place}`}
        noun={[kind, `${kind}s`]}
        list={list}
        columns={columns}
        card={(row) => <ConversationCard row={row} />}
        label={titleOf}
        open={({ id }) => rowPath(open, id)}
        notice={list.searched !== undefined && <Bounded searched={list.searched} noun={`${kind}s`} />}
        search={{ key: 'search', placeholder: 'Subject, customer or id' }}
        filters={[
          ...(isQueue
            ? [
                { key: 'mine', label: 'Mine', single: true, options: [{ value: 'true', label: 'Mine' }] },
                {
                  key: 'unfinished',
                  label: 'Unfinished',
                  single: true,
                  options: [{ value: 'true', label: 'Unfinished' }],
                },
              ]
            : []),
          ...(lacking(usersApi.list) ? [] : [{ key: 'agent', label: 'Agent', options: [], call: usersApi.list }]),
          ...(lacking(departmentsApi.list)
            ? []
            : [{ key: 'department', label: 'Department', options: [], call: departmentsApi.list }]),
          ...(sources?.items.length
            ? [
                {
                  key: 'source',
                  label: 'Source',
                  options: sources.items.map(({ id, name }) => ({ value: String(id), label: name })),
                },
              ]
            : []),
          {
            key: 'tag',
            label: 'Tag',
            options: (tags?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
          ...(isQueue
            ? []
            : [
                {
                  key: 'status',
                  label: 'Status',
                  options: [
                    { value: 'reviewed', label: 'Reviewed' },
                    { value: 'cleared', label: 'Cleared' },
                    { value: 'imported', label: 'Not queued' },
                  ],
                },
                { key: 'scoreFrom', label: 'Score at least', options: [], typed: 'text' as const },
                { key: 'scoreTo', label: 'Score at most', options: [], typed: 'text' as const },
              ]),
          { key: 'queuedBy', label: 'Queued by', options: waysIntoQueue },
          { key: 'csat', label: 'Rating', options: ratings },
          { key: 'anyFailed', label: 'Failed checks', single: true, options: [{ value: 'true', label: 'Any' }] },
          ...(rules?.items.length
            ? [
                {
                  key: 'failed',
                  label: 'Failed check',
                  options: rules.items.map(({ id, name }) => ({ value: String(id), label: name })),
                },
              ]
            : []),
          { key: 'text', label: 'Words in messages', options: [], typed: 'text' },
          { key: 'messagesFrom', label: 'Messages at least', options: [], typed: 'text' },
          { key: 'messagesTo', label: 'Messages at most', options: [], typed: 'text' },
          { key: 'from', label: 'From day', options: [], typed: 'day' },
          { key: 'to', label: 'To day', options: [], typed: 'day' },
        ]}
        empty={{
          title: isQueue ? 'Nothing waits for a review' : `No ${kind} yet`,
          text: isQueue
            ? 'The queue settings and cron filters decide what is reviewed.'
            : `A source sends ${kind}s by the import of JSON lines.`,
          tag: kind === 'chat' ? 'CH' : 'TK',
        }}
      />
    </Screen>
  )
}

const Bounded = ({ searched, noun }: { searched: number; noun: string }) => (
  <Alert color="info" p="8px 14px" radius={0} icon={<IconInfoCircle size={16} />} role="status">
    The words are common: only the first {count(searched)} {noun} of this list were searched, in its order. Narrow the
    filters, for example to an agent or to days, to search the others.
  </Alert>
)

/** Begins with the reviewer's open chat, else with the next one; tickets have no order of their own, so with the first row. */
function ReviewNext({ kind, first }: { kind: Kind; first: number | undefined }) {
  const paths = usePaths()
  const lacking = useReason()(kind === 'chat' ? 'qa:chat:review' : 'qa:ticket:review')
  const reason = lacking ?? (first === undefined ? 'Nothing waits here.' : undefined)
  const path = kind === 'chat' ? paths.reviewChat : rowPath(paths.reviewTicket, first ?? 0)
  return (
    <ActButton reason={reason} onClick={() => goTo(path)}>
      Review next
    </ActButton>
  )
}

import { type AccessItem, type AccessReview, accessKinds } from '@innkeeper/contract/access/accessReviews'
import { Button, Menu, Text } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { save } from '../../kit/list/ListTools.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted, longDay } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { accessReviewsApi } from './api.ts'
import { columns, ItemCard } from './columns.tsx'
import { kindWords, reviewWords } from './words.ts'

/** Who holds what, and what was decided. */
export default function AccessReviewScreen() {
  const { reviewId = '' } = useParams({ strict: false })
  const id = Number(reviewId)
  const query = useQuery(accessReviewsApi.one.query({ id }))
  const list = useList(accessReviewsApi.items, {
    filters: ['search', 'kind', 'decision', 'proposed'],
    fixed: { id },
  })
  const review = query.data
  return (
    <Screen
      query={query}
      scroll={false}
      title={review?.name}
      badge={review && <StatusBadge pill {...reviewWords[review.state]} />}
      meta={review && aboutOf(review)}
      actions={review && <ReviewActs review={review} />}
    >
      <ListTable
        name={`access-review-${id}`}
        noun={['row', 'rows']}
        list={list}
        columns={columns}
        card={(item) => <ItemCard item={item} />}
        label={({ userName, name }) => `${userName}: ${name}`}
        menu={review && ((item) => <ItemActs review={review} item={item} />)}
        search={{ key: 'search', placeholder: 'Person, role or token' }}
        filters={[
          {
            key: 'decision',
            label: 'Decision',
            single: true,
            options: [
              { value: 'none', label: 'Waits' },
              { value: 'keep', label: 'Keep' },
              { value: 'remove', label: 'Remove' },
            ],
          },
          {
            key: 'proposed',
            label: 'Proposed',
            single: true,
            options: [
              { value: 'yes', label: 'Not used for long' },
              { value: 'no', label: 'Others' },
            ],
          },
          {
            key: 'kind',
            label: 'Holds',
            single: true,
            options: accessKinds.map((value) => ({ value, label: kindWords[value] })),
          },
        ]}
        empty={{ title: 'No row', text: 'Nobody of this review holds anything.', tag: 'AR' }}
      />
    </Screen>
  )
}

const aboutOf = ({ undecided, items, dueOn, reviewerName, recordedSince, unusedDays }: AccessReview) =>
  [
    `${counted(undecided, ['row', 'rows'])} of ${items} wait`,
    `due ${longDay(dueOn)}`,
    `reviewer ${reviewerName}`,
    recordedSince ? `uses recorded since ${longDay(recordedSince)}` : 'no use is recorded yet',
    `proposed after ${unusedDays} days`,
  ].join(' · ')

function ReviewActs({ review }: { review: AccessReview }) {
  const lacking = useReason()
  const { id, name, state, undecided, toRemove } = review
  const over = state === 'open' ? undefined : `The review is ${state}`
  const finish = async () => {
    const sure = await confirm({
      title: `End ${name}?`,
      text: `${counted(toRemove, ['row is', 'rows are'])} removed now, by the rules that hold for you. What they refuse stays and says why.`,
      verb: 'End review',
      danger: toRemove > 0,
    })
    if (sure && (await succeeds(() => accessReviewsApi.finish({ id }), ['accessReviews', 'users', 'roles'])))
      toast.success(`${name} is finished`)
  }
  const cancel = async () => {
    const sure = await confirm({
      title: `Cancel ${name}?`,
      text: 'Nothing is removed. The decisions stay readable.',
      verb: 'Cancel review',
      danger: true,
    })
    if (sure && (await succeeds(() => accessReviewsApi.cancel({ id }), ['accessReviews'])))
      toast.success(`${name} is cancelled`)
  }
  const download = async () => {
    const file = await attempt(() => accessReviewsApi.file({ id }), [])
    if (file) save(file, `access-review-${id}.csv`)
  }
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={15} />} onClick={() => void download()}>
        For the auditor
      </Button>
      <ActButton variant="default" reason={over ?? lacking(accessReviewsApi.cancel)} onClick={() => void cancel()}>
        Cancel review…
      </ActButton>
      <ActButton
        reason={over ?? lacking(accessReviewsApi.finish) ?? (undecided ? `${undecided} rows wait` : undefined)}
        onClick={() => void finish()}
      >
        End review…
      </ActButton>
    </>
  )
}

function ItemActs({ review, item }: { review: AccessReview; item: AccessItem }) {
  const lacking = useReason()
  const me = useSession()
  const over = review.state === 'open' ? undefined : `The review is ${review.state}`
  const own = item.userId === me.id ? 'Somebody else decides about you' : undefined
  const reason = over ?? own ?? lacking(accessReviewsApi.decide)
  const decide = (decision: AccessItem['decision']) =>
    void succeeds(() => accessReviewsApi.decide({ id: review.id, items: [item.id], decision }), ['accessReviews'])
  return (
    <>
      <MenuAction label="Keep" icon={<IconCheck size={15} />} reason={reason} onClick={() => decide('keep')} />
      <MenuAction label="Remove" icon={<IconTrash size={15} />} reason={reason} onClick={() => decide('remove')} />
      <Menu.Divider />
      <MenuAction
        label="Take back"
        icon={<IconArrowBackUp size={15} />}
        reason={reason ?? (item.decision ? undefined : 'Nothing is decided')}
        onClick={() => decide(null)}
      />
      {item.unused.length > 0 && (
        <Text fz="xs" c="dimmed" p="4px 12px" maw={260} style={{ overflowWrap: 'anywhere' }}>
          Never used: {item.unused.slice(0, 8).join(', ')}
          {item.unused.length > 8 && ` and ${item.unused.length - 8} more`}
        </Text>
      )}
    </>
  )
}

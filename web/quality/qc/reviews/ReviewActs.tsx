import type { ConversationPage, Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { session } from '../../../kit/access/session.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { apiOf } from '../api.ts'

const ReviewEdits = lazyPart(
  () => import('./ReviewEdits.tsx'),
  () => null,
)

/** Menu items that change a submitted review and show its former changes. */
export function ReviewActs({ kind, review, page }: { kind: Kind; review: Review; page: ConversationPage }) {
  const [shown, setShown] = useState<'form' | 'edits'>()
  const lacking = useReason()
  const isOwn = review.agent.id === session.user.id
  const reason = isOwn ? 'The review is about you: only somebody else can change it' : lacking(apiOf(kind).updateReview)
  return (
    <Group gap={8} mt={10}>
      <ActButton variant="default" size="xs" reason={reason} onClick={() => setShown('form')}>
        Change…
      </ActButton>
      {review.edits > 0 && (
        <Button variant="subtle" size="xs" onClick={() => setShown('edits')}>
          {review.edits === 1 ? 'Changed once' : `Changed ${review.edits} times`}
        </Button>
      )}
      {shown && (
        <ReviewEdits
          kind={kind}
          review={review}
          page={page}
          isForm={shown === 'form'}
          close={() => setShown(undefined)}
        />
      )}
    </Group>
  )
}

import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { Conversation } from '../../../kit/conversation/LazyConversation.tsx'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { SplitPane } from '../../../kit/frame/SplitPane.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { apiOf } from '../api.ts'
import { usePaths } from '../paths.ts'
import css from '../qc.module.css'
import About from './About.tsx'
import { titleOf } from './columns.tsx'
import { messagesOf } from './messages.ts'

const Actions = lazyPart(
  () => import('./Actions.tsx'),
  () => null,
)

/** One chat or ticket to read: messages left, reviews and history right. */
export function ConversationView({ kind, id }: { kind: Kind; id: number }) {
  const query = useQuery(apiOf(kind).one.query({ id }))
  const reason = useReason()(apiOf(kind).submit)
  const paths = usePaths()
  const page = query.data
  if (!page) return <Screen query={query}>{null}</Screen>
  const review = 'Review'
  const act = reason ? (
    <ActButton reason={reason}>{review}</ActButton>
  ) : kind === 'chat' ? (
    <LinkButton to={paths.reviewChat} search={{ chat: String(id) }}>
      {review}
    </LinkButton>
  ) : (
    <LinkButton to={paths.reviewTicket} params={{ ticketId: String(id) }}>
      {review}
    </LinkButton>
  )
  return (
    <Screen
      scroll={false}
      title={titleOf(page)}
      actions={
        <Group gap={8} wrap="nowrap">
          {(page.status !== 'reviewed' || page.reopenedSince) && act}
          <Actions page={page} kind={kind} />
        </Group>
      }
    >
      <div className={css.fill}>
        <SplitPane
          name="qc"
          panes={[
            { title: 'Conversation', content: <Conversation label={titleOf(page)} messages={messagesOf(page)} /> },
            {
              title: 'About',
              content: (
                <div className={css.sheet}>
                  <About page={page} kind={kind} />
                </div>
              ),
            },
          ]}
        />
      </div>
    </Screen>
  )
}

import type { ConversationPage } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { Button, Checkbox, Group, Kbd, Stack, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import type { ConversationHandle } from '../../kit/conversation/Conversation.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Skeletons } from '../../kit/frame/Skeletons.tsx'
import { type SplitHandle, SplitPane } from '../../kit/frame/SplitPane.tsx'
import { clock } from '../../kit/look/format.ts'
import { useAct } from '../../kit/look/useAct.ts'
import { ScoreSheet } from '../../kit/score/ScoreSheet.tsx'
import { noScore, type ScoreType, sumUp } from '../../kit/score/scores.ts'
import { apiOf } from '../api.ts'
import { About } from '../conversations/About.tsx'
import { titleOf } from '../conversations/columns.tsx'
import { messagesOf } from '../conversations/messages.ts'
import css from '../qc.module.css'
import { useReview, useRubric } from './useReview.ts'

const Conversation = lazyPart(() => import('./LaterConversation.tsx'), Skeletons)
const TagsField = lazyPart(
  () => import('./TagsField.tsx'),
  () => null,
)

interface Props {
  kind: Kind
  id: number
  /** Opens the next item of the queue, or the queue if nothing waits. */
  onNext: (id: number | null) => void
}

/** The review of one chat or ticket: the conversation left, the scores right. */
export function ReviewView({ kind, id, onNext }: Props) {
  const query = useQuery(apiOf(kind).one.query({ id }))
  const rubric = useRubric(kind)
  if (!query.data || !rubric) return <Screen query={query}>{null}</Screen>
  return <Form key={id} kind={kind} page={query.data} rubric={rubric} onNext={onNext} />
}

interface FormProps extends Omit<Props, 'id'> {
  page: ConversationPage
  rubric: ScoreType[]
}

function Form({ kind, page, rubric, onNext }: FormProps) {
  const api = apiOf(kind)
  const split = useRef<SplitHandle>(null)
  const chat = useRef<ConversationHandle>(null)
  const [active, setActive] = useState(rubric[0]?.id ?? 0)
  const [sendStats, setSendStats] = useState(true)
  const review = useReview(kind, page)
  const { scores, setScores } = review
  const { busy, run } = useAct()
  const messages = useMemo(() => messagesOf(page), [page])
  const nameOf = (id: string) => `message at ${clock(messages.find((message) => message.id === id)?.at ?? 0)}`
  const show = (message: string) => {
    split.current?.open(0)
    chat.current?.show(message)
  }
  const sum = sumUp(rubric, scores)
  const score = scores[active] ?? noScore
  const lack = lackOf(sum.missing, sum.uncommented, page)
  const send = (reviewLater?: true) =>
    run(async () => {
      review.stop()
      const target = kind === 'chat' ? { chatId: page.id } : { ticketId: page.id }
      const { nextId } = await api.submit({
        ...target,
        sendStats,
        data: review.data,
        ...(reviewLater && { reviewLater }),
      })
      toast.success(reviewLater ? 'Kept for later' : `${titleOf(page)} is reviewed`)
      onNext(nextId)
      void readAgain(['qc'])
    })
  useHotkeys([['mod+Enter', () => void (lack === undefined && send())]], [])
  const marks = useMemo(() => {
    const found = new Map<string, string[]>()
    for (const { id, name } of rubric)
      for (const message of scores[id]?.evidence ?? []) found.set(message, [...(found.get(message) ?? []), name])
    return found
  }, [rubric, scores])
  return (
    <Screen scroll={false} title={titleOf(page)} meta={`${page.agent?.name ?? 'unknown agent'}, ${page.externalId}`}>
      <div className={css.fill}>
        <SplitPane
          ref={split}
          name="qc"
          panes={[
            {
              title: 'Conversation',
              content: (
                <Conversation
                  ref={chat}
                  label={titleOf(page)}
                  messages={messages}
                  marks={marks}
                  marking={{
                    label: `evidence for ${rubric.find(({ id }) => id === active)?.name ?? ''}`,
                    marked: new Set(score.evidence),
                    onToggle: (message) => {
                      const evidence = [...new Set([message]).symmetricDifference(new Set(score.evidence))]
                      setScores({ ...scores, [active]: { ...score, evidence } })
                    },
                  }}
                />
              ),
            },
            {
              title: 'Review',
              content: (
                <div className={css.pane}>
                  <div className={css.sheet}>
                    <ScoreSheet
                      types={rubric}
                      scores={scores}
                      onChange={setScores}
                      active={active}
                      onActivate={setActive}
                      evidence={{ nameOf, onShow: show }}
                    />
                    <Stack gap={12} className={css.below}>
                      <TagsField kind={kind} value={review.tags} onChange={review.setTags} />
                      <Textarea
                        label="Comment to the agent"
                        autosize
                        minRows={2}
                        dir="auto"
                        value={review.comment}
                        onChange={(event) => review.setComment(event.currentTarget.value)}
                      />
                    </Stack>
                    <About page={page} kind={kind} />
                  </div>
                  <footer className={css.foot}>
                    <Text c="dimmed" fz="xs" aria-live="polite">
                      {lack ?? draftText[review.saved]}
                    </Text>
                    <Group gap={8}>
                      <Checkbox
                        label="Notify the agent"
                        checked={sendStats}
                        onChange={(event) => setSendStats(event.currentTarget.checked)}
                      />
                      <Button variant="default" loading={busy} onClick={() => void send(true)}>
                        Review later
                      </Button>
                      <Button
                        loading={busy}
                        disabled={lack !== undefined}
                        rightSection={<Kbd visibleFrom="sm">Ctrl ↵</Kbd>}
                        onClick={() => void send()}
                      >
                        Submit and next
                      </Button>
                    </Group>
                  </footer>
                </div>
              ),
            },
          ]}
        />
      </div>
    </Screen>
  )
}

const draftText = { no: 'Nothing is saved yet', saving: 'Saving the draft', yes: 'Draft saved' } as const

/** Why the review cannot be submitted yet. */
function lackOf(missing: string[], uncommented: string[], page: ConversationPage): string | undefined {
  if (page.status === 'reviewed') return 'Reviewed already'
  if (page.status === 'cleared') return 'Cleared from the queue'
  if (missing.length) return `No grade: ${missing.join(', ')}`
  return uncommented.length ? `No comment: ${uncommented.join(', ')}` : undefined
}

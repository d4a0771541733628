import type { ConversationPage } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import type { ConversationHandle } from '../../kit/conversation/Conversation.tsx'
import { Conversation } from '../../kit/conversation/LazyConversation.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Skeletons } from '../../kit/frame/Skeletons.tsx'
import { type SplitHandle, SplitPane } from '../../kit/frame/SplitPane.tsx'
import { clock } from '../../kit/look/format.ts'
import { useAct } from '../../kit/look/useAct.ts'
import { noScore, type ScoreType, sumUp } from '../../kit/score/scores.ts'
import { apiOf } from '../api.ts'
import { titleOf } from '../conversations/columns.tsx'
import { messagesOf } from '../conversations/messages.ts'
import css from '../qc.module.css'
import { focusGrade, isWriting } from './keys.ts'
import type { Sheets } from './sheets.ts'
import { usePreloaded, useReview, useRubric } from './useReview.ts'

const ReviewForm = lazyPart(() => import('./ReviewForm.tsx'), Skeletons)

interface Props {
  kind: Kind
  id: number
  /** Opens the next item of the queue, or the queue if nothing waits. */
  onNext: (id: number | null) => Promise<void>
}

/** The review of one chat or ticket: the conversation on the left, the scores on the right. */
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
  const [chosen, setAgentId] = useState(0)
  const { sheets, saved, data, change, undo, stop } = useReview(kind, page)
  const { busy, run } = useAct()
  usePreloaded(kind, page.id)
  const agentId = sheets.agents.some(({ id }) => id === chosen) ? chosen : (sheets.agents[0]?.id ?? 0)
  const scores = sheets.scores[agentId] ?? {}
  const messages = useMemo(() => messagesOf(page), [page])
  const nameOf = (id: string) => `message at ${clock(messages.find((message) => message.id === id)?.at ?? 0)}`
  const show = (message: string) => {
    split.current?.open(0)
    chat.current?.show(message)
  }
  const score = scores[active] ?? noScore
  const lack = lackOf(page, rubric, sheets)
  const send = (reviewLater?: true) =>
    run(async () => {
      stop()
      const target = kind === 'chat' ? { chatId: page.id } : { ticketId: page.id }
      const agents = sheets.agents.map(({ id }) => id)
      const more = reviewLater ? { reviewLater } : { sendStats, agents }
      const { nextId } = await api.submit({ ...target, ...more, data })
      await onNext(nextId)
      // afterwards, because toasts and new data would interrupt the rendering of the next item
      // one at a time and short: toasts cover the buttons of the next review
      const said = reviewLater ? 'Kept for later' : `${titleOf(page)} is reviewed`
      toast.success(said, undefined, { key: 'review', duration: 2500 })
      void readAgain(['qc'])
    })
  useHotkeys(
    [
      ['mod+Enter', () => void (lack === undefined && send())],
      ['mod+Shift+Enter', () => void send(true)],
      ['mod+Shift+Z', undo],
    ],
    [],
  )
  const marks = useMemo(() => {
    const found = new Map<string, string[]>()
    for (const { id, name } of rubric)
      for (const message of scores[id]?.evidence ?? []) found.set(message, [...(found.get(message) ?? []), name])
    return found
  }, [rubric, scores])
  const toggle = (message: string) => {
    const evidence = [...new Set([message]).symmetricDifference(new Set(score.evidence))]
    change({ ...sheets, scores: { ...sheets.scores, [agentId]: { ...scores, [active]: { ...score, evidence } } } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
    const at = sheets.agents.findIndex(({ id }) => id === agentId)
    const acts: Record<string, () => void> = {
      m: () => chat.current?.focus(),
      g: () => focusGrade(`[data-type="${active}"]`),
      a: () => setAgentId(sheets.agents[(at + 1) % sheets.agents.length]?.id ?? agentId),
    }
    const act = acts[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  }
  const about = sheets.agents.map(({ name }) => name).join(', ') || 'nobody chosen'
  return (
    <Screen scroll={false} title={titleOf(page)} meta={`${about}, ${page.externalId}`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: messages and grades are the controls; their keys bubble up to here */}
      <div className={css.fill} onKeyDown={onKeyDown}>
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
                    onToggle: toggle,
                  }}
                />
              ),
            },
            {
              title: 'Review',
              content: (
                <ReviewForm
                  {...{ kind, page, rubric, sheets, change, agentId, setAgentId, active, setActive }}
                  evidence={{ nameOf, onShow: show }}
                  foot={{
                    ...{ busy, sendStats, setSendStats },
                    text: lack ?? draftText[saved],
                    canSubmit: lack === undefined,
                    onLater: () => void send(true),
                    onSubmit: () => void send(),
                  }}
                />
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
function lackOf(page: ConversationPage, rubric: readonly ScoreType[], { agents, scores }: Sheets): string | undefined {
  if (page.status === 'cleared') return 'Cleared from the queue'
  if (!agents.length) return 'Choose the agent whom the review is about'
  const reviewed = agents.find(({ id }) => page.reviews.some((review) => review.agent.id === id))
  if (reviewed) return `${reviewed.name} is reviewed already`
  for (const { id, name } of agents) {
    const { missing, uncommented } = sumUp(rubric, scores[id] ?? {})
    const whose = agents.length > 1 ? `, ${name}` : ''
    if (missing.length) return `No grade${whose}: ${missing.join(', ')}`
    if (uncommented.length) return `No comment${whose}: ${uncommented.join(', ')}`
  }
  return undefined
}

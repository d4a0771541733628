import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react'
import { session } from '../../../kit/access/session.ts'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import type { ConversationHandle } from '../../../kit/conversation/Conversation.tsx'
import { Conversation } from '../../../kit/conversation/LazyConversation.tsx'
import { errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { isWriting, useKeyHelp } from '../../../kit/frame/keys.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { PageHeader } from '../../../kit/frame/PageHeader.tsx'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'
import { type SplitHandle, SplitPane } from '../../../kit/frame/SplitPane.tsx'
import { clock } from '../../../kit/look/format.ts'
import { noScore, type ScoreType } from '../../../kit/score/scores.ts'
import { apiOf } from '../api.ts'
import { titleOf } from '../conversations/columns.tsx'
import { messagesOf } from '../conversations/messages.ts'
import css from '../qc.module.css'
import type { FootProps } from './Foot.tsx'
import { focusGrade, reviewKeys } from './keys.ts'
import { Lease } from './Lease.tsx'
import { lackOf } from './lack.ts'
import { dataOf, type Sheets } from './sheets.ts'
import { WhileShown } from './shown.tsx'
import { useReview } from './useReview.ts'
import { useSkip } from './useSkip.ts'

const ReviewForm = lazyPart(() => import('./ReviewForm.tsx'), Skeletons)

interface Props {
  kind: Kind
  page: ConversationPage
  rubric: ScoreType[]
  /** Shows the next item of the queue, or the queue if nothing waits. */
  onNext: (id: number | null) => Promise<void>
}

/** The review of one conversation: the messages on the left, the scores on the right. */
export const ReviewOf = memo(Form)

function Form({ kind, page, rubric, onNext }: Props) {
  const api = apiOf(kind)
  const box = useRef<HTMLDivElement>(null)
  const split = useRef<SplitHandle>(null)
  const chat = useRef<ConversationHandle>(null)
  const isSent = useRef(false)
  const [active, setActive] = useState(rubric[0]?.id ?? 0)
  const [chosen, setAgentId] = useState(0)
  const { sheets, draft, change: keep, undo } = useReview(kind, page)
  const [refusal, setRefusal] = useState<Readonly<Record<string, string>>>({})
  const change = (next: Sheets) => {
    setRefusal({})
    keep(next)
  }
  useSkip(kind, page, isSent, onNext)
  const agentId = sheets.agents.some(({ id }) => id === chosen) ? chosen : (sheets.agents[0]?.id ?? 0)
  const scores = sheets.scores[agentId] ?? {}
  const messages = useMemo(() => messagesOf(page), [page])
  const nameOf = (id: string) => `message at ${clock(messages.find((message) => message.id === id)?.at ?? 0)}`
  const show = (message: string) => {
    split.current?.open(0)
    chat.current?.show(message)
  }
  const score = scores[active] ?? noScore
  const send: FootProps['send'] = async (how) => {
    draft.stop()
    const data = dataOf(sheets)
    const target = kind === 'chat' ? { chatId: page.id } : { ticketId: page.id }
    const agents = sheets.agents.map(({ id }) => id)
    try {
      const { nextId } = await api.submit({
        ...target,
        ...how,
        ...('sendStats' in how && { agents }),
        data,
        takeNext: true,
      })
      isSent.current = true
      await onNext(nextId)
    } catch (error) {
      draft.save(data) // was stopped, so that no draft follows the submission
      const fields = error instanceof ApiError ? error.body.fields : undefined
      if (fields) setRefusal(fields)
      else void errorDialog(error)
      void readAgain(['qc'])
      return
    }
    // afterwards, because toasts and new data would interrupt the rendering of the next item
    // one at a time and short: toasts cover the buttons of the next review
    const said = 'reviewLater' in how ? 'Kept for later' : `${titleOf(page)} is reviewed`
    toast.success(said, undefined, { key: 'review', duration: 2500 })
    void readAgain(['qc'])
  }
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
  useKeyHelp('In a review', reviewKeys)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
    const at = sheets.agents.findIndex(({ id }) => id === agentId)
    const acts: Record<string, () => void> = {
      m: () => chat.current?.focus(),
      g: () => focusGrade(box.current, `[data-type="${active}"]`),
      a: () => setAgentId(sheets.agents[(at + 1) % sheets.agents.length]?.id ?? agentId),
    }
    const act = acts[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  }
  const about = sheets.agents.map(({ name }) => name).join(', ') || 'nobody chosen'
  return (
    <>
      <PageHeader title={titleOf(page)} meta={`${about}, ${page.externalId}`} />
      <WhileShown>
        <Lease kind={kind} page={page} isSent={isSent} />
      </WhileShown>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: messages and grades are the controls; their keys bubble up to here */}
      <div ref={box} className={css.fill} onKeyDown={onKeyDown}>
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
                  refusal={refusal}
                  foot={{
                    ...{ send, undo },
                    lack: lackOf(page, rubric, sheets, session.user.id),
                    text: Object.values(refusal).join('. ') || draft.text,
                    isError: draft.hasFailed || Object.keys(refusal).length > 0,
                  }}
                />
              ),
            },
          ]}
        />
      </div>
    </>
  )
}

import { useMemo, useRef, useState } from 'react'
import { Conversation, type ConversationHandle } from '../kit/conversation/Conversation.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { type SplitHandle, SplitPane } from '../kit/frame/SplitPane.tsx'
import { clock } from '../kit/look/format.ts'
import { ScoreSheet } from '../kit/score/ScoreSheet.tsx'
import { noScore, type Scores } from '../kit/score/scores.ts'
import { messages } from './messages.ts'
import css from './Pieces.module.css'
import { types } from './scoreTypes.ts'

const shown = messages(60)
const nameOf = (id: string) => `message at ${clock(shown.find((message) => message.id === id)?.at ?? 0)}`

/** A review in a split pane: the conversation left, the scores right, messages as evidence of the focused score. */
export function Panes() {
  const split = useRef<SplitHandle>(null)
  const chat = useRef<ConversationHandle>(null)
  const [scores, setScores] = useState<Scores>({})
  const [active, setActive] = useState(1)
  const name = types.find(({ id }) => id === active)?.name ?? ''
  const score = scores[active] ?? noScore
  const show = (id: string) => {
    split.current?.open(0)
    chat.current?.show(id)
  }
  const marks = useMemo(() => {
    const names = types.flatMap(({ id, name }) =>
      (scores[id]?.evidence ?? []).map((message) => [message, name] as const),
    )
    return new Map(
      Object.entries(Object.groupBy(names, ([id]) => id)).map(([id, all = []]) => [id, all.map(([, n]) => n)]),
    )
  }, [scores])
  return (
    <Section title="SplitPane" hint="a review: E marks a message as evidence" pad={false}>
      <div className={css.tall}>
        <SplitPane
          ref={split}
          name="kit"
          panes={[
            {
              title: 'Conversation',
              content: (
                <Conversation
                  ref={chat}
                  label="Chat 58213"
                  messages={shown}
                  marks={marks}
                  marking={{
                    label: `evidence for ${name}`,
                    marked: new Set(score.evidence),
                    onToggle: (id) => {
                      const evidence = [...new Set([id]).symmetricDifference(new Set(score.evidence))]
                      setScores({ ...scores, [active]: { ...score, evidence } })
                    },
                  }}
                />
              ),
            },
            {
              title: 'Review',
              content: (
                <ScoreSheet
                  types={types}
                  scores={scores}
                  onChange={setScores}
                  active={active}
                  onActivate={setActive}
                  evidence={{ nameOf, onShow: show }}
                />
              ),
            },
          ]}
        />
      </div>
    </Section>
  )
}

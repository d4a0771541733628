import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useId, useLayoutEffect } from 'react'
import { WaitingInput } from '../../../kit/form/WaitingInput.tsx'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'
import { ScoreSheet } from '../../../kit/score/ScoreSheet.tsx'
import type { Scores, ScoreType } from '../../../kit/score/scores.ts'
import css from '../qc.module.css'
import { Foot, type FootProps } from './Foot.tsx'
import { focusGrade } from './keys.ts'
import { outsiderOf } from './lack.ts'
import { type Sheets, withAgents } from './sheets.ts'
import { WhileShown } from './shown.tsx'

const TagsField = lazyPart(
  () => import('./TagsField.tsx'),
  () => <WaitingInput label="Tags" />,
)
const AgentsField = lazyPart(
  () => import('./AgentsField.tsx'),
  () => <WaitingInput label="Reviewed agents" required />,
)
const BelowSheet = lazyPart(() => import('./BelowSheet.tsx'), Skeletons)

interface Props {
  kind: Kind
  page: ConversationPage
  rubric: readonly ScoreType[]
  sheets: Sheets
  change: (sheets: Sheets) => void
  /** The agent whose set is shown. */
  agentId: number
  setAgentId: (id: number) => void
  active: number
  setActive: (type: number) => void
  evidence: { nameOf: (id: string) => string; onShow: (id: string) => void }
  /** Errors of the server by field. */
  refusal: Readonly<Record<string, string>>
  foot: FootProps
}

/** The right side of a review: agents, the score sheet of one of them, tags, comment, and facts of the conversation. */
export default function ReviewForm(props: Props) {
  const { kind, page, rubric, sheets, change, agentId, setAgentId, active, setActive, evidence, refusal, foot } = props
  const pane = useId()
  const setScores = (scores: Scores) => change({ ...sheets, scores: { ...sheets.scores, [agentId]: scores } })
  return (
    <div id={pane} className={css.pane}>
      <WhileShown>
        <FirstGrade pane={pane} />
      </WhileShown>
      <div className={css.sheet}>
        {(sheets.agents.length !== 1 || page.agents.length > 1) && (
          <Stack gap={8} className={css.below}>
            <Agents page={page} sheets={sheets} change={change} refusal={refusal} />
          </Stack>
        )}
        {sheets.agents.length > 1 && (
          <div className={css.agents}>
            <SegmentedControl
              fullWidth
              aria-label="Scores of"
              data={sheets.agents.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(agentId)}
              onChange={(next) => setAgentId(Number(next))}
            />
          </div>
        )}
        <ScoreSheet
          key={agentId}
          types={rubric}
          scores={sheets.scores[agentId] ?? {}}
          onChange={setScores}
          active={active}
          onActivate={setActive}
          evidence={evidence}
        />
        <Stack gap={12} className={css.below}>
          <TagsField
            kind={kind}
            value={sheets.tags}
            error={refusal.tags}
            onChange={(tags) => change({ ...sheets, tags })}
          />
          <Textarea
            label={sheets.agents.length > 1 ? 'Comment to the agents' : 'Comment to the agent'}
            autosize
            minRows={2}
            dir="auto"
            value={sheets.comment}
            error={refusal['data.comment']}
            onChange={(event) => change({ ...sheets, comment: event.currentTarget.value })}
          />
          {sheets.agents.length === 1 && page.agents.length <= 1 && (
            <Agents page={page} sheets={sheets} change={change} refusal={refusal} />
          )}
        </Stack>
        <BelowSheet page={page} kind={kind} />
      </div>
      <Foot {...foot} />
    </div>
  )
}

/** Focuses the first grade, so that a review needs no pointer. Before the painting, so that no key is lost. */
function FirstGrade({ pane }: { pane: string }) {
  useLayoutEffect(
    () => focusGrade(document.getElementById(pane), 'fieldset[data-type]', { preventScroll: true }),
    [pane],
  )
  return null
}

interface AgentsProps extends Pick<Props, 'page' | 'sheets' | 'change'> {
  refusal: Props['refusal']
}
const Agents = ({ page, sheets, change, refusal }: AgentsProps) => {
  const outsider = outsiderOf(page, sheets.agents)
  return (
    <>
      <AgentsField
        wrote={page.agents}
        value={sheets.agents}
        {...(refusal.agents && { error: refusal.agents })}
        onChange={(agents) => change(withAgents(sheets, agents))}
      />
      {outsider && (
        <TextInput
          label={`Why ${outsider.name} is graded, who did not write here`}
          required
          value={sheets.agentReason}
          error={refusal['data.agentReason']}
          onChange={(event) => change({ ...sheets, agentReason: event.currentTarget.value })}
        />
      )}
    </>
  )
}

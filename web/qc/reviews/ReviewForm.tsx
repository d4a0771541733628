import type { ConversationPage } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { Button, Checkbox, Group, Kbd, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useEffect } from 'react'
import { WaitingInput } from '../../kit/form/WaitingInput.tsx'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Skeletons } from '../../kit/frame/Skeletons.tsx'
import { ScoreSheet } from '../../kit/score/ScoreSheet.tsx'
import type { Scores, ScoreType } from '../../kit/score/scores.ts'
import css from '../qc.module.css'
import { focusGrade } from './keys.ts'
import { type Sheets, withAgents } from './sheets.ts'

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
  foot: FootProps
}

/** The right side of a review: agents, the score sheet of one of them, tags, comment, and facts of the conversation. */
export default function ReviewForm(props: Props) {
  const { kind, page, rubric, sheets, change, agentId, setAgentId, active, setActive, evidence, foot } = props
  useFirstGrade(page.id)
  const setScores = (scores: Scores) => change({ ...sheets, scores: { ...sheets.scores, [agentId]: scores } })
  return (
    <div className={css.pane}>
      <div className={css.sheet}>
        {(sheets.agents.length !== 1 || page.agents.length > 1) && (
          <Stack gap={8} className={css.below}>
            <Agents page={page} sheets={sheets} change={change} />
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
          <TagsField kind={kind} value={sheets.tags} onChange={(tags) => change({ ...sheets, tags })} />
          <Textarea
            label={sheets.agents.length > 1 ? 'Comment to the agents' : 'Comment to the agent'}
            autosize
            minRows={2}
            dir="auto"
            value={sheets.comment}
            onChange={(event) => change({ ...sheets, comment: event.currentTarget.value })}
          />
          {sheets.agents.length === 1 && page.agents.length <= 1 && (
            <Agents page={page} sheets={sheets} change={change} />
          )}
        </Stack>
        <BelowSheet page={page} kind={kind} />
      </div>
      <footer className={css.foot}>
        <Foot {...foot} />
      </footer>
    </div>
  )
}

/** Focuses the first grade, so that a review needs no pointer. */
function useFirstGrade(id: number) {
  useEffect(() => {
    if (id) focusGrade('fieldset[data-type]', { preventScroll: true })
  }, [id])
}

const Agents = ({ page, sheets, change }: Pick<Props, 'page' | 'sheets' | 'change'>) => (
  <AgentsField wrote={page.agents} value={sheets.agents} onChange={(agents) => change(withAgents(sheets, agents))} />
)

interface FootProps {
  text: string
  busy: boolean
  canSubmit: boolean
  sendStats: boolean
  setSendStats: (next: boolean) => void
  onLater: () => void
  onSubmit: () => void
}

const Foot = ({ text, busy, canSubmit, sendStats, setSendStats, onLater, onSubmit }: FootProps) => (
  <>
    <Text c="dimmed" fz="xs" aria-live="polite">
      {text}
    </Text>
    <Group gap={8}>
      <Checkbox
        label="Notify the agent"
        checked={sendStats}
        onChange={(event) => setSendStats(event.currentTarget.checked)}
      />
      <Button variant="default" loading={busy} onClick={onLater}>
        Review later
      </Button>
      <Button loading={busy} disabled={!canSubmit} rightSection={<Kbd visibleFrom="sm">Ctrl ↵</Kbd>} onClick={onSubmit}>
        Submit and next
      </Button>
    </Group>
  </>
)

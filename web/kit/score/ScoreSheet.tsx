import { Text } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { listed } from '../access/reasons.ts'
import { type EvidenceOf, ScoreRow } from './ScoreRow.tsx'
import css from './score.module.css'
import { gradeByKey, gradeOf, noScore, type Scores, type ScoreType, sumUp } from './scores.ts'

interface Props {
  types: readonly ScoreType[]
  scores: Scores
  onChange: (scores: Scores) => void
  evidence?: EvidenceOf
  /** The score type that new marks belong to: the focused one, or the last. */
  active?: number
  onActivate?: (type: number) => void
  readOnly?: boolean
}

/**
 * All score types of a review with the total. Number keys grade and move to the next row, or to the comment if the
 * grade requires one. Alt with an arrow key moves between rows, C opens the comment.
 */
export function ScoreSheet({ types, scores, onChange, evidence, active, onActivate, readOnly = false }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [goal, setGoal] = useState<{ type: number; comment: boolean }>()
  // a grade that requires a comment renders the comment field
  useEffect(() => {
    if (!goal) return
    const row = list.current?.querySelector(`[data-type="${goal.type}"]`)
    const comment = goal.comment ? row?.querySelector<HTMLElement>('textarea') : undefined
    const grade = row?.querySelector<HTMLElement>('input:checked') ?? row?.querySelector<HTMLElement>('input')
    ;(comment ?? grade)?.focus()
    setGoal(undefined)
  }, [goal])

  const typeOf = (target: EventTarget): ScoreType | undefined => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-type]') : null
    return types.find(({ id }) => String(id) === row?.dataset.type)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const type = typeOf(event.target)
    if (!type || readOnly || event.ctrlKey || event.metaKey) return
    const at = types.indexOf(type)
    const next = types[at + 1]
    const score = scores[type.id] ?? noScore
    const grade = gradeByKey(type, event.key)
    const isWriting = event.target instanceof HTMLTextAreaElement
    if (event.altKey) {
      const to = { ArrowDown: next, ArrowUp: types[at - 1] }[event.key]
      if (!to) return
      setGoal({ type: to.id, comment: false })
    } else if (isWriting) return
    else if (grade !== undefined) {
      const graded = { ...score, grade }
      onChange({ ...scores, [type.id]: graded })
      const asks = gradeOf(type, graded)?.needsComment === true && score.comment.trim() === ''
      setGoal({ type: asks ? type.id : (next ?? type).id, comment: asks })
    } else if (event.key.toLowerCase() === 'c') {
      const row = list.current?.querySelector(`[data-type="${type.id}"]`)
      row?.querySelector<HTMLElement>('[data-comment]')?.click()
      setGoal({ type: type.id, comment: true })
    } else return
    event.preventDefault()
  }
  const onFocus = ({ target }: FocusEvent) => {
    const type = typeOf(target)
    if (type && type.id !== active) onActivate?.(type.id)
  }
  return (
    <div>
      <Total types={types} scores={scores} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are the controls; their keys bubble up to here */}
      <div ref={list} onKeyDown={onKeyDown} onFocus={onFocus}>
        {types.map((type) => (
          <ScoreRow
            key={type.id}
            type={type}
            score={scores[type.id] ?? noScore}
            isActive={type.id === active}
            evidence={evidence}
            readOnly={readOnly}
            onChange={(score) => onChange({ ...scores, [type.id]: score })}
          />
        ))}
      </div>
    </div>
  )
}

/** The total, and why it is missing or 0. */
function Total({ types, scores }: { types: readonly ScoreType[]; scores: Scores }) {
  const { score, rated, failed } = sumUp(types, scores)
  return (
    <div className={css.total}>
      <div>
        <Text c="dimmed" fz="xs">
          Score so far
        </Text>
        <Text
          fz={26}
          fw={600}
          lh={1.2}
          className="num"
          c={failed.length ? 'var(--mantine-color-error-text)' : undefined}
        >
          {score === undefined ? '–' : score.toFixed(1)}
        </Text>
      </div>
      <Text c="dimmed" fz="xs" ta="right" aria-live="polite">
        {rated} of {types.length} rated
        <br />
        {failed.length ? (
          <Text span inherit c="var(--mantine-color-error-text)">
            {listed(failed)} failed and is critical
          </Text>
        ) : (
          'N/A excludes the weight'
        )}
      </Text>
    </div>
  )
}

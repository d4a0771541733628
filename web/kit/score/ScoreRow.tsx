import { Anchor, Button, Text, Textarea } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Glyph } from '../look/Glyph.tsx'
import css from './score.module.css'
import { gradeOf, lacksComment, NA, type Score, type ScoreType } from './scores.ts'

export interface EvidenceOf {
  /** Names a message: "message at 13:16:55". */
  nameOf: (id: string) => string
  onShow: (id: string) => void
}
interface Props {
  type: ScoreType
  score: Score
  /** Whether new marks become evidence of this row. */
  isActive: boolean
  evidence: EvidenceOf | undefined
  readOnly: boolean
  onChange: (score: Score) => void
}

/** A score type: grades by number keys, a comment, and the evidence. */
export function ScoreRow({ type, score, isActive, evidence, readOnly, onChange }: Props) {
  const id = useId()
  const [asked, setAsked] = useState(false)
  const { name, hint, weight, isCritical, mayBeNA, grades } = type
  const grade = gradeOf(type, score)
  const lacks = lacksComment(type, score)
  const choices = [
    ...grades.map((one, n) => ({ value: one.id, label: one.name, key: n < 9 ? String(n + 1) : '' })),
    ...(mayBeNA ? [{ value: NA, label: 'N/A', key: '0' } as const] : []),
  ]
  const showsComment = asked || score.comment !== '' || lacks
  return (
    <fieldset
      className={css.row}
      data-type={type.id}
      data-active={isActive || undefined}
      disabled={readOnly}
      aria-describedby={`${id}-about`}
    >
      <legend className={css.legend}>
        <Text span fw={500}>
          {name}
        </Text>
      </legend>
      <div className={css.about} id={`${id}-about`}>
        <Text span c="dimmed" fz="xs" className={css.hint}>
          {hint}
        </Text>
        {isCritical && (
          <span className={css.critical}>
            <Glyph shape="bang" colour="error" size={11} /> Critical
          </span>
        )}
        <Text span c="dimmed" fz="xs" className="num">
          {weight} %
        </Text>
      </div>
      <div className={css.grades}>
        {choices.map(({ value, label, key }) => (
          <label key={value} className={css.grade}>
            <input
              type="radio"
              name={id}
              checked={score.grade === value}
              onChange={() => onChange({ ...score, grade: value })}
            />
            <span className={css.gradeName}>{label}</span>
            {key && (
              <span aria-hidden className={css.key}>
                {key}
              </span>
            )}
          </label>
        ))}
      </div>
      {score.evidence.length > 0 && (
        <div className={css.evidence}>
          <Text span c="dimmed" fz="xs">
            Evidence
          </Text>
          {score.evidence.map((message) => (
            <span key={message} className={css.proof}>
              <Anchor component="button" type="button" fz="xs" onClick={() => evidence?.onShow(message)}>
                {evidence?.nameOf(message) ?? message}
              </Anchor>
              {!readOnly && (
                <button
                  type="button"
                  aria-label={`Remove ${evidence?.nameOf(message) ?? message} from the evidence`}
                  onClick={() => onChange({ ...score, evidence: score.evidence.filter((other) => other !== message) })}
                >
                  <IconX size={11} aria-hidden />
                </button>
              )}
            </span>
          ))}
        </div>
      )}
      {showsComment ? (
        <Textarea
          mt={8}
          autosize
          minRows={1}
          maxRows={8}
          dir="auto"
          aria-label={`Comment on ${name}`}
          placeholder={`Comment on ${name}`}
          required={grade?.needsComment ?? false}
          error={lacks ? `${grade?.name} needs a comment.` : undefined}
          value={score.comment}
          onChange={(event) => onChange({ ...score, comment: event.currentTarget.value })}
        />
      ) : (
        !readOnly && (
          <Button
            size="xs"
            variant="subtle"
            color="secondary"
            className={css.add}
            onClick={() => setAsked(true)}
            data-comment
          >
            Add comment
          </Button>
        )
      )}
    </fieldset>
  )
}

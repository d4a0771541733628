import { useState } from 'react'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import { ScoreSheet } from '../kit/score/ScoreSheet.tsx'
import type { Scores as Given, Grade, ScoreType } from '../kit/score/scores.ts'
import css from './Pieces.module.css'

const grades: Grade[] = [
  { id: 1, name: 'Poor', value: 0, needsComment: true },
  { id: 2, name: 'Fair', value: 50 },
  { id: 3, name: 'Good', value: 80 },
  { id: 4, name: 'Great', value: 100 },
]
const types: ScoreType[] = [
  { id: 1, name: 'Greeting', hint: 'Name used, tone fits', weight: 10, mayBeNA: true, grades },
  { id: 2, name: 'Diagnosis', hint: 'Found the cause, showed how', weight: 30, mayBeNA: true, grades },
  { id: 3, name: 'Solution', hint: 'Solved, or a clear next step', weight: 40, mayBeNA: true, grades },
  { id: 4, name: 'Security', hint: 'Identity checked before a change', weight: 20, isCritical: true, grades },
]
const given: Given = {
  1: { grade: 4, comment: '', evidence: [] },
  2: { grade: 3, comment: '', evidence: ['message at 13:16:55', 'message at 13:19:26'] },
  4: { grade: 1, comment: '', evidence: [] },
}

/** A review form: grades by number keys. */
export function Scores() {
  const [scores, setScores] = useState(given)
  const [active, setActive] = useState(2)
  return (
    <Section title="ScoreSheet" hint="number keys grade, C comments, Alt and arrows move" pad={false}>
      <div className={css.narrow}>
        <ScoreSheet
          types={types}
          scores={scores}
          onChange={setScores}
          active={active}
          onActivate={setActive}
          evidence={{ nameOf: (id) => id, onShow: (id) => toast.info(id) }}
        />
      </div>
    </Section>
  )
}

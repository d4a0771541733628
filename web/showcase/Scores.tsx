import { useState } from 'react'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import { ScoreSheet } from '../kit/score/ScoreSheet.tsx'
import type { Scores as Given } from '../kit/score/scores.ts'
import css from './Pieces.module.css'
import { types } from './scoreTypes.ts'

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

import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { ScoreType } from '../../../kit/score/scores.ts'
import { qcSettingsApi } from '../api.ts'
import { dataOf, type Sheets, sheetsOf } from './sheets.ts'
import { useDraft } from './useDraft.ts'

/** Score types in use for the kind, as the kit's score sheet takes them. */
export function useRubric(kind: Kind): ScoreType[] | undefined {
  const { data: types } = useQuery(qcSettingsApi.types.query({ itemsPerPage: 200, isActive: 'true' }))
  const { data: grades } = useQuery(qcSettingsApi.grades.query({ itemsPerPage: 200 }))
  return useMemo(() => {
    if (!types || !grades) return undefined
    return types.items
      .filter(({ usedFor }) => usedFor === 'all' || usedFor === kind)
      .map(({ id, name, description, weight, isCritical, mayBeNA, gradeIds }) => ({
        ...{ id, name, hint: description, weight, isCritical, mayBeNA },
        grades: gradeIds.flatMap((gradeId) => grades.items.find((grade) => grade.id === gradeId) ?? []),
      }))
  }, [types, grades, kind])
}

/** Steps that can be undone. */
const STEPS = 50

/** The sheets of a review, saved as a draft while they change. Before the first change they follow the stored draft. */
export function useReview(kind: Kind, page: ConversationPage) {
  const stored = useMemo(() => sheetsOf(page), [page])
  const [changed, setChanged] = useState<Sheets>()
  const sheets = changed ?? stored
  const draft = useDraft(kind, page)
  const past = useRef<Sheets[]>([])
  const keep = (next: Sheets) => {
    setChanged(next)
    draft.save(dataOf(next))
  }
  return {
    ...{ sheets, draft },
    change(next: Sheets) {
      past.current = [...past.current.slice(1 - STEPS), sheets]
      keep(next)
    },
    undo() {
      const before = past.current.pop()
      if (before) keep(before)
    },
  }
}

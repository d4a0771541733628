import type { ReviewData } from '@innkeeper/contract/qc/conversations'
import type { ConversationPage, Draft } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { attempt } from '../../kit/api/attempt.ts'
import { NA, type Scores, type ScoreType } from '../../kit/score/scores.ts'
import { apiOf, qcSettingsApi } from '../api.ts'

/** Score types in use for the kind, as the kit's score sheet takes them. */
export function useRubric(kind: Kind): ScoreType[] | undefined {
  const { data: types } = useQuery(qcSettingsApi.types.query({ itemsPerPage: 200, isActive: 'true' }))
  const { data: grades } = useQuery(qcSettingsApi.grades.query({ itemsPerPage: 200 }))
  if (!types || !grades) return undefined
  return types.items
    .filter(({ usedFor }) => usedFor === 'all' || usedFor === kind)
    .map(({ id, name, description, weight, isCritical, mayBeNA, gradeIds }) => ({
      ...{ id, name, hint: description, weight, isCritical, mayBeNA },
      grades: gradeIds.flatMap((gradeId) => grades.items.find((grade) => grade.id === gradeId) ?? []),
    }))
}

/** Scores, tags and comment of one review, saved as a draft while they change. */
export function useReview(kind: Kind, page: ConversationPage) {
  const api = apiOf(kind)
  const [scores, setScores] = useState<Scores>(() => fromDraft(page.draft))
  const [tags, setTags] = useState<number[]>(page.draft?.tags ?? [])
  const [comment, setComment] = useState(page.draft?.comment ?? '')
  const [saved, setSaved] = useState<'no' | 'saving' | 'yes'>(page.draft ? 'yes' : 'no')
  const data = dataOf(scores, tags, comment)
  const save = useDebouncedCallback(async (draft: ReviewData) => {
    const done = await attempt(() => api.saveDraft({ id: page.id, data: draft }).then(() => true), [])
    setSaved(done ? 'yes' : 'no')
  }, 800)
  const keep = (draft: ReviewData) => {
    setSaved('saving')
    save(draft)
  }
  useLease(kind, page)
  return {
    ...{ scores, tags, comment, saved, data },
    setScores(next: Scores) {
      setScores(next)
      keep(dataOf(next, tags, comment))
    },
    setTags(next: number[]) {
      setTags(next)
      keep(dataOf(scores, next, comment))
    },
    setComment(next: string) {
      setComment(next)
      keep(dataOf(scores, tags, next))
    },
    /** No draft is saved after the submission. */
    stop: () => save.cancel(),
  }
}

/** Renews the lease while the screen is open; the server says who else has it. */
function useLease(kind: Kind, { id, status }: ConversationPage) {
  useEffect(() => {
    if (status !== 'queued') return
    const api = apiOf(kind)
    const take = () => void attempt(() => api.lease({ id }), [])
    take()
    const timer = setInterval(take, 300_000)
    return () => clearInterval(timer)
  }, [kind, id, status])
}

function fromDraft(draft: Draft | null): Scores {
  return Object.fromEntries(
    (draft?.scores ?? []).map(({ scoreTypeId, gradeId, comment, evidence }) => [
      scoreTypeId,
      {
        ...(gradeId !== undefined && { grade: gradeId ?? NA }),
        ...{ comment, evidence: evidence.map(String) },
      },
    ]),
  )
}

const dataOf = (scores: Scores, tags: number[], comment: string): ReviewData => ({
  scores: Object.entries(scores).map(([type, { grade, comment: why, evidence }]) => ({
    ...{ scoreTypeId: Number(type), comment: why, evidence: evidence.map(Number) },
    ...(grade !== undefined && { gradeId: grade === NA ? null : grade }),
  })),
  tags,
  comment,
})

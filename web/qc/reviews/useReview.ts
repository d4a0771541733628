import type { ReviewData } from '@innkeeper/contract/qc/conversations'
import type { ConversationPage } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { attempt } from '../../kit/api/attempt.ts'
import type { ScoreType } from '../../kit/score/scores.ts'
import { apiOf, qcSettingsApi } from '../api.ts'
import { dataOf, type Sheets, sheetsOf } from './sheets.ts'

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

/** Steps that can be undone. */
const STEPS = 50

/** The sheets of a review, saved as a draft while they change. */
export function useReview(kind: Kind, page: ConversationPage) {
  const api = apiOf(kind)
  const [sheets, setSheets] = useState(() => sheetsOf(page))
  const [saved, setSaved] = useState<'no' | 'saving' | 'yes'>(page.draft ? 'yes' : 'no')
  const past = useRef<Sheets[]>([])
  const save = useDebouncedCallback(async (draft: ReviewData) => {
    const done = await attempt(() => api.saveDraft({ id: page.id, data: draft }).then(() => true), [])
    setSaved(done ? 'yes' : 'no')
  }, 800)
  const keep = (next: Sheets) => {
    setSheets(next)
    setSaved('saving')
    save(dataOf(next))
  }
  useLease(kind, page)
  return {
    ...{ sheets, saved, data: dataOf(sheets) },
    change(next: Sheets) {
      past.current = [...past.current.slice(1 - STEPS), sheets]
      keep(next)
    },
    undo() {
      const before = past.current.pop()
      if (before) keep(before)
    },
    /** No draft is saved after the submission. */
    stop: () => save.cancel(),
  }
}

/** Renews the lease while the screen is open. If somebody else has the lease, the server's refusal is shown. */
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

/** Reads the next conversation of the queue ahead, so that "Submit and next" shows it at once. */
export function usePreloaded(kind: Kind, id: number) {
  const client = useQueryClient()
  const api = apiOf(kind)
  const nextId = useQuery(api.next.query({ id })).data?.nextId
  useEffect(() => {
    if (nextId) void client.prefetchQuery(apiOf(kind).one.query({ id: nextId }))
  }, [client, kind, nextId])
}

import type { NamedFile } from '@innkeeper/contract/hosting/names/shapes'
import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { useCallback, useState } from 'react'
import { namesApi } from './api.ts'
import { usePreview } from './usePreview.ts'

export interface WantedRename {
  newDomain: string
  keepDays: number
  /** Ids of sub-websites and aliases to rename too. */
  also: number[]
  files: Pick<NamedFile, 'within' | 'sha256'>[]
  /** Whether the new name also replaces the old one in the databases. */
  databases: boolean
  excludeActions: string[]
}
const empty: WantedRename = { newDomain: '', keepDays: 90, also: [], files: [], databases: false, excludeActions: [] }

/** State of the rename form, with the server's preview. */
export function useRename(website: WebsiteRow) {
  const [wanted, setWanted] = useState(empty)
  const set = useCallback((change: Partial<WantedRename>) => setWanted((now) => ({ ...now, ...change })), [])
  const { newDomain, keepDays, also, files, databases } = wanted
  const { data, current, failed } = usePreview(namesApi.planRename, {
    id: website.id,
    newDomain,
    keepDays,
    also,
    files,
    databases,
  })
  const problems = (current && data?.problems) || {}
  return {
    wanted,
    set,
    plan: data,
    problems,
    failed,
    /** Whether the server has checked the current values without errors. */
    ready: current && newDomain.trim() !== '' && Object.keys(problems).length === 0 && (data?.actions.length ?? 0) > 0,
  }
}
export type Rename = ReturnType<typeof useRename>

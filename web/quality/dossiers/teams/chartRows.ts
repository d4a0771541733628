import type { ChartTeam } from '@innkeeper/contract/quality/dossiers/shapes'

type Person = ChartTeam['people'][number]
export type ChartRow = { key: string; level: number; team: ChartTeam } & (
  | { person?: undefined; isOpen: boolean; below: number }
  | { person: Person }
)

/** Rows of the chart, depth first: a team, its people, then the teams below. A team whose parent is missing is at the top. */
export function rowsOf(teams: readonly ChartTeam[], closed: ReadonlySet<number>): ChartRow[] {
  const known = new Set(teams.map(({ id }) => id))
  const below = Map.groupBy(teams, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : 0))
  const rows: ChartRow[] = []
  const walk = (parent: number, level: number) => {
    for (const team of below.get(parent) ?? []) {
      const isOpen = !closed.has(team.id)
      const own = below.get(team.id)?.length ?? 0
      rows.push({ key: `t${team.id}`, level, team, isOpen, below: own + team.people.length })
      if (!isOpen) continue
      for (const person of team.people) rows.push({ key: `m${person.membershipId}`, level: level + 1, team, person })
      walk(team.id, level + 1)
    }
  }
  walk(0, 1)
  return rows
}

/** The row that a key moves to. */
export function rowByKey(rows: readonly ChartRow[], at: number, key: string): number | undefined {
  const last = rows.length - 1
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + 10, PageUp: at - 10 }[key]
  if (to !== undefined) return Math.max(0, Math.min(last, to))
  const row = rows[at]
  if (key !== 'ArrowLeft' || !row || (!row.person && row.isOpen)) return undefined
  const above = rows.slice(0, at).findLastIndex(({ level, person }) => level < row.level && !person)
  return above < 0 ? undefined : above
}

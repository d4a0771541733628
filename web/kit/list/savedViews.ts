import { type View as Saved, views } from '@innkeeper/contract/access/views'
import { useQuery } from '@tanstack/react-query'
import { bind } from '../api/client.ts'
import { queryClient } from '../api/queries.ts'
import { errorDialog } from '../dialogs/dialogs.ts'
import type { Direction, Filters } from './listState.ts'

const api = bind('views', views)

export interface View {
  name: string
  filters: Filters
  sort?: string
  direction?: Direction
}
/** A personal view; without an id it is not saved yet. */
export interface OwnView extends View {
  id?: number
}

const shown = ({ id, name, filters, sort, direction }: Saved): OwnView => ({
  id,
  name,
  filters,
  ...(sort && { sort }),
  ...(direction && { direction }),
})

/** The person's saved views of a list. The server stores them for all browsers. */
export function useSavedViews(list: string) {
  // one query for the views of all lists
  const { data } = useQuery({ ...api.list.query(), staleTime: 300_000 })
  const own = (data?.items ?? []).filter((view) => view.list === list).map(shown)
  const keep = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      void errorDialog(error)
    }
    await queryClient.invalidateQueries({ queryKey: api.list.key })
  }
  return {
    own,
    save: ({ name, filters, sort, direction }: View) =>
      keep(() => api.save({ list, name, filters: changeable(filters), sort, direction })),
    forget: ({ id }: OwnView) => keep(async () => id && api.remove({ id })),
  }
}

/** Copies read-only filters of the address for the input of a call. */
const changeable = (filters: Filters): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, [...values]]))

/** Whether filters are equal, and the order too if the view has one. */
export function isView(view: View, asked: View): boolean {
  if (view.sort && (view.sort !== asked.sort || view.direction !== asked.direction)) return false
  return question(view.filters) === question(asked.filters)
}

const question = (filters: Filters): string =>
  JSON.stringify(
    Object.entries(filters)
      .filter(([, values]) => values.length)
      .map(([key, values]) => [key, [...values].sort()])
      .sort(),
  )

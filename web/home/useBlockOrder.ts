import { views } from '@innkeeper/contract/access/views'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../kit/access/session.ts'
import { bind } from '../kit/api/client.ts'
import { queryClient } from '../kit/api/queries.ts'
import { visibleNames } from './blocks.ts'

const viewsApi = bind('views', views)
/** The order is kept as a saved view, so that every device of the person has it. */
const saved = { list: 'home', name: 'order' }

/** The names of the visible blocks in this person's order; undefined while the order loads. */
export function useBlockOrder(): { names: string[] | undefined; save: (names: string[]) => Promise<void> } {
  const user = useSession()
  const query = viewsApi.list.query({ list: saved.list })
  const { data, isPending } = useQuery(query)
  const [own, setOwn] = useState<string[]>()
  const chosen = own ?? data?.items.find(({ name }) => name === saved.name)?.filters.order ?? []
  return {
    names: isPending ? undefined : visibleNames(user, chosen),
    async save(names) {
      setOwn(names)
      await viewsApi.save({ ...saved, filters: { order: names } })
      await queryClient.invalidateQueries({ queryKey: query.queryKey })
    },
  }
}
